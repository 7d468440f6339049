"""What a user adds to a knowledge base, and takes out of it.

An added document is copied into the folder, so that the index can always be
built again; the copy follows the original for as long as that exists.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from chipwise.corpus import shipped_documents
from chipwise.errors import ChipwiseError, SourceUnknown, SourceUnreadable, StorageFailed
from chipwise.knowledge import (
    AddedDocument,
    Contents,
    KnowledgeBase,
    file_times,
    with_documents,
    write_atomically,
)
from chipwise.reading import MAX_BYTES, find_files, read_bytes
from chipwise.store import storage_errors

STANDARD_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of each file: the ids added or replaced, and why others were refused."""

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    refused: tuple[tuple[str, ChipwiseError], ...]


def initialise(base: KnowledgeBase, *, shipped: bool, model: str) -> None:
    """Makes a knowledge base of `base.folder`, with the shipped corpus or without.

    Raises StorageFailed when it holds one already, or anything else.
    """
    with storage_errors(base.folder):
        occupied = base.folder.exists() and (not base.folder.is_dir() or any(base.folder.iterdir()))
    if occupied:
        raise StorageFailed(f"{base.folder} is not empty", hint="name a new or an empty folder with --kb")
    base.write_contents(Contents(shipped=shipped, model=model))


def add_files(base: KnowledgeBase, paths: Sequence[Path]) -> AddReport:
    """Adds files, and all readable files below folders. A file that cannot be read keeps no other out."""
    added: list[str] = []
    replaced: list[str] = []
    refused: list[tuple[str, ChipwiseError]] = []
    for path in paths:
        try:
            files = find_files(path)
        except ChipwiseError as error:
            refused.append((str(path), error))
            continue
        for file in files:
            try:
                data = _read_up_to_limit(file)
                known = _add(base, data, name=file.name, origin=str(file.resolve()))
            except ChipwiseError as error:
                refused.append((str(file), error))
            except OSError as error:
                reason = SourceUnreadable(f"{file} cannot be read: {error.strerror}", hint="check its permissions")
                refused.append((str(file), reason))
            else:
                (replaced if known[1] else added).append(known[0])
    return AddReport(tuple(added), tuple(replaced), tuple(refused))


def add_text(base: KnowledgeBase, data: bytes, name: str) -> AddReport:
    """Adds what came from standard input, under a name that its suffix may type."""
    id_, known = _add(base, data, name=PurePath(name).name or "stdin", origin=STANDARD_INPUT)
    return AddReport((), (id_,), ()) if known else AddReport((id_,), (), ())


def _read_up_to_limit(file: Path) -> bytes:
    """The file's bytes, and one more than a document may have at most: a device has no end."""
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _add(base: KnowledgeBase, data: bytes, *, name: str, origin: str) -> tuple[str, bool]:
    """Checks, copies and registers one document; the id, and whether it replaced one of the same origin."""
    wanted = read_bytes(data, name=name, origin=origin).info.id
    contents = base.read_contents()
    known = next((d for d in contents.documents if d.origin == origin and origin != STANDARD_INPUT), None)
    id_ = known.id if known else _free_id(contents, wanted, origin.encode("utf-8", "surrogateescape") + data)
    target = base.folder / "documents" / id_ / name
    write_atomically(target, data)  # a full disk must not cost the copy that is there
    times = file_times(Path(origin)) or (len(data), 0)
    document = AddedDocument(id_, origin, str(target.relative_to(base.folder)), *times)
    others = tuple(d for d in contents.documents if d.id != id_)
    base.write_contents(with_documents(contents, (*others, document)))
    return id_, known is not None


def _free_id(contents: Contents, wanted: str, identity: bytes) -> str:
    taken = {d.id for d in contents.documents}
    if contents.shipped:
        taken |= {path.stem for path in shipped_documents()}
    if wanted not in taken:
        return wanted
    # a digest rather than a counter: the same file gets the same id in every knowledge base
    return f"{wanted}-{hashlib.sha256(identity).hexdigest()[:6]}"


def remove_sources(base: KnowledgeBase, sources: Sequence[str]) -> tuple[AddedDocument, ...]:
    """Takes added documents out, by id or path. Raises SourceUnknown for one that was not added, and takes out none."""
    contents = base.read_contents()
    found = tuple(dict.fromkeys(_added(contents, source) for source in sources))
    base.write_contents(with_documents(contents, tuple(d for d in contents.documents if d not in found)))
    for document in found:
        shutil.rmtree((base.folder / document.file).parent, ignore_errors=True)
    return found


def _added(contents: Contents, source: str) -> AddedDocument:
    path = str(Path(source).resolve())
    found = next((d for d in contents.documents if source in (d.id, d.origin) or d.origin == path), None)
    if found is not None:
        return found
    if contents.shipped and any(path.stem == source for path in shipped_documents()):
        raise SourceUnknown(
            f"{source} is part of the shipped corpus", hint="a knowledge base made with `init --empty` is without it"
        )
    raise SourceUnknown(f"there is no added source {source!r}", hint="`chipwise sources` lists them")


def follow_originals(base: KnowledgeBase) -> None:
    """Copies added documents again whose originals changed; one that is gone or broken keeps its last copy."""
    contents = base.read_contents()
    current = []
    for document in contents.documents:
        now = file_times(Path(document.origin))
        if now is None or now == (document.size, document.modified):
            current.append(document)
            continue
        try:
            data = _read_up_to_limit(Path(document.origin))
            read_bytes(data, name=Path(document.file).name, origin=document.origin, source_id=document.id)
            write_atomically(base.folder / document.file, data)
        except StorageFailed:
            raise
        except (OSError, ChipwiseError):
            current.append(document)
        else:
            current.append(replace(document, size=now[0], modified=now[1]))
    if tuple(current) != contents.documents:
        base.write_contents(with_documents(contents, tuple(current)))
