"""A profile as typed objects: which signals, weights, thresholds and gates decide."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from assay.verdict import Action, Decision, FailureType, HallucinationStatus

FINAL = "final"
"""Name of the aggregated score; gates may use it like a signal."""


def _no_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected a number, not true or false")
    return value


Number = BeforeValidator(_no_flag)
"""To pydantic ``yes`` is the number 1; as a threshold it is a slip."""
Unit = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False), Number]
Operator = Literal["<", ">", ">=", "<="]
PLACEHOLDER = re.compile(r"\{(\w+)\}")
BRACED = re.compile(r"\{([^{}]*)\}")
"""What a reader takes for a placeholder; every one of them must name a signal."""

_OPERATORS: tuple[tuple[str, Operator], ...] = (
    ("below", "<"),
    ("above", ">"),
    ("at_least", ">="),
    ("at_most", "<="),
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Condition(_Strict):
    """Bounds on one signal; all that are given must hold."""

    below: Unit | None = None
    above: Unit | None = None
    at_least: Unit | None = None
    at_most: Unit | None = None

    @model_validator(mode="after")
    def _satisfiable(self) -> Condition:
        bounds = self.bounds
        if not bounds:
            raise ValueError("give at least one of below, above, at_least, at_most")
        (low, low_open), (high, high_open) = self.interval()
        if low > high or (low == high and (low_open or high_open)):
            raise ValueError(f"no value satisfies {' and '.join(f'{op} {t:g}' for op, t in bounds)}")
        return self

    @cached_property
    def bounds(self) -> tuple[tuple[Operator, float], ...]:
        """The given bounds as (operator, threshold)."""
        values = ((operator, getattr(self, name)) for name, operator in _OPERATORS)
        return tuple((operator, threshold) for operator, threshold in values if threshold is not None)

    def interval(self) -> tuple[tuple[float, bool], tuple[float, bool]]:
        """Lower and upper end within 0..1, each with whether the end itself is excluded."""
        low = max(((t, op == ">") for op, t in self.bounds if op in (">", ">=")), default=(0.0, False))
        high = min(
            ((t, op == "<") for op, t in self.bounds if op in ("<", "<=")),
            key=lambda end: (end[0], not end[1]),
            default=(1.0, False),
        )
        return low, high

    def implies(self, other: Condition) -> bool:
        """Whether every value that satisfies this condition satisfies ``other``."""
        (low, low_open), (high, high_open) = self.interval()
        (other_low, other_low_open), (other_high, other_high_open) = other.interval()
        low_fits = low > other_low or (low == other_low and (low_open or not other_low_open))
        high_fits = high < other_high or (high == other_high and (high_open or not other_high_open))
        return low_fits and high_fits


When = Annotated[dict[str, Condition], Field(min_length=1)]


class Margin(_Strict):
    """What the confidence of a decision measures its distance from."""

    signal: str
    threshold: Unit


class Gate(_Strict):
    """A condition over signals with the decision that it gives.

    ``confidence`` fixes the confidence for gates over plain facts; otherwise it comes from ``margin``,
    by default the first bound of the first signal in ``when``.
    """

    name: str
    when: When
    decision: Decision
    failure_type: FailureType
    action: Action
    reason: str
    why: str
    confidence: Annotated[int, Field(ge=0, le=100), Number] | None = None
    margin: Margin | None = None

    @model_validator(mode="after")
    def _accept_has_no_failure(self) -> Gate:
        if self.decision is Decision.ACCEPT and self.failure_type is not FailureType.NONE:
            raise ValueError(f"an ACCEPT has failure_type none, not {self.failure_type.value}")
        return self

    @cached_property
    def bounds(self) -> tuple[tuple[str, Operator, float], ...]:
        """Every bound of every condition as (signal, operator, threshold)."""
        return tuple((name, op, t) for name, condition in self.when.items() for op, t in condition.bounds)

    def effective_margin(self) -> Margin:
        """The margin, given or derived."""
        if self.margin is not None:
            return self.margin
        signal, condition = next(iter(self.when.items()))
        return Margin(signal=signal, threshold=condition.bounds[0][1])

    def hidden_by(self, earlier: Gate) -> bool:
        """Whether ``earlier`` fires whenever this gate would, so that this one never can."""
        return all(
            signal in self.when and self.when[signal].implies(condition)
            for signal, condition in earlier.when.items()
        )


class Accept(_Strict):
    """What an answer that no gate stopped gets: ACCEPT, with these words."""

    reason: str
    why: str
    margin: Margin


class Adjustment(_Strict):
    """A change to the final score under a condition: a factor, a ceiling, or both in this order."""

    when: When
    multiply: Unit | None = None
    at_most: Unit | None = None

    @model_validator(mode="after")
    def _does_something(self) -> Adjustment:
        if self.multiply is None and self.at_most is None:
            raise ValueError("give multiply, at_most, or both")
        return self


class FinalScore(_Strict):
    """The weighted mean of signals, and its adjustments in order."""

    weights: Annotated[dict[str, Unit], Field(min_length=1)]
    adjust: tuple[Adjustment, ...] = ()

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> FinalScore:
        total = sum(self.weights.values())
        if abs(total - 1.0) > 1e-6:
            raise ValueError(f"the weights sum to {total:g}, not to 1")
        return self


class StatusRule(_Strict):
    """The first rule whose condition holds names the hallucination status."""

    status: HallucinationStatus
    when: When


Room = Annotated[int, Field(ge=500, le=1_000_000), Number]
UNSETTLED = frozenset(
    {
        FailureType.EMPTY_RESPONSE,
        FailureType.NO_EVIDENCE,
        FailureType.UNSUPPORTED_LANGUAGE,
        FailureType.CITATION_ERROR,
        FailureType.OVER_REFUSAL,
        FailureType.VERIFIER_UNAVAILABLE,
        FailureType.INVALID_INPUT,
    }
)
"""Facts that no judge's opinion settles."""


class ScoresJudge(_Strict):
    """A judge that is asked for scores, which are blended into those measured here.

    ``when`` says when it is asked, ``blend`` the judge's share of each score, ``room`` the characters of
    context that it is shown at most.
    """

    ask: Literal["scores"]
    when: When
    blend: Annotated[dict[Literal["faithfulness", "relevance"], Unit], Field(min_length=1)]
    room: Room = 24_000


class ClaimsJudge(_Strict):
    """A judge that is asked about the claims that were found unsupported here.

    It is asked when one of the gates in ``settles`` reviews a response. If it finds every claim supported,
    all of these gates are passed; a contradicted claim is REJECT; ``unsupported`` is what follows otherwise.
    """

    ask: Literal["claims"]
    settles: Annotated[tuple[str, ...], Field(min_length=1)]
    unsupported: Literal["REVIEW", "REJECT"] = "REVIEW"
    room: Room = 24_000


class Profile(_Strict):
    """Everything that turns measurements into a decision."""

    name: Annotated[str, Field(min_length=1)]
    description: str = ""
    embedder: Annotated[tuple[str, ...], Field(min_length=1)]
    verifier: Annotated[str, Field(min_length=1)] | None = None
    history_as_evidence: bool = False
    signals: Annotated[dict[str, dict[str, JsonValue]], Field(min_length=1)]
    final: FinalScore
    disagreement_scale: Annotated[float, Field(gt=0.0, le=1.0), Number] = 0.12
    hallucination_status: tuple[StatusRule, ...] = ()
    gates: Annotated[tuple[Gate, ...], Field(min_length=1)]
    accept: Accept
    judge: Annotated[ScoresJudge | ClaimsJudge, Field(discriminator="ask")] | None = None

    def policy_hash(self, *, judged: bool = False) -> str:
        """Hex digest over everything that can change a decision (names and wording left out).

        Args:
            judged: Whether a judge takes part; what the profile says about one counts only then.
        """
        wording = {"gates": {"__all__": {"name", "reason", "why"}}, "accept": {"reason", "why"}}
        # Which verifier reads the claims is part of the scorer hash.
        exclude: Any = {"name": True, "description": True, "verifier": True, **wording}
        if not judged:
            exclude["judge"] = True
        kept = self.model_dump(mode="json", exclude=exclude)
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]
