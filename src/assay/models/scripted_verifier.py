"""A verifier that says what it was told to say: for tests, and for trying a profile's gates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.models.protocol import ClaimReading
from assay.sample import Passage


class ScriptedVerifier:
    """Gives each claim the reading scripted for its text.

    Args:
        readings: Claim text to reading.
        otherwise: The reading of any other claim.
        can_answer: What `answerable` gives.
    """

    name = "scripted"
    fingerprint = "scripted"
    scripts = frozenset({"Latin"})

    def __init__(
        self,
        readings: Mapping[str, ClaimReading] | None = None,
        otherwise: ClaimReading | None = None,
        can_answer: float = 1.0,
    ) -> None:
        self.readings = dict(readings or {})
        self.otherwise = otherwise or ClaimReading(1.0, 0.0)
        self.can_answer = can_answer

    def read(
        self, question: str, passages: Sequence[Passage], response: str, claims: Sequence[tuple[int, int]]
    ) -> list[ClaimReading]:
        """The scripted readings, in the claims' order."""
        return [self.readings.get(response[start:end], self.otherwise) for start, end in claims]

    def answerable(self, question: str, passages: Sequence[Passage]) -> float:
        """The scripted figure."""
        return self.can_answer
