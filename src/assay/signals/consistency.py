"""Consistency: does the model answer the same when asked in other words?"""

from __future__ import annotations

from collections.abc import Mapping

from assay.models.llm import NotAsked
from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.verdict import Measured, Measurement, Unavailable, unit

REWRITES = ("Can you explain {query}?", "Tell me about {query}.", "What do you know about {query}?")
"""Frames around the query: no language model writes them, and they claim to be no more than frames."""


class Consistency(Signal):
    """Mean cosine between the response and the model's answers to rewritten queries.

    Needs the application's own model; left out unless one is given. A call that fails, or an answer that is
    not text, leaves the signal unavailable.

    Args:
        paraphrases: How many rewrites to ask, 1 to 3. Each is one call of the model.
    """

    name = "consistency"
    requires_llm = True

    def __init__(self, paraphrases: int = 3) -> None:
        if not 1 <= paraphrases <= len(REWRITES):
            raise ValueError(f"paraphrases is 1 to {len(REWRITES)}, not {paraphrases}")
        self.paraphrases = paraphrases

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        query = reading.question.strip()
        if reading.llm is None or not query:
            return Unavailable("no model or no question to ask again", applicable=False)
        if not reading.response.strip():
            return Unavailable("the response is empty")
        values, counted = [], False
        for frame in REWRITES[: self.paraphrases]:
            try:
                answer: object = reading.llm(frame.replace("{query}", query.rstrip("?").lower()))
            except NotAsked:
                counted = True
                continue
            if not isinstance(answer, str):
                return Unavailable(f"the model returned {type(answer).__name__} instead of text")
            values.append(unit(reading.similarity(reading.response, answer)))
        if counted:
            return Unavailable("the model's calls were counted, not made", applicable=False)
        return Measured(sum(values) / len(values), {"similarities": list(values)})
