"""Brings an index on a server up to date: in one transaction, so that a reader sees the one before or the one after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from chipwise.building.changes import Progress, apply
from chipwise.building.planning import BuildReport, make_task
from chipwise.building.vectorising import embed_new
from chipwise.contents import Contents
from chipwise.knowledge import KnowledgeFolder, WantedSource
from chipwise.models import find_model
from chipwise.postgres.server import KnowledgeServer

SERVED = "served"  # the name of every generation: a server has but one


def build_on_server(base: KnowledgeFolder, progress: Progress, *, fresh: bool) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing. Raises what `building.build` does."""
    assert isinstance(base, KnowledgeServer)  # noqa: S101
    with base.building() as store, TemporaryDirectory(prefix="chipwise-") as spool:

        def find(contents: Contents, everything: bool) -> tuple[list[WantedSource], set[str]]:
            """Of the added documents those that are not in the store as they are."""
            changed = base.changed_documents(everything=everything, spool=Path(spool))
            alone = {document.id for document in contents.documents} - {source.id for source in changed}
            return [*base.wanted(replace(contents, documents=())), *changed], alone

        seal = None if fresh else base.find_seal()
        task = make_task(base, seal, store.file_states(), find)
        if task.is_done:
            return task.report(0, seal.passages if seal else 0)
        same_model = seal is not None and seal.model == task.model
        known = store.known_vectors([*task.plan.changed, *task.plan.removed]) if same_model else {}
        apply(store, task, progress)
        if not same_model:
            store.forget_vectors()
        embedded, dim = embed_new(store, known, task.model, progress)
        dim = dim or (seal.dim if seal is not None else 0)
        kind, files, passages = store.index_vectors(dim), find_model(task.model), store.count_passages()
        store.commit()
        base.write_seal(
            task.seal_of(
                generation=SERVED,
                encoder=SERVED,
                model=files.name,
                model_sha256=files.sha256,
                dim=dim,
                sources=len(store.source_ids()),
                passages=passages,
                kind=kind,
            )
        )
    store.tidy()
    return task.report(embedded, passages)
