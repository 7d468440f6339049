"""Brings an index up to date: reads what changed, embeds what is new, seals the result.

    plan -> store passages -> embed -> FAISS -> seal

An unchanged file is not read again, and a passage whose text was embedded before keeps its vector.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from chipwise.building.documents import follow_originals
from chipwise.building.facts import read_facts
from chipwise.building.generations import checksums, new_generation
from chipwise.building.planning import BuildReport, Task, make_task
from chipwise.building.prebuilt import UNPACKED, unpack
from chipwise.building.vectorising import embed, vectorise
from chipwise.claims.authored import authored_claims
from chipwise.claims.extract import extract_document
from chipwise.claims.model import Claim, Sentence
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.model import Domain
from chipwise.domain.names import names_notes
from chipwise.errors import ChipwiseError
from chipwise.files import FileState, locked
from chipwise.index.store import Store, create_store, open_store
from chipwise.index.vectors import describe, open_index, write_index
from chipwise.knowledge import DOMAIN_NOTE, FACTS_NOTE, TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.splitting import above, split
from chipwise.types import Document, Passage, Progress

if TYPE_CHECKING:
    from chipwise.postgres.server import KnowledgeServer

PATIENCE = 60.0  # seconds for another process to unpack the shipped index, which takes it one or two
_SERVED = "served"  # the name of every generation: a server has but one
Understood = tuple[Sequence[Passage], Sequence[tuple[Sentence, ...]], Sequence[Claim]]
_Reader = Callable[[Sequence[Document], Domain], Iterable[Understood]]


def _read_each(documents: Sequence[Document], domain: Domain) -> Iterable[Understood]:
    """The passages, sentences and claims of each document, in order."""
    return (understood(document, domain) for document in documents)


def build(
    base: KnowledgeFolder, progress: Progress = lambda *_: None, *, fresh: bool = False, read: _Reader = _read_each
) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing.

    Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid; what was sealed before then still answers.
    """
    if base.shared:
        return _build_on_server(cast("KnowledgeServer", base), progress, fresh=fresh)
    with locked(base.index_folder / ".lock", f"building {base.folder}", timeout=0 if fresh else _patience(base)):
        follow_originals(base)
        seal = None if fresh else _usable_seal(base)
        if seal is None and not fresh and (seal := unpack(base, progress)):
            with open_store(base.generation_folder(seal) / TEXT) as store:
                task = make_task(base, seal, store)
                if task.changes_nothing(store):
                    base.write_seal(replace(seal, stamp=task.stamp))
                    return BuildReport(tuple(store.source_ids()), (), (), 0, seal.passages, task.plan.unreadable)
        elif seal is None:
            task = make_task(base, None, None)
        else:
            with open_store(base.generation_folder(seal) / TEXT) as store:
                task = make_task(base, seal, store)
        return task.report(0, seal.passages) if seal and task.is_done else _write_generation(task, progress, read)


def _patience(base: KnowledgeFolder) -> float:
    """How long to wait for another build: only the first one of the shipped corpus is sure to be short."""
    contents = base.read_contents()
    try:
        seal = base.find_seal()
    except ChipwiseError:
        return 0
    first = seal is None or seal.stamp == UNPACKED
    return PATIENCE if first and contents.shipped and contents.model == DEFAULT_MODEL else 0


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


def _write_generation(task: Task, progress: Progress, read: _Reader) -> BuildReport:
    base = task.base
    if task.seal is None:
        find_model(task.model)  # now: it is needed last, and then all documents would have been read
    with new_generation(base) as (name, partial):
        if task.seal is not None:
            shutil.copyfile(base.generation_folder(task.seal) / TEXT, partial / TEXT)
        with open_store(partial / TEXT, write=True) if task.seal else create_store(partial / TEXT) as store:
            _apply(store, task, progress, read)
            made = vectorise(base, task.upon, store, task.model, name, progress)
            store.commit()
            dim, encoder = int(made.vectors.shape[1]), made.encoder.name
            seal = task.seal_of(store, made.files, generation=name, encoder=encoder, dim=dim, kind="")
        write_index(partial / VECTORS, made.vectors, base.generation_folder(task.upon) / VECTORS if task.upon else None)
        partial.rename(base.index_folder / name)
        kind = describe(open_index(base.index_folder / name / VECTORS))
        files = checksums(base.index_folder, [base.index_folder / name, made.encoder])
        base.write_seal(replace(seal, kind=kind, files=files))
    return task.report(made.embedded, seal.passages)


def _build_on_server(base: KnowledgeServer, progress: Progress, *, fresh: bool) -> BuildReport:
    """As `build`, in one transaction, so that a reader sees the index before or the one after it."""
    with base.building() as store:
        task = make_task(base, None if fresh else base.find_seal(), store)
        if task.seal is not None and task.is_done:
            return task.report(0, task.seal.passages)
        known = store.known_vectors([*task.plan.changed, *task.plan.removed]) if task.upon else {}
        _apply(store, task, progress)
        if task.upon is None:
            store.forget_vectors()
        files, lacking = find_model(task.model), store.not_embedded()
        found, embedded = embed(store, lacking, known, files, progress)
        store.write_vectors((row, vector) for (row, _), (vector, _) in zip(lacking, found, strict=True))
        store.write_meanings((row, meaning) for (row, _), (_, meaning) in zip(lacking, found, strict=True))
        dim = len(found[0][0]) if found else task.seal.dim if task.seal else 0
        kind = store.index_vectors(dim)
        store.commit()
        seal = task.seal_of(store, files, generation=_SERVED, encoder=_SERVED, dim=dim, kind=kind)
        base.write_seal(seal)
    store.tidy()
    return task.report(embedded, seal.passages)


def _apply(store: Store, task: Task, progress: Progress, read: _Reader = _read_each) -> None:
    """Writes to `store` what the task's plan says: facts, names and the documents that are new or changed."""
    known = store.note(FACTS_NOTE)
    if not known.startswith(task.recipe):  # the recipe holds the domain
        for key, value in {DOMAIN_NOTE: task.domain.to_json(), **names_notes(task.domain)}.items():
            store.write_note(key, value)
    if known != task.facts:
        store.replace_facts(read_facts(facts_folder(), digests_folder(), task.domain))
        store.write_note(FACTS_NOTE, task.facts)
    for source in (*task.plan.removed, *task.plan.changed):
        store.remove_source(source)
    for source, state in task.plan.touched:
        store.update_state(source, state)
    documents = [document for document, _ in task.plan.documents]
    again = task.seal is not None and task.seal.recipe != task.recipe  # the domain or our code changed
    stage, total = "reading again" if again else "reading", len(documents)
    if documents:
        progress(stage, 0, total)
    for number, found in enumerate(read(documents, task.domain)):
        _write_document(store, *task.plan.documents[number], found)
        progress(stage, number + 1, total)


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
