"""Latency quantiles in fixed memory: a histogram whose bins each span 1 %."""

from __future__ import annotations

import math

_GROWTH = math.log(1.01)
_SMALLEST_MS = 0.001
_SIZE = 2500
RELATIVE_ERROR = 0.005
"""A quantile is within this share of the value of that rank (between 1 microsecond and 17 hours)."""


class LatencySketch:
    """Counts of latencies in bins that grow by 1 %: deterministic, mergeable, in any order the same."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self.n = 0
        self.smallest: float | None = None
        self.largest: float | None = None

    def add(self, milliseconds: float) -> None:
        """Count one latency."""
        at = _bin(milliseconds)
        self._counts[at] = self._counts.get(at, 0) + 1
        self.n += 1
        self.smallest = milliseconds if self.smallest is None else min(self.smallest, milliseconds)
        self.largest = milliseconds if self.largest is None else max(self.largest, milliseconds)

    def merge(self, other: LatencySketch) -> None:
        """Add another sketch's counts."""
        for at, count in other._counts.items():
            self._counts[at] = self._counts.get(at, 0) + count
        self.n += other.n
        for mine, theirs, pick in (("smallest", other.smallest, min), ("largest", other.largest, max)):
            known = [value for value in (getattr(self, mine), theirs) if value is not None]
            setattr(self, mine, pick(known) if known else None)

    def quantile(self, share: float) -> float | None:
        """The value of rank ``ceil(share * n)``, within `RELATIVE_ERROR`; None if nothing was counted."""
        if self.smallest is None or self.largest is None:
            return None
        rank, seen = max(1, math.ceil(share * self.n)), 0
        if rank >= self.n:
            return self.largest
        for at in sorted(self._counts):
            seen += self._counts[at]
            if seen >= rank:
                middle = _SMALLEST_MS * math.exp((at - 0.5) * _GROWTH) if at else 0.0
                return min(self.largest, max(self.smallest, middle))
        return self.largest

    def coarse(self, bars: int) -> list[tuple[float, float, int]]:
        """At most ``bars`` equal steps on a logarithmic axis, as (from ms, to ms, count), for a plot."""
        if not self.n:
            return []
        first, last = min(self._counts), max(self._counts)
        step = max(1, -(-(last - first + 1) // bars))
        counts = [0] * ((last - first) // step + 1)
        for at, count in self._counts.items():
            counts[(at - first) // step] += count
        edges = [first + i * step for i in range(len(counts) + 1)]
        return [(_edge(a), _edge(b), c) for a, b, c in zip(edges, edges[1:], counts, strict=False)]

    def to_dict(self) -> dict[str, float | int | None]:
        """As JSON, in milliseconds."""
        shown = {f"p{q}": self.quantile(q / 100) for q in (50, 95, 99)}
        values = {key: None if value is None else round(value, 3) for key, value in shown.items()}
        return {**values, "max": self.largest, "n": self.n}


def _bin(milliseconds: float) -> int:
    """0 for what is too small to measure; bin ``i`` spans the 1 % below ``_edge(i + 1)``."""
    if milliseconds <= _SMALLEST_MS:
        return 0
    return min(_SIZE, math.ceil(math.log(milliseconds / _SMALLEST_MS) / _GROWTH))


def _edge(at: int) -> float:
    """Lower edge of bin ``at``."""
    return _SMALLEST_MS * math.exp((at - 1) * _GROWTH) if at else 0.0
