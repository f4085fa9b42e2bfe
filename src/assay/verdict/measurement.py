"""One measured number, or the cause why there is none. NaN and infinity cannot be represented."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.verdict.parts import Claim, JSONValue

PLACES = 4
"""Decimal places that every value is rounded to where it is produced."""


def unit(value: float) -> float:
    """Clamp to 0..1 and round to 4 places.

    Raises:
        ValueError: ``value`` is NaN or infinite; a signal must say `Unavailable` instead.
    """
    if not math.isfinite(value):
        raise ValueError(f"a signal's value must be finite, got {value}; return Unavailable with a cause")
    return round(min(1.0, max(0.0, value)), PLACES) + 0.0  # + 0.0 turns -0.0 into 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A signal's value in 0..1 with the parts it came from.

    Args:
        value: Any finite number; it is clamped to 0..1 and rounded to 4 places.
        detail: The parts, for explanations and logs.
        claims: The claims that the signal judged, if it judges claims.
        notes: Plain findings that the reason of a gate on this signal quotes.
    """

    value: float
    detail: Mapping[str, JSONValue] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", unit(self.value))


@dataclass(frozen=True, slots=True)
class Unavailable:
    """No value, and why.

    Args:
        cause: One plain sentence fragment, for example ``"no context was given"``.
        applicable: False when the signal has no meaning for this sample (relevance without a question):
            gates on it do not fire and its weight is shared out. True when it should have been measured
            and could not: a gate that needs it then answers REVIEW ``verifier_unavailable``.
        claims: Claims that can still be shown.
    """

    cause: str
    applicable: bool = True
    claims: tuple[Claim, ...] = ()


Measurement = Measured | Unavailable
