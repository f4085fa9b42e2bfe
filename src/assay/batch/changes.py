"""Single changes between two summaries: of a share, and of a score's distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.batch.chance import (
    LEVEL,
    holm,
    kolmogorov_distance,
    kolmogorov_limit,
    p_text,
    stability_index,
    two_proportions,
)
from assay.batch.intervals import Z95, Share, difference
from assay.batch.tally import BINS, ScoreTally

MODERATE, STRONG = 0.10, 0.25
"""Population stability index from which a drift is moderate, and strong."""
MIN_ROWS = 30
"""Fewer rows than this in either file, and the change of a mean is not tested."""
CUT_OFFS = (
    f"No visible drift: stability index (PSI, 10 bins) below {MODERATE:.2f}, or a Kolmogorov-Smirnov "
    f"distance that chance explains (5 % level). Moderate: PSI {MODERATE:.2f} to {STRONG:.2f}. Strong: above."
)
TESTS = (
    "Beyond chance: p < 0.05 by a two-proportion z-test, or by Fisher's exact test where a cell is "
    "expected to hold fewer than 5 rows; p is corrected for the number of lines in the table (Holm). The "
    "interval of a change is Newcombe's, 95 %, of each line alone."
)


@dataclass(frozen=True, slots=True)
class ShareChange:
    """A share in both files. ``p`` is Holm-corrected; step, low, high and p are None without rows."""

    name: str
    before: Share
    after: Share
    step: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str

    @property
    def beyond_chance(self) -> bool:
        """Whether the difference is more than chance explains."""
        return self.p is not None and self.p < LEVEL

    @property
    def points(self) -> str:
        """``-7.2 points (-10.1 to -4.3)``."""
        if self.step is None or self.low is None or self.high is None:
            return "-"
        step, low, high = (_signed(100 * value, 1) for value in (self.step, self.low, self.high))
        return f"{step} points ({low} to {high})"

    @property
    def reading(self) -> str:
        """In words."""
        if self.p is None:
            return "no rows to compare"
        return f"{'beyond chance' if self.beyond_chance else 'within chance'} ({p_text(self.p)})"

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "change": self.step,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "test": self.test,
            "beyond_chance": self.beyond_chance,
        }


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A score in both files.

    Attributes:
        step: Change of the mean; low and high are its 95 % interval, None below `MIN_ROWS` rows.
        psi: Population stability index over 10 bins.
        ks: Kolmogorov-Smirnov distance over 20 bins, with the limit that chance reaches.
        reading: ``no visible drift``, ``moderate``, ``strong``, or ``not in both files``.
    """

    name: str
    before: ScoreTally
    after: ScoreTally
    step: float | None
    low: float | None
    high: float | None
    psi: float | None
    ks: float | None
    ks_limit: float | None
    reading: str

    @property
    def change(self) -> str:
        """``-0.031 (-0.040 to -0.022)``."""
        if self.step is None:
            return "-"
        if self.low is None or self.high is None:
            return f"{_signed(self.step, 3)} (fewer than {MIN_ROWS} rows)"
        step, low, high = (_signed(value, 3) for value in (self.step, self.low, self.high))
        return f"{step} ({low} to {high})"

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "before": {"mean": self.before.mean, "n": self.before.n, "unavailable": self.before.unavailable},
            "after": {"mean": self.after.mean, "n": self.after.n, "unavailable": self.after.unavailable},
            "change": self.step,
            "low": self.low,
            "high": self.high,
            "psi": self.psi,
            "ks": self.ks,
            "ks_limit": self.ks_limit,
            "reading": self.reading,
        }


def share_changes(shares: Sequence[tuple[str, Share, Share]]) -> tuple[ShareChange, ...]:
    """Compare (name, before, after) of one table; the p-values are corrected for its length."""
    tested = [two_proportions(before, after) for _, before, after in shares]
    corrected = iter(holm([result[0] for result in tested if result is not None]))
    changes = []
    for (name, before, after), result in zip(shares, tested, strict=True):
        step, low, high = difference(before, after) or (None, None, None)
        p, test = (None, "") if result is None else (next(corrected), result[1])
        changes.append(ShareChange(name, before, after, step, low, high, p, test))
    return tuple(changes)


def score_change(name: str, before: ScoreTally, after: ScoreTally) -> ScoreChange:
    """Compare a score's two distributions."""
    if before.mean is None or after.mean is None:
        return ScoreChange(
            name, before, after, None, None, None, None, None, None, "not measured in both files"
        )
    step = after.mean - before.mean
    low = high = None
    if min(before.n, after.n) >= MIN_ROWS:
        error = math.sqrt((before.deviation or 0) ** 2 / before.n + (after.deviation or 0) ** 2 / after.n)
        low, high = step - Z95 * error, step + Z95 * error
    psi = stability_index(_halved(before.counts), _halved(after.counts))
    ks = kolmogorov_distance(before.counts, after.counts)
    limit = kolmogorov_limit(before.n, after.n)
    visible = ks > limit and psi >= MODERATE
    reading = "no visible drift" if not visible else "strong" if psi > STRONG else "moderate"
    return ScoreChange(name, before, after, step, low, high, psi, ks, limit, reading)


def _halved(counts: Sequence[int]) -> list[int]:
    """10 bins out of 20: the index of finer ones is mostly noise."""
    return [counts[i] + counts[i + 1] for i in range(0, BINS, 2)]


def _signed(value: float, places: int) -> str:
    """With its sign, except for what rounds to zero."""
    shown = f"{value:+.{places}f}"
    return shown[1:] if float(shown) == 0 else shown
