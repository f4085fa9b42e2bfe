from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Assay, Sample
from assay.batch.quality import auroc, leak_at, measure_quality

SCORES = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.1, 0.4, 0.4, 0.8, 0.9])), min_size=2, max_size=30
)


@given(rows=SCORES)
def test_auroc_is_the_share_of_pairs_in_order(rows: list[tuple[int, float]]) -> None:
    labels, scores = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    pairs = [
        1.0 if p > n else 0.5 if p == n else 0.0
        for p in scores[labels == 1]
        for n in scores[labels == 0]
    ]  # fmt: skip
    expected = round(sum(pairs) / len(pairs), 4) if pairs else None
    assert auroc(labels, scores) == (expected if expected is None else pytest.approx(expected, abs=1e-4))


def test_leak_at_a_coverage_averages_ties_at_the_edge() -> None:
    labels, scores = np.array([1, 0, 0, 1]), np.array([0.9, 0.5, 0.5, 0.1])
    assert leak_at(labels, scores, 0.25) == 0.0
    assert leak_at(labels, scores, 0.5) == 0.5
    assert leak_at(np.array([1, 1, 0, 1]), scores, 0.5) == 0.25
    assert leak_at(labels, scores, 1.0) == 0.5


def test_unlabelled_rows_are_left_out_and_sets_are_kept_apart() -> None:
    context = "The bridge was opened in 1998."
    rows = [
        ("a", Sample("When?", context, "It was opened in 1998.", label=1)),
        ("a", Sample("When?", context, "Penguins eat krill near Tokyo and Osaka.", label=0)),
        ("b", Sample("When?", context, "It was opened in 1998.", label=0)),
        ("b", Sample("When?", context, "It was opened in 1998.")),
    ]
    first, second, together = measure_quality(Assay("default"), rows)
    assert (first.dataset, first.rows, first.leak, first.auroc["final"]) == ("a", 2, 0.0, 1.0)
    assert (second.rows, second.leak, second.auroc["final"]) == (1, 1.0, None)
    assert (together.dataset, together.rows, together.leak) == ("all", 3, 0.5)
    assert first.decisions["REJECT"] == {"rows": 1, "ungrounded": 1}
