"""Exports query encoder and reader with torch, and packs their graphs into corpus/reader/graphs.zip; run once after a training.

    python -m evals.training.graphs

What the model's package and the training's deltas hold stands as holes in the weights files: 0.2 MB instead of 60.
A second run in a row changes nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import onnx
from evals.prebuilt import halved
from evals.training.fusing import export_shipped
from evals.training.questions.export import export_reader
from onnx import TensorProto, helper, numpy_helper

from chipwise.building import graphs
from chipwise.building.embedding import OtherEncoder
from chipwise.building.graphs import WEIGHTS_FILE, Array, Hole, Tensors, filled, in_hole
from chipwise.claims.weights import read_safetensors
from chipwise.corpus import reader_folder, shipped_folder
from chipwise.models import DEFAULT_MODEL, ModelFiles, find_model

EPOCH = (1980, 1, 1, 0, 0, 0)  # of the archive's entries: the same content gives the same bytes
LARGE = 1024  # bytes; smaller weights stay in the skeleton
OFF_BY_ONE = 1e-4  # share of eight-bit weights that torch's order of adding rounds to the other side


def pack(encoder: Path, files: ModelFiles) -> bytes:
    """All files of an exported encoder as one archive, weights with holes."""
    contents = {path.name: path.read_bytes() for path in sorted(encoder.iterdir())}
    model, halves = read_safetensors(files.folder / WEIGHTS_FILE), in_halves(files)
    deltas = {
        path.relative_to(shipped_folder()).as_posix(): path for path in shipped_folder().glob("reader/*/*.safetensors")
    }
    trained = {"": {}, **{name: read_safetensors(path) for name, path in sorted(deltas.items())}}
    sources = {name: Tensors(model, own) for name, own in trained.items()}
    holes = {}
    for graph in sorted(encoder.glob("*.onnx")):
        for name, tensors in external(graph).items():
            found_in = {own: list(find_holes(tensors, source)) for own, source in sources.items()}
            best = max(found_in, key=lambda own: sum(hole.length for hole in found_in[own]))
            exported = contents[name]
            contents[name] = around(exported, found_in[best])
            bases = sources[best], Tensors(halves, trained[best])
            wholes = (np.frombuffer(filled(contents[name], found_in[best], base), np.uint8) for base in bases)
            off = np.any([whole != np.frombuffer(exported, np.uint8) for whole in wholes], axis=0)
            told_off = [(int(at), exported[at]) for at in np.flatnonzero(off)]
            holes[name] = {
                "deltas": best,
                "holes": [asdict(hole) for hole in found_in[best]],
                "off": told_off,
                "sha256": hashlib.sha256(exported).hexdigest(),
            }
    contents[graphs.HOLES] = json.dumps(holes).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_LZMA)
    return packed.getvalue()


def in_halves(files: ModelFiles) -> dict[str, Array]:
    """The model's tensors as a wheel has them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WEIGHTS_FILE
        path.write_bytes(halved((files.folder / WEIGHTS_FILE).read_bytes()))
        return {name: np.array(tensor) for name, tensor in read_safetensors(path).items()}


def external(graph: Path) -> dict[str, dict[str, tuple[int, Array]]]:
    """By weights file, the tensors that a graph keeps there: where each begins, and what it is. Small ones of the graph stand at -1."""
    found: dict[str, dict[str, tuple[int, Array]]] = {}
    inside: dict[str, tuple[int, Array]] = {}
    for tensor in onnx.load(str(graph), load_external_data=False).graph.initializer:
        if tensor.data_location != TensorProto.EXTERNAL:
            inside[tensor.name] = (-1, numpy_helper.to_array(tensor))
            continue
        where = {entry.key: entry.value for entry in tensor.external_data}
        at, kind = int(where.get("offset", 0)), helper.tensor_dtype_to_np_dtype(tensor.data_type)
        array = np.memmap(graph.with_name(where["location"]), kind, "r", at, tuple(tensor.dims))
        found.setdefault(where["location"], {})[tensor.name] = (at, array)
    return {name: {**inside, **tensors} for name, tensors in found.items()}


def around(data: bytes, holes: list[Hole]) -> bytes:
    """What stands outside of the holes."""
    kept, before = bytearray(), 0
    for hole in sorted(holes, key=lambda hole: hole.at):
        kept += data[before : hole.at]
        before = hole.at + hole.length
    return bytes(kept + data[before:])


def find_holes(tensors: dict[str, tuple[int, Array]], sources: Tensors) -> Iterator[Hole]:
    """What of a weights file `sources` can fill."""
    for name, (at, array) in tensors.items():
        if at < 0 or array.nbytes < LARGE:
            continue
        scale: float = 0.0
        scales_at, zero, scales = None, 0, None
        if name.endswith("_quantized"):
            own = name.removesuffix("_quantized")
            where, scales = tensors[f"{own}_scale"]
            zero = int(np.max(tensors[f"{own}_zero_point"][1]))
            if where >= 0:
                scales_at = (where, scales.size)
            elif scales.ndim == 0:
                scale = float(scales)
            else:
                continue
        hole = Hole(at, array.nbytes, array.dtype.name, (), scale=scale, scales_at=scales_at, zero=zero)
        made = next((h for h in candidates(hole, array, sources) if fills(h, array, sources, scales)), None)
        if made is not None:
            yield made


def candidates(hole: Hole, array: Array, sources: Tensors) -> Iterator[Hole]:
    """Single tensors of that shape, turned or not, and the three of an attention side by side."""
    for name in sources.names:
        shape = sources.of(name).shape
        if shape == array.shape:
            yield replace(hole, of=(name,))
        if shape[::-1] == array.shape and len(shape) > 1:
            yield replace(hole, of=(name,), turned=True)
        if ".query." in name and array.shape[-1] == 3 * shape[0]:
            yield replace(
                hole, of=tuple(name.replace("query", p) for p in ("query", "key", "value")), turned=len(shape) > 1
            )


def fills(hole: Hole, array: Array, sources: Tensors, scales: Array | None) -> bool:
    """True where it comes out as it was exported, but for what rounds to the other side."""
    with np.errstate(divide="ignore"):  # a channel of another tensor may have no scale
        made = in_hole(hole, sources, scales)
    if made.shape != array.shape:
        return False
    if not hole.scale and hole.scales_at is None:
        return bool(np.array_equal(made, array))
    off = np.abs(made.astype(np.int16) - array.astype(np.int16))
    return bool(off.max() <= 1 and np.mean(off) <= OFF_BY_ONE)


def main() -> None:
    files = find_model(DEFAULT_MODEL)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "encoder"
        export_shipped(OtherEncoder(files).model, files, folder)
        export_reader(folder)
        data = pack(folder, files)
    (reader_folder() / graphs.ARCHIVE).write_bytes(data)
    print(f"{len(data):,} bytes")


if __name__ == "__main__":
    main()
