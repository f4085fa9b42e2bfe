"""From measurements to a decision: a pure function of the profile and the measured values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from assay.policy.profile import FINAL, Gate, Margin, Operator, Profile, When
from assay.verdict import (
    Action,
    Comparison,
    Decision,
    FailureType,
    GateTrace,
    HallucinationStatus,
    Measured,
    Measurement,
    Unavailable,
)

_COMPARE: Mapping[Operator, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    ">=": operator.ge,
    "<=": operator.le,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the policy says, before the words are put around it.

    ``gate`` is the gate that fired, or None for ACCEPT by passing all and for an unavailable signal.
    ``reason`` and ``why`` are given where no gate's words say what decided.
    """

    decision: Decision
    failure_type: FailureType
    action: Action
    hallucination_status: HallucinationStatus
    confidence_pct: int
    gate: Gate | None
    blocked_by: str | None
    trace: tuple[GateTrace, ...]
    reason: str | None = None
    why: str | None = None


def final_score(profile: Profile, measured: Mapping[str, Measurement]) -> Measurement:
    """The weighted mean of the profile's signals with its adjustments.

    Weights of signals that do not apply are shared out in proportion. A signal that applies and could
    not be measured leaves the final score unavailable, too: half a mean is no mean.
    """
    total, weight_sum = 0.0, 0.0
    for name, weight in profile.final.weights.items():
        value = measured.get(name)
        if isinstance(value, Measured):
            total += weight * value.value
            weight_sum += weight
        elif isinstance(value, Unavailable) and value.applicable:
            return Unavailable(f"{name} could not be measured: {value.cause}")
    if weight_sum == 0.0:
        return Unavailable("no weighted signal applies to this sample")
    score = total / weight_sum
    for adjustment in profile.final.adjust:
        if (blocking := _blocking(adjustment.when, measured)) is not None:
            return Unavailable(f"{blocking} could not be measured, and an adjustment turns on it")
        if holds(adjustment.when, measured):
            score = score * adjustment.multiply if adjustment.multiply is not None else score
            score = min(score, adjustment.at_most) if adjustment.at_most is not None else score
    return Measured(score)


def decide(profile: Profile, measured: Mapping[str, Measurement], settled: Collection[str] = ()) -> Outcome:
    """Walk the gates in order; the first whose every condition holds decides.

    Args:
        profile: The profile.
        measured: Every measured signal by name, `FINAL` included.
        settled: Names of gates that a judge settled: they do not fire, whatever they compare.

    Returns:
        The outcome. A gate that turns on an unavailable signal, with no other condition that rules it
        out, gives REVIEW ``verifier_unavailable``, settled or not: what cannot be verified is never accepted.
    """
    trace: list[GateTrace] = []
    status = next(
        (rule.status for rule in profile.hallucination_status if holds(rule.when, measured)),
        HallucinationStatus.NONE,
    )
    missing = [name for name, got in measured.items() if isinstance(got, Unavailable) and got.applicable]
    for gate in profile.gates:
        comparisons = tuple(_compared(bound, measured) for bound in gate.bounds)
        passed = gate.name in settled
        fired = not passed and all(c.met for c in comparisons)
        trace.append(GateTrace(gate.name, fired, comparisons, settled=passed))
        if fired:
            confidence = gate.confidence
            if confidence is None:
                confidence = confidence_pct(profile, measured, gate.effective_margin())
            return Outcome(
                gate.decision, gate.failure_type, gate.action, status, confidence, gate, None, tuple(trace)
            )
        if missing and (blocking := _blocking(gate.when, measured)) is not None:
            return Outcome(
                Decision.REVIEW,
                FailureType.VERIFIER_UNAVAILABLE,
                Action.HUMAN_REVIEW,
                status,
                100,
                None,
                blocking,
                tuple(trace),
            )
    confidence = confidence_pct(profile, measured, profile.accept.margin)
    return Outcome(
        Decision.ACCEPT, FailureType.NONE, Action.SERVE, status, confidence, None, None, tuple(trace)
    )


def confidence_pct(profile: Profile, measured: Mapping[str, Measurement], margin: Margin) -> int:
    """``0.50 min(1, 2 |x - t|) + 0.30 attribution + 0.20 max(0, 1 - disagreement / scale)`` in percent.

    x and t are the value and threshold of ``margin``; a part that is not available counts 0.
    """

    def value(name: str) -> float | None:
        got = measured.get(name)
        return got.value if isinstance(got, Measured) else None

    compared, attribution, disagreement = value(margin.signal), value("attribution"), value("disagreement")
    distance = min(1.0, 2 * abs(compared - margin.threshold)) if compared is not None else 0.0
    stability = max(0.0, 1 - disagreement / profile.disagreement_scale) if disagreement is not None else 0.0
    return min(100, round(100 * (0.50 * distance + 0.30 * (attribution or 0.0) + 0.20 * stability)))


def _compared(bound: tuple[str, Operator, float], measured: Mapping[str, Measurement]) -> Comparison:
    name, op, threshold = bound
    got = measured.get(name)
    value = got.value if isinstance(got, Measured) else None
    return Comparison(name, op, threshold, value, value is not None and _COMPARE[op](value, threshold))


def _blocking(when: When, measured: Mapping[str, Measurement]) -> str | None:
    """The unavailable signal that a condition turns on; None if there is none or another rules it out."""
    missing = [n for n in when if isinstance(got := measured.get(n), Unavailable) and got.applicable]
    others = {name: condition for name, condition in when.items() if name not in missing}
    return missing[0] if missing and holds(others, measured) else None


def holds(when: When, measured: Mapping[str, Measurement]) -> bool:
    """Whether every bound of a condition is met; none is by a signal without a value."""
    return all(
        isinstance(got := measured.get(name), Measured) and _COMPARE[op](got.value, threshold)
        for name, condition in when.items()
        for op, threshold in condition.bounds
    )


__all__ = ["FINAL", "Outcome", "confidence_pct", "decide", "final_score", "holds"]
