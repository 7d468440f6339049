"""The vectors of all passages: old ones kept, new ones made, and the query encoder beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chipwise.building.graphs import is_current
from chipwise.building.prebuilt import Known, packed_known, vectors_in
from chipwise.corpus import in_checkout, shipped_folder
from chipwise.errors import ModelUnavailable
from chipwise.files import locked
from chipwise.index.store import Store
from chipwise.index.vectors import Matrix, Vector, open_index, read_vectors
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import ModelFiles, find_model, read_arrays
from chipwise.types import Progress

if TYPE_CHECKING:
    from chipwise.building.embedding import PassageEncoder

MODEL = "model.txt"  # beside the shipped vectors: the sha256 of the model that made them
WAIT = 60.0  # seconds for another process to write the query encoder
_FEW = 8  # passages that are embedded in the time that the shipped vectors take to be read


@dataclass(frozen=True, slots=True)
class Vectorised:
    """`vectors`, (passages, dim), in row order; how many were made new; the query encoder's folder, and the model."""

    vectors: Matrix
    embedded: int
    encoder: Path
    files: ModelFiles


def vectorise(
    base: KnowledgeFolder, upon: Seal | None, store: Store, model: str, generation: str, progress: Progress
) -> Vectorised:
    """Vectors for every passage of `store`, which learns which row is whose; those of the index `upon` are kept.

    The model is looked for only when something is new.
    """
    known = vectors_of(base, upon) if upon is not None else {}
    stored = store.embedded()
    rows = [(row, digest) for row, digest, _, _ in stored]
    store.number_vectors([row for row, _ in rows])
    if upon is not None and is_current(base.encoder_folder(upon)):  # an older chipwise shipped another reader
        exported, folder = True, base.encoder_folder(upon)
        whole = all(digest in known for _, digest in rows)
        files = ModelFiles(upon.model, Path(), upon.model_sha256) if whole else find_model(model)
    else:
        # named after the generation too: the sealed index may still use one of the same model
        exported, files = False, find_model(model)
        folder = base.index_folder / f"encoder-{files.sha256[:8]}-{generation}"
    load = cache(lambda: _loaded(files, progress))
    found, embedded = embed(store, rows, known, files, progress, load)
    meanings = ((row, had, meaning) for (row, _, _, had), (_, meaning) in zip(stored, found, strict=True))
    store.write_meanings((row, meaning) for row, had, meaning in meanings if had != meaning)
    if not exported:
        _export(folder, load(), progress)
    dim = len(found[0][0]) if found else upon.dim if upon is not None else load().dim
    vectors = np.array([vector for vector, _ in found], dtype=np.float32).reshape(len(found), dim)
    return Vectorised(vectors, embedded, folder, files)


def embed(
    store: Store,
    rows: Sequence[tuple[int, bytes]],
    known: Known,
    files: ModelFiles,
    progress: Progress,
    load: Callable[[], PassageEncoder] | None = None,
) -> tuple[list[tuple[Vector, bytes]], int]:
    """The vectors of passages, given as row id and digest of what is embedded, and how many had to be made.

    A vector is found by what was embedded, so that a passage which only moved keeps its own.
    """
    if sum(digest not in known for _, digest in rows) > _FEW:
        known = {**shipped_vectors(files.sha256), **known}
    missing = [row for row, digest in rows if digest not in known]
    made: dict[int, tuple[Vector, bytes]] = {}
    if missing:
        encoder = load() if load is not None else _loaded(files, progress)
        texts, spans = zip(*store.embedding_texts(missing), strict=True)
        progress("embedding", 0, len(texts))
        new = encoder.encode(texts, spans, lambda done: progress("embedding", done, len(texts)))
        made = dict(zip(missing, zip(new.vectors, new.meanings, strict=True), strict=True))
    return [made[row] if row in made else known[digest] for row, digest in rows], len(missing)


def make_encoder(folder: Path, model: str, progress: Progress) -> None:
    """Writes query encoder and reader to `folder`, in place of older ones of the same model there.

    Raises ModelUnavailable, StorageFailed, KnowledgeBaseBusy.
    """
    with locked(folder.parent / ".lock", f"exporting {model}", timeout=WAIT):
        if folder.is_dir():
            return
        _export(folder, _loaded(find_model(model), progress), progress)
        for older in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
            if older != folder:
                shutil.rmtree(older, ignore_errors=True)


def vectors_of(base: KnowledgeFolder, seal: Seal) -> Known:
    """By what was embedded, the passage's vector and its sentences' vectors."""
    folder = base.generation_folder(seal)
    return vectors_in(folder / TEXT, read_vectors(open_index(folder / VECTORS)))


def _loaded(files: ModelFiles, progress: Progress) -> PassageEncoder:
    progress("loading the model", 0, 1)
    from chipwise.building.embedding import load_encoder  # noqa: PLC0415

    encoder = load_encoder(files)
    progress("loading the model", 1, 1)
    return encoder


def _export(folder: Path, encoder: PassageEncoder, progress: Progress) -> None:
    progress("exporting the models", 0, 1)
    partial = folder.with_name(f".{folder.name}")
    for left_over in (partial, folder):
        shutil.rmtree(left_over, ignore_errors=True)
    encoder.export(partial)
    partial.rename(folder)
    progress("exporting the models", 1, 1)


def vectors_folder() -> Path:
    """A file of vectors for each shipped document, kept by `evals/prebuilt.py`: to embed takes minutes, to read half a minute."""
    return shipped_folder() / "vectors"


def shipped_vectors(model_sha256: str, folder: Path | None = None) -> Known:
    """The vectors of shipped passages, of length 1 to three decimals. One of an older text has another digest."""
    if folder is None and not in_checkout():
        return packed_known(model_sha256)
    folder, found = folder or vectors_folder(), Known()
    if not (folder / MODEL).is_file() or (folder / MODEL).read_text("utf-8").strip() != model_sha256:
        return found
    for path in sorted(folder.glob("*.npz")):
        try:
            file = read_arrays(path)
        except ModelUnavailable:  # a damaged one costs time, and nothing else
            continue
        meanings = np.split(file["meanings"], file["ends"][:-1])
        for digest, vector, own in zip(file["digests"], file["vectors"].astype(np.float32), meanings, strict=True):
            found[digest.tobytes()] = vector, own.tobytes()
    return found
