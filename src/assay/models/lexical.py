"""The embedder that needs no model: hashed words and word parts in a fixed space.

The space has no vocabulary, so a vector depends on its text alone. It sees shared words and shared parts
of words, not meaning: a paraphrase in other words is far away.
"""

from __future__ import annotations

import hashlib
import math
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.models.protocol import Vectors
from assay.text.words import STOPWORDS, words

DIMENSION = 4096
_BUCKET_SHIFT = 20  # 32 bits of hash down to the 12 of DIMENSION
_STOPWORD_WEIGHT = 0.2
_GRAM = 4
_GRAM_ENERGY = 0.5
"""What all parts of a word weigh together, in squares, beside 1 for the word itself."""
_VERSION = 1  # raise it with any change that can change a vector
_PROBE = "Don't re-open № 12.5%: Straße, ÉCOLE, Ελλάδα, Привет, مرحبا, שלום, नमस्ते, 東京タワー, 한국어"

_Features = tuple[NDArray[np.int64], NDArray[np.float64]]


class LexicalEmbedder:
    """Signed feature hashing of words and character 4-grams, sublinear in how often a word occurs."""

    name = "lexical"
    tier: Literal["lexical"] = "lexical"
    # Thai, Lao, Khmer, Myanmar and Tibetan are written without spaces: a sentence would be one word.
    scripts = frozenset(
        {
            *("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Ethiopic"),
            *("Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada"),
            *("Malayalam", "Sinhala", "Syriac", "Thaana", "Nko", "Cherokee", "Canadian Aboriginal"),
            *("Mongolian", "Han", "Hiragana", "Katakana", "Hangul"),
        }
    )

    def __init__(self) -> None:
        # The splitting of a probe stands for the rules of `words`, which change vectors too.
        settings = (
            _VERSION,
            DIMENSION,
            _STOPWORD_WEIGHT,
            _GRAM,
            _GRAM_ENERGY,
            sorted(STOPWORDS),
            words(_PROBE),
        )
        self.fingerprint = hashlib.sha256(repr(settings).encode()).hexdigest()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape ``(len(texts), 4096)``; zeros for a text without words."""
        vectors = np.zeros((len(texts), DIMENSION))
        for row, text in enumerate(texts):
            _fill(vectors[row], text)
        return vectors

    def characters_read(self, text: str) -> int:
        """All of them: nothing is cut."""
        return len(text)


def _fill(row: Vectors, text: str) -> None:
    counts = Counter(words(text))
    if not counts:
        return
    features = [_features(word) for word in sorted(counts)]  # sorted: sums must not depend on word order
    weights = np.concatenate([weight for _, weight in features])
    if len(counts) < counts.total():
        times = [1.0 + math.log(counts[word]) for word in sorted(counts)]
        weights *= np.repeat(times, [len(weight) for _, weight in features])
    row += np.bincount(np.concatenate([bucket for bucket, _ in features]), weights, DIMENSION)
    length = math.sqrt(float(np.add.reduce(row * row)))
    if length > 0.0:
        row /= length


@lru_cache(maxsize=32_768)
def _features(word: str) -> _Features:
    """Buckets and signed weights of a word and its parts. Arrays are shared: never write to them."""
    scale = _STOPWORD_WEIGHT if word in STOPWORDS else 1.0
    padded = f"^{word}$"
    grams = [padded[i : i + _GRAM] for i in range(len(padded) - _GRAM + 1)] if len(word) >= _GRAM else []
    weight = math.sqrt(_GRAM_ENERGY / len(grams)) if grams else 0.0
    hashes = [_hash(word), *(_hash(f"#{gram}") for gram in grams)]
    return (
        np.array([value >> _BUCKET_SHIFT for value in hashes], np.int64),
        np.array(
            [
                (scale if i == 0 else scale * weight) * (1.0 if value & 0x80000 else -1.0)
                for i, value in enumerate(hashes)
            ]
        ),
    )


def _hash(feature: str) -> int:
    """A stable 32-bit hash; the multiplication spreads what CRC leaves regular."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) * 0x9E3779B1 & 0xFFFFFFFF
