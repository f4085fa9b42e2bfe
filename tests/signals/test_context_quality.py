from __future__ import annotations

import pytest

from assay import Measured, Unavailable
from tests.signals.conftest import Measure, value

BRIDGE, PENGUINS = "The bridge was opened in 1998.", "Penguins eat krill."


def test_precision_is_the_share_of_passages_that_serve(measure: Measure) -> None:
    parts = {"query": "When was the bridge opened?", "response": "The bridge was opened in 1998."}
    alone = measure("context_quality", passages=[BRIDGE], **parts)
    noisy = measure("context_quality", passages=[BRIDGE, PENGUINS], **parts)
    assert isinstance(noisy, Measured)
    assert (value(alone), noisy.detail["precision"], noisy.detail["recall"]) == (1.0, 0.5, 1.0)
    assert noisy.value == pytest.approx(0.5 * (2 * 0.5 / 1.5) + 0.5, abs=5e-5)


def test_recall_is_the_share_of_the_response_that_stands_in_the_context(measure: Measure) -> None:
    got = measure("context_quality", query="", passages=[BRIDGE], response="Bridge opened purple yesterday")
    assert isinstance(got, Measured)
    assert got.detail["recall"] == 0.5
    assert got.detail["coverage"] == 0.5


def test_the_published_one_has_recall_for_precision(measure: Measure) -> None:
    got = measure(
        "context_quality", {"formula": "article"}, query="q", passages=["a b c d e f g h"], response="a b x y"
    )
    assert isinstance(got, Measured)
    assert got.detail["recall"] == 0.5


@pytest.mark.parametrize("formula", ["article", "passages"])
def test_without_context_it_is_unavailable(measure: Measure, formula: str) -> None:
    got = measure("context_quality", {"formula": formula}, query="q", passages=(), response="x")
    assert got == Unavailable("no context was given")
