"""What a build has to do: which documents are new, changed, merely touched, or gone; and what it starts from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from chipwise.contents import Contents
from chipwise.corpus import claims_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.errors import ChipwiseError, SourceUnreadable
from chipwise.files import FileState, file_times, paths_in, read_with_state
from chipwise.index import schema
from chipwise.knowledge import KnowledgeFolder, Seal, WantedSource
from chipwise.reading import read_bytes
from chipwise.splitting import PASSAGE_WORDS
from chipwise.types import Document


@dataclass(frozen=True, slots=True)
class Plan:
    """What differs between the documents wanted and the ones stored.

    `documents` are read already; `touched` have a new time and the same content;
    `unreadable` are left out, each with its reason.
    """

    documents: tuple[tuple[Document, FileState], ...]
    touched: tuple[tuple[str, FileState], ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    unreadable: tuple[tuple[str, ChipwiseError], ...]

    @property
    def changes_passages(self) -> bool:
        """False when the passages stored are the ones wanted."""
        return bool(self.documents or self.removed)


def plan(wanted: list[WantedSource], known: Mapping[str, FileState], stored: Iterable[str]) -> Plan:
    """Compares what is wanted with the file states `known`; `stored` are the ids in the index.

    With `known` empty everything is read again, whatever is stored.
    """
    documents: list[tuple[Document, FileState]] = []
    touched: list[tuple[str, FileState]] = []
    unreadable: list[tuple[str, ChipwiseError]] = []
    kept: set[str] = set()
    for source in wanted:
        try:
            id_, document, state = _look_at(source, known)
            if id_ in kept:
                raise SourceUnreadable(
                    f"another document has the id {id_}",
                    hint="`chipwise remove` the one that you added, then add it again: it gets an id of its own",
                )
        except ChipwiseError as error:
            unreadable.append((str(source.path), error))
            continue
        except OSError as error:
            hint = "restore it, or `chipwise remove` the source"
            reason = SourceUnreadable(f"{source.path} cannot be read: {error.strerror}", hint=hint)
            unreadable.append((str(source.path), reason))
            continue
        kept.add(id_)
        if document is not None and state is not None:
            documents.append((document, state))
        elif state is not None:
            touched.append((id_, state))
    fresh, stored = {document.info.id for document, _ in documents}, set(stored)
    return Plan(
        tuple(documents),
        tuple(touched),
        removed=tuple(sorted(stored - kept)),
        added=tuple(sorted(fresh - stored)),
        changed=tuple(sorted(fresh & stored)),
        unreadable=tuple(unreadable),
    )


def _look_at(source: WantedSource, known: Mapping[str, FileState]) -> tuple[str, Document | None, FileState | None]:
    """The source's id, the document if it has to be read, and its state if that is new."""
    id_ = source.id or source.path.stem
    before = known.get(id_)
    if before is not None and file_times(source.path) == (before.size, before.modified):
        return id_, None, None
    data, now = read_with_state(source.path)
    if before is not None and before.sha256 == now.sha256:
        return id_, None, now
    document = read_bytes(data, name=source.path.name, origin=source.origin, source_id=source.id)
    return document.info.id, document, now


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `unreadable` are documents that the index had to leave out."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    embedded: int
    passages: int
    unreadable: tuple[tuple[str, ChipwiseError], ...]

    @property
    def nothing_changed(self) -> bool:
        """True when the index held the right passages already."""
        return not (self.added or self.changed or self.removed or self.embedded)


@dataclass(frozen=True, slots=True)
class Task:
    """Everything that one build starts from. `seal` is None where nothing can be built upon."""

    base: KnowledgeFolder
    seal: Seal | None
    plan: Plan
    domain: Domain
    model: str
    recipe: str
    stamp: str

    @property
    def is_done(self) -> bool:
        """True when there is nothing to do."""
        return self.seal is not None and self.seal.stamp == self.stamp and not self.plan.changes_passages

    def report(self, embedded: int, passages: int) -> BuildReport:
        """What was done by the plan."""
        plan_ = self.plan
        return BuildReport(plan_.added, plan_.changed, plan_.removed, embedded, passages, plan_.unreadable)

    def seal_of(self, **parts: Any) -> Seal:
        """The seal of what was made now."""
        return Seal(
            **parts,
            recipe=self.recipe,
            stamp=self.stamp,
            built=datetime.now(UTC).isoformat(timespec="seconds"),
            versions=installed_versions(),
        )


def make_task(
    base: KnowledgeFolder,
    seal: Seal | None,
    stored: Mapping[str, FileState],
    find: Callable[[Contents, bool], tuple[list[WantedSource], set[str]]],
) -> Task:
    """What a build upon `seal` has to do, where the index has the documents `stored`.

    `find` is told whether all documents are to be read again; it gives those to look at, and the ids of those to leave alone.
    """
    contents = base.read_contents()
    stamp = base.stamp(contents)  # taken before reading: what changes meanwhile is found next time
    domain = read_domain(*base.domain_folders())
    recipe = recipe_of(domain, base.fact_files())
    known = stored if seal is not None and seal.recipe == recipe else {}
    wanted, alone = find(contents, not known)
    return Task(base, seal, plan(wanted, known, stored.keys() - alone), domain, contents.model, recipe, stamp)


def recipe_of(domain: Domain, fact_files: Sequence[Path]) -> str:
    """A digest of everything that decides how a document becomes passages and claims, those authored beside them included."""
    parts = f"{schema.VERSION} {schema.EXTRACTION} {PASSAGE_WORDS} {domain.to_json()}"
    digest = hashlib.sha256(parts.encode())
    tables = [path for path in fact_files if path.suffix == ".csv"]
    for path in (*tables, *map(Path, paths_in(claims_folder(), ".jsonl"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def installed_versions() -> dict[str, str]:
    """Of the packages that decide what an index holds."""
    found = {}
    for package in ("chipwise", "sentence-transformers", "torch", "faiss-cpu", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
