"""The verdict itself. ``Verdict.to_dict`` is the public JSON, ``str(verdict)`` the readable block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.verdict.parts import Claim, GateTrace, JSONValue, Meta, RowError
from assay.verdict.vocabulary import Action, Decision, FailureType, HallucinationStatus


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

    @property
    def judge_failure(self) -> str | None:
        """Why the judge that this verdict needed gave no answer; None if it did, or was not needed."""
        if self.failure_type is not FailureType.VERIFIER_UNAVAILABLE or self.meta.judge is None:
            return None
        error = self.meta.judge.get("error")
        return None if error is None else str(error)

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
        judge: dict[str, JSONValue] = {} if self.meta.judge is None else {"judge": dict(self.meta.judge)}
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
                **judge,
            },
        }
        if self.meta.input_hash is not None and isinstance(meta := row["meta"], dict):
            meta["input_hash"] = self.meta.input_hash
        if self.error is not None:
            row["error"] = {"type": self.error.type, "message": self.error.message}
        return row

    def trace_rows(self) -> list[JSONValue]:
        """The gates that were looked at, as JSON: name, fired, and the numbers compared."""
        return [
            {
                "gate": gate.name,
                "fired": gate.fired,
                **({"settled": True} if gate.settled else {}),
                "compared": [
                    {
                        "signal": c.signal,
                        "operator": c.operator,
                        "threshold": c.threshold,
                        "value": c.value,
                        "met": c.met,
                    }
                    for c in gate.comparisons
                ],
            }
            for gate in self.trace
        ]

    def __str__(self) -> str:
        from assay.verdict.block import block  # the block is written over verdicts

        return block(self)
