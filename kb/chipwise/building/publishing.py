"""Brings an index on a server up to date: in one transaction, so that a reader sees the one before or the one after it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from chipwise.building.building import BuildReport, Progress, Task, apply, recipe_of, report
from chipwise.building.planning import plan
from chipwise.building.prebuilt import unpack
from chipwise.building.sealing import installed_versions
from chipwise.building.vectorising import embed_new, vectors_of
from chipwise.domain.files import read_domain
from chipwise.files import FileState
from chipwise.index.vectors import Vector
from chipwise.knowledge import FACTS_NOTE, KnowledgeFolder, Seal
from chipwise.models import find_model
from chipwise.postgres.server import KnowledgeServer
from chipwise.postgres.store import PostgresStore
from chipwise.splitting import above

Vectors = dict[bytes, tuple[Vector, bytes]]  # by what was embedded: of the passage, and of its sentences, packed

SERVED = "served"  # the name of every generation: a server has but one


def build_on_server(base: KnowledgeFolder, progress: Progress, *, fresh: bool) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing. Raises what `building.build` does."""
    assert isinstance(base, KnowledgeServer)  # noqa: S101
    with base.building() as store, TemporaryDirectory(prefix="chipwise-") as spool:
        lent = {} if fresh or base.find_seal() is not None else _take_over_prebuilt(base, store, Path(spool), progress)
        task = _task(base, store, Path(spool), fresh=fresh)
        seal = task.seal
        if seal is not None and not fresh and not lent and seal.stamp == task.stamp and not task.plan.changes_passages:
            return report(task.plan, 0, seal.passages)
        same_model = seal is not None and not fresh and seal.model == task.model
        known = store.known_vectors([*task.plan.changed, *task.plan.removed]) if same_model and not lent else lent
        apply(store, task, progress)
        if not same_model and not lent:
            store.forget_vectors()
        embedded, dim = embed_new(store, known, task.model, progress)
        dim = dim or (seal.dim if seal is not None else 0)
        kind = store.index_vectors(dim)
        store.commit()
        passages = store.count_passages()
        base.write_seal(_seal(task, kind, dim, len(store.source_ids()), passages))
    store.tidy()
    return report(task.plan, embedded, passages)


def _take_over_prebuilt(base: KnowledgeServer, store: PostgresStore, spool: Path, progress: Progress) -> Vectors:
    """Copies the shipped corpus as built beforehand to a server that has no index; its vectors, by what was embedded.

    What it was built from is compared with what is wanted afterwards, as after an older build.
    """
    contents = base.read_contents()
    lender = KnowledgeFolder(spool / "prebuilt")
    lender.write_contents(replace(contents, documents=()))
    unpack(lender, progress)
    seal = lender.find_seal()
    if seal is None:
        return {}
    _, built = lender.open_sealed(seal)
    with built:
        states = built.file_states()
        digests = {row: digest for row, digest, _, _ in built.embedded()}
        sources = {info.id: (info, built.source_passages(info.id)) for info in built.sources()}
        # passages that match equally well stand in the order in which they were written
        for info, passages in sorted(sources.values(), key=lambda each: min((p.row for p in each[1]), default=0)):
            store.write_source(info, built.source_text(info.id), states[info.id])
            store.write_passages(
                (p.passage, p.sentences, above(info.title, p.passage), digests[p.row]) for p in passages
            )
        store.write_claims(built.claims())
        store.replace_facts(built.facts())
        store.write_note(FACTS_NOTE, built.note(FACTS_NOTE))
    base.write_seal(seal)
    encoder = base.encoder_folder(seal)
    if not encoder.is_dir():
        shutil.move(lender.encoder_folder(seal), encoder)
    return vectors_of(lender, seal)


def _task(base: KnowledgeServer, store: PostgresStore, spool: Path, *, fresh: bool) -> Task:
    """Reads of the added documents those alone that are not in the store as they are."""
    contents, seal = base.read_contents(), base.find_seal()
    stamp = base.stamp(contents)
    domain = read_domain(*base.domain_folders())
    recipe = recipe_of(domain, base.fact_files())
    upon: Mapping[str, FileState] = store.file_states()
    known = dict(upon) if seal is not None and seal.recipe == recipe and not fresh else {}
    changed = base.changed_documents(everything=not known, spool=spool)
    kept = {document.id for document in contents.documents} - {source.id for source in changed}
    wanted = [*base.wanted(replace(contents, documents=())), *changed]
    plan_ = plan(wanted, known, upon.keys() - kept)
    return Task(base, seal, plan_, domain, contents.model, recipe, stamp)


def _seal(task: Task, kind: str, dim: int, sources: int, passages: int) -> Seal:
    files = find_model(task.model)
    return Seal(
        generation=SERVED,
        encoder=SERVED,
        model=files.name,
        model_sha256=files.sha256,
        dim=dim,
        sources=sources,
        passages=passages,
        kind=kind,
        recipe=task.recipe,
        stamp=task.stamp,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=installed_versions(),
    )
