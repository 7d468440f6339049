"""Brings an index up to date: reads what changed, embeds what is new, seals the result.

    plan -> store passages -> embed -> FAISS -> seal

Work is saved at two levels: a file whose content is unchanged is not read
again, and a passage whose text was embedded before keeps its vector.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chipwise.building.documents import follow_originals
from chipwise.building.facts import read_facts
from chipwise.building.planning import Plan, plan
from chipwise.building.prebuilt import unpack
from chipwise.building.sealing import checksums, installed_versions, next_name, remove_others, sealed_names
from chipwise.building.vectorising import Vectorised, require_model, vectorise
from chipwise.claims.authored import authored_claims
from chipwise.claims.extract import extract_document
from chipwise.claims.model import Claim, Sentence
from chipwise.corpus import claims_folder, digests_folder, facts_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.domain.names import names_notes
from chipwise.errors import ChipwiseError
from chipwise.files import FileState, locked, paths_in, storage_errors
from chipwise.index import schema
from chipwise.index.store import Store, create_store, open_store
from chipwise.knowledge import DOMAIN_NOTE, FACTS_NOTE, TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.splitting import PASSAGE_WORDS, above, split
from chipwise.types import Document, Passage

Progress = Callable[[str, int, int], None]  # stage, done, total
Understood = tuple[Sequence[Passage], Sequence[tuple[Sentence, ...]], Sequence[Claim]]
Reader = Callable[[Sequence[Document], Domain], Iterable[Understood]]


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


def read_each(documents: Sequence[Document], domain: Domain) -> Iterable[Understood]:
    """The passages, sentences and claims of each document, in order."""
    return (understood(document, domain) for document in documents)


def build(
    base: KnowledgeFolder, progress: Progress = lambda *_: None, *, fresh: bool = False, read: Reader = read_each
) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing.

    Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid; what was sealed before then still answers.
    """
    unpacked = None if fresh else unpack(base, progress)
    if unpacked is not None:
        with open_store(base.generation_folder(unpacked) / TEXT) as store:
            return BuildReport(tuple(store.source_ids()), (), (), 0, unpacked.passages, ())
    with locked(base.index_folder / ".lock", f"building {base.folder}", timeout=0):
        follow_originals(base)
        task = _task(base, None if fresh else _usable_seal(base))
        if task.seal is not None and task.seal.stamp == task.stamp and not task.plan.changes_passages:
            return report(task.plan, 0, task.seal.passages)
        return _write_generation(task, progress, read)


def _task(base: KnowledgeFolder, seal: Seal | None) -> Task:
    contents = base.read_contents()
    stamp = base.stamp(contents)  # taken before reading: what changes meanwhile is found next time
    domain = read_domain(*base.domain_folders())
    recipe = recipe_of(domain, base.fact_files())
    states: dict[str, FileState] = {}
    if seal is not None:
        with open_store(base.generation_folder(seal) / TEXT) as previous:
            states = previous.file_states()
    same_recipe = seal is not None and seal.recipe == recipe
    wanted = base.wanted(contents)
    return Task(base, seal, plan(wanted, states if same_recipe else {}, states), domain, contents.model, recipe, stamp)


def _usable_seal(base: KnowledgeFolder) -> Seal | None:
    """The seal to build upon; an index that is damaged or from another version is built anew.

    Every byte is looked at: what is built upon is copied, and a new seal would vouch for the damage.
    """
    try:
        seal = base.read_seal()
        with open_store(base.generation_folder(seal) / TEXT):
            return None if any(base.altered(seal)) else seal
    except ChipwiseError:
        return None


def recipe_of(domain: Domain, fact_files: Sequence[Path]) -> str:
    """A digest of everything that decides how a document becomes passages and claims, those authored beside them included."""
    parts = f"{schema.VERSION} {schema.EXTRACTION} {PASSAGE_WORDS} {domain.to_json()}"
    digest = hashlib.sha256(parts.encode())
    tables = [path for path in fact_files if path.suffix == ".csv"]
    for path in (*tables, *map(Path, paths_in(claims_folder(), ".jsonl"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _write_generation(task: Task, progress: Progress, read: Reader) -> BuildReport:
    base, name = task.base, next_name(task.base)
    if task.seal is None:
        require_model(task.model)
    before = sealed_names(base)
    partial = base.index_folder / f".{name}"
    try:
        with storage_errors(base.index_folder):
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            with _new_store(task, partial / TEXT) as store:
                apply(store, task, progress, read)
                made = vectorise(base, task.seal, store, task.model, name, progress)
                passages, sources = store.count_passages(), len(store.source_ids())
                store.commit()
            kind = _write_vectors(partial / VECTORS, made, task)
            partial.rename(base.index_folder / name)
            base.write_seal(_seal(task, name, made, kind, sources, passages))
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    remove_others(base, keep={name, made.encoder.name, *before})
    return report(task.plan, made.embedded, passages)


def _new_store(task: Task, path: Path) -> Store:
    if task.seal is None:
        return create_store(path)
    shutil.copyfile(task.base.generation_folder(task.seal) / TEXT, path)
    return open_store(path, write=True)


def apply(store: Store, task: Task, progress: Progress, read: Reader = read_each) -> None:
    """Writes to `store` what the task's plan says: facts, names and the documents that are new or changed."""
    known = (store.note(FACTS_NOTE) or "").startswith(task.recipe)  # the recipe holds the domain
    for key, value in () if known else {DOMAIN_NOTE: task.domain.to_json(), **names_notes(task.domain)}.items():
        store.write_note(key, value)
    _apply_facts(store, task)
    for source in (*task.plan.removed, *task.plan.changed):
        store.remove_source(source)
    for source, state in task.plan.touched:
        store.update_state(source, state)
    documents = [document for document, _ in task.plan.documents]
    for number, found in enumerate(read(documents, task.domain)):
        _write_document(store, *task.plan.documents[number], found)
        progress("reading", number + 1, len(documents))


def _apply_facts(store: Store, task: Task) -> None:
    """Reads the facts table when it, a digest or the domain is other than what the store has."""
    digests = hashlib.sha256()
    for path in task.base.fact_files():
        digests.update(path.read_bytes())
    state = f"{task.recipe} {digests.hexdigest()}"
    if store.note(FACTS_NOTE) != state:
        store.replace_facts(read_facts(facts_folder(), digests_folder(), task.domain))
        store.write_note(FACTS_NOTE, state)


def _write_document(store: Store, document: Document, state: FileState, found: Understood) -> None:
    store.write_source(document.info, document.text, state)
    passages, sentences, claims = found
    store.write_passages(
        (passage, found, above(document.info.title, passage), _digest(document.info.title, passage, found))
        for passage, found in zip(passages, sentences, strict=True)
    )
    store.write_claims(claims)


def understood(document: Document, domain: Domain) -> Understood:
    """Its passages, the sentences of each, and all claims: on figures those authored beside it, where there are such."""
    passages = split(document)
    return passages, *extract_document(document, passages, domain, figures=authored_claims(document, passages))


def _digest(title: str, passage: Passage, sentences: Sequence[Sentence]) -> bytes:
    """Of what is embedded: the passage, and where its sentences begin and end."""
    spans = [(s.start, s.end) for s in sentences]
    return hashlib.sha256(f"{above(title, passage)}\n{passage.text}\n{spans}".encode("utf-8", "surrogatepass")).digest()


def _write_vectors(path: Path, made: Vectorised, task: Task) -> str:
    from chipwise.index.vectors import describe, open_index, write_index  # noqa: PLC0415

    seal = task.seal
    upon = task.base.generation_folder(seal) / VECTORS if seal is not None and seal.model == task.model else None
    write_index(path, made.vectors, upon)
    return describe(open_index(path))


def _seal(task: Task, name: str, made: Vectorised, kind: str, sources: int, passages: int) -> Seal:
    folder = task.base.index_folder
    return Seal(
        generation=name,
        encoder=made.encoder.name,
        model=made.model,
        model_sha256=made.model_sha256,
        dim=int(made.vectors.shape[1]),
        sources=sources,
        passages=passages,
        kind=kind,
        recipe=task.recipe,
        stamp=task.stamp,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=installed_versions(),
        files=checksums(folder, [folder / name, made.encoder]),
    )


def report(plan_: Plan, embedded: int, passages: int) -> BuildReport:
    """What was done by `plan_`."""
    return BuildReport(plan_.added, plan_.changed, plan_.removed, embedded, passages, plan_.unreadable)
