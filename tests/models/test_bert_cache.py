import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assay.errors import ModelError
from assay.models import bert_cache
from assay.models.bert_cache import can_build, read_encoder
from assay.models.bert_onnx import build_onnx
from assay.models.minilm import MiniLMEmbedder

from . import tiny


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_built_once(tiny_folder, cache, monkeypatch):
    encoder = read_encoder(tiny_folder)
    path = encoder.load_or_build()
    assert path == encoder.cached_path
    assert [p.name for p in cache.iterdir()] == [path.name]
    assert path.read_bytes() == build_onnx(tiny_folder, encoder.config)
    monkeypatch.setattr(bert_cache, "build_onnx", lambda *_: pytest.fail("built again"))
    assert read_encoder(tiny_folder).load_or_build() == path


def test_two_processes_at_once(tiny_folder, cache):
    code = (
        "import sys; from pathlib import Path; from assay.models.minilm import MiniLMEmbedder\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "print(MiniLMEmbedder(Path(sys.argv[1])).embed(['the refund window']).tobytes().hex())"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tiny_folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    vectors = {process.communicate(timeout=60)[0] for process in processes}
    assert [process.returncode for process in processes] == [0, 0]
    assert len(vectors) == 1
    assert len(list(cache.iterdir())) == 1  # and no temporary file


def test_unwritable_cache_builds_in_memory(tiny_folder, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "file" / "cache"))
    graph = read_encoder(tiny_folder).load_or_build()
    assert isinstance(graph, bytes)
    assert np.isfinite(MiniLMEmbedder(tiny_folder).embed(["the refund"])).all()


def test_failed_write_leaves_nothing(tiny_folder, cache, monkeypatch):
    def full_disk(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    assert isinstance(read_encoder(tiny_folder).load_or_build(), bytes)
    assert list(cache.iterdir()) == []


def test_damaged_cache_is_replaced(tiny_folder, cache):
    good = MiniLMEmbedder(tiny_folder).embed(["the refund"])
    path = read_encoder(tiny_folder).cached_path
    whole = path.read_bytes()
    for damage in (b"", whole[:500], b"\x00" * 2000):
        path.write_bytes(damage)
        np.testing.assert_array_equal(MiniLMEmbedder(tiny_folder).embed(["the refund"]), good)
        assert path.read_bytes() == whole


def test_filled_cache_needs_no_extra(tiny_folder, cache, monkeypatch):
    """An image can carry the cache in place of onnx and safetensors."""
    expected = MiniLMEmbedder(tiny_folder).embed(["the refund"])
    for package in ("onnx", "safetensors"):
        monkeypatch.setitem(sys.modules, package, None)
    np.testing.assert_array_equal(MiniLMEmbedder(tiny_folder).embed(["the refund"]), expected)
    read_encoder(tiny_folder).cached_path.unlink()
    with pytest.raises(ModelError, match="pip install"):
        MiniLMEmbedder(tiny_folder)


def test_graph_that_the_runtime_refuses(tiny_folder, cache, monkeypatch):
    monkeypatch.setattr(bert_cache, "build_onnx", lambda *_: b"no graph")
    with pytest.raises(ModelError, match=r"onnxruntime cannot load the graph of .*tiny"):
        MiniLMEmbedder(tiny_folder)


def test_fingerprint_follows_what_changes_a_vector(tmp_path):
    base = read_encoder(tiny.write(tmp_path / "base"))
    assert read_encoder(tiny.write(tmp_path / "copy")).fingerprint == base.fingerprint
    others = [
        read_encoder(tiny.write(tmp_path / "weights", seed=1)),
        read_encoder(tiny.write(tmp_path / "heads", num_attention_heads=2)),
        read_encoder(tiny.write(tmp_path / "window", pieces=17)),
    ]
    tokenizer = tiny.write(tmp_path / "tokenizer")
    text = (tokenizer / "tokenizer.json").read_text(encoding="utf-8")
    (tokenizer / "tokenizer.json").write_text(text.replace('"lowercase": true', '"lowercase": false'))
    others.append(read_encoder(tokenizer))
    assert len({base.fingerprint, *(other.fingerprint for other in others)}) == 5
    # Weights and heads make another graph; window and tokenizer do not.
    assert len({base.graph_digest, *(other.graph_digest for other in others)}) == 3


def test_exporter_version_is_in_the_name(tiny_folder, monkeypatch):
    before = read_encoder(tiny_folder)
    monkeypatch.setattr(bert_cache, "EXPORTER_VERSION", 999)
    after = read_encoder(tiny_folder)
    assert before.cached_path != after.cached_path
    assert before.fingerprint != after.fingerprint


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_missing_file_is_named(tiny_folder, name):
    (tiny_folder / name).unlink()
    with pytest.raises(ModelError, match=name):
        read_encoder(tiny_folder)


def test_can_build(monkeypatch):
    assert can_build()
    monkeypatch.setattr(bert_cache, "find_spec", lambda name: None if name == "onnx" else object())
    assert not can_build()
