"""The shipped graphs of query encoder and reader, written beside an index: no torch, and half a second.

`corpus/reader/graphs.zip` holds both graphs and their weights files with holes; the package of the model and the deltas
of the training fill them. It changes only with a training: `python -m evals.training.graphs` makes it. For each hole it
tells how it is filled:

    {"at": 46882816, "length": 1179648, "kind": "float16", "of": ["encoder.layer.0.output.dense.weight"], "turned": true}

A reader is the model with deltas added to it, in eight bits; there a hole has a scale and a zero point too.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.weights import read_safetensors, with_delta
from chipwise.corpus import question_reader_folder, reader_folder, shipped_folder
from chipwise.encoder import READER_GRAPH, READER_SETTINGS, READER_WEIGHTS
from chipwise.errors import intact
from chipwise.files import storage_errors
from chipwise.models import DEFAULT_MODEL, find_model

ARCHIVE = "graphs.zip"
HOLES = "holes.json"  # in the archive: by weights file, what fills its holes, and its digest when whole
DELTAS, CALIBRATION = "reader.safetensors", "calibration.json"
_READER = (READER_GRAPH, READER_WEIGHTS)
DOWN, UP = "down", "up"  # the two factors of a delta, after its name
WEIGHTS_FILE = "model.safetensors"
_WHOLE = {"int8": (-128, 127), "uint8": (0, 255)}

Array = npt.NDArray[Any]


def digest() -> str:
    """What decides how the reader reads: its deltas and its calibration."""
    found = hashlib.sha256()
    for name in (DELTAS, CALIBRATION):
        found.update((question_reader_folder() / name).read_bytes())
    return found.hexdigest()


def is_current(folder: Path) -> bool:
    """True where `folder` holds the reader that the shipped deltas make."""
    try:
        return bool(json.loads((folder / READER_SETTINGS).read_text("utf-8"))["digest"] == digest())
    except (OSError, ValueError, KeyError):
        return False


def write_graphs(folder: Path, *, encoder: bool) -> None:
    """Writes the reader to `folder`, and with `encoder` the default model's query encoder.

    Raises ModelUnavailable where the model or the archive is not the one meant, StorageFailed.
    """
    files = {name: data for name, data in _whole(encoder).items() if encoder or name in _READER}
    calibration = json.loads((question_reader_folder() / CALIBRATION).read_text("utf-8"))
    files[READER_SETTINGS] = json.dumps({"digest": digest(), **calibration}, indent=1).encode()
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)


def _whole(encoder: bool) -> dict[str, bytes | bytearray]:
    """Every file of the archive by name, holes filled; those of the encoder's weights only with `encoder`."""
    model = read_safetensors(find_model(DEFAULT_MODEL).folder / WEIGHTS_FILE)
    path = reader_folder() / ARCHIVE
    with intact(path), zipfile.ZipFile(path) as archive:
        made: dict[str, bytes | bytearray] = {name: archive.read(name) for name in archive.namelist()}
        for name, row in json.loads(made.pop(HOLES)).items():
            if not (encoder or name in _READER):
                continue
            deltas = read_safetensors(shipped_folder() / row["deltas"]) if row["deltas"] else {}
            whole = filled(bytes(made[name]), [Hole.read(hole) for hole in row["holes"]], Tensors(model, deltas))
            for at, byte in row["off"]:  # what torch rounded to the other side
                whole[at] = byte
            if hashlib.sha256(whole).hexdigest() != row["sha256"]:
                raise ValueError(f"{name} was made from other weights")
            made[name] = whole
    return made


@dataclass(frozen=True, slots=True)
class Hole:
    """Bytes of a weights file that stand in the model as well.

    `at` is where `length` bytes begin, `kind` their numpy type, `of` the tensors that stand side by side there, each transposed
    where it is `turned`. Whole numbers are tensor / scale + zero; the scale is one number, or float32 (count) `scales_at` in the same file.
    """

    at: int
    length: int
    kind: str
    of: tuple[str, ...]
    turned: bool = False
    scale: float = 0.0
    scales_at: tuple[int, int] | None = None
    zero: int = 0

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Hole:
        """From JSON. Raises TypeError, KeyError for what is none."""
        scales = row.get("scales_at")
        return cls(**{**row, "of": tuple(row["of"]), "scales_at": None if scales is None else tuple(scales)})


class Tensors:
    """The tensors of a model by name; with deltas, of the reader that they make of it."""

    def __init__(self, model: Mapping[str, Array], deltas: Mapping[str, Array] = MappingProxyType({})) -> None:
        self._model, self._deltas = model, deltas
        self.names = sorted({*model, *(name for name in deltas if not name.endswith((DOWN, UP)))})
        self.of = cache(self._of)

    def _of(self, name: str) -> Array:
        """One tensor, in float32."""
        if name in self._deltas:  # deltas hold some tensors whole
            return self._deltas[name].astype(np.float32)
        module = name.removesuffix(".weight")
        if f"{module}.{UP}" not in self._deltas:
            return self._model[name].astype(np.float32, copy=False)
        up, down = (self._deltas[f"{module}.{factor}"].astype(np.float64) for factor in (UP, DOWN))
        # subtle: in 64 bits, where another machine's order of adding changes no bit of the result
        return with_delta(self._model[name], up, down)


def filled(rest: bytes, holes: list[Hole], tensors: Tensors) -> bytearray:
    """A weights file whole again, from what stands around its holes, in order."""
    made = bytearray(len(rest) + sum(hole.length for hole in holes))
    before = done = 0
    for hole in [*sorted(holes, key=lambda hole: hole.at), None]:
        end = len(made) if hole is None else hole.at
        made[before:end] = rest[done : done + end - before]
        done += end - before
        before = end if hole is None else hole.at + hole.length
    for hole in holes:
        scales = None
        if hole.scales_at is not None:
            at, count = hole.scales_at
            scales = np.frombuffer(made, np.float32, count, at).copy()
        made[hole.at : hole.at + hole.length] = in_hole(hole, tensors, scales).tobytes()
    return made


def in_hole(hole: Hole, tensors: Tensors, scales: npt.NDArray[np.float32] | None = None) -> Array:
    """What stands in a hole."""
    parts = [tensors.of(name).T if hole.turned else tensors.of(name) for name in hole.of]
    whole: Array = np.concatenate(parts, axis=-1) if len(parts) > 1 else parts[0]
    if hole.kind not in _WHOLE:
        return whole.astype(hole.kind)
    least, most = _WHOLE[hole.kind]
    scale = np.float32(hole.scale) if scales is None else scales
    numbers = np.divide(whole, scale, dtype=np.float32)
    np.rint(numbers, out=numbers)
    numbers += hole.zero
    np.clip(numbers, least, most, out=numbers)
    return numbers.astype(hole.kind)
