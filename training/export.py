"""Write what ships: ``python -m training.export --weights OUT/verifier.pt --minilm FOLDER --to FOLDER``.

Two small ONNX graphs without weights, ``weights.npz`` (8-bit integers with a scale a row, dequantised when
the model is loaded, so all arithmetic is in 32-bit floats), the tokenizer, and ``verifier.json``.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto

from assay.models.onnx_graph import Graph
from training.network import FUSED, HEADS, HIDDEN, LAYERS, SIZE, WIDE, Network

EPSILON = 1e-12
FORMAT = 1
Array = NDArray[Any]


@dataclass(slots=True)
class Detached(Graph):
    """A graph whose float constants lie in another file. ``stored`` are those, in the order of use."""

    stored: dict[str, Array] = field(default_factory=dict)

    def constant(self, name: str, values: Array) -> str:
        """Name a float tensor as external; integers stay in the graph."""
        if values.dtype != np.float32 or values.ndim == 0:
            return Graph.constant(self, name, values)
        if name not in self.stored:
            self.stored[name] = np.ascontiguousarray(values)
            tensor = TensorProto(
                name=name,
                data_type=TensorProto.FLOAT,
                dims=values.shape,
                data_location=TensorProto.EXTERNAL,
            )
            for key, value in (("location", "weights"), ("offset", "0"), ("length", str(values.nbytes))):
                entry = tensor.external_data.add()
                entry.key, entry.value = key, value
            self.constants.append(tensor)
        return name

    def norm(self, name: str, value: str) -> str:
        """Layer normalisation."""
        return self.layer_norm(name, value, HIDDEN, EPSILON)

    def heads(self, value: str, order: list[int]) -> str:
        """(n, hidden) as (heads, n, size), or (heads, size, n)."""
        split = self.once("split", [-1, HEADS, SIZE])
        return self.add("Transpose", self.add("Reshape", value, split), perm=order)

    def of_layer(self, stacked: str, number: int) -> str:
        """(layers, m, hidden) to the (m, hidden) of one upper layer."""
        at = self.constant(f"{stacked}.{number}", np.array([number - FUSED], np.int64))
        return self.add("Reshape", self.add("Gather", stacked, at, axis=0), self.once("merged", [-1, HIDDEN]))

    def once(self, name: str, values: list[int]) -> str:
        """A constant of integers that is used in many places."""
        if not any(constant.name == name for constant in self.constants):
            self.constant(name, np.array(values, np.int64))
        return name

    def finish(self, layer: str, hidden: str, mixed: str) -> str:
        """Everything after the attention."""
        merged = self.once("merged", [-1, HIDDEN])
        flat = self.add("Reshape", self.add("Transpose", mixed, perm=[1, 0, 2]), merged)
        joined = self.dense(f"{layer}.joined", flat, HIDDEN, HIDDEN)
        hidden = self.norm(f"{layer}.attended", self.add("Add", joined, hidden))
        inner = self.add("Gelu", self.dense(f"{layer}.inner", hidden, HIDDEN, WIDE))
        outer = self.dense(f"{layer}.outer", inner, WIDE, HIDDEN)
        return self.norm(f"{layer}.output", self.add("Add", outer, hidden))

    def perceptron(self, name: str, value: str, size: int, outputs: int) -> str:
        """One of the heads."""
        return self.dense(
            f"{name}.2", self.add("Gelu", self.dense(f"{name}.0", value, HIDDEN, size)), size, outputs
        )

    def rename(self, value: str, name: str) -> None:
        """Give a value the name of an output."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [value], [name]))


def context_graph(weights: dict[str, Array]) -> Detached:
    """``raw`` float [n, hidden] to the upper layers' ``keys`` and ``values``, float16 [layers, n, hidden]."""
    graph = Detached(weights, detached=True)
    hidden = graph.norm("norm", "raw")
    axis = graph.constant("front", np.array([0], np.int64))
    kept: dict[str, list[str]] = {"keys": [], "values": []}
    for number in range(LAYERS):
        layer = f"layers.{number}"
        key = graph.dense(f"{layer}.key", hidden, HIDDEN, HIDDEN)
        value = graph.dense(f"{layer}.value", hidden, HIDDEN, HIDDEN)
        if number >= FUSED:
            kept["keys"].append(graph.add("Unsqueeze", key, axis))
            kept["values"].append(graph.add("Unsqueeze", value, axis))
        if number == LAYERS - 1:
            break
        query = graph.dense(f"{layer}.query", hidden, HIDDEN, HIDDEN, SIZE**-0.5)
        scores = graph.add("MatMul", graph.heads(query, [1, 0, 2]), graph.heads(key, [1, 2, 0]))
        mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), graph.heads(value, [1, 0, 2]))
        hidden = graph.finish(layer, hidden, mixed)
    for name, parts in kept.items():
        graph.rename(graph.add("Cast", graph.add("Concat", *parts, axis=0), to=TensorProto.FLOAT16), name)
    return graph


def response_graph(weights: dict[str, Array]) -> Detached:
    """A stretch over the kept keys and values of some windows.

    Inputs: ``raw`` and ``added`` [n, hidden], ``keys`` and ``values`` float16 [layers, m, hidden], and
    ``pool`` [c, n].
    Outputs: ``tokens`` [n, 2], ``claims`` [c, 2], ``question`` [c, 1] (logits).
    """
    graph = Detached(weights, detached=True)
    hidden = graph.add("Add", graph.norm("norm", "raw"), "added")
    seen = {name: graph.add("Cast", name, to=TensorProto.FLOAT) for name in ("keys", "values")}
    for number in range(LAYERS):
        layer = f"layers.{number}"
        key = graph.dense(f"{layer}.key", hidden, HIDDEN, HIDDEN)
        value = graph.dense(f"{layer}.value", hidden, HIDDEN, HIDDEN)
        query = graph.dense(f"{layer}.query", hidden, HIDDEN, HIDDEN, SIZE**-0.5)
        if number >= FUSED:
            key = graph.add("Concat", key, graph.of_layer(seen["keys"], number), axis=0)
            value = graph.add("Concat", value, graph.of_layer(seen["values"], number), axis=0)
        scores = graph.add("MatMul", graph.heads(query, [1, 0, 2]), graph.heads(key, [1, 2, 0]))
        mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), graph.heads(value, [1, 0, 2]))
        hidden = graph.finish(layer, hidden, mixed)
    head = weights["token_head.0.bias"].shape[0]
    graph.rename(graph.perceptron("token_head", hidden, head, 2), "tokens")
    pooled = graph.add("MatMul", "pool", hidden)
    graph.rename(graph.perceptron("claim_head", pooled, head, 2), "claims")
    graph.rename(graph.perceptron("answer_head", pooled, head, 1), "question")
    return graph


def quantised(values: Array) -> tuple[Array, Array]:
    """8-bit integers and the scale of each column (``values = integers * scale``)."""
    scale = np.maximum(np.abs(values).max(0), 1e-12).astype(np.float32) / np.float32(127)
    return np.round(values / scale).astype(np.int8), scale


def main() -> None:
    """Read the arguments and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--to", type=Path, default=Path("src/assay/models/weights/verifier"))
    options = parser.parse_args()
    network = Network()
    state = torch.load(options.weights, weights_only=True)
    network.load_state_dict(state.get("mean", state))
    export(network, options.minilm, options.to)


def export(network: Network, minilm: Path, folder: Path) -> None:
    """Write the folder that `assay.models.verifier` reads."""
    weights = {name: value.detach().float().numpy() for name, value in network.state_dict().items()}
    folder.mkdir(parents=True, exist_ok=True)
    stored: dict[str, Array] = {}
    names: dict[str, list[str]] = {}
    kept = [HIDDEN]
    half = (TensorProto.FLOAT16, [LAYERS - FUSED, "m", *kept])
    real = TensorProto.FLOAT
    graphs = {
        "context": (context_graph(weights), {"raw": (real, ["m", HIDDEN])}, {"keys": half, "values": half}),
        "response": (
            response_graph(weights),
            {
                "raw": (real, ["n", HIDDEN]),
                "added": (real, ["n", HIDDEN]),
                "keys": half,
                "values": half,
                "pool": (real, ["c", "n"]),
            },
            {"tokens": (real, ["n", 2]), "claims": (real, ["c", 2]), "question": (real, ["c", 1])},
        ),
    }
    for name, (graph, inputs, outputs) in graphs.items():
        (folder / f"{name}.onnx").write_bytes(graph.serialise(name, inputs, outputs, str(FORMAT)))
        names[name] = list(graph.stored)
        for key, values in graph.stored.items():
            if values.ndim == 2:
                stored[f"{key}|int"], stored[f"{key}|scale"] = quantised(values)
            else:
                stored[key] = values
    words, scale = quantised(weights["words.weight"].T)
    stored["words|int"], stored["words|scale"] = np.ascontiguousarray(words.T), scale
    stored["positions"] = (weights["positions.weight"] + weights["types.weight"][0]).astype(np.float16)
    stored["roles"], stored["matches"] = weights["roles.weight"], weights["matches.weight"]
    np.savez(folder / "weights.npz", **stored)
    shutil.copyfile(minilm / "tokenizer.json", folder / "tokenizer.json")
    about = {"format": FORMAT, "layers": LAYERS - FUSED, "hidden": HIDDEN, "constants": names}
    (folder / "verifier.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
