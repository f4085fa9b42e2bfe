"""What comes out: the verdict, its claims and its evidence. ``Verdict.to_dict`` is the public JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

JSONValue = str | int | float | bool | None | list["JSONValue"] | dict[str, "JSONValue"]


class Decision(StrEnum):
    """What to do with a response, from best to worst."""

    ACCEPT = "ACCEPT"
    REVIEW = "REVIEW"
    REJECT = "REJECT"


class FailureType(StrEnum):
    """Why a response was not accepted. ``docs/failure-types.md`` is made from this list."""

    NONE = "none"
    HALLUCINATION = "hallucination"
    CONTRADICTION = "contradiction"
    WEAK_GROUNDING = "weak_grounding"
    POOR_RETRIEVAL = "poor_retrieval"
    OFF_TOPIC = "off_topic"
    UNCERTAIN = "uncertain"
    EMPTY_RESPONSE = "empty_response"
    NO_EVIDENCE = "no_evidence"
    OVER_REFUSAL = "over_refusal"
    MISSED_REFUSAL = "missed_refusal"
    CITATION_ERROR = "citation_error"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    VERIFIER_UNAVAILABLE = "verifier_unavailable"
    INVALID_INPUT = "invalid_input"


FAILURE_MEANINGS: Mapping[FailureType, str] = {
    FailureType.NONE: "No failure was found (a REVIEW with this type is a borderline score).",
    FailureType.HALLUCINATION: "Confident, specific statements that the context does not support.",
    FailureType.CONTRADICTION: "A statement that the context contradicts.",
    FailureType.WEAK_GROUNDING: "The response, or a part of it, is only loosely tied to the context.",
    FailureType.POOR_RETRIEVAL: "The retrieved context is the root cause: it does not serve this question.",
    FailureType.OFF_TOPIC: "The response does not address the question.",
    FailureType.UNCERTAIN: "The signals disagree; no automatic decision is safe.",
    FailureType.EMPTY_RESPONSE: "The response holds no text.",
    FailureType.NO_EVIDENCE: "No context was given, so nothing can be verified.",
    FailureType.OVER_REFUSAL: "The model refused although the context seems to hold the answer.",
    FailureType.MISSED_REFUSAL: "The model answered although the context does not seem to hold the answer.",
    FailureType.CITATION_ERROR: "A citation points at no passage, or at one that does not support its claim.",
    FailureType.UNSUPPORTED_LANGUAGE: "A part of the response is in a script that this tier cannot read.",
    FailureType.VERIFIER_UNAVAILABLE: "A signal that the decision needs could not be measured.",
    FailureType.INVALID_INPUT: "The row could not be read as a sample, or is too large.",
}
"""One sentence a failure type, for reports and the docs."""


class Action(StrEnum):
    """What the application should do next."""

    SERVE = "serve_response"
    RETRY_SPECIFIC = "retry_with_specific_prompt"
    REGENERATE_GROUNDED = "regenerate_with_grounding_prompt"
    REGENERATE_CITATIONS = "regenerate_with_citations"
    RETRIEVE_MORE = "retrieve_more_documents"
    RETRY_CLEARER_QUERY = "retry_with_clearer_query"
    HUMAN_REVIEW = "optional_human_review"
    FIX_INPUT = "fix_input"


ACTION_MEANINGS: Mapping[Action, str] = {
    Action.SERVE: "Show the response to the user.",
    Action.RETRY_SPECIFIC: "Ask the model again with a prompt that demands concrete, sourced statements.",
    Action.REGENERATE_GROUNDED: "Discard the response; regenerate with 'answer from the context only'.",
    Action.REGENERATE_CITATIONS: "Ask the model again, citing only the passages that were given.",
    Action.RETRIEVE_MORE: "Retrieve other or more documents before generating again.",
    Action.RETRY_CLEARER_QUERY: "Rephrase the question (or ask the user to) and generate again.",
    Action.HUMAN_REVIEW: "Let a person decide, or serve with a caveat where the stakes are low.",
    Action.FIX_INPUT: "Repair the row (or the code that wrote it) and judge it again.",
}
"""One sentence an action, for reports and the docs."""


class HallucinationStatus(StrEnum):
    """How strongly the signals speak of fabrication."""

    NONE = "none"
    SUSPECTED = "suspected"
    CONFIRMED = "confirmed"


class Tier(StrEnum):
    """What a verdict rests on, from weakest to strongest reading of the text."""

    LEXICAL = "lexical"
    EMBEDDING = "embedding"
    VERIFIER = "verifier"
    LLM = "llm"


class ClaimStatus(StrEnum):
    """State of one claim. ``not_checkable`` claims (greetings, questions, ...) are shown, not scored."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    NOT_CHECKABLE = "not_checkable"
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"


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

    def __str__(self) -> str:
        shown = "unavailable" if self.value is None else f"{self.value:.4f}"
        return f"{self.signal} {shown} {self.operator} {self.threshold:g}: {'yes' if self.met else 'no'}"


@dataclass(frozen=True, slots=True)
class GateTrace:
    """A gate that was looked at: its comparisons and whether it fired."""

    name: str
    fired: bool
    comparisons: tuple[Comparison, ...]


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
        used_llm_judge: Whether a language model took part.
        latency_ms: Wall time of this verdict in milliseconds; the one field that differs between runs.
        profile: Name of the profile.
        tier: What the verdict rests on.
        version: Version of Assay.
        policy_hash: Hash of everything in the profile that can change a decision.
        scorer_hash: Hash of the signals, their options and the embedder's weights.
        read: How much was read: passages, characters, and characters that the model's window cut off.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A decision with its evidence.

    Scores are in 0..1, rounded to 4 places where they were produced; None means unavailable, and
    ``unavailable`` then gives the cause. Decisions are taken on the rounded values.
    """

    id: str | None
    decision: Decision
    confidence_pct: int
    failure_type: FailureType
    hallucination_status: HallucinationStatus
    next_action: Action
    action_why: str
    scores: Mapping[str, float | None]
    reason: str
    meta: Meta
    low_confidence_sentences: tuple[str, ...] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    trace: tuple[GateTrace, ...] = ()
    conversation: str | None = None
    error: RowError | None = None

    @property
    def passed(self) -> bool:
        """True exactly when the decision is ACCEPT."""
        return self.decision is Decision.ACCEPT

    def with_id(self, row_id: str | None) -> Verdict:
        """The same verdict under another id."""
        return replace(self, id=row_id)

    def to_dict(self) -> dict[str, JSONValue]:
        """The public JSON of the contract. Every value is finite; strings are as given."""
        row: dict[str, JSONValue] = {"id": self.id}
        if self.conversation is not None:
            row["conversation"] = self.conversation
        explanations: dict[str, JSONValue] = {
            "reason": self.reason,
            "low_confidence_sentences": list(self.low_confidence_sentences),
        }
        if self.unavailable:
            explanations["unavailable"] = dict(self.unavailable)
        row |= {
            "decision": self.decision.value,
            "confidence_pct": self.confidence_pct,
            "failure_type": self.failure_type.value,
            "hallucination_status": self.hallucination_status.value,
            "next_action": self.next_action.value,
            "action_why": self.action_why,
            "scores": dict(self.scores),
            "explanations": explanations,
            "claims": [claim.to_dict() for claim in self.claims],
            "certificate": None,
            "meta": {
                "passed": self.meta.passed,
                "used_llm_judge": self.meta.used_llm_judge,
                "latency_ms": self.meta.latency_ms,
                "profile": self.meta.profile,
                "tier": self.meta.tier.value,
                "version": self.meta.version,
                "policy_hash": self.meta.policy_hash,
                "scorer_hash": self.meta.scorer_hash,
                "read": dict(self.meta.read),
            },
        }
        if self.error is not None:
            row["error"] = {"type": self.error.type, "message": self.error.message}
        return row

    def __str__(self) -> str:
        return render(self)
