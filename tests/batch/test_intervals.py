from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.batch.chance import (
    holm,
    kolmogorov_distance,
    kolmogorov_limit,
    mcnemar,
    p_text,
    stability_index,
    two_proportions,
)
from assay.batch.intervals import Share, difference, wilson

counts = st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
def test_the_interval_is_wilsons(pair: tuple[int, int]) -> None:
    expected = stats.binomtest(*pair).proportion_ci(0.95, method="wilson")
    assert wilson(*pair) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_rows_say_nothing() -> None:
    share = Share(0, 0)
    assert share.value is None
    assert share.interval == (0.0, 1.0)
    assert (share.percent, share.bounds, str(share)) == ("-", "-", "no rows to count (n 0)")
    assert share.to_dict() == {"count": 0, "n": 0, "share": None, "low": None, "high": None}


def test_the_ends_are_exact() -> None:
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0
    assert 0.0 < wilson(0, 7)[1] < 1.0


def test_a_share_is_written_with_its_n() -> None:
    assert str(Share(873, 1200)) == "72.8 % (70.2 to 75.2 %; 873 of n 1,200)"


def test_newcombes_own_example() -> None:
    # Newcombe 1998, table II, row (a), method 10: 56/70 - 48/80 = 0.2000, 0.0524 to 0.3339.
    found = difference(Share(48, 80), Share(56, 70))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert difference(Share(0, 0), Share(1, 2)) is None


@given(counts, counts)
def test_two_shares_against_scipy(before: tuple[int, int], after: tuple[int, int]) -> None:
    table = [[before[0], before[1] - before[0]], [after[0], after[1] - after[0]]]
    found = two_proportions(Share(*before), Share(*after))
    assert found is not None
    p, test = found
    hits = before[0] + after[0]
    if hits in (0, before[1] + after[1]):
        assert p == 1.0
    elif test == "two-proportion z-test":
        chi = stats.chi2_contingency(table, correction=False)
        assert chi.expected_freq.min() >= 5
        assert p == pytest.approx(chi.pvalue, rel=1e-9, abs=1e-300)
    else:
        assert stats.contingency.expected_freq(table).min() < 5
        assert p == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-6)


def test_nothing_to_compare_has_no_p() -> None:
    assert two_proportions(Share(0, 0), Share(1, 2)) is None


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_against_scipy(lost: int, gained: int) -> None:
    expected = stats.binomtest(lost, lost + gained).pvalue if lost + gained else 1.0
    assert mcnemar(lost, gained) == pytest.approx(expected, rel=1e-9)


def test_holm_by_hand() -> None:
    # Smallest times 3, next times 2, last times 1, never below the one before.
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_distances_by_hand() -> None:
    assert kolmogorov_distance([1, 1, 2], [2, 1, 1]) == pytest.approx(0.25)
    # Half a row in each bin: shares 1.5/4 and 2.5/4 swapped, so twice 0.25 * ln(2.5/1.5).
    assert stability_index([1, 2], [2, 1]) == pytest.approx(0.5 * math.log(2.5 / 1.5))
    assert stability_index([5, 0, 3], [5, 0, 3]) == 0.0
    assert kolmogorov_limit(100, 100) == pytest.approx(stats.kstwobign.ppf(0.95) * math.sqrt(0.02), rel=1e-4)


@pytest.mark.parametrize(("p", "text"), [(0.0, "p < 0.0001"), (0.0301, "p 0.0301"), (0.5, "p 0.50")])
def test_a_p_value_is_never_written_as_zero(p: float, text: str) -> None:
    assert p_text(p) == text
