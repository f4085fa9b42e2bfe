"""Specificity: is the answer concrete or vague?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.signals.base import Signal, one_of
from assay.signals.reading import Reading
from assay.text.hedges import find_hedges
from assay.text.published import ascii_words, published_hedge_count
from assay.text.words import words
from assay.verdict import Measured, Measurement

LONG_ANSWER_WORDS = 80


class Specificity(Signal):
    """``0.40 min(1, n / 80) + 0.60 distinct / n - min(0.60, 0.15 hedges)``, clamped; 0 without words.

    Args:
        formula: ``article`` counts runs of a to z and each of eleven hedge phrases once; ``words`` counts
            Unicode words and every occurrence of a hedge.
    """

    name = "specificity"

    def __init__(self, formula: str = "words") -> None:
        self.formula = one_of("formula", formula, ("article", "words"))

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if self.formula == "article":
            return _specificity(ascii_words(reading.response), published_hedge_count(reading.response))
        return _specificity(words(reading.response), len(find_hedges(reading.response)))


def _specificity(tokens: Sequence[str], hedges: int) -> Measurement:
    if not tokens:
        return Measured(0.0, {"words": 0, "hedges": hedges})
    length = min(1.0, len(tokens) / LONG_ANSWER_WORDS)
    richness = len(set(tokens)) / len(tokens)
    value = (0.40 * length + 0.60 * richness) - min(0.60, hedges * 0.15)
    return Measured(value, {"words": len(tokens), "distinct": len(set(tokens)), "hedges": hedges})
