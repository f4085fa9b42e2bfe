"""Accumulators of fixed size: whatever a file holds, they do not grow beyond their bounds."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from assay.verdict import Decision
from assay.verdict.measurement import PLACES

BINS = 20
"""Bins of a score's histogram over 0..1; each holds its lower edge, the last also 1."""
OTHER = "(other values)"
_SCALE = 10**PLACES
_MAX_VALUES = 64
_MAX_CAUSES = 8
_ORDER = tuple(Decision)

Item = TypeVar("Item")


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last one an ellipsis if any were left out."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Tally:
    """Counts of values. Beyond its limit of different values, further ones are counted together."""

    def __init__(self, limit: int = _MAX_VALUES) -> None:
        self.counts: dict[str, int] = {}
        self._limit = limit

    def add(self, value: str, count: int = 1) -> None:
        """Count a value."""
        value = clip(value, 200)
        if value not in self.counts and len(self.counts) >= self._limit:
            value = OTHER
        self.counts[value] = self.counts.get(value, 0) + count

    def merge(self, other: Tally) -> None:
        """Add another tally's counts."""
        for value, count in other.counts.items():
            self.add(value, count)

    def ranked(self) -> list[tuple[str, int]]:
        """Most frequent first, ties by name."""
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))

    def to_dict(self) -> dict[str, int]:
        """As JSON, most frequent first."""
        return dict(self.ranked())


class ScoreTally:
    """One score over the judged rows: a histogram by decision, mean and spread, and how often it is missing.

    Sums are kept in whole ten-thousandths, the unit in which scores are produced. So they are exact, and
    the same in whatever order rows are added.
    """

    def __init__(self) -> None:
        self.bins: dict[Decision, list[int]] = {decision: [0] * BINS for decision in _ORDER}
        self.unavailable = 0
        self.causes = Tally(_MAX_CAUSES)
        self.n = 0
        self._total = 0
        self._squares = 0

    def add(self, value: float | None, decision: Decision, cause: str = "") -> None:
        """Count a row's value, or its absence with the cause."""
        if value is None:
            self.unavailable += 1
            if cause:
                self.causes.add(cause)
            return
        units = round(value * _SCALE)
        self.bins[decision][min(BINS - 1, units * BINS // _SCALE)] += 1
        self.n += 1
        self._total += units
        self._squares += units * units

    def merge(self, other: ScoreTally) -> None:
        """Add another tally."""
        for decision, counts in other.bins.items():
            self.bins[decision] = [a + b for a, b in zip(self.bins[decision], counts, strict=True)]
        self.unavailable += other.unavailable
        self.causes.merge(other.causes)
        self.n += other.n
        self._total += other._total
        self._squares += other._squares

    @property
    def counts(self) -> list[int]:
        """The histogram over all decisions."""
        return [sum(column) for column in zip(*self.bins.values(), strict=True)]

    @property
    def mean(self) -> float | None:
        """The mean of the measured values, or None if there are none."""
        return self._total / _SCALE / self.n if self.n else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation, or None below two values."""
        if self.n < 2:
            return None
        spread = (self.n * self._squares - self._total**2) / (self.n * (self.n - 1))
        return float(math.sqrt(spread) / _SCALE)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        mean, deviation = self.mean, self.deviation
        return {
            "mean": None if mean is None else round(mean, 6),
            "standard_deviation": None if deviation is None else round(deviation, 6),
            "n": self.n,
            "unavailable": self.unavailable,
            "unavailable_causes": self.causes.to_dict(),
            "histogram": {decision.value: list(counts) for decision, counts in self.bins.items()},
        }


class Ranked(Generic[Item]):
    """The first ``limit`` items in the order of a key."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: list[tuple[tuple[Any, ...], Item]] = []

    def offer(self, key: tuple[Any, ...], make: Callable[[], Item]) -> None:
        """Keep an item if it is among the first; it is made only then. Equal keys keep their order."""
        if len(self._kept) >= self._limit:
            if not self._limit or key >= self._kept[-1][0]:
                return
            self._kept.pop()
        insort(self._kept, (key, make()), key=lambda pair: pair[0])

    def merge(self, other: Ranked[Item]) -> None:
        """Offer another's items."""
        for key, item in other._kept:
            self.offer(key, lambda item=item: item)  # type: ignore[misc]

    @property
    def items(self) -> list[Item]:
        """The kept items, first in order first."""
        return [item for _, item in self._kept]


def merge_scores(into: dict[str, ScoreTally], other: Mapping[str, ScoreTally]) -> None:
    """Add each score's tally to that of the same name."""
    for name, tally in other.items():
        into.setdefault(name, ScoreTally()).merge(tally)
