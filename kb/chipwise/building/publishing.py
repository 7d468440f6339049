"""Brings an index on a server up to date: in one transaction, so that a reader sees the one before or the one after it."""

from __future__ import annotations

from chipwise.building.changes import Progress, apply
from chipwise.building.planning import BuildReport, make_task
from chipwise.building.vectorising import embed
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import find_model
from chipwise.postgres.server import KnowledgeServer

SERVED = "served"  # the name of every generation: a server has but one


def build_on_server(base: KnowledgeFolder, progress: Progress, *, fresh: bool) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing. Raises what `building.build` does."""
    assert isinstance(base, KnowledgeServer)  # noqa: S101
    with base.building() as store:
        task = make_task(base, None if fresh else base.find_seal(), store)
        if task.seal is not None and task.is_done:
            return task.report(0, task.seal.passages)
        known = store.known_vectors([*task.plan.changed, *task.plan.removed]) if task.upon else {}
        apply(store, task, progress)
        if task.upon is None:
            store.forget_vectors()
        files, lacking = find_model(task.model), store.not_embedded()
        found, embedded = embed(store, lacking, known, files, progress)
        store.write_vectors((row, vector) for (row, _), (vector, _) in zip(lacking, found, strict=True))
        store.write_meanings((row, meaning) for (row, _), (_, meaning) in zip(lacking, found, strict=True))
        dim = len(found[0][0]) if found else task.seal.dim if task.seal else 0
        kind = store.index_vectors(dim)
        store.commit()
        seal = task.seal_of(store, files, generation=SERVED, encoder=SERVED, dim=dim, kind=kind)
        base.write_seal(seal)
    store.tidy()
    return task.report(embedded, seal.passages)
