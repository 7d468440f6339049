"""What tests ask of an index, by its seal alone: nothing here builds."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

from chipwise.index.store import open_store
from chipwise.index.vectors import open_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.opening import OpenIndex


def texts(base: KnowledgeFolder) -> dict[str, str]:
    """By source, the text that the sealed index holds of it."""
    with open_store(base.generation_folder(base.read_seal()) / TEXT) as store:
        return {source: store.source_text(source) for source in store.source_ids()}


def passage_texts(base: KnowledgeFolder) -> list[str]:
    """The text of every passage, in order."""
    with open_store(base.generation_folder(base.read_seal()) / TEXT) as store:
        return [p.passage.text for source in store.source_ids() for p in store.source_passages(source)]


def best(base: KnowledgeFolder, query: str) -> str:
    """The text of the passage that the sealed index finds first."""
    seal = base.read_seal()
    with open_store(base.generation_folder(seal) / TEXT) as store:
        return OpenIndex(base, seal, store).search(query, 1)[0].stored.passage.text


def count_vectors(base: KnowledgeFolder) -> int:
    return int(open_index(base.generation_folder(base.read_seal()) / VECTORS).ntotal)


def entries(base: KnowledgeFolder) -> set[str]:
    """What stands below index/, without the lock."""
    return {path.name for path in base.index_folder.iterdir()} - {".lock"}


def sealed(base: KnowledgeFolder, before: Seal) -> set[str]:
    """What should stand there and no more, `before` being the seal before the last build."""
    seal = base.read_seal()
    return {"seal.json", seal.generation, seal.encoder, before.generation, before.encoder}


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Refuses to write any file beyond `size` bytes, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
