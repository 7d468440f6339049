"""Any texts in an index of chipwise's own, for measuring: the library's store, vectors and encoder.

A text is one passage with its title above it; nothing is split or annotated.
Embedding is what takes minutes, so vectors are kept in results/local/, named by
a digest of the model and the texts. The store and the index are made anew each
time, and so are always those of the code as it is.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.embedding import PassageEncoder
from chipwise.encoder import SETTINGS, QueryEncoder
from chipwise.models import DEFAULT_MODEL, ModelFiles, find_model
from chipwise.store import FileState, Store, create_store
from chipwise.types import Passage, Role, SourceInfo
from chipwise.vectors import Matrix, open_index, write_index

CACHE = Path(__file__).parent / "results" / "local"  # ignored by git


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be found, by the id that the judgements call it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """An open index: the library's parts, and the texts' ids by row of the store."""

    store: Store
    vectors: Any
    encoder: QueryEncoder
    ids: dict[int, str]


@contextmanager
def indexed(texts: Sequence[Text]) -> Iterator[Indexed]:
    """The texts, indexed in a temporary folder. The first time, minutes pass."""
    files = find_model(DEFAULT_MODEL)
    with tempfile.TemporaryDirectory() as folder, create_store(Path(folder, "text.sqlite")) as store:
        rows = _write(store, texts)
        write_index(Path(folder, "vectors.faiss"), _vectors(files, [text for text, _ in store.embedding_texts(rows)]))
        store.number_vectors(rows)
        store.commit()
        encoder = QueryEncoder(_query_encoder(files))
        ids = {row: text.id for row, text in zip(rows, texts, strict=True)}
        yield Indexed(store, open_index(Path(folder, "vectors.faiss")), encoder, ids)


def _write(store: Store, texts: Sequence[Text]) -> list[int]:
    """Row ids, in the order of `texts`."""
    for text in texts:
        store.write_source(SourceInfo(text.id, text.title, ""), text.text, FileState("", 0, 0))
        passage = Passage(text.id, 1, 0, len(text.text), 1, Role.BODY, (), None, text.text, "", ())
        digest = hashlib.sha256(f"{text.title}\n{text.text}".encode()).digest()
        store.write_passages([(passage, (), text.title, digest)])
    return [row for row, *_ in store.embedded()]


def _vectors(files: ModelFiles, texts: list[str]) -> Matrix:
    digest = hashlib.sha256("\0".join((files.sha256, *texts)).encode()).hexdigest()
    path = CACHE / f"vectors-{digest[:16]}.npy"
    if not path.is_file():
        print(f"embedding {len(texts):,} texts, once", flush=True)
        vectors = PassageEncoder(files).encode(texts, [[]] * len(texts)).vectors
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
    return np.asarray(np.load(path), dtype=np.float32)


def _query_encoder(files: ModelFiles) -> Path:
    folder = CACHE / f"encoder-{files.sha256[:8]}"
    if not (folder / SETTINGS).is_file():  # the last file that an export writes
        shutil.rmtree(folder, ignore_errors=True)
        PassageEncoder(files).export(folder)
    return folder
