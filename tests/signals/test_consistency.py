from __future__ import annotations

import pytest

from assay import Measured, Sample, Unavailable
from assay.models.lexical import LexicalEmbedder
from assay.signals import Reading
from assay.signals.consistency import Consistency

ANSWER = "The bridge was opened in 1998."


def consistency(llm: object, count: int = 3, query: str = "When was the Bridge opened?") -> object:
    reading = Reading(Sample(query, "x", ANSWER), LexicalEmbedder(), llm=llm)  # type: ignore[arg-type]
    return Consistency(count).measure(reading, {})


def test_the_same_answer_to_every_rewrite_is_one() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return ANSWER

    got = consistency(model)
    assert isinstance(got, Measured)
    assert got.value == 1.0
    assert asked[0] == "Can you explain when was the bridge opened?"
    assert len(asked) == 3


def test_it_is_the_mean_over_the_rewrites() -> None:
    answers = iter([ANSWER, "Penguins eat krill."])
    got = consistency(lambda prompt: next(answers), count=2)
    assert isinstance(got, Measured)
    assert got.value == pytest.approx(0.5, abs=0.05)


def test_braces_in_a_query_are_text() -> None:
    asked: list[str] = []
    consistency(lambda prompt: asked.append(prompt) or ANSWER, query="What is {query} or {0}?")  # type: ignore[func-returns-value]
    assert asked[0] == "Can you explain what is {query} or {0}?"


@pytest.mark.parametrize("answer", [None, 5, b"bytes"])
def test_an_answer_that_is_no_text_is_unavailable(answer: object) -> None:
    assert isinstance(consistency(lambda prompt: answer), Unavailable)


def test_without_model_or_question_it_does_not_apply() -> None:
    for got in (consistency(None), consistency(lambda prompt: ANSWER, query="  ")):
        assert isinstance(got, Unavailable)
        assert not got.applicable


@pytest.mark.parametrize("count", [0, 4])
def test_one_to_three_rewrites(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 3"):
        Consistency(count)
