"""Any texts in an index of chipwise's own, for measuring: the library's store, vectors and encoder.

A text is one passage with its title above it, divided into sentences and not
annotated. Embedding is what takes minutes, so vectors are kept in the user's cache
folder, named by a digest of the model and the texts. The store and the index are made
anew each time, and so are always those of the code as it is.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from benchmarks import Text

from chipwise.building import embedding
from chipwise.building.embedding import Embedded, load_encoder
from chipwise.claims.model import Sentence
from chipwise.encoder import SETTINGS, QueryEncoder
from chipwise.files import FileState
from chipwise.index.store import Store, create_store
from chipwise.index.vectors import open_index, write_index
from chipwise.models import DEFAULT_MODEL, ModelFiles, find_model
from chipwise.text import Span, sentences
from chipwise.types import Passage, Role, SourceInfo

CACHE = Path(platformdirs.user_cache_dir("chipwise-evals"))


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
        embedded = _embedded(files, store.embedding_texts(rows))
        write_index(Path(folder, "vectors.faiss"), embedded.vectors)
        store.write_meanings(zip(rows, embedded.meanings, strict=True))
        store.number_vectors(rows)
        store.commit()
        encoder = QueryEncoder(_query_encoder(files))
        ids = {row: text.id for row, text in zip(rows, texts, strict=True)}
        yield Indexed(store, open_index(Path(folder, "vectors.faiss")), encoder, ids)


def _write(store: Store, texts: Sequence[Text]) -> list[int]:
    """Row ids, in the order of `texts`."""
    for text in texts:
        store.write_source(SourceInfo(text.id, text.title, ""), text.text, FileState("", 0, 0))
        spans = tuple(sentences(text.text))
        passage = Passage(text.id, 1, 0, len(text.text), 1, Role.BODY, (), None, text.text, "", spans)
        digest = hashlib.sha256(f"{text.title}\n{text.text}".encode()).digest()
        store.write_passages([(passage, tuple(Sentence(*span) for span in spans), text.title, digest)])
    return [row for row, *_ in store.embedded()]


def _embedded(files: ModelFiles, found: Sequence[tuple[str, list[Span]]]) -> Embedded:
    texts, spans = [text for text, _ in found], [spans for _, spans in found]
    digest = hashlib.sha256("\0".join((files.sha256, *texts, repr(spans))).encode()).hexdigest()
    path = CACHE / f"embedded-{digest[:16]}.npz"
    if not path.is_file():
        print(f"embedding {len(texts):,} texts, once", file=sys.stderr, flush=True)
        made = load_encoder(files).encode(texts, spans)
        path.parent.mkdir(parents=True, exist_ok=True)
        packed = np.frombuffer(b"".join(made.meanings), dtype=np.int8)
        np.savez(path, vectors=made.vectors, packed=packed, ends=np.cumsum([len(m) for m in made.meanings]))
    with np.load(path) as kept:
        packed, ends = kept["packed"].tobytes(), kept["ends"].tolist()
        starts = [0, *ends[:-1]]
        return Embedded(kept["vectors"], [packed[start:end] for start, end in zip(starts, ends, strict=True)])


def _query_encoder(files: ModelFiles) -> Path:
    exporter = hashlib.sha256(Path(embedding.__file__).read_bytes()).hexdigest()  # another export, another encoder
    folder = CACHE / f"encoder-{files.sha256[:8]}-{exporter[:8]}"
    if not (folder / SETTINGS).is_file():  # the last file that an export writes
        shutil.rmtree(folder, ignore_errors=True)
        load_encoder(files).export(folder)
    return folder
