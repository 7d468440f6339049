"""The shipped corpus as built beforehand: unpacked on first use, so that the first answer doesn't take a minute.

    corpus/prebuilt/seal.json        the seal of the index that was packed, with the digests of the files beside it
    corpus/prebuilt/text.sqlite.xz   the store, less what SQLite makes again in a moment
    corpus/prebuilt/vectors.f16      a row for each passage

`evals/prebuilt.py` makes these files when a wheel is built; git ignores them. Nothing here is believed for its own sake:
the unpacked index is an old one, which the build brings up to date. A file that is missing or broken is as if nothing
had been prebuilt.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chipwise.building.generations import checksums, new_generation
from chipwise.building.graphs import write_graphs
from chipwise.corpus import shipped_documents, shipped_folder
from chipwise.errors import ChipwiseError
from chipwise.files import file_times
from chipwise.index import schema
from chipwise.index.store import open_store
from chipwise.index.vectors import Matrix, Vector, write_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal, checked_seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.types import Progress

MANIFEST, PACKED_TEXT, PACKED_VECTORS = "seal.json", "text.sqlite.xz", "vectors.f16"
UNPACKED = "unpacked"  # a stamp that no inputs have
# what reads documents, below the library and below the corpus: another one may read the same text otherwise
_CODE = (
    *("reading/*.py", "grids/*.py", "numbers/*.py", "domain/*.py", "claims/*.py", "index/*rows.py"),
    *("splitting.py", "text.py", "types.py", "building/facts.py"),
)
_WEIGHTS = ("reader/claims/*", "reader/names.toml")

Known = dict[
    bytes, tuple[Vector, bytes]
]  # by digest of what was embedded: a vector, and its sentences' vectors, packed


def prebuilt_folder() -> Path:
    """Where it is shipped."""
    return shipped_folder() / "prebuilt"


def readers() -> str:
    """A digest of what reads documents, which is the stamp of the packed index."""
    digest = hashlib.sha256()
    for folder, patterns in ((Path(__file__).resolve().parents[1], _CODE), (shipped_folder(), _WEIGHTS)):
        for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def read_manifest() -> Seal | None:
    """None where there is none that this chipwise reads."""
    path = prebuilt_folder() / MANIFEST
    try:
        return checked_seal(json.loads(path.read_text("utf-8")), path)
    except (OSError, ValueError, ChipwiseError):
        return None


def packed(manifest: Seal, name: str) -> bytes | None:
    """One of the files beside the manifest, or None where it is not the one meant."""
    try:
        data = (prebuilt_folder() / name).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == manifest.files[name][1] else None


def packed_vectors(manifest: Seal) -> Matrix | None:
    """(passages, dim) float32, of length 1 to three decimals; None where the file is not the one meant."""
    data = packed(manifest, PACKED_VECTORS)
    return None if data is None else np.frombuffer(data, "<f2").reshape(-1, manifest.dim).astype(np.float32)


def packed_known(model_sha256: str) -> Known:
    """The packed vectors; empty where another model made them, or a file is not the one meant."""
    manifest = read_manifest()
    if manifest is None or manifest.model_sha256 != model_sha256:
        return {}
    text, matrix = packed(manifest, PACKED_TEXT), packed_vectors(manifest)
    if text is None or matrix is None:
        return {}
    with TemporaryDirectory(prefix="chipwise-") as folder:
        (path := Path(folder) / TEXT).write_bytes(lzma.decompress(text))
        return vectors_in(path, matrix)


def vectors_in(text: Path, matrix: Matrix) -> Known:
    """The vectors of a store's passages, which are rows of `matrix`, and of their sentences."""
    with open_store(text) as store:
        return {digest: (matrix[row], meaning) for _, digest, row, meaning in store.embedded() if row is not None}


def unpack(base: KnowledgeFolder, progress: Progress) -> Seal | None:
    """Gives a knowledge base the prebuilt index and seals it as one that is out of date. Call it while building.

    None where it is not to hold the shipped corpus, or nothing fits. Raises StorageFailed, ModelUnavailable.
    """
    contents, manifest = base.read_contents(), read_manifest()
    if not contents.shipped or contents.model != DEFAULT_MODEL or manifest is None:
        return None
    files, text, vectors = find_model(contents.model), packed(manifest, PACKED_TEXT), packed_vectors(manifest)
    if files.sha256 != manifest.model_sha256 or text is None or vectors is None:
        return None
    store = lzma.decompress(text)
    if int.from_bytes(store[60:64]) != schema.VERSION:  # where SQLite keeps a file's user_version
        return None
    progress("unpacking", 0, 1)
    with new_generation(base) as (name, partial):
        encoder = base.index_folder / f"encoder-{files.sha256[:8]}-{name}"
        write_store(partial / TEXT, store)
        write_index(partial / VECTORS, vectors)
        write_graphs(encoder, encoder=True)
        partial.rename(base.index_folder / name)
        seal = replace(
            manifest,
            generation=name,
            encoder=encoder.name,
            recipe=manifest.recipe if manifest.stamp == readers() else "",
            stamp=UNPACKED,
            files=checksums(base.index_folder, [base.index_folder / name, encoder]),
        )
        base.write_seal(seal)
    progress("unpacking", 1, 1)
    return seal


def write_store(path: Path, data: bytes) -> None:
    """The store whole again, with the times that the same documents have on this machine."""
    path.write_bytes(data)
    with sqlite3.connect(path) as connection:
        connection.executescript(schema.COMPLETE)
        states = (
            (*(file_times(p) or (0, 0)), p.stem, hashlib.sha256(p.read_bytes()).hexdigest())
            for p in shipped_documents()
        )
        connection.executemany(schema.UPDATE_TIMES, states)
        connection.execute("PRAGMA optimize")
    connection.close()
