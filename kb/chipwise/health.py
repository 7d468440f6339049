"""What state a knowledge base is in: the short report of `status`, the examination of `doctor`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chipwise.errors import ChipwiseError
from chipwise.files import file_times
from chipwise.index.store import Store, open_store
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal


@dataclass(frozen=True, slots=True)
class Status:
    """What `chipwise status` tells. `seal` is None where nothing was built yet."""

    folder: Path
    shipped: bool
    added: int
    model: str
    seal: Seal | None
    current: bool
    bytes_on_disk: int


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something wrong, and the command that mends it."""

    what: str
    mend: str


def read_status(base: KnowledgeFolder) -> Status:
    """The state by seal and file sizes alone. Raises KnowledgeBaseDamaged when those cannot be read."""
    contents = base.read_contents()
    seal = base.find_seal()
    current = seal is not None and seal.stamp == base.stamp(contents)
    size = _bytes_below(base.folder)
    return Status(base.folder, contents.shipped, len(contents.documents), contents.model, seal, current, size)


def _bytes_below(folder: Path) -> int:
    """The sizes of all files; what a build removes meanwhile counts nothing."""
    paths = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return sum(times[0] for path in paths if (times := file_times(path)) is not None)


def examine(base: KnowledgeFolder) -> list[Ailment]:
    """Everything wrong that can be found: contents, originals, seal, checksums, agreement of text and vectors."""
    try:
        contents = base.read_contents()
    except ChipwiseError as error:
        return [Ailment(str(error), error.hint)]
    found = [
        Ailment(
            f"the original of {d.id} is gone: {d.origin}", f"chipwise remove {d.id}   (or leave it: its copy is kept)"
        )
        for d in contents.documents
        if d.origin.startswith("/") and file_times(Path(d.origin)) is None
    ]
    try:
        seal = base.find_seal()
        if seal is None:
            return [*found, Ailment("no index was built yet", "chipwise build")]
        base.read_seal()
        found += [Ailment(what, "chipwise build --fresh") for what in base.altered(seal)]
        with base.reading(seal):
            found += _disagreements(base, seal)
        if seal.stamp != base.stamp(contents):
            found.append(Ailment("documents changed since the index was built", "chipwise build"))
    except ChipwiseError as error:
        found.append(Ailment(str(error), "chipwise build --fresh"))
    return list(dict.fromkeys(found))


def _disagreements(base: KnowledgeFolder, seal: Seal) -> Iterator[Ailment]:
    from chipwise.index.vectors import open_index  # noqa: PLC0415

    folder = base.generation_folder(seal)
    with open_store(folder / TEXT) as store:
        passages = store.count_passages()
        quotes = _broken_spans(store)
    vectors = int(open_index(folder / VECTORS).ntotal)
    if vectors != passages:
        yield Ailment(f"{passages} passages, but {vectors} vectors", "chipwise build --fresh")
    if quotes:
        yield Ailment(f"{quotes} passages do not stand in their source", "chipwise build --fresh")


def _broken_spans(store: Store) -> int:
    broken = 0
    for source in store.source_ids():
        text = store.source_text(source)
        for stored in store.source_passages(source):
            passage = stored.passage
            broken += text[passage.start : passage.end] != passage.text
    return broken
