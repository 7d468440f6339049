"""The encoder's graph for onnxruntime, without weights: `chipwise.claims.weights` fills them in, stock and deltas together.

    python -m evals.training.claims.graph corpus/reader/claims

Written once; training again leaves it as it is. In float32: int8, with the activations quantised as they come, changed
the metric of 3 figures of 100 and the subject of 4, and saved a quarter of the time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from chipwise.claims.weights import EPSILON, GRAPH, HEADS, LAYERS, WIDTH

WIDE = 4 * WIDTH
OPSET = 20


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def op(self, kind: str, *inputs: str, name: str, **more: object) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **more))
        return name

    def weight(self, name: str, shape: tuple[int, ...], kind: int = TensorProto.FLOAT) -> str:
        """A tensor whose values are elsewhere: the caller of the session gives them."""
        tensor = TensorProto(name=name, dims=shape, data_type=kind, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="weights")
        self.weights.append(tensor)
        return name

    def constant(self, name: str, values: list[int] | list[float], kind: int) -> str:
        self.weights.append(helper.make_tensor(name, kind, [len(values)] if len(values) > 1 else [], values))
        return name

    def linear(self, x: str, layer: str, inside: int, outside: int) -> str:
        """X W + b."""
        product = self.op("MatMul", x, self.weight(f"{layer}.weight", (inside, outside)), name=f"{layer}.product")
        return self.op("Add", product, self.weight(f"{layer}.bias", (outside,)), name=f"{layer}.sum")

    def norm(self, x: str, name: str) -> str:
        return self.op(
            "LayerNormalization",
            x,
            self.weight(f"{name}.weight", (WIDTH,)),
            self.weight(f"{name}.bias", (WIDTH,)),
            name=f"{name}.out",
            epsilon=EPSILON,
        )


def encoder() -> onnx.ModelProto:
    """X (windows, tokens, 384) behind the embeddings' normalisation, mask (windows, 1, 1, tokens) added to the scores; gives the last layer."""
    g = _Graph()
    split = g.constant("split", [0, 0, HEADS, WIDTH // HEADS], TensorProto.INT64)
    join = g.constant("join", [0, 0, WIDTH], TensorProto.INT64)
    root = g.constant("root", [float((WIDTH // HEADS) ** -0.5)], TensorProto.FLOAT)
    x = "x"
    for n in range(LAYERS):
        at = f"encoder.layer.{n}"
        heads = {}
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            y = g.linear(x, f"{at}.attention.self.{part}", WIDTH, WIDTH)
            heads[part] = g.op(
                "Transpose", g.op("Reshape", y, split, name=f"{at}.{part}.split"), name=f"{at}.{part}.heads", perm=order
            )
        scores = g.op(
            "Mul", g.op("MatMul", heads["query"], heads["key"], name=f"{at}.scores"), root, name=f"{at}.scaled"
        )
        weights = g.op("Softmax", g.op("Add", scores, "mask", name=f"{at}.masked"), name=f"{at}.weights", axis=-1)
        mixed = g.op(
            "Transpose",
            g.op("MatMul", weights, heads["value"], name=f"{at}.mixed"),
            name=f"{at}.back",
            perm=[0, 2, 1, 3],
        )
        mixed = g.op("Reshape", mixed, join, name=f"{at}.joined")
        y = g.linear(mixed, f"{at}.attention.output.dense", WIDTH, WIDTH)
        x = g.norm(g.op("Add", x, y, name=f"{at}.first"), f"{at}.attention.output.LayerNorm")
        y = g.linear(x, f"{at}.intermediate.dense", WIDTH, WIDE)
        y = g.op("Gelu", y, name=f"{at}.gelu")
        y = g.linear(y, f"{at}.output.dense", WIDE, WIDTH)
        x = g.norm(g.op("Add", x, y, name=f"{at}.second"), f"{at}.output.LayerNorm")
    g.op("Identity", x, name="h")
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["b", "t", WIDTH]),
        helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["b", 1, 1, "t"]),
    ]
    outputs = [helper.make_tensor_value_info("h", TensorProto.FLOAT, ["b", "t", WIDTH])]
    graph = helper.make_graph(g.nodes, "claim-reader", inputs, outputs, g.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH).write_bytes(encoder().SerializeToString())


if __name__ == "__main__":
    main()
