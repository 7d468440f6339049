"""Brings an index up to date: reads what changed, embeds what is new, seals the result.

    read -> split -> annotate -> store -> embed -> FAISS -> seal

Work is saved at two levels: a file whose content is unchanged is not read
again, and a passage whose text was embedded before keeps its vector.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from chipwise.domain import Domain
from chipwise.domain_files import read_domain
from chipwise.documents import follow_originals
from chipwise.errors import ChipwiseError, KnowledgeBaseBusy, KnowledgeBaseDamaged
from chipwise.figures import annotate
from chipwise.knowledge import (
    DOMAIN_NOTE,
    TEXT,
    VECTORS,
    Contents,
    KnowledgeBase,
    Seal,
    WantedSource,
    file_state,
    file_times,
)
from chipwise.models import ModelFiles, find_model
from chipwise.reading import read_bytes
from chipwise.splitting import PASSAGE_WORDS, split
from chipwise.store import SCHEMA_VERSION, FileState, Store, create_store, open_store, storage_errors
from chipwise.types import Document, Passage

if TYPE_CHECKING:
    from chipwise.vectors import Matrix

EXTRACTION = 1  # raised when the same text would be split or annotated otherwise

Progress = Callable[[str, int, int], None]  # stage, done, total


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
        """True when the sealed index was good already."""
        return not (self.added or self.changed or self.removed)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What differs between the documents wanted and the ones stored."""

    documents: tuple[tuple[Document, FileState], ...]
    touched: tuple[tuple[str, FileState], ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    unreadable: tuple[tuple[str, ChipwiseError], ...]


def is_current(base: KnowledgeBase, contents: Contents, seal: Seal | None) -> bool:
    """True when no input changed since the index was sealed, judged by sizes and times alone."""
    return seal is not None and seal.stamp == base.stamp(contents)


def build(base: KnowledgeBase, progress: Progress = lambda *_: None, *, fresh: bool = False) -> BuildReport:
    """Makes the index agree with the contents of `base`; with `fresh`, from nothing.

    Raises KnowledgeBaseBusy when another process builds, StorageFailed when the
    disk refuses, ModelUnavailable, DomainInvalid. Whatever is raised, the index
    that was sealed before still answers.
    """
    with _locked(base):
        follow_originals(base)
        contents = base.read_contents()
        seal = None if fresh else _usable_seal(base)
        domain = read_domain(*base.domain_folders())
        recipe = _recipe(domain)
        stamp = base.stamp(contents)
        with _previous_store(base, seal) as previous:
            plan = _plan(base.wanted(contents), previous, same_recipe=seal is not None and seal.recipe == recipe)
            model = _model(contents, seal)
            up_to_date = not (plan.documents or plan.removed) and seal is not None
            if seal is not None and up_to_date and seal.stamp == stamp:
                return _report(plan, 0, seal.passages)
        return _write_generation(base, seal, plan, model, domain, recipe, stamp, progress)


def _model(contents: Contents, seal: Seal | None) -> ModelFiles | None:
    """The model's files, or None when the sealed index was made with this very model name."""
    return None if seal is not None and seal.model == contents.model else find_model(contents.model)


@contextmanager
def _locked(base: KnowledgeBase) -> Iterator[None]:
    from filelock import FileLock, Timeout  # noqa: PLC0415

    with storage_errors(base.index_folder):
        base.index_folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(base.index_folder / ".lock", timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise KnowledgeBaseBusy(
                f"another chipwise is building {base.folder}", hint="wait until it has finished, then try again"
            ) from None
    try:
        yield
    finally:
        lock.release()


def _usable_seal(base: KnowledgeBase) -> Seal | None:
    """The seal to build upon; a damaged index is built anew rather than mended."""
    try:
        return base.read_seal()
    except ChipwiseError:
        return None


@contextmanager
def _previous_store(base: KnowledgeBase, seal: Seal | None) -> Iterator[Store | None]:
    if seal is None:
        yield None
        return
    with open_store(base.generation_folder(seal) / TEXT) as store:
        yield store


def _recipe(domain: Domain) -> str:
    parts = f"{SCHEMA_VERSION} {EXTRACTION} {PASSAGE_WORDS} {domain.to_json()}"
    return hashlib.sha256(parts.encode()).hexdigest()


def _plan(wanted: list[WantedSource], previous: Store | None, *, same_recipe: bool) -> _Plan:
    known = previous.file_states() if previous is not None else {}
    documents: list[tuple[Document, FileState]] = []
    touched: list[tuple[str, FileState]] = []
    unreadable: list[tuple[str, ChipwiseError]] = []
    kept: set[str] = set()
    for source in wanted:
        guess = source.id or source.path.stem
        state = known.get(guess)
        if same_recipe and state is not None and file_times(source.path) == (state.size, state.modified):
            kept.add(guess)
            continue
        try:
            data = source.path.read_bytes()
            now = file_state(source.path, data)
            if same_recipe and state is not None and state.sha256 == now.sha256:
                kept.add(guess)
                touched.append((guess, now))
                continue
            name = source.path.name
            document = read_bytes(data, name=name, origin=source.origin or str(source.path), source_id=source.id)
        except ChipwiseError as error:
            unreadable.append((str(source.path), error))
            continue
        except OSError as error:
            reason = KnowledgeBaseDamaged(
                f"{source.path} cannot be read: {error.strerror}", hint="restore it, or `chipwise remove` the source"
            )
            unreadable.append((str(source.path), reason))
            continue
        documents.append((document, now))
    fresh = {document.info.id for document, _ in documents}
    return _Plan(
        tuple(documents),
        tuple(touched),
        removed=tuple(sorted(set(known) - kept - fresh)),
        added=tuple(sorted(fresh - set(known))),
        changed=tuple(sorted(fresh & set(known))),
        unreadable=tuple(unreadable),
    )


def _write_generation(
    base: KnowledgeBase,
    seal: Seal | None,
    plan: _Plan,
    model: ModelFiles | None,
    domain: Domain,
    recipe: str,
    stamp: str,
    progress: Progress,
) -> BuildReport:
    name = _next_name(base)
    partial = base.index_folder / f".{name}"
    shutil.rmtree(partial, ignore_errors=True)
    try:
        with storage_errors(base.index_folder):
            partial.mkdir(parents=True)
            if seal is not None:
                shutil.copyfile(base.generation_folder(seal) / TEXT, partial / TEXT)
            store = open_store(partial / TEXT, write=True) if seal is not None else create_store(partial / TEXT)
            with store:
                _apply(store, plan, domain, progress)
                vectors, embedded, encoder = _vectors(base, seal, store, model, progress)
                passages, sources = store.count_passages(), len(store.source_ids())
                store.commit()
            kind = _write_vectors(partial / VECTORS, vectors)
            final = base.index_folder / name
            partial.rename(final)
        files = (model.name, model.sha256) if model is not None else ((seal.model, seal.model_sha256) if seal else ("", ""))
        base.write_seal(
            Seal(
                generation=name,
                encoder=encoder.name,
                model=files[0],
                model_sha256=files[1],
                dim=int(vectors.shape[1]),
                sources=sources,
                passages=passages,
                kind=kind,
                recipe=recipe,
                stamp=stamp,
                built=datetime.now(UTC).isoformat(timespec="seconds"),
                versions=_versions(),
                files=_checksums(base.index_folder, [final, encoder]),
            )
        )
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    _remove_old(base, keep={name, encoder.name})
    return _report(plan, embedded, passages)


def _apply(store: Store, plan: _Plan, domain: Domain, progress: Progress) -> None:
    store.write_note(DOMAIN_NOTE, domain.to_json())
    for source in (*plan.removed, *plan.changed):
        store.remove_source(source)
    for source, state in plan.touched:
        store.update_state(source, state)
    for number, (document, state) in enumerate(plan.documents, start=1):
        store.write_source(document.info, document.text, state)
        passages = split(document)
        sentences = annotate(passages, domain)
        store.write_passages(
            (passage, noted, above(document.info.title, passage), _digest(document.info.title, passage))
            for passage, noted in zip(passages, sentences, strict=True)
        )
        progress("reading", number, len(plan.documents))


def above(title: str, passage: Passage) -> str:
    """What stands over a passage: its source's title, its headings, its table's header."""
    path = " > ".join((title, *passage.heading))
    return f"{path}\n{passage.context}" if passage.context else path


def _digest(title: str, passage: Passage) -> bytes:
    return hashlib.sha256(f"{above(title, passage)}\n{passage.text}".encode("utf-8", "surrogatepass")).digest()


def _vectors(
    base: KnowledgeBase, seal: Seal | None, store: Store, model: ModelFiles | None, progress: Progress
) -> tuple[Matrix, int, Path]:
    """All vectors in row order, how many are new, and the folder of the query encoder."""
    import numpy as np  # noqa: PLC0415

    same_model = seal is not None and model is None
    old = _old_vectors(base, seal) if seal is not None and same_model else None
    rows = store.embedded()
    # a vector is found by what was embedded, so a passage that only moved keeps its own
    by_digest = {digest: vector for _, digest, vector in _stored_vectors(base, seal)} if old is not None else {}
    missing = [row for row, digest, _ in rows if digest not in by_digest]
    dim = old.shape[1] if old is not None else 0
    encoder_folder = base.encoder_folder(seal) if seal is not None and same_model else None
    made: dict[int, int] = {}
    if missing or encoder_folder is None:
        from chipwise.embedding import PassageEncoder  # noqa: PLC0415

        files = model or find_model(seal.model if seal else "")
        progress("loading the model", 0, 1)
        encoder = PassageEncoder(files)
        dim = encoder.dim
        done = 0

        def report(count: int) -> None:
            nonlocal done
            done += count
            progress("embedding", done, len(missing))

        progress("embedding", 0, len(missing))
        new = encoder.encode(store.embedding_texts(missing), report)
        made = {row: i for i, row in enumerate(missing)}
        if encoder_folder is None:
            progress("exporting the query encoder", 0, 1)
            encoder_folder = _export(base, encoder, files)
    matrix = np.empty((len(rows), dim), dtype=np.float32)
    for at, (row, digest, _) in enumerate(rows):
        matrix[at] = new[made[row]] if row in made else old[by_digest[digest]]  # type: ignore[index]
    store.number_vectors([row for row, _, _ in rows])
    return matrix, len(missing), encoder_folder


def _old_vectors(base: KnowledgeBase, seal: Seal) -> Matrix:
    from chipwise.vectors import open_index, read_vectors  # noqa: PLC0415

    return read_vectors(open_index(base.generation_folder(seal) / VECTORS))


def _stored_vectors(base: KnowledgeBase, seal: Seal | None) -> list[tuple[int, bytes, int | None]]:
    if seal is None:
        return []
    with open_store(base.generation_folder(seal) / TEXT) as previous:
        return previous.embedded()


def _export(base: KnowledgeBase, encoder: object, files: ModelFiles) -> Path:
    from chipwise.embedding import PassageEncoder  # noqa: PLC0415

    assert isinstance(encoder, PassageEncoder)  # noqa: S101
    # named after the generation too: the sealed index may still use one of the same model
    folder = base.index_folder / f"encoder-{files.sha256[:8]}-{_next_name(base)}"
    partial = folder.with_name(f".{folder.name}")
    shutil.rmtree(partial, ignore_errors=True)
    encoder.export(partial)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return folder


def _write_vectors(path: Path, vectors: Matrix) -> str:
    from chipwise.vectors import describe, open_index, write_index  # noqa: PLC0415

    write_index(path, vectors)
    return describe(open_index(path))


def _checksums(index_folder: Path, folders: list[Path]) -> dict[str, tuple[int, str]]:
    files = {}
    for path in sorted(p for folder in folders for p in folder.iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        files[str(path.relative_to(index_folder).as_posix())] = (path.stat().st_size, digest)
    return files


def _next_name(base: KnowledgeBase) -> str:
    numbers = [int(p.name[1:]) for p in base.index_folder.glob("g*") if p.name[1:].isdigit()]
    return f"g{max(numbers, default=0) + 1:06d}"


def _remove_old(base: KnowledgeBase, keep: set[str]) -> None:
    for path in (*base.index_folder.glob("g*"), *base.index_folder.glob("encoder-*"), *base.index_folder.glob(".g*")):
        if path.name not in keep:
            shutil.rmtree(path, ignore_errors=True)


def _versions() -> dict[str, str]:
    found = {}
    for package in ("chipwise", "sentence-transformers", "torch", "faiss-cpu", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _report(plan: _Plan, embedded: int, passages: int) -> BuildReport:
    return BuildReport(plan.added, plan.changed, plan.removed, embedded, passages, plan.unreadable)
