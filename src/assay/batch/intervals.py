"""Shares with their 95 % intervals: no share is ever printed without its n."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""
METHOD = "Wilson, 95 %"


def wilson(count: int, n: int) -> tuple[float, float]:
    """The 95 % score interval (Wilson 1927) of ``count`` out of ``n``; (0, 1) when ``n`` is 0."""
    if n == 0:
        return 0.0, 1.0
    share, z2 = count / n, Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # The ends are exactly 0 and 1 at the extremes; rounding must not say otherwise.
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == n else min(1.0, centre + half)
    return low, high


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n``."""

    count: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, or None of nothing."""
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Its Wilson 95 % interval."""
        return wilson(self.count, self.n)

    @property
    def percent(self) -> str:
        """``71.2 %``, or ``-`` of nothing."""
        return "-" if self.value is None else f"{100 * self.value:.1f} %"

    @property
    def bounds(self) -> str:
        """``68.5 to 73.7 %``, or ``-`` of nothing."""
        low, high = self.interval
        return f"{100 * low:.1f} to {100 * high:.1f} %" if self.n else "-"

    def __str__(self) -> str:
        if not self.n:
            return "no rows to count (n 0)"
        return f"{self.percent} ({self.bounds}; {self.count:,} of n {self.n:,})"

    def to_dict(self) -> dict[str, float | int | None]:
        """As JSON; the bounds are null where n is 0."""
        low, high = (round(end, 6) for end in self.interval)
        value = self.value
        return {
            "count": self.count,
            "n": self.n,
            "share": None if value is None else round(value, 6),
            "low": low if self.n else None,
            "high": high if self.n else None,
        }


def difference(before: Share, after: Share) -> tuple[float, float, float] | None:
    """``after - before`` with its 95 % interval (Newcombe 1998, method 10), or None if one has no rows."""
    if before.value is None or after.value is None:
        return None
    step = after.value - before.value
    (low1, high1), (low2, high2) = before.interval, after.interval
    return (
        step,
        step - math.hypot(after.value - low2, high1 - before.value),
        step + math.hypot(high2 - after.value, before.value - low1),
    )
