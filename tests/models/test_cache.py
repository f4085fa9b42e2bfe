import pickle
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from assay.models.cache import CachedEmbedder
from assay.models.lexical import LexicalEmbedder
from assay.models.protocol import Embedder


class Counting:
    """An embedder of three dimensions that notes what it was asked."""

    name = "counting"
    tier = "embedding"
    fingerprint = "f" * 64
    scripts = frozenset({"Latin"})

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        return np.array([[1.0, len(text), 0.0] for text in texts]).reshape(len(texts), 3)

    def characters_read(self, text: str) -> int:
        return min(len(text), 7)


def test_is_the_embedder_inside():
    cached = CachedEmbedder(Counting())
    assert isinstance(cached, Embedder)
    assert (cached.name, cached.tier, cached.fingerprint) == ("counting", "embedding", "f" * 64)
    assert cached.scripts == {"Latin"}
    assert cached.characters_read("x" * 9) == 7
    assert cached.embed([]).shape == (0, 3)


def test_each_text_once():
    inner = Counting()
    cached = CachedEmbedder(inner)
    got = cached.embed(["a", "bb", "a", "a"])
    assert got[:, 1].tolist() == [1, 2, 1, 1]
    assert inner.calls == [["a", "bb"]]
    assert (cached.hits, cached.misses) == (2, 2)
    assert cached.embed(["ccc", "bb", "a"])[:, 1].tolist() == [3, 2, 1]
    assert inner.calls[1:] == [["ccc"]]
    assert (cached.hits, cached.misses) == (4, 3)
    cached.embed(["a"])
    assert len(inner.calls) == 2


@pytest.mark.parametrize("text", ["x" * 256, "x" * 257, "x" * 100_000, "\ud800" * 300, "\ud800", ""])
def test_any_text_is_a_key(text):
    inner = Counting()
    cached = CachedEmbedder(inner)
    for _ in range(2):
        assert cached.embed([text, text + "y"])[:, 1].tolist() == [len(text), len(text) + 1]
    assert len(inner.calls) == 1


def test_least_recently_used_goes_first():
    inner = Counting()
    cached = CachedEmbedder(inner, max_texts=2)
    cached.embed(["a", "b"])
    cached.embed(["a"])
    cached.embed(["c"])  # drops b
    cached.embed(["a", "c"])
    assert len(inner.calls) == 2
    cached.embed(["b"])
    assert inner.calls[-1] == ["b"]


def test_bounded_bytes():
    inner = Counting()
    cached = CachedEmbedder(inner, max_bytes=3 * 24)
    cached.embed([str(i) for i in range(10)])
    assert cached._bytes == 3 * 24
    cached.embed(["7", "8", "9"])
    assert len(inner.calls) == 1
    cached.embed(["6"])
    assert len(inner.calls) == 2


def test_more_texts_than_fit_in_one_call():
    cached = CachedEmbedder(Counting(), max_texts=1)
    assert cached.embed(["a", "bb", "ccc", "a"])[:, 1].tolist() == [1, 2, 3, 1]
    none = CachedEmbedder(Counting(), max_texts=0)
    assert none.embed(["a", "bb", "a"])[:, 1].tolist() == [1, 2, 1]


def test_a_caller_cannot_spoil_it():
    cached = CachedEmbedder(Counting())
    cached.embed(["a"])[:] = 99.0
    cached.embed(["a"])[:] = 99.0
    assert cached.embed(["a"]).tolist() == [[1.0, 1.0, 0.0]]


def test_same_vectors_as_without():
    texts = ["The refund window", "", "is thirty days", "The refund window"]
    plain = LexicalEmbedder()
    cached = CachedEmbedder(LexicalEmbedder())
    for _ in range(2):
        assert cached.embed(texts).tobytes() == plain.embed(texts).tobytes()


class Slow(Counting):
    """Waits inside until it is let go, so that a second caller meets the first one's work."""

    def __init__(self, fail: bool = False) -> None:
        super().__init__()
        self.entered = threading.Event()
        self.go = threading.Event()
        self.fail = fail

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        first = not self.entered.is_set()
        self.entered.set()
        if first:
            assert self.go.wait(30)
            if self.fail:
                self.calls.append(list(texts))
                raise RuntimeError("out of memory")
        return super().embed(texts)


def test_two_threads_compute_a_text_once():
    inner = Slow()
    cached = CachedEmbedder(inner)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cached.embed, ["a", "bb"])
        assert inner.entered.wait(30)
        second = pool.submit(cached.embed, ["bb", "ccc"])
        while cached.misses < 3:
            pass
        inner.go.set()
        assert first.result(30)[:, 1].tolist() == [1, 2]
        assert second.result(30)[:, 1].tolist() == [2, 3]
    assert sorted(text for call in inner.calls for text in call) == ["a", "bb", "ccc"]


def test_failure_reaches_its_own_caller_alone():
    inner = Slow(fail=True)
    cached = CachedEmbedder(inner)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cached.embed, ["a", "bb"])
        assert inner.entered.wait(30)
        second = pool.submit(cached.embed, ["bb"])
        while cached.hits < 1:
            pass
        inner.go.set()
        with pytest.raises(RuntimeError, match="out of memory"):
            first.result(30)
        assert second.result(30)[:, 1].tolist() == [2]
    misses = cached.misses
    for _ in range(2):
        assert cached.embed(["a"])[:, 1].tolist() == [1]
    assert cached.misses == misses + 1  # nothing is left waiting: computed anew, then kept


def test_many_threads():
    inner = Counting()
    cached = CachedEmbedder(inner, max_texts=20)
    texts = [str(10**i) for i in range(15)]

    def work(seed: int) -> bool:
        order = np.random.default_rng(seed).integers(0, 15, 40)
        got = cached.embed([texts[i] for i in order])
        return got[:, 1].tolist() == [i + 1 for i in order]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))
    assert sorted(text for call in inner.calls for text in call) == sorted(texts)
    assert cached.hits + cached.misses == 200 * 40


def test_pickle_starts_empty():
    cached = CachedEmbedder(LexicalEmbedder(), max_texts=5, max_bytes=99_999)
    cached.embed(["a"])
    copy = pickle.loads(pickle.dumps(cached))
    assert (copy.max_texts, copy.max_bytes, copy.misses) == (5, 99_999, 0)
    assert copy.embed(["a"]).tobytes() == cached.embed(["a"]).tobytes()
