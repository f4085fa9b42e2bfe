import json
import math
import pickle
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ModelError, PluginError
from assay.models.protocol import Verifier
from assay.models.verifier import BundledVerifier, best_windows
from assay.models.verifier_weights import BUNDLED, load_verifier
from assay.models.verifiers import named_verifier
from assay.models.windows import Stretch, Window
from assay.sample import Passage
from assay.text.claims import segment

BRIDGE = Passage(
    "The bridge over the Wipper was opened in 1998. It is 340 metres long and carries two lanes of traffic.",
    title="Wipper bridge",
)
COSTS = Passage("The town council paid 12 million euros for the bridge.")
OTHERS = [
    Passage(f"Recipe {n}: mix flour with {n} eggs and bake the dough in a hot oven until it is brown.")
    for n in range(10)
]
QUESTION = "When was the bridge opened?"
ANSWER = "The bridge over the Wipper was opened in 1998. Its architect was Jane Doe of Berlin."


@pytest.fixture(scope="module")
def verifier():
    return BundledVerifier(threads=1)


def read(verifier, passages, answer=ANSWER, question=QUESTION):
    return verifier.read(question, passages, answer, [(part.start, part.end) for part in segment(answer)])


def test_is_a_verifier(verifier):
    assert isinstance(verifier, Verifier)
    assert named_verifier("bundled") is named_verifier("bundled")
    with pytest.raises(PluginError, match="no verifier is called 'no such'"):
        named_verifier("no such")


def test_tells_what_stands_there_from_what_does_not(verifier):
    supported, invented = read(verifier, [BRIDGE, COSTS])
    assert supported.support == 1.0  # word for word
    assert invented.support < 0.4
    assert any(ANSWER[start:end] in "Its architect was Jane Doe of Berlin." for start, end in invented.weak)
    for found in (supported, invented):
        assert 0 <= found.contradiction <= 1 - found.support + 1e-9


def test_ranks_what_follows_above_what_does_not(verifier):
    follows, denied = read(
        verifier, [BRIDGE, COSTS], "The council paid for it. The council paid nothing for it."
    )
    assert follows.support > denied.support + 0.2
    assert denied.contradiction > 0.5


def test_reads_the_same_warm_cold_and_with_any_threads(verifier):
    cold, warm = read(BundledVerifier(threads=1), [BRIDGE, COSTS]), read(verifier, [BRIDGE, COSTS])
    assert read(verifier, [BRIDGE, COSTS]) == warm == cold
    assert read(BundledVerifier(threads=4), [BRIDGE, COSTS]) == warm
    assert read(BundledVerifier(kept_bytes=0), [BRIDGE, COSTS]) == warm
    assert read(pickle.loads(pickle.dumps(verifier)), [BRIDGE, COSTS]) == warm


def test_keeps_no_more_than_allowed():
    small = BundledVerifier(kept_bytes=2_000_000)
    for other in OTHERS:
        read(small, [Passage(other.text * 5)])
    assert 0 < small._bytes <= 2_000_000
    assert small._bytes == sum(k.nbytes + v.nbytes for k, v in small._kept.values())


def test_without_passages_or_claims(verifier):
    assert [found.support for found in read(verifier, [])] == [0.0, 0.0]
    assert [found.support for found in read(verifier, [Passage("")])] == [0.0, 0.0]
    assert verifier.read("", [BRIDGE], "", []) == []
    assert verifier.answerable("", [BRIDGE]) == 0.0
    assert verifier.answerable(QUESTION, []) == 0.0


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40))
def test_any_text_is_read(verifier, context, answer, question):
    for found in read(verifier, [Passage(context)], answer, question):
        assert math.isfinite(found.support)
        assert 0 <= found.support <= 1
        assert all(0 <= start < end <= len(answer) for start, end in found.weak)
    assert 0 <= verifier.answerable(question, [Passage(context)]) <= 1


def window(*ids):
    return Window(0, ids, 0, 0, ())


def test_best_windows_share_most_and_keep_their_order():
    stretch = Stretch((101, 1, 2, 3, 4, 5, 102), 1, ((0, 1, 6),), ())
    windows = [window(1, 2), window(9, 1), window(1, 2, 3), window(8, 5), window(3, 2)]
    nothing = frozenset()
    assert best_windows(stretch, windows, nothing) == [windows[0], windows[2], windows[4]]
    assert best_windows(stretch, windows, nothing, 1) == [windows[2]]
    assert best_windows(stretch, windows, frozenset({1})) == [windows[2], windows[4]]
    assert best_windows(stretch, [window(7), window(8), window(9)], nothing) == [window(7)]
    assert best_windows(stretch, [], nothing) == []


def test_a_passage_on_something_else_changes_nothing(verifier):
    before = read(verifier, [BRIDGE, COSTS])
    for at in range(3):
        passages = [BRIDGE, COSTS]
        passages[at:at] = OTHERS
        assert read(verifier, passages) == before


def copied(tmp_path):
    folder = tmp_path / "verifier"
    shutil.copytree(BUNDLED, folder)
    return folder


def test_a_missing_file_is_named(tmp_path):
    folder = copied(tmp_path)
    (folder / "context.onnx").unlink()
    with pytest.raises(ModelError, match=r"lacks context\.onnx"):
        BundledVerifier(folder)


@pytest.mark.parametrize("name", ["context.onnx", "weights.npz", "tokenizer.json", "verifier.json"])
def test_a_damaged_file_is_an_error(tmp_path, name):
    folder = copied(tmp_path)
    (folder / name).write_bytes(b"damaged")
    with pytest.raises(ModelError, match="cannot be loaded as a verifier"):
        BundledVerifier(folder)


def test_another_format_is_refused(tmp_path):
    folder = copied(tmp_path)
    about = json.loads((folder / "verifier.json").read_text())
    (folder / "verifier.json").write_text(json.dumps({**about, "format": 99}))
    with pytest.raises(ModelError, match="has format 99, this version reads 1"):
        BundledVerifier(folder)


def test_other_weights_have_another_fingerprint(tmp_path, verifier):
    folder = copied(tmp_path)
    with np.load(folder / "weights.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays["matches"] = arrays["matches"] + np.float32(0.1)
    np.savez(folder / "weights.npz", **arrays)
    assert load_verifier(folder).fingerprint != verifier.fingerprint
    assert load_verifier(copied(tmp_path / "again")).fingerprint == verifier.fingerprint
