"""Builds the shipped corpus and packs it into corpus/prebuilt/, which the wheel carries; run once before a release or a merge.

    python evals/prebuilt.py            renews it: everything is read again, only passages that are new are embedded
    python evals/prebuilt.py --check    says what it was made from that is other now; exit status 1 where anything is
    python evals/prebuilt.py --fresh    renews it from nothing

A second run in a row changes no file where nothing changed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import lzma
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from chipwise.building import prebuilt
from chipwise.building.building import build
from chipwise.building.weights import WEIGHTS_FILE, Array, Hole, Tensors, filled, in_hole, load
from chipwise.corpus import shipped_folder
from chipwise.index import schema
from chipwise.index.vectors import Matrix, open_index, read_vectors
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, ModelFiles, find_model

EPOCH = (1980, 1, 1, 0, 0, 0)  # of the archive's entries: the same content gives the same bytes
LARGE = 1024  # bytes; smaller weights stay in the skeleton
NEIGHBOURS = 12  # as many as an answer reads
SAME = 0.999  # of the neighbours, that rounded vectors must find; what differs are ties
OFF_BY_ONE = 1e-4  # share of eight-bit weights that torch's order of adding rounds to the other side


def renew(folder: Path, *, fresh: bool) -> prebuilt.Manifest:
    """Builds in a temporary folder and packs the result into `folder`, the manifest last."""
    with tempfile.TemporaryDirectory() as temporary:
        base = KnowledgeFolder(Path(temporary) / "kb")
        inputs = prebuilt.inputs()
        if not fresh and prebuilt.unpack(base, told) is not None:
            # subtle: an index that is up to date would be left alone, and be its own witness
            base.write_seal(replace(base.read_seal(), recipe="", stamp=""))
        report = build(base, told, fresh=fresh)
        if report.unreadable:
            sys.exit(f"not all documents can be read: {report.unreadable}")
        print(f"\n{report.passages} passages, {report.embedded} embedded")
        return pack(base, base.read_seal(), folder, inputs)


def told(stage: str, done: int, total: int) -> None:
    print(f"\r{stage} {done}/{total}    ", end="", file=sys.stderr)


def pack(base: KnowledgeFolder, seal: Seal, folder: Path, inputs: dict[str, str]) -> prebuilt.Manifest:
    """What `prebuilt.unpack` reads, from a sealed index."""
    vectors = read_vectors(open_index(base.generation_folder(seal) / VECTORS))
    check_rounding(vectors)
    models, made = pack_models(base.encoder_folder(seal), find_model(seal.model))
    files = {
        prebuilt.PACKED_TEXT: pack_store(base.generation_folder(seal) / TEXT),
        prebuilt.PACKED_VECTORS: vectors.astype("<f2").tobytes(),
        prebuilt.PACKED_MODELS: models,
    }
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
        print(f"{len(data):>10,} bytes  {name}")
    manifest = prebuilt.Manifest(
        inputs=inputs,
        recipe=seal.recipe,
        model=seal.model,
        model_sha256=seal.model_sha256,
        dim=seal.dim,
        sources=seal.sources,
        passages=seal.passages,
        built=seal.built,
        versions=seal.versions,
        packed={name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        made=made,
    )
    before = prebuilt.read_manifest(folder)
    if before is not None and replace(before, built="", versions={}) == replace(manifest, built="", versions={}):
        return before
    prebuilt.write_manifest(manifest, folder)
    return manifest


def pack_store(path: Path) -> bytes:
    """The store without what `schema.COMPLETE` makes again, and without the times of this machine's files."""
    slim = path.with_name("slim.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("VACUUM INTO ?", (str(slim),))
    with sqlite3.connect(slim) as connection:
        connection.executescript(schema.SLIM)
        connection.execute("UPDATE source SET bytes = 0, modified = 0")
        connection.commit()
        connection.execute("VACUUM")
    connection.close()
    return lzma.compress(slim.read_bytes(), preset=9)


def check_rounding(vectors: Matrix) -> None:
    """Exits where float16 finds other passages: each passage in turn asks for its neighbours."""
    rounded = vectors.astype(np.float16).astype(np.float32)
    exact, found = (np.argsort(-(own @ own.T), axis=1)[:, :NEIGHBOURS] for own in (vectors, rounded))
    share = np.mean([len(set(a) & set(b)) / NEIGHBOURS for a, b in zip(exact, found, strict=True)])
    print(f"{share:.5f} of the {NEIGHBOURS} nearest are the same in 16 bits")
    if share < SAME:
        sys.exit("rounded vectors find other passages")


def pack_models(encoder: Path, files: ModelFiles) -> tuple[bytes, dict[str, str]]:
    """All files of an exported encoder as one archive, weights with holes, and the digests of weights files when whole."""
    contents = {path.name: path.read_bytes() for path in sorted(encoder.iterdir())}
    model = load(files.folder / WEIGHTS_FILE)
    deltas = {
        path.relative_to(shipped_folder()).as_posix(): path for path in shipped_folder().glob("reader/*/*.safetensors")
    }
    sources = {"": Tensors(model), **{name: Tensors(model, load(path)) for name, path in sorted(deltas.items())}}
    holes, made = {}, {}
    for graph in sorted(encoder.glob("*.onnx")):
        for name, tensors in external(graph).items():
            found_in = {own: list(find_holes(tensors, source)) for own, source in sources.items()}
            best = max(found_in, key=lambda own: sum(hole.length for hole in found_in[own]))
            exported, made[name] = contents[name], hashlib.sha256(contents[name]).hexdigest()
            contents[name] = around(exported, found_in[best])
            whole = np.frombuffer(filled(contents[name], found_in[best], sources[best]), np.uint8)
            off = np.flatnonzero(whole != np.frombuffer(exported, np.uint8))
            told_off = [(int(at), exported[at]) for at in off]
            holes[name] = {"deltas": best, "holes": [asdict(hole) for hole in found_in[best]], "off": told_off}
    contents[prebuilt.HOLES] = json.dumps(holes).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_LZMA)
    return packed.getvalue(), made


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    if options.check:
        manifest = prebuilt.read_manifest()
        changed = sorted(prebuilt.changed_inputs(manifest)) if manifest else ["everything"]
        print(f"other than when it was made: {', '.join(changed)}" if changed else "up to date")
        sys.exit(bool(changed))
    if find_model(DEFAULT_MODEL).name != DEFAULT_MODEL:
        sys.exit(f"a folder called {DEFAULT_MODEL} is in the way")
    renew(prebuilt.prebuilt_folder(), fresh=options.fresh)


if __name__ == "__main__":
    main()
