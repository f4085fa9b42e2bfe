"""Plain facts about a sample, as signals of 0 or 1 that gates can use."""

from __future__ import annotations

from collections.abc import Mapping

from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.text.printable import is_blank
from assay.verdict import Measured, Measurement


class Answer(Signal):
    """1 if the response holds any text, else 0."""

    name = "answer"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        return Measured(float(not is_blank(reading.response)))


class EvidenceGiven(Signal):
    """1 if the context holds any text, else 0."""

    name = "evidence"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        return Measured(float(not is_blank(reading.context)))


class Legibility(Signal):
    """1 if the tier can compare every part of the response with the context, else 0."""

    name = "legibility"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        problem = reading.unreadable
        return Measured(float(problem is None), {} if problem is None else {"unreadable": problem})


class Checkable(Signal):
    """Share of the response's segments that say something checkable; "Yes." alone does not."""

    name = "checkable"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        segments = reading.segments
        said = [(part, terms(reading.response[part.start : part.end])) for part in segments]
        says = [
            (part.checkable or reading.brings_something_new(text)) and bool(text.content)
            for part, text in said
        ]
        return Measured(sum(says) / len(says) if says else 0.0)
