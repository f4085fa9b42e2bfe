import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models import lexical
from assay.models.lexical import DIMENSION, LexicalEmbedder
from assay.models.protocol import Embedder
from assay.models.similarity import cosine
from assay.text.scripts import script_of
from assay.text.words import words

EMBEDDER = LexicalEmbedder()
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=80)


def similarity(a: str, b: str) -> float:
    return cosine(*EMBEDDER.embed([a, b]))


def test_is_an_embedder():
    assert isinstance(EMBEDDER, Embedder)
    assert (EMBEDDER.name, EMBEDDER.tier) == ("lexical", "lexical")
    assert EMBEDDER.embed([]).shape == (0, DIMENSION)
    assert EMBEDDER.characters_read("x" * 10_000) == 10_000


@settings(max_examples=2000, deadline=None)
@given(ANY_TEXT)
def test_any_string(text):
    vector = EMBEDDER.embed([text])[0]
    assert np.isfinite(vector).all()
    norm = float(np.sqrt(vector @ vector))
    assert norm == pytest.approx(1.0 if words(text) else 0.0, abs=1e-12)
    assert cosine(vector, vector) == pytest.approx(norm, abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(st.lists(ANY_TEXT, max_size=6), st.randoms(use_true_random=False))
def test_neighbours_and_order_do_not_matter(texts, random):
    together = EMBEDDER.embed(texts)
    order = list(range(len(texts)))
    random.shuffle(order)
    assert EMBEDDER.embed([texts[i] for i in order]).tobytes() == together[order].tobytes()
    for text, vector in zip(texts, together, strict=True):
        assert EMBEDDER.embed([text])[0].tobytes() == vector.tobytes()


def test_similarity_orders_texts_sensibly():
    question = "Customers may return items within 30 days of purchase."
    same = similarity(question, question)
    near = similarity(question, "Returns are accepted for 30 days after the purchase date.")
    far = similarity(question, "The Eiffel Tower was built in Paris by Gustave Eiffel's company.")
    assert same == pytest.approx(1.0, abs=1e-12)
    assert 0.35 < near < 0.8
    assert far < 0.1


def test_case_and_punctuation_do_not_matter():
    assert similarity("The REFUND window!", "the refund, window") == pytest.approx(1.0, abs=1e-12)


def test_order_of_words_does_not_matter():
    """To the last bit, though sums of floats depend on their order."""
    words_ = [f"{a}{b}tion" for a in "bcdfghklm" for b in ("a", "er", "in", "ost", "unda", "ela")] * 2
    shuffled = [words_[i] for i in np.random.default_rng(0).permutation(len(words_))]
    a, b = EMBEDDER.embed([" ".join(words_), " ".join(shuffled)])
    assert a.tobytes() == b.tobytes()


def test_forms_of_a_word_are_near():
    assert similarity("refund", "refunds") > 0.2
    assert similarity("refund", "invoice") < 0.1


def test_function_words_weigh_little():
    assert similarity("what is the price of it", "what is the colour of it") < 0.4
    assert similarity("price", "the price of it") > 0.85


def test_repetition_is_sublinear():
    once, often = (
        similarity("refund policy", "refund"),
        similarity("refund policy " + "spam " * 100, "refund"),
    )
    assert 0.05 < often < once


def test_other_scripts():
    assert similarity("返品期間は30日です", "返品期間は14日です") > 0.4
    assert similarity("Срок возврата тридцать дней", "Срок возврата два дня") > 0.3
    assert {script_of(c) for c in "aαжאعनあア漢한"} <= EMBEDDER.scripts
    assert not {script_of(c) for c in "กລខမབ"} & EMBEDDER.scripts


def test_unrelated_texts_collide_little():
    """No two of these share a word: what similarity there is comes from hashing."""
    random = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    texts = [" ".join("".join(random.choice(letters, 8)) for _ in range(40)) for _ in range(60)]
    vectors = EMBEDDER.embed(texts)
    values = [cosine(vectors[i], vectors[j]) for i in range(60) for j in range(i)]
    assert max(values) < 0.12
    assert np.mean(values) < 0.02


def test_the_cache_of_words_changes_nothing():
    first = EMBEDDER.embed(["A refund within thirty days"]).tobytes()
    lexical._features.cache_clear()
    assert EMBEDDER.embed(["A refund within thirty days"]).tobytes() == first


@pytest.mark.parametrize("seed", ["0", "1"])
def test_same_in_every_process(seed):
    code = (
        "from assay.models.lexical import LexicalEmbedder as E; e = E()\n"
        "import hashlib; v = e.embed(['A refund within thirty days, naïve 返品'])\n"
        "print(e.fingerprint, hashlib.sha256(v.tobytes()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    import hashlib

    vector = EMBEDDER.embed(["A refund within thirty days, naïve 返品"])
    assert done.stdout.split() == [EMBEDDER.fingerprint, hashlib.sha256(vector.tobytes()).hexdigest()]


def test_fingerprint_follows_the_settings(monkeypatch):
    monkeypatch.setattr(lexical, "_STOPWORD_WEIGHT", 0.3)
    assert LexicalEmbedder().fingerprint != EMBEDDER.fingerprint


def test_fast_enough():
    text = " ".join(f"word{i % 70} of" for i in range(50))
    EMBEDDER.embed([text])
    best = min(_timed(text) for _ in range(100))
    assert best < 1e-3  # about 0.2 ms on a free machine


def _timed(text: str) -> float:
    start = time.perf_counter()
    EMBEDDER.embed([text])
    return time.perf_counter() - start
