"""Which reader a file gets, the limits on what is read, and the files of a folder."""

from __future__ import annotations

import importlib
import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Final

from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import DataDocument, Parsed, finish
from chipwise.reading.decoding import decode, normalise, one_line
from chipwise.reading.formats import STRUCTURED, UNREAD
from chipwise.types import Document, SourceInfo

# format -> (module, function), imported when a file of that format turns up
_TEXT_READERS: Final = {
    "markdown": ("chipwise.reading.markdown", "read_markdown"),
    "text": ("chipwise.reading.plaintext", "read_text"),
    "data": ("chipwise.grids.data", "read_data"),
}
_BYTE_READERS: Final = {
    "html": ("chipwise.reading.html", "read_html"),
    "pdf": ("chipwise.reading.pdf", "read_pdf"),
    "docx": ("chipwise.reading.docx", "read_docx"),
}
_FORMATS: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
READABLE: Final = frozenset(_FORMATS)

# A data sheet with its pictures has 20 MB, a book some 40. More is a disk image or
# a log, and would be held in memory two or three times.
MAX_BYTES: Final = 64 * 2**20
# 2.5 million words, some 15,000 passages: an hour of embedding on a laptop.
MAX_CHARACTERS: Final = 16 * 2**20
MOST_FILES: Final = 100_000  # below one folder; beyond it somebody has named their home


def read_file(path: Path, *, source_id: str | None = None) -> Document:
    """The file as a document. Raises SourceUnreadable for whatever stands in the way."""
    return read_bytes(read_data(path), name=path.name, origin=str(path.absolute()), source_id=source_id)


def read_data(path: Path) -> bytes:
    """The bytes of a file, one more than MAX_BYTES at most. Raises SourceUnreadable for whatever stands in the way."""
    name = one_line(str(path))
    try:
        if path.is_dir():
            raise SourceUnreadable(f"{name} is a folder, not a file", hint="name the files in it")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceUnreadable(f"{name} does not exist", hint="check the path") from error
    except PermissionError as error:
        raise SourceUnreadable(f"{name} may not be read", hint="change its permissions") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = one_line(getattr(error, "strerror", None) or str(error))
        raise SourceUnreadable(f"{name} cannot be read: {reason}", hint="check the path") from error


def read_bytes(data: bytes, *, name: str, origin: str, source_id: str | None = None) -> Document:
    """A document out of `data`; `name`'s suffix says the format, else its first bytes do.

    `origin` is where a reader can find it, unless front matter gives a URL.
    Raises SourceUnreadable.
    """
    shown = one_line(name) or "the input"
    _refuse_size(data, shown)
    try:
        parsed = _parse(data, _format(data, name), shown)
    except (RecursionError, MemoryError) as error:
        raise SourceUnreadable(
            f"{shown} is nested too deeply, or too large, to be read",
            hint="save its text as a plain text file",
        ) from error
    return _document(parsed, shown, name, origin, source_id)


def keeps_lines(name: str) -> bool:
    """Whether the lines that are read of a file are those that stand in it: not so for HTML, PDF and DOCX."""
    return _FORMATS.get(PurePath(name).suffix.lower(), "text") in _TEXT_READERS


def find_files(path: Path, also: frozenset[str] = frozenset()) -> list[Path]:
    """The file itself; for a folder the readable files below it, sorted, with those of the suffixes in `also`.

    Hidden files and folders and links to folders are left out, so a loop of links
    cannot hold us. Raises SourceUnreadable when nothing readable is there.
    """
    name = one_line(str(path))
    if not path.is_dir():
        if not path.exists():
            raise SourceUnreadable(f"{name} does not exist", hint="check the path")
        return [path]
    found: list[Path] = []
    suffixes = READABLE | also
    for folder, folders, files in os.walk(path, onerror=_refuse):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        found += [
            Path(folder, each)
            for each in files
            if not each.startswith(".")
            and PurePath(each).suffix.lower() in suffixes
            and os.path.isfile(f"{folder}/{each}")  # noqa: PTH113 (a pipe of that name would be waited for)
        ]
        if len(found) > MOST_FILES:
            raise SourceUnreadable(f"{name} holds over {MOST_FILES:,} files", hint="name a smaller folder")
    if not found:
        kinds = ", ".join(sorted(suffixes))
        raise SourceUnreadable(f"{name} holds no file that can be read", hint=f"readable are {kinds}")
    return sorted(found)


def slug(name: str) -> str:
    """Lower-case letters, digits and single hyphens; "" when nothing of the kind is in it."""
    plain = unicodedata.normalize("NFKD", name[:500]).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:100].strip("-")


def _refuse(error: OSError) -> None:
    raise SourceUnreadable(
        f"{one_line(str(error.filename))} may not be read", hint="change its permissions or leave it out"
    ) from error


def _format(data: bytes, name: str) -> str:
    """The format by suffix, unless the first bytes plainly say another; else by the first bytes."""
    start = data[:1024].lstrip(b"\xef\xbb\xbf\t\n\r ").lower()
    if start.startswith(b"%pdf-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return "docx"
    suffix = PurePath(name).suffix.lower()
    known = "data" if suffix in STRUCTURED else _FORMATS.get(suffix, "")
    if known:
        return known
    if suffix in UNREAD:
        raise SourceUnreadable(
            f"{one_line(name)} is not read: no reader knows {suffix} files",
            hint="save its figures as CSV, JSON or text",
        )
    return "html" if re.match(rb"<!doctype html|<html|<head|<body", start) else "text"


def _reader(kind: str) -> Callable[..., Parsed]:
    module, function = _TEXT_READERS.get(kind) or _BYTE_READERS[kind]
    read: Callable[..., Parsed] = getattr(importlib.import_module(module), function)
    return read


def _parse(data: bytes, kind: str, name: str) -> Parsed:
    read = _reader(kind)
    if kind in _BYTE_READERS:
        return read(data, name)
    text = decode(data, name)
    _refuse_long(text, name)
    try:
        return read(text, name)
    except RecursionError:
        if kind == "data":
            raise
        return _reader("text")(text, name)


def _refuse_size(data: bytes, shown: str) -> None:
    if len(data) > MAX_BYTES:
        raise SourceUnreadable(
            f"{shown} is larger than {MAX_BYTES >> 20} MiB",
            hint="split it, or save only its text",
        )
    if not data.strip():
        raise SourceUnreadable(f"{shown} is empty", hint="give a file that has text")


def _refuse_long(text: str, name: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise SourceUnreadable(
            f"{name} has over {MAX_CHARACTERS:,} characters of text", hint="split it into smaller files"
        )


def _document(parsed: Parsed, shown: str, name: str, origin: str, source_id: str | None) -> Document:
    _refuse_long(parsed.text, shown)
    matter, stem = parsed.matter, PurePath(name).stem
    title = matter.title or parsed.title or one_line(stem) or shown
    blocks = finish(parsed.text, parsed.drafts, title)
    if not any(any(map(str.isalnum, parsed.text[b.start : b.end])) for b in blocks):
        raise SourceUnreadable(f"{shown} has no text", hint="give a file that has text")
    info = SourceInfo(
        id=source_id or slug(matter.id) or slug(stem) or "document",
        title=title,
        origin=matter.url or normalise(origin),
        publisher=matter.publisher,
        author=matter.author,
        published=matter.published,
        kind=matter.kind or "document",
        lineage=matter.lineage,
        verified=matter.verified,
    )
    return (
        Document(info, parsed.text, blocks)
        if parsed.tree is None
        else DataDocument(info, parsed.text, blocks, parsed.tree)
    )
