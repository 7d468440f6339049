"""The state of a knowledge base: the short report of `status`, the full examination of `doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chipwise.errors import ChipwiseError
from chipwise.files import file_times
from chipwise.index.store import Store
from chipwise.knowledge import KnowledgeFolder, Seal


@dataclass(frozen=True, slots=True)
class Status:
    """The report of `chipwise status`. `seal` is None if no index was built yet."""

    folder: str
    shipped: bool
    added: int
    model: str
    seal: Seal | None
    current: bool
    bytes_on_disk: int


@dataclass(frozen=True, slots=True)
class Ailment:
    """A problem, and the command that fixes it."""

    what: str
    mend: str


def read_status(base: KnowledgeFolder) -> Status:
    """Read the state from the seal and file sizes alone. Raises KnowledgeBaseDamaged if they are unreadable."""
    contents = base.read_contents()
    seal = base.find_seal()
    current = seal is not None and seal.stamp == base.stamp(contents)
    added, size = len(contents.documents), base.bytes_on_disk()
    return Status(base.place, contents.shipped, added, contents.model, seal, current, size)


def examine(base: KnowledgeFolder) -> list[Ailment]:
    """List all problems: contents, originals, seal, checksums, and agreement of text and vectors."""
    try:
        contents = base.read_contents()
    except ChipwiseError as error:
        return [Ailment(str(error), error.hint)]
    ailments = [
        Ailment(f"the original of {d.id} is gone: {d.origin}", f"chipwise remove {d.id}   (optional: its copy is kept)")
        for d in contents.documents
        if d.origin.startswith("/") and not base.shared and file_times(Path(d.origin)) is None
    ]
    try:
        seal = base.find_seal()
        if seal is None:
            return [*ailments, Ailment("no index was built yet", "chipwise build")]
        base.read_seal()
        ailments += [Ailment(what, "chipwise build --fresh") for what in base.altered(seal)]
        with base.reading(seal):
            ailments += _disagreements(base, seal)
        if seal.stamp != base.stamp(contents):
            ailments.append(Ailment("documents changed since the index was built", "chipwise build"))
    except ChipwiseError as error:
        ailments.append(Ailment(str(error), "chipwise build --fresh"))
    return list(dict.fromkeys(ailments))


def _disagreements(base: KnowledgeFolder, seal: Seal) -> Iterator[Ailment]:
    seal, store = base.open_sealed(seal)
    with store:
        passages = store.count_passages()
        quotes = _broken_spans(store)
        vectors = base.count_vectors(seal, store)
    if vectors != passages:
        yield Ailment(f"{passages} passages, but {vectors} vectors", "chipwise build --fresh")
    if quotes:
        yield Ailment(f"{quotes} passages don't match their source", "chipwise build --fresh")


def _broken_spans(store: Store) -> int:
    broken = 0
    for source in store.source_ids():
        text = store.source_text(source)
        for stored in store.source_passages(source):
            passage = stored.passage
            broken += text[passage.start : passage.end] != passage.text
    return broken
