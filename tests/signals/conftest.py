"""Measuring one signal on one sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from assay import Measured, Measurement, Sample
from assay.models.lexical import LexicalEmbedder
from assay.signals import Reading
from assay.signals.registry import make_signals

Measure = Callable[..., Measurement]


@pytest.fixture(scope="session")
def measure() -> Measure:
    """Measure the signal ``name`` (with the signals it needs) on a sample given by its parts."""
    embedder = LexicalEmbedder()

    def run(name: str, options: Mapping[str, object] | None = None, /, **parts: object) -> Measurement:
        listed: dict[str, Mapping[str, object]] = {
            "attribution": {}, "specificity": {}, "faithfulness": {}, "relevance": {}, "context_quality": {}
        }  # fmt: skip
        listed[name] = options or {}
        reading = Reading(Sample(**parts), embedder)  # type: ignore[arg-type]
        measured: dict[str, Measurement] = {}
        for signal in make_signals(listed, "test"):
            measured[signal.name] = signal.measure(reading, {n: measured[n] for n in signal.needs})
        return measured[name]

    return run


def value(measurement: Measurement) -> float:
    assert isinstance(measurement, Measured), measurement
    return measurement.value
