from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.batch.digests import AMBIGUOUS, NameMap
from assay.batch.latency import RELATIVE_ERROR, LatencySketch
from assay.batch.tally import OTHER, Ranked, ScoreTally, Tally
from assay.verdict import Decision

scores = st.integers(0, 10_000).map(lambda units: units / 10_000)


def sketch(values: list[float]) -> LatencySketch:
    made = LatencySketch()
    for value in values:
        made.add(value)
    return made


@given(
    st.lists(st.floats(0.001, 6e7), min_size=1, max_size=200), st.sampled_from([0.01, 0.5, 0.95, 0.99, 1.0])
)
def test_a_quantile_is_within_its_stated_error(values: list[float], share: float) -> None:
    exact = sorted(values)[max(1, math.ceil(share * len(values))) - 1]
    found = sketch(values).quantile(share)
    assert found == pytest.approx(exact, rel=RELATIVE_ERROR * 1.0001)


@given(st.lists(st.floats(0, 1e12), max_size=50), st.lists(st.floats(0, 1e12), max_size=50))
def test_merged_sketches_are_the_sketch_of_all(first: list[float], second: list[float]) -> None:
    merged = sketch(first)
    merged.merge(sketch(second))
    assert merged.to_dict() == sketch([*reversed(second), *first]).to_dict()


def test_no_latency_has_no_quantile() -> None:
    assert sketch([]).to_dict() == {"p50": None, "p95": None, "p99": None, "max": None, "n": 0}
    assert sketch([]).coarse(10) == []


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=100), st.integers(1, 40))
def test_the_plot_counts_every_row(values: list[float], bars: int) -> None:
    steps = sketch(values).coarse(bars)
    assert len(steps) <= bars
    assert sum(count for _, _, count in steps) == len(values)


@given(st.lists(scores, min_size=2, max_size=60))
def test_a_score_tally_has_the_mean_and_spread_of_its_values(values: list[float]) -> None:
    tally = ScoreTally()
    for value in values:
        tally.add(value, Decision.ACCEPT)
    assert tally.mean == pytest.approx(statistics.fmean(values))
    assert tally.deviation == pytest.approx(statistics.stdev(values), abs=1e-9)
    assert sum(tally.counts) == tally.n == len(values)


@pytest.mark.parametrize("at", range(20))
def test_a_bin_holds_its_lower_edge(at: int) -> None:
    tally = ScoreTally()
    tally.add(at / 20, Decision.REJECT)
    assert tally.bins[Decision.REJECT][at] == 1
    assert tally.bins[Decision.ACCEPT] == [0] * 20


def test_the_last_bin_holds_one() -> None:
    tally = ScoreTally()
    tally.add(1.0, Decision.ACCEPT)
    assert tally.counts[19] == 1


def test_a_tally_is_bounded_and_loses_no_count() -> None:
    tally = Tally(limit=2)
    for value in ("a", "b", "c", "d", "b"):
        tally.add(value)
    assert tally.ranked() == [(OTHER, 2), ("b", 2), ("a", 1)]


@given(st.lists(st.integers(0, 20), max_size=40), st.integers(0, 5))
def test_the_ranked_are_the_smallest(keys: list[int], limit: int) -> None:
    ranked: Ranked[int] = Ranked(limit)
    for key in keys:
        ranked.offer((key,), lambda key=key: key)  # type: ignore[misc]
    assert ranked.items == sorted(keys)[:limit]


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 2)), max_size=60))
def test_a_name_map_keeps_the_largest_value(pairs: list[tuple[str, int]]) -> None:
    names = NameMap()
    expected: dict[str, int] = {}
    for at, (name, value) in enumerate(pairs):
        names.put(name, value)
        expected[name] = max(value, expected.get(name, 0))
        if at % 7 == 0:
            assert names.find(name) == expected[name]
    assert len(names) == len(expected)
    assert {name: names.find(name) for name in "abcdefgh"} == {n: expected.get(n) for n in "abcdefgh"}
    assert sum(names.counts().values()) == len(expected)


def test_a_repeated_name_is_ambiguous_however_often_it_comes() -> None:
    names = NameMap(unique=True)
    for name in ("a", "b", "a"):
        names.put(name, 1)
    assert (names.find("a"), names.find("b")) == (AMBIGUOUS, 1)
    names.put("a", 0)
    names.put("b", 0)
    assert (names.find("a"), names.find("b"), names.find("c")) == (AMBIGUOUS, AMBIGUOUS, None)
