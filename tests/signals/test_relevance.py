from __future__ import annotations

import pytest

from assay import Measured, Unavailable
from tests.signals.conftest import Measure, value

CONTEXT = "The bridge was opened in 1998. Penguins eat krill."


def test_a_short_answer_is_on_topic_through_its_evidence(measure: Measure) -> None:
    assert (
        value(measure("relevance", query="When was the bridge opened?", passages=CONTEXT, response="1998."))
        == 1.0
    )


def test_what_is_not_addressed_is_named(measure: Measure) -> None:
    got = measure(
        "relevance", query="Who designed the bridge?", passages=CONTEXT, response="Penguins eat krill."
    )
    assert isinstance(got, Measured)
    assert got.value < 1.0
    assert "design" in str(got.detail["not_addressed"])


def test_without_a_question_it_does_not_apply(measure: Measure) -> None:
    got = measure("relevance", passages=CONTEXT, response="1998.")
    assert isinstance(got, Unavailable)
    assert not got.applicable
    assert value(measure("relevance", {"formula": "article"}, passages=CONTEXT, response="1998.")) == 0.0


@pytest.mark.parametrize("formula", ["article", "question"])
def test_an_empty_response_is_unavailable(measure: Measure, formula: str) -> None:
    assert isinstance(
        measure("relevance", {"formula": formula}, query="q", passages="x", response=""), Unavailable
    )
