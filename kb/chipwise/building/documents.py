"""What a user adds to a knowledge base, and takes out of it.

An added document is copied, so that the index can always be built again; the copy follows the original while that exists.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from chipwise.corpus import shipped_documents
from chipwise.errors import ChipwiseError, SourceUnknown, SourceUnreadable
from chipwise.files import file_times
from chipwise.knowledge import DOCUMENTS, AddedDocument, Contents, KnowledgeFolder
from chipwise.reading import find_files, read_bytes
from chipwise.reading.files import read_data

STANDARD_INPUT = "<stdin>"
LONGEST_NAME = 255  # bytes, on every common file system


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of each file: the ids added or replaced, and why others were refused."""

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    refused: tuple[tuple[str, ChipwiseError], ...]


def initialise(base: KnowledgeFolder, *, shipped: bool, model: str) -> None:
    """Makes a knowledge base of `base.folder`, with the shipped corpus or without.

    Raises StorageFailed when it holds one already, or anything else.
    """
    base.refuse_occupied()
    with base.editing():
        base.refuse_occupied()  # subtle: again, as another process may have been first
        base.write_contents(Contents(shipped=shipped, model=model))


def add_files(base: KnowledgeFolder, paths: Sequence[Path]) -> AddReport:
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
                times = file_times(file)  # before it is read: the next build follows a change meanwhile
                data = read_data(file)
                id_, known = _add(base, data, name=file.name, origin=str(file.resolve()), times=times)
            except ChipwiseError as error:
                refused.append((str(file), error))
            else:
                (replaced if known else added).append(id_)
    return AddReport(tuple(added), tuple(replaced), tuple(refused))


def add_text(base: KnowledgeFolder, data: bytes, name: str) -> AddReport:
    """Adds what came from standard input, under a name that its suffix may type.

    Raises SourceUnreadable, for a name that no file could have too.
    """
    own = PurePath(name).name
    if own in ("", "..") or "\0" in own or len(own.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
        raise SourceUnreadable(f"{name!r} is not a file name", hint="give one such as `--name notes.md`")
    id_, known = _add(base, data, name=own, origin=STANDARD_INPUT, times=None)
    return AddReport((), (id_,), ()) if known else AddReport((id_,), (), ())


def _add(
    base: KnowledgeFolder, data: bytes, *, name: str, origin: str, times: tuple[int, int] | None
) -> tuple[str, bool]:
    """Checks, copies and registers one document; the id, and whether it replaced one of the same origin."""
    wanted = read_bytes(data, name=name, origin=origin).info.id
    with base.editing() as contents:
        known = next((d for d in contents.documents if d.origin == origin and origin != STANDARD_INPUT), None)
        id_ = known.id if known else _free_id(contents, wanted, origin.encode("utf-8", "surrogateescape") + data)
        file = f"{DOCUMENTS}/{id_}/{name}"
        base.keep_document(contents, AddedDocument(id_, origin, file, *(times or (len(data), 0))), data)
    return id_, known is not None


def _free_id(contents: Contents, wanted: str, identity: bytes) -> str:
    shipped = shipped_documents() if contents.shipped else []
    taken = {d.id for d in contents.documents} | {path.stem for path in shipped}
    if wanted not in taken:
        return wanted
    # a digest rather than a counter: the same file gets the same id in every knowledge base
    return f"{wanted}-{hashlib.sha256(identity).hexdigest()[:6]}"


def remove_sources(base: KnowledgeFolder, sources: Sequence[str]) -> tuple[AddedDocument, ...]:
    """Takes added documents out, by id or path. Raises SourceUnknown for one that was not added, and takes out none."""
    with base.editing() as contents:
        found = tuple(dict.fromkeys(_added(contents, source) for source in sources))
        base.drop_documents(contents, found)
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


def follow_originals(base: KnowledgeFolder) -> None:
    """Copies added documents again whose originals changed; one that is gone or broken keeps its last copy."""
    for document in base.read_contents().documents:
        now = file_times(Path(document.origin))
        if now is None or now == (document.size, document.modified):
            continue
        try:
            data = read_data(Path(document.origin))
            read_bytes(data, name=Path(document.file).name, origin=document.origin, source_id=document.id)
        except ChipwiseError:
            continue
        with base.editing() as contents:
            if document in contents.documents:  # another process may have added or removed it since it was looked at
                base.keep_document(contents, replace(document, size=now[0], modified=now[1]), data)
