"""One case before and after: better, worse or neither, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assay.regress.cases import Case
from assay.regress.stored import FINAL, UNSUPPORTED, StoredCase, stored_case
from assay.verdict import Decision, FailureType, JSONValue, Verdict

PLACES = 4
"""Scores are rounded to so many places where they are produced; so are their differences."""
_RANK = {Decision.ACCEPT: 0, Decision.REVIEW: 1, Decision.REJECT: 2}


class Change(StrEnum):
    """What became of a case."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Side:
    """A verdict as far as it is compared."""

    decision: Decision
    failure_type: FailureType
    final: float | None
    unsupported: int

    def to_dict(self) -> dict[str, JSONValue]:
        """The side as JSON."""
        return {
            "decision": self.decision.value,
            "failure_type": self.failure_type.value,
            "final": self.final,
            "unsupported_claims": self.unsupported,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A case of the baseline and of the run.

    Attributes:
        case: The case, with its place in the file of answers.
        must: The decision that it is bound to, by its row or by the baseline.
        before: The baseline's side.
        after: The run's side.
        change: What became of it.
        causes: Why it regressed, a sentence each; or in what it improved.
        reason: The reason that the new verdict gives.
        sentences: Sentences that the new verdict found unsupported.
        edited: Which of query, passages and response are not those of the baseline.
        latency_ms: How long the new verdict took.
    """

    case: Case
    must: Decision | None
    before: Side
    after: Side
    change: Change
    causes: tuple[str, ...]
    reason: str
    sentences: tuple[str, ...]
    edited: tuple[str, ...]
    latency_ms: float

    @property
    def delta(self) -> float | None:
        """The final score's change, or None if a side has no score."""
        if self.before.final is None or self.after.final is None:
            return None
        return round(self.after.final - self.before.final, PLACES)

    @property
    def broken(self) -> bool:
        """Whether the case left the decision that it is bound to."""
        return self.must is not None and self.after.decision is not self.must

    def to_dict(self) -> dict[str, JSONValue]:
        """The difference as JSON."""
        return {
            "id": self.case.id,
            "file": self.case.file,
            "line": self.case.line,
            "change": self.change.value,
            "must": self.must.value if self.must else None,
            "broken": self.broken,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "delta": self.delta,
            "causes": list(self.causes),
            "reason": self.reason,
            "low_confidence_sentences": list(self.sentences),
            "edited": list(self.edited),
        }


def compare(
    case: Case, stored: StoredCase, verdict: Verdict, *, must: Decision | None, threshold: float
) -> Difference:
    """Compare a judged case with what the baseline holds of it.

    Args:
        case: The case, with a sample.
        stored: The baseline's case.
        verdict: The new verdict.
        must: The decision that the case is bound to.
        threshold: Largest drop of the final score that is no regression.
    """
    if case.sample is None:
        raise ValueError("a case without a sample is not compared")
    before = Side(stored.decision, stored.failure_type, stored.final, stored.unsupported)
    weak = sum(claim.status in UNSUPPORTED for claim in verdict.claims)
    after = Side(verdict.decision, verdict.failure_type, verdict.scores.get(FINAL), weak)
    worse = _worse(before, after, threshold, verdict)
    better = () if worse else _better(before, after, threshold)
    change = Change.REGRESSED if worse else Change.IMPROVED if better else Change.UNCHANGED
    now = stored_case(case, case.sample, verdict, text=False)
    parts = zip(("query", "passages", "response"), stored.digests, now.digests, strict=True)
    return Difference(
        case=case,
        must=must,
        before=before,
        after=after,
        change=change,
        causes=worse or better,
        reason=verdict.reason,
        sentences=verdict.low_confidence_sentences,
        edited=tuple(name for name, old, new in parts if old != new),
        latency_ms=verdict.meta.latency_ms,
    )


def _worse(before: Side, after: Side, threshold: float, verdict: Verdict) -> tuple[str, ...]:
    causes = []
    if _RANK[after.decision] > _RANK[before.decision]:
        causes.append(f"The decision fell from {before.decision} to {after.decision}.")
    if before.final is not None and after.final is None:
        cause = verdict.unavailable.get(FINAL) or "no cause was given"
        causes.append(f"The final score, {before.final:.3f} before, is not available: {cause}.")
    elif before.final is not None and after.final is not None:
        drop = round(before.final - after.final, PLACES)
        if drop > threshold:
            causes.append(f"The final score fell by {drop:.3f}, more than {threshold:g}.")
    if before.unsupported == 0 and after.unsupported > 0:
        claims = "1 claim is" if after.unsupported == 1 else f"{after.unsupported} claims are"
        causes.append(f"{claims} unsupported where none was.")
    return tuple(causes)


def _better(before: Side, after: Side, threshold: float) -> tuple[str, ...]:
    gains = []
    if _RANK[after.decision] < _RANK[before.decision]:
        gains.append(f"The decision rose from {before.decision} to {after.decision}.")
    if before.final is not None and after.final is not None:
        rise = round(after.final - before.final, PLACES)
        if rise > threshold:
            gains.append(f"The final score rose by {rise:.3f}.")
    if before.unsupported > 0 and after.unsupported == 0:
        gains.append("No claim is unsupported any more.")
    return tuple(gains)
