"""Relevance: does the response address the question?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.signals.attribution import jaccard
from assay.signals.base import Signal, one_of
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.text.printable import is_blank
from assay.text.published import punctuation_sentences
from assay.verdict import Measured, Measurement, Unavailable, unit

MIN_QUESTION_STEMS = 2
"""One word is too little to say that an answer misses it."""


class Relevance(Signal):
    """How directly the response answers the question.

    Args:
        formula: ``article``: ``0.45 cosine(query, response) + 0.35 max over sentences of cosine(query,
            sentence) + 0.20 jaccard``; 0 without a query. ``question``: the share of the question's content
            words that the response speaks to, in its own words or in the evidence that supports it, so that
            a short answer ("1998.") to a full question is not off topic; does not apply without a query of
            two content words.
    """

    name = "relevance"
    needs = ("attribution",)

    def __init__(self, formula: str = "question") -> None:
        self.formula = one_of("formula", formula, ("article", "question"))

    def texts(self, reading: Reading) -> Iterable[str]:  # noqa: D102
        if self.formula == "question":
            return ()
        sentences = (reading.response[start:end] for start, end in punctuation_sentences(reading.response))
        return (reading.question, reading.response, *sentences)

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if is_blank(reading.response):
            return Unavailable("the response is empty")
        if reading.unreadable:
            return Unavailable(f"the {reading.embedder.tier} tier cannot read {reading.unreadable}")
        return _article(reading) if self.formula == "article" else _question(reading, measured["attribution"])


def _article(reading: Reading) -> Measurement:
    query, response = reading.question, reading.response
    if not query.strip():
        return Measured(0.0)
    whole = reading.similarity(query, response)
    best = max(
        (reading.similarity(query, response[start:end]) for start, end in punctuation_sentences(response)),
        default=0.0,
    )
    overlap = jaccard(query, response)
    detail = {"cosine": unit(whole), "best_sentence": unit(best), "overlap": unit(overlap)}
    return Measured(0.45 * whole + 0.35 * best + 0.20 * overlap, dict(detail))


def _question(reading: Reading, attribution: Measurement) -> Measurement:
    wanted = set(terms(reading.question).content)
    if len(wanted) < MIN_QUESTION_STEMS:
        cause = "there is no question to measure against" if not wanted else "the question has too few words"
        return Unavailable(cause, applicable=False)
    spoken = set(terms(reading.response).content)
    evidence = {place for claim in attribution.claims for place in claim.evidence}
    spoken = spoken.union(*(reading.corpus.stems_at(place) for place in evidence))
    missing = sorted(wanted - spoken)
    return Measured(1 - len(missing) / len(wanted), {"not_addressed": list(missing)})
