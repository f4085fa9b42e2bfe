"""Disagreement: how far the main signals are apart."""

from __future__ import annotations

import math
from collections.abc import Mapping

from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.verdict import Measured, Measurement, Unavailable


class Disagreement(Signal):
    """Population standard deviation of faithfulness, relevance and context quality.

    A signal that does not apply is left out; one that could not be measured leaves this one unavailable.
    """

    name = "disagreement"
    needs = ("faithfulness", "relevance", "context_quality")

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        values = []
        for name in self.needs:
            part = measured[name]
            if isinstance(part, Measured):
                values.append(part.value)
            elif isinstance(part, Unavailable) and part.applicable:
                return Unavailable(part.cause)
        if not values:
            return Unavailable("none of its signals applies", applicable=False)
        mean = sum(values) / len(values)
        return Measured(math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)))
