"""What a build has to do: which documents are new, changed, merely touched, or gone; and what it starts from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from chipwise import __version__
from chipwise.corpus import claims_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.errors import ChipwiseError, SourceUnreadable
from chipwise.files import FileState, paths_in
from chipwise.index import schema
from chipwise.index.store import Store
from chipwise.knowledge import FACTS_NOTE, KnowledgeFolder, Seal, WantedSource
from chipwise.models import ModelFiles
from chipwise.reading import read_bytes
from chipwise.splitting import PASSAGE_WORDS
from chipwise.types import Document


@dataclass(frozen=True, slots=True)
class Plan:
    """What differs between the documents wanted and the ones stored.

    `documents` are read already, `touched` have only a new time, `unreadable` are left out, each with its reason.
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


def plan(
    base: KnowledgeFolder, wanted: Iterable[WantedSource], known: Mapping[str, FileState], stored: Iterable[str]
) -> Plan:
    """Compares what is wanted with the file states `known`; `stored` are the ids in the index.

    With `known` empty everything is read again, whatever is stored.
    """
    documents: list[tuple[Document, FileState]] = []
    touched: list[tuple[str, FileState]] = []
    unreadable: list[tuple[str, ChipwiseError]] = []
    kept: set[str] = set()
    for source in wanted:
        id_ = source.id or source.path.stem
        before = known.get(id_)
        try:
            found = base.read_source(source, before)
            changed = found is not None and (before is None or before.sha256 != found[1].sha256)
            if found is not None and changed:
                document = read_bytes(found[0], name=source.path.name, origin=source.origin, source_id=source.id)
                id_ = document.info.id
            if id_ in kept:
                raise SourceUnreadable(
                    f"another document has the id {id_}",
                    hint="`chipwise remove` the one that you added, then add it again: it gets an id of its own",
                )
        except OSError as error:
            hint = "restore it, or `chipwise remove` the source"
            reason = SourceUnreadable(f"{source.path} cannot be read: {error.strerror}", hint=hint)
            unreadable.append((str(source.path), reason))
        except ChipwiseError as error:
            unreadable.append((str(source.path), error))
        else:
            kept.add(id_)
            if found is not None and changed:
                documents.append((document, found[1]))
            elif found is not None:
                touched.append((id_, found[1]))
    fresh, stored = {document.info.id for document, _ in documents}, set(stored)
    return Plan(
        tuple(documents),
        tuple(touched),
        removed=tuple(sorted(stored - kept)),
        added=tuple(sorted(fresh - stored)),
        changed=tuple(sorted(fresh & stored)),
        unreadable=tuple(unreadable),
    )


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
    """Everything that one build starts from. `seal` is None where nothing can be built upon; `facts` is of the facts table."""

    base: KnowledgeFolder
    seal: Seal | None
    plan: Plan
    domain: Domain
    model: str
    recipe: str
    facts: str
    stamp: str

    @property
    def is_done(self) -> bool:
        """True when there is nothing to do."""
        return self.seal is not None and self.seal.stamp == self.stamp and not self.plan.changes_passages

    @property
    def upon(self) -> Seal | None:
        """The seal of an index with vectors of the same model."""
        return self.seal if self.seal is not None and self.seal.model == self.model else None

    def changes_nothing(self, store: Store) -> bool:
        """True where a store has all documents as they are, and the facts."""
        return not (self.plan.changes_passages or self.plan.touched) and store.note(FACTS_NOTE) == self.facts

    def report(self, embedded: int, passages: int) -> BuildReport:
        """What was done by the plan."""
        plan_ = self.plan
        return BuildReport(plan_.added, plan_.changed, plan_.removed, embedded, passages, plan_.unreadable)

    def seal_of(self, store: Store, files: ModelFiles, **parts: Any) -> Seal:
        """The seal of what was made now."""
        return Seal(
            **parts,
            model=files.name,
            model_sha256=files.sha256,
            sources=len(store.source_ids()),
            passages=store.count_passages(),
            recipe=self.recipe,
            stamp=self.stamp,
            built=datetime.now(UTC).isoformat(timespec="seconds"),
            # a wheel's index is made before chipwise is installed
            versions={"chipwise": __version__, **{name: version(name) for name in ("faiss-cpu", "numpy")}},
        )


def make_task(base: KnowledgeFolder, seal: Seal | None, store: Store | None) -> Task:
    """Plan a build on top of the index of `seal`, which `store` holds."""
    contents = base.read_contents()
    stamp = base.stamp(contents)  # taken before reading: what changes meanwhile is found next time
    domain = read_domain(*base.domain_folders())
    recipe = recipe_of(domain, base.fact_files())
    facts = f"{recipe} {_digest(base.fact_files())}"
    stored = store.file_states() if store is not None else {}
    known = stored if seal is not None and seal.recipe == recipe else {}
    found = plan(base, base.wanted(contents), known, stored)
    return Task(base, seal, found, domain, contents.model, recipe, facts, stamp)


def recipe_of(domain: Domain, fact_files: Sequence[Path]) -> str:
    """A digest of everything that decides how a document becomes passages and claims, those authored beside them included."""
    parts = f"{schema.VERSION} {schema.EXTRACTION} {PASSAGE_WORDS} {domain.to_json()}"
    tables = [path for path in fact_files if path.suffix == ".csv"]
    return _digest([*tables, *map(Path, paths_in(claims_folder(), ".jsonl"))], parts)


def _digest(paths: Iterable[Path], text: str = "") -> str:
    digest = hashlib.sha256(text.encode())
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
