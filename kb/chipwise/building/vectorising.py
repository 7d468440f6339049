"""The vectors of all passages: old ones kept, new ones made, and the query encoder beside them."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from chipwise.building.graphs import is_current
from chipwise.building.prebuilt import PACKED_TEXT, WAIT, packed, packed_vectors, read_manifest
from chipwise.corpus import in_checkout, shipped_folder
from chipwise.errors import ModelUnavailable
from chipwise.files import locked
from chipwise.index.store import Store, open_store
from chipwise.index.vectors import Matrix, Vector, open_index, read_vectors
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import ModelFiles, find_model, read_arrays
from chipwise.text import Span

if TYPE_CHECKING:
    from chipwise.building.embedding import Embedded, PassageEncoder
    from chipwise.postgres.store import PostgresStore

Progress = Callable[[str, int, int], None]
MODEL = "model.txt"  # beside the shipped vectors: the sha256 of the model that made them
Known = dict[
    bytes, tuple[Vector, bytes]
]  # by a digest of what was embedded, a vector and its sentences' vectors, packed
_FEW = 8  # passages that are embedded in the time that the shipped vectors take to be read


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
    if upon is not None and is_current(base.encoder_folder(upon)):  # an older chipwise shipped another reader
        folder, exported, model_sha256 = base.encoder_folder(upon), True, upon.model_sha256
    else:
        files = find_model(model)
        model, model_sha256 = files.name, files.sha256
        # named after the generation too: the sealed index may still use one of the same model
        folder, exported = base.index_folder / f"encoder-{model_sha256[:8]}-{generation}", False
    known = vectors_of(base, upon) if upon is not None else {}
    stored = store.embedded()
    rows = [(row, digest) for row, digest, _, _ in stored]
    if sum(digest not in known for _, digest in rows) > _FEW:
        known = {**shipped_vectors(model_sha256), **known}
    missing = [row for row, digest in rows if digest not in known]
    store.number_vectors([row for row, _ in rows])
    store.write_meanings(
        (row, known[digest][1]) for row, digest, _, had in stored if digest in known and known[digest][1] != had
    )
    if upon is not None and exported and not missing:
        return Vectorised(_matrix(rows, known, {}, upon.dim), 0, folder, model, model_sha256)
    encoder = _loaded(find_model(model), progress)
    new = _encoded(encoder, store.embedding_texts(missing), progress)
    store.write_meanings(zip(missing, new.meanings, strict=True))
    made = dict(zip(missing, new.vectors, strict=True))
    if not exported:
        _export(folder, encoder, progress)
    return Vectorised(_matrix(rows, known, made, encoder.dim), len(missing), folder, model, model_sha256)


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


def embed_new(store: PostgresStore, known: Known, model: str, progress: Progress) -> tuple[int, int]:
    """Gives every passage of a server's store that has no vector one, known or made; how many were made, and their length.

    The length is 0 where there was none to give.
    """
    lacking = store.not_embedded()
    if any(digest not in known for _, digest in lacking):
        known = {**shipped_vectors(find_model(model).sha256), **known}
    missing = [row for row, digest in lacking if digest not in known]
    found = [(row, *known[digest]) for row, digest in lacking if digest in known]
    if missing:
        made = _encoded(_loaded(find_model(model), progress), store.embedding_texts(missing), progress)
        found += zip(missing, made.vectors, made.meanings, strict=True)
    store.write_vectors((row, vector) for row, vector, _ in found)
    store.write_meanings((row, meaning) for row, _, meaning in found)
    return len(missing), len(found[0][1]) if found else 0


def _matrix(rows: list[tuple[int, bytes]], known: Known, made: dict[int, Vector], dim: int) -> Matrix:
    """(passages, dim), in the order of `rows`; what was `made` stands under its row, what was `known` under its digest."""
    vectors = [made[row] if row in made else known[digest][0] for row, digest in rows]
    return np.array(vectors, dtype=np.float32).reshape(len(rows), dim)


def vectors_of(base: KnowledgeFolder, seal: Seal) -> Known:
    """By what was embedded, the passage's vector and its sentences' vectors."""
    folder = base.generation_folder(seal)
    return _known(folder / TEXT, read_vectors(open_index(folder / VECTORS)))


def _known(text: Path, matrix: Matrix) -> Known:
    with open_store(text) as store:
        return {digest: (matrix[row], meaning) for _, digest, row, meaning in store.embedded() if row is not None}


def _loaded(files: ModelFiles, progress: Progress) -> PassageEncoder:
    progress("loading the model", 0, 1)
    from chipwise.building.embedding import load_encoder  # noqa: PLC0415

    encoder = load_encoder(files)
    progress("loading the model", 1, 1)
    return encoder


def _encoded(encoder: PassageEncoder, texts: list[tuple[str, list[Span]]], progress: Progress) -> Embedded:
    progress("embedding", 0, len(texts))
    whole, spans = [text for text, _ in texts], [spans for _, spans in texts]
    return encoder.encode(whole, spans, lambda done: progress("embedding", done, len(texts)))


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
        return _prebuilt_vectors(model_sha256)
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


def _prebuilt_vectors(model_sha256: str) -> Known:
    """The vectors in the prebuilt index, the only place where a wheel has them."""
    manifest = read_manifest()
    if manifest is None or manifest.model_sha256 != model_sha256:
        return {}
    text, matrix = packed(manifest, PACKED_TEXT), packed_vectors(manifest)
    if text is None or matrix is None:
        return {}
    with TemporaryDirectory(prefix="chipwise-") as folder:
        path = Path(folder) / TEXT
        path.write_bytes(lzma.decompress(text))
        return _known(path, matrix)
