"""The protocols that models are used through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from assay.errors import ModelError
from assay.sample import Passage

Vectors = NDArray[np.float64]
UNIT_TOLERANCE = 1e-3


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors.

    A text's vector depends on that text alone: not on its neighbours, their order, or the number of
    threads. Implementations are thread-safe.

    Attributes:
        name: Registry name, for example ``lexical``.
        tier: What a verdict that rests on it may call itself.
        fingerprint: Hex SHA-256 over the weights and settings that can change a vector.
        scripts: Unicode script names (as `assay.text.scripts` gives them) that it can read, or None for all.
    """

    name: str
    tier: Literal["lexical", "embedding"]
    fingerprint: str
    scripts: frozenset[str] | None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape ``(len(texts), dimension)``, float64, each of unit length or all zeros.

        Any string is accepted: empty, lone surrogates, null bytes.
        """
        ...

    def characters_read(self, text: str) -> int:
        """How many leading characters of ``text`` fit its window; ``len(text)`` when nothing is cut."""
        ...


def checked_vectors(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """The vectors of an embedder that may be anybody's, held to the protocol.

    Raises:
        ModelError: They are not real, finite, one a text, or neither of unit length nor zero. A similarity
            made from such vectors would be a number without a meaning.
    """
    vectors = embedder.embed(texts)
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or len(vectors) != len(texts):
        shape = getattr(vectors, "shape", type(vectors).__name__)
        raise ModelError(
            f"the embedder {embedder.name!r} gave {shape} for {len(texts)} texts, not (texts, dimension)"
        )
    if not np.issubdtype(vectors.dtype, np.floating) or not np.isfinite(vectors).all():
        raise ModelError(f"the embedder {embedder.name!r} gave vectors that are not finite real numbers")
    lengths = np.linalg.norm(vectors, axis=1)
    if not all(length == 0.0 or abs(length - 1.0) < UNIT_TOLERANCE for length in lengths):
        raise ModelError(f"the embedder {embedder.name!r} gave vectors that are not of unit length")
    return vectors


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """What a verifier found about one claim.

    Attributes:
        support: P(the claim follows from the passages), 0..1.
        contradiction: P(the passages say otherwise), 0..1; at most ``1 - support``.
        weak: Characters of the response that it holds for unsupported, as ``(start, end)``.
    """

    support: float
    contradiction: float
    weak: tuple[tuple[int, int], ...] = ()


@runtime_checkable
class Verifier(Protocol):
    """Says whether claims follow from passages.

    A claim's reading depends on the question, the passages and the response alone: not on other samples,
    their order, or the number of threads. Implementations are thread-safe.

    Attributes:
        name: Registry name, for example ``bundled``.
        fingerprint: Hex SHA-256 over the weights and settings that can change a reading.
        scripts: Unicode script names that it can read, or None for all.
    """

    name: str
    fingerprint: str
    scripts: frozenset[str] | None

    def read(
        self, question: str, passages: Sequence[Passage], response: str, claims: Sequence[tuple[int, int]]
    ) -> Sequence[ClaimReading]:
        """One reading for each claim ``response[start:end]``, in order. Any strings are accepted."""
        ...

    def answerable(self, question: str, passages: Sequence[Passage]) -> float:
        """P(the passages answer the question), 0..1."""
        ...
