from __future__ import annotations

import pytest

from tests.signals.conftest import Measure, value


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("", 0.0),
        ("1998", 0.0),
        ("one two three four", 0.40 * 4 / 80 + 0.60),
        ("word word", 0.40 * 2 / 80 + 0.30),
        ("it can be it can be", 0.40 * 6 / 80 + 0.60 * 3 / 6 - 0.15),
        ("it can be; it may be; in various; might be; it depends", 0.0),
    ],
)
def test_the_published_formula_by_hand(measure: Measure, response: str, expected: float) -> None:
    got = measure("specificity", {"formula": "article"}, passages="x", response=response)
    assert value(got) == pytest.approx(max(0.0, expected), abs=5e-5)


def test_the_mended_one_sees_numbers_and_every_script(measure: Measure) -> None:
    assert value(measure("specificity", passages="x", response="1998")) > 0.6
    assert value(measure("specificity", passages="x", response="мост открыт")) > 0.6


def test_the_mended_one_counts_every_hedge(measure: Measure) -> None:
    once = value(measure("specificity", passages="x", response="it may be so and so"))
    twice = value(measure("specificity", passages="x", response="it may be so and it may be so"))
    assert twice < once
