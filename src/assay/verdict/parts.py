"""The parts of a verdict: claims with their evidence, compared numbers, what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.verdict.vocabulary import ClaimStatus, Tier

JSONValue = str | int | float | bool | None | list["JSONValue"] | dict[str, "JSONValue"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Characters ``start:end`` of the text of passage number ``passage`` (0-based)."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A span of the response that says something checkable.

    Attributes:
        text: ``response[start:end]``.
        start: Offset of the first character in the response as given.
        end: Offset after the last character.
        status: What the tier found.
        support: Estimate of P(claim follows from the passages), 0..1, or None when it was not scored.
        evidence: The places that support it best, best first.
        citations: The citation markers inside the claim, as written.
        facts: Findings of exact checks (numbers, dates, names), each one plain sentence.
    """

    text: str
    start: int
    end: int
    status: ClaimStatus
    support: float | None = None
    evidence: tuple[Evidence, ...] = ()
    citations: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, JSONValue]:
        """The claim as the contract's JSON."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "status": self.status.value,
            "support": self.support,
            "evidence": [{"passage": e.passage, "start": e.start, "end": e.end} for e in self.evidence],
            "citations": list(self.citations),
            "facts": list(self.facts),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number compared with one threshold, as a gate did it. ``value`` is None when unavailable."""

    signal: str
    operator: str
    threshold: float
    value: float | None
    met: bool


@dataclass(frozen=True, slots=True)
class GateTrace:
    """A gate that was looked at: its comparisons, whether it fired, and whether a judge settled it."""

    name: str
    fired: bool
    comparisons: tuple[Comparison, ...]
    settled: bool = False


@dataclass(frozen=True, slots=True)
class RowError:
    """Why a row could not be judged."""

    type: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What produced a verdict.

    Attributes:
        passed: True exactly when the decision is ACCEPT.
        used_llm_judge: Whether an answer of the judge took part in the decision.
        latency_ms: Wall time of this verdict in milliseconds; it and ``judge`` differ between runs.
        profile: Name of the profile.
        tier: What the verdict rests on.
        version: Version of Assay.
        policy_hash: Hash of everything in the profile that can change a decision.
        scorer_hash: Hash of the signals, their options and the embedder's weights.
        input_hash: Hash of the sample that was judged; None for a row that could not be.
        read: How much was read: passages, characters, and characters that the model's window cut off.
        judge: If a judge was asked: model, prompt version, answer, calls, tokens, cost, or the error.
    """

    passed: bool
    used_llm_judge: bool
    latency_ms: float
    profile: str
    tier: Tier
    version: str
    policy_hash: str
    scorer_hash: str
    read: Mapping[str, int] = field(default_factory=dict)
    input_hash: str | None = None
    judge: Mapping[str, JSONValue] | None = None
