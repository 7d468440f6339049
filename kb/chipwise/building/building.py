"""Brings an index up to date: reads what changed, embeds what is new, seals the result.

    plan -> store passages -> embed -> FAISS -> seal

Work is saved at two levels: a file whose content is unchanged is not read
again, and a passage whose text was embedded before keeps its vector.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from chipwise.building.changes import Progress, Reader, apply, read_each
from chipwise.building.documents import follow_originals
from chipwise.building.generations import checksums, new_generation
from chipwise.building.planning import BuildReport, Task, make_task
from chipwise.building.prebuilt import unpack
from chipwise.building.vectorising import vectorise
from chipwise.errors import ChipwiseError
from chipwise.files import FileState, locked
from chipwise.index.store import Store, create_store, open_store
from chipwise.index.vectors import describe, open_index, write_index
from chipwise.knowledge import TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import find_model


def build(
    base: KnowledgeFolder, progress: Progress = lambda *_: None, *, fresh: bool = False, read: Reader = read_each
) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing.

    Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid; what was sealed before then still answers.
    """
    if base.shared:
        from chipwise.building.publishing import build_on_server  # noqa: PLC0415 (needs psycopg)

        return build_on_server(base, progress, fresh=fresh)
    unpacked = None if fresh else unpack(base, progress)
    if unpacked is not None:
        with open_store(base.generation_folder(unpacked) / TEXT) as store:
            return BuildReport(tuple(store.source_ids()), (), (), 0, unpacked.passages, ())
    with locked(base.index_folder / ".lock", f"building {base.folder}", timeout=0):
        follow_originals(base)
        seal = None if fresh else _usable_seal(base)
        task = make_task(base, seal, _stored(base, seal), lambda contents, _: (base.wanted(contents), set()))
        if task.is_done:
            return task.report(0, task.seal.passages if task.seal else 0)
        return _write_generation(task, progress, read)


def _stored(base: KnowledgeFolder, seal: Seal | None) -> dict[str, FileState]:
    if seal is None:
        return {}
    with open_store(base.generation_folder(seal) / TEXT) as previous:
        return previous.file_states()


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
        with _new_store(task, partial / TEXT) as store:
            apply(store, task, progress, read)
            made = vectorise(base, task.seal, store, task.model, name, progress)
            passages, sources = store.count_passages(), len(store.source_ids())
            store.commit()
        same = task.seal if task.seal is not None and task.seal.model == task.model else None
        upon = None if same is None else base.generation_folder(same) / VECTORS
        write_index(partial / VECTORS, made.vectors, upon)
        partial.rename(base.index_folder / name)
        base.write_seal(
            task.seal_of(
                generation=name,
                encoder=made.encoder.name,
                model=made.model,
                model_sha256=made.model_sha256,
                dim=int(made.vectors.shape[1]),
                sources=sources,
                passages=passages,
                kind=describe(open_index(base.index_folder / name / VECTORS)),
                files=checksums(base.index_folder, [base.index_folder / name, made.encoder]),
            )
        )
    return task.report(made.embedded, passages)


def _new_store(task: Task, path: Path) -> Store:
    if task.seal is None:
        return create_store(path)
    shutil.copyfile(task.base.generation_folder(task.seal) / TEXT, path)
    return open_store(path, write=True)
