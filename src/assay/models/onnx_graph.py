"""An ONNX graph written node by node from named weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ModelError

OPSET = 20  # the first with Gelu; onnxruntime reads it since 1.17
IR_VERSION = 9  # what opset 20 came with; a newer default would shut out older runtimes

Weights = dict[str, NDArray[np.float32]]
Shape = tuple[int, Sequence[int | str]]


@dataclass(slots=True)
class Graph:
    """Nodes and constants in the order in which they were made.

    ``detached`` says that constants lie outside of the graph, where onnx's checker would look for files.
    """

    weights: Weights
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    detached: bool = False

    def add(self, op: str, *inputs: str, **attributes: Any) -> str:
        """Append a node and return the name of its only output."""
        from onnx import helper

        output = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [output], name=output, **attributes))
        return output

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Store a tensor under a name and return the name."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def check(self, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """The weight of this name, if it is there in the shape that the configuration promises."""
        found = self.weights.get(name)
        if found is None:
            raise ModelError(f"config.json asks for the weight {name}, model.safetensors has none")
        if found.shape != shape:
            raise ModelError(f"{name} has shape {found.shape} in model.safetensors, config.json says {shape}")
        return found

    def dense(self, name: str, value: str, size_in: int, size_out: int, scale: float = 1.0) -> str:
        """A linear layer; ``scale`` is folded into it."""
        weight = self.check(f"{name}.weight", (size_out, size_in)) * np.float32(scale)
        bias = self.check(f"{name}.bias", (size_out,)) * np.float32(scale)
        return self.add(
            "Gemm",
            value,
            self.constant(f"{name}.weight", weight.T),
            self.constant(f"{name}.bias", bias),
        )

    def layer_norm(self, name: str, value: str, size: int, epsilon: float) -> str:
        """Layer normalisation over the hidden axis of ``size`` values."""
        shape = (size,)
        scale = self.constant(f"{name}.weight", self.check(f"{name}.weight", shape))
        bias = self.constant(f"{name}.bias", self.check(f"{name}.bias", shape))
        return self.add("LayerNormalization", value, scale, bias, axis=-1, epsilon=epsilon)

    def serialise(
        self, name: str, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape], producer_version: str
    ) -> bytes:
        """The checked model as bytes.

        Args:
            name: Of the graph.
            inputs: For each input its element type (an ``onnx.TensorProto`` constant) and its shape.
            outputs: The same for the outputs.
            producer_version: Written into the file.
        """
        import onnx
        from onnx import helper

        graph = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info(key, *shape) for key, shape in inputs.items()],
            [helper.make_tensor_value_info(key, *shape) for key, shape in outputs.items()],
            self.constants,
        )
        model = helper.make_model(
            graph,
            producer_name="assay",
            producer_version=producer_version,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
        )
        if not self.detached:
            onnx.checker.check_model(model)
        return bytes(model.SerializeToString(deterministic=True))
