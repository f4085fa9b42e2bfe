"""Is a difference beyond chance? The few tests that a drift report needs, without scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.batch.intervals import Share

LEVEL = 0.05
"""A p-value below this is "beyond chance"."""
_MIN_EXPECTED = 5
_TIE = 1 + 1e-7
KS_POINT = 1.3581
"""Two-sided 5 % point of the Kolmogorov distribution."""


def two_proportions(before: Share, after: Share) -> tuple[float, str] | None:
    """The two-sided p-value that two independent shares are the same, and the test's name.

    The pooled z-test; Fisher's exact test where a cell of the table is expected to hold fewer than 5 rows.
    None if one of them has no rows.
    """
    if not before.n or not after.n:
        return None
    total, hits = before.n + after.n, before.count + after.count
    if min(before.n, after.n) * min(hits, total - hits) < _MIN_EXPECTED * total:
        return _fisher(before, after), "Fisher's exact test"
    pooled = hits / total
    error = math.sqrt(pooled * (1 - pooled) * (1 / before.n + 1 / after.n))
    z = (after.count / after.n - before.count / before.n) / error
    return math.erfc(abs(z) / math.sqrt(2)), "two-proportion z-test"


def _fisher(before: Share, after: Share) -> float:
    total, hits, drawn = before.n + after.n, before.count + after.count, before.n
    low, high = max(0, drawn - (total - hits)), min(drawn, hits)
    logs = [
        _log_choose(hits, k) + _log_choose(total - hits, drawn - k) - _log_choose(total, drawn)
        for k in range(low, high + 1)
    ]
    seen = math.exp(logs[before.count - low])
    return min(1.0, math.fsum(p for p in map(math.exp, logs) if p <= seen * _TIE))


def mcnemar(lost: int, gained: int) -> float:
    """The exact two-sided McNemar test: of the rows that moved, is one direction favoured?"""
    moved = lost + gained
    if moved == 0:
        return 1.0
    tail = math.fsum(
        math.exp(_log_choose(moved, k) - moved * math.log(2)) for k in range(min(lost, gained) + 1)
    )
    return min(1.0, 2 * tail)


def p_text(p: float) -> str:
    """``p 0.034``, never ``p 0.0000``."""
    if p < 0.0001:
        return "p < 0.0001"
    return f"p {p:.4f}" if p < 0.1 else f"p {p:.2f}"


def holm(values: Sequence[float]) -> list[float]:
    """P-values corrected for having looked at all of them (Holm 1979)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, worst = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, values[index] * (len(values) - rank)))
        adjusted[index] = worst
    return adjusted


def kolmogorov_distance(before: Sequence[int], after: Sequence[int]) -> float:
    """Largest distance of the two cumulative distributions at the edges of their common bins."""
    n1, n2 = sum(before), sum(after)
    below1 = below2 = 0
    largest = 0.0
    for count1, count2 in zip(before, after, strict=True):
        below1 += count1
        below2 += count2
        largest = max(largest, abs(below1 / n1 - below2 / n2))
    return largest


def kolmogorov_limit(n1: int, n2: int) -> float:
    """The distance that chance alone exceeds in 5 % of cases, at most (bins can only shrink it)."""
    return KS_POINT * math.sqrt(1 / n1 + 1 / n2)


def stability_index(before: Sequence[int], after: Sequence[int]) -> float:
    """Population stability index; half a row is added to each bin so that an empty one has a logarithm."""
    size = len(before)
    n1, n2 = sum(before) + size / 2, sum(after) + size / 2
    shares = (((a + 0.5) / n1, (b + 0.5) / n2) for a, b in zip(before, after, strict=True))
    return math.fsum((q - p) * math.log(q / p) for p, q in shares)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
