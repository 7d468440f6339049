"""Brings an index on a server up to date: in one transaction, so that a reader sees the one before or the one after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from chipwise.building.building import BuildReport, Progress, Task, apply, recipe_of, report
from chipwise.building.planning import plan
from chipwise.building.sealing import installed_versions
from chipwise.building.vectorising import embed_new
from chipwise.domain.files import read_domain
from chipwise.files import FileState
from chipwise.knowledge import KnowledgeFolder, Seal
from chipwise.models import find_model
from chipwise.postgres.server import KnowledgeServer
from chipwise.postgres.store import PostgresStore

SERVED = "served"  # the name of every generation: a server has but one


def build_on_server(base: KnowledgeFolder, progress: Progress, *, fresh: bool) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing. Raises what `building.build` does."""
    assert isinstance(base, KnowledgeServer)  # noqa: S101
    with base.building() as store, TemporaryDirectory(prefix="chipwise-") as spool:
        task = _task(base, store, Path(spool), fresh=fresh)
        seal = task.seal
        if seal is not None and not fresh and seal.stamp == task.stamp and not task.plan.changes_passages:
            return report(task.plan, 0, seal.passages)
        same_model = seal is not None and not fresh and seal.model == task.model
        known = store.known_vectors([*task.plan.changed, *task.plan.removed]) if same_model else {}
        apply(store, task, progress)
        if not same_model:
            store.forget_vectors()
        embedded, dim = embed_new(store, known, task.model, progress)
        dim = dim or (seal.dim if seal is not None else 0)
        kind = store.index_vectors(dim)
        store.commit()
        passages = store.count_passages()
        base.write_seal(_seal(task, kind, dim, len(store.source_ids()), passages))
    store.tidy()
    return report(task.plan, embedded, passages)


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
