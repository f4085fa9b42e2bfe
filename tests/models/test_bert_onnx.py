import sys
import warnings

import numpy as np
import onnxruntime as ort
import pytest

from assay.errors import ModelError
from assay.models.bert_config import read_config
from assay.models.bert_onnx import build_onnx

from . import tiny


def run(graph: bytes, ids: list[int]) -> np.ndarray:
    session = ort.InferenceSession(graph, providers=["CPUExecutionProvider"])
    return session.run(None, {"input_ids": np.array([ids], np.int64)})[0]


def build(folder) -> bytes:
    return build_onnx(folder, read_config(folder))


@pytest.fixture(scope="module")
def bert_model():
    """transformers' own BertModel with the tiny weights."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from transformers import BertConfig, BertModel

        model = BertModel(BertConfig(**tiny.CONFIG), add_pooling_layer=False)
        state = {name: torch.from_numpy(values) for name, values in tiny.weights().items()}
        missing = model.load_state_dict(state, strict=False)
    assert not missing.unexpected_keys
    assert all("position_ids" in key for key in missing.missing_keys)
    return model.eval()


@pytest.mark.parametrize("length", [1, 2, 7, tiny.POSITIONS])
def test_equals_transformers(tiny_folder, bert_model, length):
    import torch

    ids = np.random.default_rng(length).integers(0, len(tiny.VOCAB), length)
    with torch.no_grad():
        mean = bert_model(torch.from_numpy(ids[None])).last_hidden_state[0].mean(0)
    expected = (mean / mean.norm()).numpy()
    got = run(build(tiny_folder), ids.tolist())
    assert got.shape == (tiny.HIDDEN,)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, expected, atol=2e-6)


def test_same_bytes_twice(tiny_folder, tmp_path):
    again = tiny.write(tmp_path / "elsewhere")
    assert build(tiny_folder) == build(tiny_folder) == build(again)
    assert build(tiny.write(tmp_path / "other", seed=1)) != build(again)


def test_weights_of_a_whole_model(tiny_folder, tmp_path):
    """A model saved with a head has its encoder under "bert." and other tensors beside it."""
    tensors = {f"bert.{name}": values for name, values in tiny.weights().items()}
    tensors["cls.predictions.bias"] = np.zeros(3, np.float32)
    tensors["bert.embeddings.position_ids"] = np.arange(tiny.POSITIONS)
    assert build(tiny.write(tmp_path / "headed", tensors=tensors)) == build(tiny_folder)


def test_half_precision_weights_are_widened(tmp_path):
    tensors = {name: values.astype(np.float16) for name, values in tiny.weights().items()}
    got = run(build(tiny.write(tmp_path / "half", tensors=tensors)), [2, 5, 3])
    full = run(build(tiny.write(tmp_path / "full")), [2, 5, 3])
    np.testing.assert_allclose(got, full, atol=2e-2)


@pytest.mark.parametrize(
    "name",
    [
        "embeddings.word_embeddings.weight",
        "embeddings.token_type_embeddings.weight",
        "encoder.layer.1.output.dense.bias",
    ],
)
def test_missing_weight_is_named(tmp_path, name):
    tensors = tiny.weights()
    del tensors[name]
    with pytest.raises(ModelError, match=r"model\.safetensors has no.*"):
        build(tiny.write(tmp_path, tensors=tensors))


def test_more_layers_than_weights(tmp_path):
    with pytest.raises(ModelError, match=r"config\.json asks for .*encoder\.layer\.2"):
        build(tiny.write(tmp_path, num_hidden_layers=3))


def test_sizes_that_disagree_are_both_named(tmp_path):
    with pytest.raises(
        ModelError, match=r"\(32, 64\) in model\.safetensors, config\.json says \(32, 128\)|128"
    ):
        build(tiny.write(tmp_path, intermediate_size=128))


def test_damaged_weights(tiny_folder):
    (tiny_folder / "model.safetensors").write_bytes(b"not safetensors")
    with pytest.raises(ModelError, match="cannot be read as safetensors"):
        build(tiny_folder)


@pytest.mark.parametrize("package", ["onnx", "safetensors"])
def test_without_the_extra(tiny_folder, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelError, match=r"pip install 'assay\[minilm\]'"):
        build(tiny_folder)
