from __future__ import annotations

import pytest

from assay import Measured, Unavailable
from tests.signals.conftest import Measure, value


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("I don't know.", 1.0),
        ("The bridge was opened in 1998.", 0.0),
        ("The treaty does not mention slavery.", 0.0),
    ],
)
def test_refused_or_answered(measure: Measure, response: str, expected: float) -> None:
    assert value(measure("refusal", passages="x", response=response)) == expected


def test_the_matching_words_are_shown(measure: Measure) -> None:
    got = measure("refusal", passages="x", response="Sorry, I don't know.")
    assert isinstance(got, Measured)
    assert "don't know" in str(got.detail["matches"])


def test_answerability_is_the_share_of_the_question_in_the_best_window(measure: Measure) -> None:
    question = "When was the purple bridge opened?"
    assert value(
        measure("answerability", query=question, passages="A bridge opened.", response="x")
    ) == pytest.approx(2 / 3, abs=5e-5)
    assert value(measure("answerability", query=question, passages=(), response="x")) == 0.0
    assert isinstance(measure("answerability", passages="x", response="x"), Unavailable)
