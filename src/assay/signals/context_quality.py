"""Context quality: did retrieval bring what the answer needs?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.signals.base import Signal, one_of
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.text.published import ascii_words
from assay.verdict import Measured, Measurement, Unavailable, unit


class ContextQuality(Signal):
    """How well the context serves the question and the response.

    Args:
        formula: ``article``: ``0.50 F1 + 0.50 cosine(context, response)``, where the published code swaps
            the arguments of recall, so that precision, recall and F1 all equal |C and R| / |R|.
            ``passages``: ``0.50 F1 + 0.50 coverage``: precision is the share of passages that hold evidence
            for a claim or half of the question's words, recall the share of the response's content words
            that stand in the context, coverage the share of the question's content words that stand there
            (without a question: recall).
    """

    name = "context_quality"
    needs = ("attribution",)

    def __init__(self, formula: str = "passages") -> None:
        self.formula = one_of("formula", formula, ("article", "passages"))

    def texts(self, reading: Reading) -> Iterable[str]:  # noqa: D102
        return (reading.context, reading.response) if self.formula == "article" else ()

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if reading.blocker is not None:
            return Unavailable(reading.blocker)
        return _article(reading) if self.formula == "article" else _passages(reading, measured["attribution"])


def _article(reading: Reading) -> Measurement:
    context, response = set(ascii_words(reading.context)), set(ascii_words(reading.response))
    recall = len(context & response) / len(response) if response else 0.0
    cosine = reading.similarity(reading.context, reading.response)
    return Measured(0.50 * recall + 0.50 * cosine, {"recall": unit(recall), "cosine": unit(cosine)})


def _passages(reading: Reading, attribution: Measurement) -> Measurement:
    corpus = reading.corpus
    response, question = terms(reading.response).content, set(terms(reading.question).content)
    if not response:
        return Unavailable("the response has no words to look for")
    recall = sum(word in corpus.found for word in response) / len(response)
    used = {place.passage for claim in attribution.claims for place in claim.evidence}
    for number, passage in enumerate(corpus.passages):
        if question and 2 * sum(word in passage.found for word in question) >= len(question):
            used.add(number)
    precision = len(used) / len(corpus.passages)
    in_context = sum(word in corpus.found for word in question)
    coverage = in_context / len(question) if question else recall
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    detail = {"precision": unit(precision), "recall": unit(recall), "coverage": unit(coverage)}
    return Measured(0.50 * f1 + 0.50 * coverage, dict(detail))
