from __future__ import annotations

import statistics

import pytest

from assay import Measured, Unavailable
from assay.signals.disagreement import Disagreement
from assay.signals.faithfulness import Faithfulness

READING = None


def faithfulness(**parts: object) -> object:
    return Faithfulness().measure(READING, parts)  # type: ignore[arg-type]


def test_faithfulness_weighs_attribution_and_specificity() -> None:
    got = faithfulness(attribution=Measured(0.4), specificity=Measured(0.9))
    assert got == Measured(0.70 * 0.4 + 0.30 * 0.9)
    assert faithfulness(attribution=Unavailable("x"), specificity=Measured(1.0)) == Unavailable("x")


def test_disagreement_is_the_population_standard_deviation() -> None:
    values = {"faithfulness": 0.68, "relevance": 0.32, "context_quality": 0.71}
    got = Disagreement().measure(READING, {n: Measured(v) for n, v in values.items()})  # type: ignore[arg-type]
    assert isinstance(got, Measured)
    assert got.value == pytest.approx(statistics.pstdev(values.values()), abs=5e-5)


def test_a_signal_that_does_not_apply_is_left_out() -> None:
    parts = {
        "faithfulness": Measured(0.2),
        "relevance": Unavailable("no question", applicable=False),
        "context_quality": Measured(0.4),
    }
    assert Disagreement().measure(READING, parts) == Measured(0.1)  # type: ignore[arg-type]
    parts["relevance"] = Unavailable("broken")
    assert Disagreement().measure(READING, parts) == Unavailable("broken")  # type: ignore[arg-type]
