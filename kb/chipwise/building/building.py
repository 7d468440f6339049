"""Brings an index up to date: reads what changed, embeds what is new, seals the result.

    plan -> store passages -> embed -> FAISS -> seal

Work is saved at two levels: a file whose content is unchanged is not read
again, and a passage whose text was embedded before keeps its vector.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

from chipwise.building.changes import Progress, Reader, apply, read_each
from chipwise.building.documents import follow_originals
from chipwise.building.generations import checksums, new_generation
from chipwise.building.planning import BuildReport, Task, make_task
from chipwise.building.prebuilt import UNPACKED, unpack
from chipwise.building.vectorising import vectorise
from chipwise.errors import ChipwiseError
from chipwise.files import locked
from chipwise.index.store import create_store, open_store
from chipwise.index.vectors import describe, open_index, write_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model

PATIENCE = 60.0  # seconds for another process to unpack the shipped index, which takes it one or two


def build(
    base: KnowledgeFolder, progress: Progress = lambda *_: None, *, fresh: bool = False, read: Reader = read_each
) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing.

    Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid; what was sealed before then still answers.
    """
    if base.shared:
        from chipwise.building.publishing import build_on_server  # noqa: PLC0415 (needs psycopg)

        return build_on_server(base, progress, fresh=fresh)
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


def _write_generation(task: Task, progress: Progress, read: Reader) -> BuildReport:
    base = task.base
    if task.seal is None:
        find_model(task.model)  # now: it is needed last, and then all documents would have been read
    with new_generation(base) as (name, partial):
        if task.seal is not None:
            shutil.copyfile(base.generation_folder(task.seal) / TEXT, partial / TEXT)
        with open_store(partial / TEXT, write=True) if task.seal else create_store(partial / TEXT) as store:
            apply(store, task, progress, read)
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
