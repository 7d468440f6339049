"""The claim reader's weights: the stock model's with the trained deltas, merged when they are opened.

What ships is the low-rank deltas, the tags and the heads, in float16, and the encoder's graph without weights; the stock
model's package has the rest. Merging takes some 0.1 s, once in a process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.errors import intact
from chipwise.models import read_arrays

WEIGHTS, SPEC, GRAPH = "weights.npz", "classes.json", "encoder.onnx"
LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12  # of all-MiniLM-L6-v2
LINEAR = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
_DELTA = 2.0  # by which a delta is scaled
_KINDS = {"F16": "<f2", "F32": "<f4", "I64": "<i8"}
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Trained:
    """`arrays` are the trained parts by name, `stock` the model's own tensors, `spec` the classes and temperatures."""

    arrays: Mapping[str, Floats]
    stock: Mapping[str, Floats]
    spec: Mapping[str, Any]
    graph: Path

    @classmethod
    def read(cls, folder: Path, stock: Path) -> Trained:
        """Raises ModelUnavailable where files are missing or are not what they should be."""
        arrays = {name: array.astype(np.float32) for name, array in read_arrays(folder / WEIGHTS).items()}
        with intact(folder):
            spec = json.loads((folder / SPEC).read_text("utf-8"))
            return cls(arrays, read_safetensors(stock / "model.safetensors"), spec, folder / GRAPH)

    def merged(self, layer: str) -> Floats:
        """(in, out): the stock matrix of a layer with its delta."""
        down, up = self.arrays[f"encoder.{layer}.down"], self.arrays[f"encoder.{layer}.up"]
        return with_delta(self.stock[f"{layer}.weight"], np.float32(_DELTA) * up, down).T

    def tensors(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """What the graph lacks, by name: matrices, biases, normalisations."""
        for n in range(LAYERS):
            for part in LINEAR:
                layer = f"encoder.layer.{n}.{part}"
                yield f"{layer}.weight", np.ascontiguousarray(self.merged(layer))
                yield f"{layer}.bias", self.stock[f"{layer}.bias"]
            for part in _NORMS:
                for kind in ("weight", "bias"):
                    yield f"encoder.layer.{n}.{part}.{kind}", self.arrays[f"encoder.encoder.layer.{n}.{part}.{kind}"]


def with_delta(matrix: Floats, up: npt.NDArray[Any], down: npt.NDArray[Any]) -> Floats:
    """A matrix with the product of two thin ones added, in float32: (out, in) + (out, rank) @ (rank, in)."""
    made: Floats = (matrix + up @ down).astype(np.float32)
    return made


def read_safetensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The tensors of a file of that format (github.com/huggingface/safetensors), mapped and not copied."""
    size = int(np.fromfile(path, dtype="<u8", count=1)[0])
    with path.open("rb") as file:
        file.seek(8)
        header = json.loads(file.read(size))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    return {
        name: data[slice(*told["data_offsets"])].view(_KINDS[told["dtype"]]).reshape(told["shape"])
        for name, told in header.items()
        if name != "__metadata__" and told["dtype"] in _KINDS
    }
