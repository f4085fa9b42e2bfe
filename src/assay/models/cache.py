"""A bounded cache of vectors around any embedder."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from assay.models.protocol import Embedder, Vectors

_LONG_TEXT = 256  # a longer text is kept by its digest

_Key = str | bytes
_Vector = NDArray[np.float64]


class CachedEmbedder:
    """Embeds each distinct text once while it stays among the most recently used.

    It has the attributes of the embedder inside, and gives the same vectors: texts are independent of each
    other by the protocol. Threads may share it; of two that ask for the same text, one waits.

    Args:
        inner: The embedder.
        max_texts: Most texts kept.
        max_bytes: Most memory their vectors may take.

    Attributes:
        hits: Texts answered without the embedder, repeats within a call included.
        misses: Texts that the embedder was asked for.
    """

    def __init__(self, inner: Embedder, max_texts: int = 4096, max_bytes: int = 64 * 1024 * 1024) -> None:
        self.inner = inner
        self.max_texts = max_texts
        self.max_bytes = max_bytes
        self.name = inner.name
        self.tier = inner.tier
        self.fingerprint = inner.fingerprint
        self.scripts = inner.scripts
        self.hits = 0
        self.misses = 0
        self._lock = Lock()
        self._kept: OrderedDict[_Key, _Vector] = OrderedDict()
        self._bytes = 0
        self._pending: dict[_Key, Future[_Vector]] = {}

    def __reduce__(self) -> tuple[type[CachedEmbedder], tuple[Embedder, int, int]]:
        return type(self), (self.inner, self.max_texts, self.max_bytes)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors as the embedder inside gives them, in a fresh array."""
        if not texts:
            return self.inner.embed(texts)
        keys = [_key(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        found, awaited, own = self._claim(distinct, len(keys))
        if own:
            found |= self._compute({key: distinct[key] for key in own}, own)
        for key, future in awaited.items():
            found[key] = self._wait(future, distinct[key])
        return np.stack([found[key] for key in keys])

    def characters_read(self, text: str) -> int:
        """What the embedder inside reads."""
        return self.inner.characters_read(text)

    def _claim(
        self, distinct: dict[_Key, str], asked: int
    ) -> tuple[dict[_Key, _Vector], dict[_Key, Future[_Vector]], dict[_Key, Future[_Vector]]]:
        """Sort keys into kept, being computed by another thread, and ours to compute."""
        found: dict[_Key, _Vector] = {}
        awaited: dict[_Key, Future[_Vector]] = {}
        own: dict[_Key, Future[_Vector]] = {}
        with self._lock:
            for key in distinct:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[key] = self._kept[key]
                elif key in self._pending:
                    awaited[key] = self._pending[key]
                else:
                    own[key] = self._pending[key] = Future()
            self.misses += len(own)
            self.hits += asked - len(own)
        return found, awaited, own

    def _compute(self, texts: dict[_Key, str], own: dict[_Key, Future[_Vector]]) -> dict[_Key, _Vector]:
        try:
            # Copies, so that a kept row does not hold the memory of its whole batch.
            rows = [row.copy() for row in self.inner.embed(list(texts.values()))]
        except BaseException as error:
            with self._lock:
                for key, future in own.items():
                    del self._pending[key]
                    future.set_exception(error)
            raise
        vectors = dict(zip(texts, rows, strict=True))
        with self._lock:
            for key, vector in vectors.items():
                self._keep(key, vector)
                self._pending.pop(key).set_result(vector)
        return vectors

    def _wait(self, future: Future[_Vector], text: str) -> _Vector:
        try:
            return future.result()
        except BaseException:  # noqa: BLE001 - the other thread's batch failed, maybe over another text
            vector: _Vector = self.inner.embed([text])[0]
            return vector

    def _keep(self, key: _Key, vector: _Vector) -> None:
        self._kept[key] = vector
        self._bytes += vector.nbytes
        while self._kept and (len(self._kept) > self.max_texts or self._bytes > self.max_bytes):
            _, old = self._kept.popitem(last=False)
            self._bytes -= old.nbytes


def _key(text: str) -> _Key:
    if len(text) <= _LONG_TEXT:
        return text
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
