"""The vectors of all passages: old ones kept, new ones made, and the query encoder beside them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chipwise.building.readerexport import export_reader, is_current
from chipwise.index.store import Store, open_store
from chipwise.index.vectors import Matrix, Vector, open_index, read_vectors
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import ModelFiles, find_model
from chipwise.text import Span

if TYPE_CHECKING:
    from chipwise.building.embedding import Embedded, PassageEncoder

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Vectorised:
    """`vectors`, (passages, dim), in row order; how many were made new; the query encoder's folder and model."""

    vectors: Matrix
    embedded: int
    encoder: Path
    model: str
    model_sha256: str


def vectorise(
    base: KnowledgeFolder, seal: Seal | None, store: Store, model: str, generation: str, progress: Progress
) -> Vectorised:
    """Vectors for every passage of `store`, which learns which row is whose.

    A vector is found by what was embedded, so that a passage which only moved
    keeps its own. sentence-transformers is loaded when something is new only.
    """
    upon = seal if seal is not None and seal.model == model else None
    known = _known(base, upon) if upon is not None else {}
    rows = [(row, digest) for row, digest, _, _ in store.embedded()]
    missing = [row for row, digest in rows if digest not in known]
    store.number_vectors([row for row, _ in rows])
    store.write_meanings((row, known[digest][1]) for row, digest in rows if digest in known)
    reads = upon is not None and is_current(base.encoder_folder(upon))  # an older chipwise shipped another reader
    if upon is not None and not missing and reads:
        matrix = np.array([known[digest][0] for _, digest in rows], dtype=np.float32).reshape(len(rows), upon.dim)
        return Vectorised(matrix, 0, base.encoder_folder(upon), upon.model, upon.model_sha256)
    files = find_model(model)
    encoder = _loaded(files, progress)
    new = _encoded(encoder, store.embedding_texts(missing), progress)
    store.write_meanings(zip(missing, new.meanings, strict=True))
    made = dict(zip(missing, new.vectors, strict=True))
    matrix = np.empty((len(rows), encoder.dim), dtype=np.float32)
    for at, (row, digest) in enumerate(rows):
        matrix[at] = made[row] if row in made else known[digest][0]
    folder = base.encoder_folder(upon) if upon is not None and reads else _export(base, encoder, generation, progress)
    return Vectorised(matrix, len(missing), folder, files.name, files.sha256)


def _known(base: KnowledgeFolder, seal: Seal) -> dict[bytes, tuple[Vector, bytes]]:
    """By what was embedded, the passage's vector and its sentences' vectors."""
    folder = base.generation_folder(seal)
    matrix = read_vectors(open_index(folder / VECTORS))
    with open_store(folder / TEXT) as previous:
        return {digest: (matrix[row], meaning) for _, digest, row, meaning in previous.embedded() if row is not None}


def _loaded(files: ModelFiles, progress: Progress) -> PassageEncoder:
    progress("loading the model", 0, 1)
    from chipwise.building.embedding import PassageEncoder  # noqa: PLC0415

    encoder = PassageEncoder(files)
    progress("loading the model", 1, 1)
    return encoder


def _encoded(encoder: PassageEncoder, texts: list[tuple[str, list[Span]]], progress: Progress) -> Embedded:
    done = 0

    def report(count: int) -> None:
        nonlocal done
        done += count
        progress("embedding", done, len(texts))

    progress("embedding", 0, len(texts))
    return encoder.encode([text for text, _ in texts], [spans for _, spans in texts], report)


def _export(base: KnowledgeFolder, encoder: PassageEncoder, generation: str, progress: Progress) -> Path:
    progress("exporting the models", 0, 1)
    # named after the generation too: the sealed index may still use one of the same model
    folder = base.index_folder / f"encoder-{encoder.files.sha256[:8]}-{generation}"
    partial = folder.with_name(f".{folder.name}")
    for left_over in (partial, folder):
        shutil.rmtree(left_over, ignore_errors=True)
    encoder.export(partial)
    export_reader(partial)
    partial.rename(folder)
    progress("exporting the models", 1, 1)
    return folder
