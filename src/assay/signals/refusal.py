"""Refusals, and whether the context could have answered."""

from __future__ import annotations

from collections.abc import Mapping

from assay.signals.base import Signal, one_of
from assay.signals.reading import Reading
from assay.signals.support import best_window, terms
from assay.verdict import Measured, Measurement, Unavailable

_NEW = "it refuses and states a number or a name that neither question nor context holds"
_STATES = {"refused": 1.0, "undetermined": 0.5, "answered": 0.0}


class RefusalSignal(Signal):
    """1 if the response refuses, 0 if it answers, 0.5 if neither is certain."""

    name = "refusal"

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        refusal = reading.refusal
        said = terms(reading.without_citations(0, len(reading.response)))
        if refusal.state == "refused" and reading.brings_something_new(said):
            return Measured(_STATES["undetermined"], {"partial": True}, notes=(_NEW,))
        words = [reading.response[start:end] for start, end in refusal.matches]
        return Measured(_STATES[refusal.state], {"matches": list(words), "partial": refusal.partial})


class Answerability(Signal):
    """Whether the context could answer the question: share of its content words in the best window.

    The best window is three neighbouring sentences of one passage. 0 without any context; does not apply
    without a question. A lexical estimate: it knows what the context speaks of, not what it says.

    Args:
        formula: ``words`` as above, or ``verifier``: what the profile's verifier says.
    """

    name = "answerability"

    def __init__(self, formula: str = "words") -> None:
        self.formula = one_of("formula", formula, ("words", "verifier"))

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        question = set(terms(reading.question).content)
        if not question:
            return Unavailable("there is no question to answer", applicable=False)
        if self.formula == "verifier":
            return Measured(reading.answerable)
        best, _ = best_window(dict.fromkeys(question, 1), reading.corpus.passages)
        return Measured(best / len(question))
