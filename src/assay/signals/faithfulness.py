"""Faithfulness: attribution and specificity in one number, for the final score."""

from __future__ import annotations

from collections.abc import Mapping

from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.verdict import Measured, Measurement, Unavailable


class Faithfulness(Signal):
    """``0.70 attribution + 0.30 specificity``."""

    name = "faithfulness"
    needs = ("attribution", "specificity")

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        attribution, specificity = measured["attribution"], measured["specificity"]
        for part in (attribution, specificity):
            if isinstance(part, Unavailable):
                return Unavailable(part.cause, applicable=part.applicable)
        if not isinstance(attribution, Measured) or not isinstance(specificity, Measured):
            raise TypeError("a measurement is Measured or Unavailable")
        return Measured(0.70 * attribution.value + 0.30 * specificity.value)
