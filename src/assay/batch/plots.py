"""Geometry of the report's plots: plain numbers that the template draws as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from assay.batch.latency import LatencySketch
from assay.batch.tally import BINS, ScoreTally
from assay.verdict import Decision

WIDTH, HEIGHT = 320.0, 118.0
"""Size of a plot's drawing area, in the units of its viewBox."""
_LATENCY_BARS = 32
_LABEL_WIDTH = 32.0
_MIN_LABEL_SHARE = 0.18
_TICKS = [(factor * 10.0**power) for power in range(-3, 9) for factor in (1, 2, 5)]
_MAX_TICKS = 6


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle and what it says: ``kind`` is a CSS class, ``title`` its tooltip."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A histogram.

    Attributes:
        bars: Its rectangles.
        ticks: Labels of the axis, as (x, text).
        marks: Vertical lines, as (x, text).
        peak: Count of the highest column, which fills the height.
        rows: The numbers, for a table: (range, counts...).
    """

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, str], ...]
    peak: int
    rows: tuple[tuple[Any, ...], ...]


def score_plot(tally: ScoreTally) -> Plot:
    """A score's histogram, each column stacked by decision with ACCEPT at the bottom."""
    peak = max(tally.counts)
    step = WIDTH / BINS
    bars = []
    for at in range(BINS):
        base = HEIGHT
        for decision in Decision:
            count = tally.bins[decision][at]
            if count:
                height = HEIGHT * count / peak
                base -= height
                title = f"{_bin_range(at)}: {count:,} {decision.value}"
                bars.append(Bar(at * step + 0.75, base, step - 1.5, height, decision.value.lower(), title))
    marks = () if tally.mean is None else ((tally.mean * WIDTH, f"mean {tally.mean:.3f}"),)
    rows = tuple(
        (_bin_range(at), *(tally.bins[decision][at] for decision in Decision))
        for at in range(BINS)
        if tally.counts[at]
    )
    ticks = tuple((WIDTH * value / 4, f"{value / 4:g}") for value in range(5))
    return Plot(tuple(bars), ticks, marks, peak, rows)


def latency_plot(latency: LatencySketch) -> Plot:
    """Latencies on a logarithmic axis, with the quantiles marked."""
    steps = [step for step in latency.coarse(_LATENCY_BARS) if step[1] > 0]
    peak = max((count for _, _, count in steps), default=0)
    first = math.log(max(steps[0][0], steps[0][1] / 1.01))
    last = max(math.log(steps[-1][1]), first + 0.01)

    def x(milliseconds: float) -> float:
        place = (math.log(max(milliseconds, 1e-9)) - first) / (last - first)
        return WIDTH * min(1.0, max(0.0, place))

    bars = tuple(
        Bar(
            x(low),
            HEIGHT * (1 - count / peak),
            max(0.5, x(high) - x(low) - 1),
            HEIGHT * count / peak,
            "plain",
            f"{milliseconds_text(low)} to {milliseconds_text(high)}: {count:,} rows",
        )
        for low, high, count in steps
        if count
    )
    inside = [tick for tick in _TICKS if first <= math.log(tick) <= last]
    every = -(-len(inside) // _MAX_TICKS) or 1
    median, high = (x(latency.quantile(q / 100) or 0.0) for q in (50, 95))
    apart = high - median >= _LABEL_WIDTH
    marks = ((median, "p50"), (high, "p95")) if apart else ((median, "p50, p95"), (high, ""))
    rows = tuple((f"{milliseconds_text(a)} to {milliseconds_text(b)}", c) for a, b, c in steps if c)
    ticks = tuple((x(tick), milliseconds_text(tick)) for tick in inside[::every])
    return Plot(bars, ticks, marks, peak, rows)


def segments(counts: Iterable[tuple[Decision, int]]) -> list[tuple[Bar, str]]:
    """A whole split by decision, in percent of its width; with a label where there is room for one."""
    pairs = list(counts)
    total = sum(count for _, count in pairs)
    made, at = [], 0.0
    for decision, count in pairs:
        if count:
            share = count / total
            title = f"{decision.value}: {count:,} of {total:,}, {100 * share:.1f} %"
            bar = Bar(100 * at, 0.0, 100 * share, 0.0, decision.value.lower(), title)
            made.append((bar, decision.value if share >= _MIN_LABEL_SHARE else ""))
            at += share
    return made


def milliseconds_text(value: float | None) -> str:
    """``0.42 ms``, ``12.3 ms``, ``1.25 s``."""
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value / 1000:.3g} s" if value < 1e6 else f"{value / 1000:,.0f} s"
    return f"{value:.3g} ms"


def _bin_range(at: int) -> str:
    return f"{at / BINS:.2f} to {(at + 1) / BINS:.2f}"
