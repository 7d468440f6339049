"""Writes the changes of a plan into a store: facts, names, and the documents that are new or changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from chipwise.building.facts import read_facts
from chipwise.building.planning import Task
from chipwise.claims.authored import authored_claims
from chipwise.claims.extract import extract_document
from chipwise.claims.model import Claim, Sentence
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.model import Domain
from chipwise.domain.names import names_notes
from chipwise.files import FileState
from chipwise.index.store import Store
from chipwise.knowledge import DOMAIN_NOTE, FACTS_NOTE
from chipwise.splitting import above, split
from chipwise.types import Document, Passage

Progress = Callable[[str, int, int], None]  # stage, done, total
Understood = tuple[Sequence[Passage], Sequence[tuple[Sentence, ...]], Sequence[Claim]]
Reader = Callable[[Sequence[Document], Domain], Iterable[Understood]]


def read_each(documents: Sequence[Document], domain: Domain) -> Iterable[Understood]:
    """The passages, sentences and claims of each document, in order."""
    return (understood(document, domain) for document in documents)


def apply(store: Store, task: Task, progress: Progress, read: Reader = read_each) -> None:
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
    for number, found in enumerate(read(documents, task.domain)):
        _write_document(store, *task.plan.documents[number], found)
        progress("reading", number + 1, len(documents))


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
