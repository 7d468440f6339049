"""The shipped corpus as built beforehand: unpacked on first use, so that the first answer doesn't take a minute.

    corpus/prebuilt/manifest.json    what it was made from, by digest, and the digests of the files beside it
    corpus/prebuilt/text.sqlite.xz   the store, less what SQLite makes again in a moment
    corpus/prebuilt/vectors.f16      a row for each passage

`evals/prebuilt.py` makes these files when a wheel is built; git ignores them. Nothing here is believed for its own sake. What the manifest was made from is compared with what is there now; where a
document, a fact or the code that reads them is another, the unpacked index counts as an old one, which the build brings
up to date. A file that is missing or broken is as if nothing had been prebuilt.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chipwise.building.generations import checksums, new_generation
from chipwise.building.graphs import write_graphs
from chipwise.contents import Contents
from chipwise.corpus import in_checkout, shipped_folder
from chipwise.errors import ChipwiseError
from chipwise.files import file_times, locked
from chipwise.index import schema
from chipwise.index.store import open_store
from chipwise.index.vectors import Matrix, describe, open_index, write_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.splitting import PASSAGE_WORDS

FORMAT = 2
MANIFEST, PACKED_TEXT, PACKED_VECTORS = "manifest.json", "text.sqlite.xz", "vectors.f16"
WAIT = 60.0  # seconds for another process to unpack, which takes it one or two
_SHARED = ("model", "model_sha256", "dim", "sources", "passages", "built", "versions")
_OLD = "unpacked"  # a stamp that no inputs have
# What the parts are made from, below the corpus and below the library. Code counts in a checkout, where it changes from one
# minute to the next; an installed one is what its wheel was tested as, and `schema.EXTRACTION` tells releases apart.
_CORPUS = {
    "documents": ("sources/*.md", "primers/*.md"),
    "domain": ("domain/*.toml",),
    "facts": ("facts/*.csv",),
    "claims": ("claims/*.jsonl",),
    "reader": ("reader/claims/*", "reader/names.toml"),
}
_CODE = {
    "code": (
        *("reading/*.py", "grids/*.py", "numbers/*.py", "domain/*.py", "claims/*.py", "index/*rows.py"),
        *("splitting.py", "text.py", "types.py", "building/facts.py"),
    ),
}

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Manifest:
    """`inputs` are digests by kind, `packed` the sha256 of the files beside it."""

    inputs: dict[str, str]
    recipe: str
    model: str
    model_sha256: str
    dim: int
    sources: int
    passages: int
    built: str
    versions: dict[str, str]
    packed: dict[str, str]
    format: int = FORMAT


def shared(of: Manifest | Seal) -> dict[str, Any]:
    """What a seal and the manifest made of its index have alike."""
    return {name: getattr(of, name) for name in _SHARED}


def prebuilt_folder() -> Path:
    """Where it is shipped."""
    return shipped_folder() / "prebuilt"


def inputs() -> dict[str, str]:
    """A digest of each kind of thing that the parts are made from, as it is now."""
    numbers = f"{schema.VERSION} {schema.EXTRACTION} {PASSAGE_WORDS}"
    library = Path(__file__).resolve().parents[1]
    found = {kind: _digest_of(shipped_folder(), patterns) for kind, patterns in _CORPUS.items()}
    return {"numbers": numbers, **found, **{kind: _digest_of(library, patterns) for kind, patterns in _CODE.items()}}


def _digest_of(folder: Path, patterns: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        own = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {own}\n".encode())
    return digest.hexdigest()


def stale_parts(manifest: Manifest) -> set[str]:
    """The kinds that are other than when it was made, and the files beside it that are not the ones meant."""
    damaged = {name for name in (PACKED_TEXT, PACKED_VECTORS) if packed(manifest, name) is None}
    return changed_inputs(manifest) | damaged


def changed_inputs(manifest: Manifest) -> set[str]:
    """The kinds that are other than when it was made."""
    now = inputs()
    return {kind for kind in now if now[kind] != manifest.inputs.get(kind) and (kind not in _CODE or in_checkout())}


def read_manifest(folder: Path | None = None) -> Manifest | None:
    """None where there is none that this chipwise reads."""
    try:
        data = json.loads(((folder or prebuilt_folder()) / MANIFEST).read_text("utf-8"))
        return Manifest(**data) if data["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def packed(manifest: Manifest, name: str) -> bytes | None:
    """One of the files beside the manifest, or None where it is not the one meant."""
    try:
        data = (prebuilt_folder() / name).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == manifest.packed.get(name) else None


def unpack(base: KnowledgeFolder, progress: Progress) -> Seal | None:
    """Gives a knowledge base that has no index the prebuilt one; its seal where that is also up to date, else None.

    Two processes that come at once wait for each other, and the second finds the index of the first.
    Raises StorageFailed, KnowledgeBaseBusy, ModelUnavailable.
    """
    contents = base.read_contents()
    if not contents.shipped or contents.model != DEFAULT_MODEL or _has_index(base):
        return None
    manifest = read_manifest()
    if manifest is None:
        return None
    with locked(base.index_folder / ".lock", f"building {base.folder}", timeout=WAIT):
        if _has_index(base):
            return None
        progress("unpacking", 0, 1)
        seal = _unpacked(base, contents, manifest)
        progress("unpacking", 1, 1)
    return seal if seal is not None and seal.stamp != _OLD else None


def _has_index(base: KnowledgeFolder) -> bool:
    """True where there is an index that a build could start from."""
    try:
        with open_store(base.generation_folder(base.read_seal()) / TEXT):
            return True
    except ChipwiseError:
        return False


def _unpacked(base: KnowledgeFolder, contents: Contents, manifest: Manifest) -> Seal | None:
    stamp = base.stamp(contents)  # before the inputs are read: what changes meanwhile is found next time
    changed = changed_inputs(manifest)
    files = find_model(contents.model)
    store, vectors = packed(manifest, PACKED_TEXT), packed_vectors(manifest)
    if "numbers" in changed or files.sha256 != manifest.model_sha256 or store is None or vectors is None:
        return None
    with new_generation(base) as (name, partial):
        encoder = base.index_folder / f"encoder-{files.sha256[:8]}-{name}"
        _write_store(partial / TEXT, lzma.decompress(store))
        write_index(partial / VECTORS, vectors)
        kind = describe(open_index(partial / VECTORS))
        write_graphs(encoder, encoder=True)
        partial.rename(base.index_folder / name)
        current = not changed and not contents.documents and not _has_own_domain(base)
        seal = Seal(
            generation=name,
            encoder=encoder.name,
            **shared(manifest),
            kind=kind,
            # other code, or another reader, may read the same text otherwise
            recipe="" if {"code", "reader"} & changed else manifest.recipe,
            stamp=stamp if current else _OLD,
            files=checksums(base.index_folder, [base.index_folder / name, encoder]),
        )
        base.write_seal(seal)
    return seal


def _has_own_domain(base: KnowledgeFolder) -> bool:
    return any(next(folder.glob("*.toml"), None) for folder in base.domain_folders()[1:])


def _write_store(path: Path, data: bytes) -> None:
    """The store whole again, with the times that the same documents have on this machine."""
    path.write_bytes(data)
    with sqlite3.connect(path) as connection:
        connection.executescript(schema.COMPLETE)
        documents = [path for pattern in _CORPUS["documents"] for path in shipped_folder().glob(pattern)]
        states = ((*(file_times(p) or (0, 0)), p.stem, hashlib.sha256(p.read_bytes()).hexdigest()) for p in documents)
        connection.executemany(schema.UPDATE_TIMES, states)
        connection.execute("PRAGMA optimize")
    connection.close()


def packed_vectors(manifest: Manifest) -> Matrix | None:
    """(passages, dim) float32, of length 1 to three decimals; None where the file is not the one meant."""
    import numpy as np  # noqa: PLC0415

    data = packed(manifest, PACKED_VECTORS)
    return None if data is None else np.frombuffer(data, "<f2").reshape(-1, manifest.dim).astype(np.float32)
