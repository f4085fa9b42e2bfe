"""The protocols that models are used through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]


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
