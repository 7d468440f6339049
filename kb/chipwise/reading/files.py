"""Picking a reader for a file, limits on its size, and the files of a folder."""

from __future__ import annotations

import errno
import importlib
import os
import re
import select
import stat
import unicodedata
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Final

from chipwise.errors import SourceUnreadable
from chipwise.files import without_waiting
from chipwise.reading.blocks import DataDocument, Parsed, finish
from chipwise.reading.decoding import decode, normalize, one_line
from chipwise.types import Document, SourceInfo

DELIMITED: Final = {".csv": ",;\t|", ".tsv": "\t"}
YAML: Final = frozenset((".yaml", ".yml"))
# language by suffix, for keywords and comments
LANGUAGES: Final = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    ".rs": "rust",
    ".toml": "toml",
    ".json": "json",
    **dict.fromkeys(".go .ts .tsx .js .mjs .jsx .java .kt .swift .cs .scala .dart .zig".split(), ""),
    **dict.fromkeys(".c .h .cc .cpp .cxx .hpp .hh .cu .cuh .hip .cl .metal".split(), ""),
}
STRUCTURED: Final = frozenset((*DELIMITED, *YAML, *LANGUAGES))
# formats that may hold constants too, but have no reader
UNREAD: Final = frozenset(
    ".ipynb .rb .lua .sh .bash .ps1 .php .pl .r .jl .m .xlsx .xls .ods .parquet .arrow .feather .sqlite .db .xml .proto .sql .ini .cfg .hcl .tf"
    " .hs .ml .ex .exs .erl .clj .vb .f90 .asm .wasm .pkl .npy .npz .h5 .pt .safetensors .gguf .zip .gz .tar .png .jpg .jpeg .svg".split()
)


def is_structured(name: str) -> bool:
    """True for a file of cells or code, without prose."""
    return PurePath(name).suffix.lower() in STRUCTURED


# format -> (module, function), imported for the first file of that format
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
    **dict.fromkeys((".md", ".markdown", ".mdx"), "markdown"),
    **dict.fromkeys((".txt", ".text"), "text"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
    ".docx": "docx",
}
READABLE: Final = frozenset(_FORMATS)

# A data sheet with pictures has 20 MB, a book some 40. Anything larger is a disk image or
# a log, and would take up memory two or three times.
MAX_BYTES: Final = 64 * 2**20
# 2.5 million words, some 15,000 passages: an hour of embedding on a laptop.
MAX_CHARACTERS: Final = 16 * 2**20
PIPE_SECONDS: Final = 20.0  # in which a pipe has something
MOST_FILES: Final = 100_000  # below one folder; with more, it is probably someone's home


def read_file(path: Path, *, source_id: str | None = None) -> Document:
    """Read a file as a document. Raises SourceUnreadable for any obstacle."""
    return read_bytes(read_data(path), name=path.name, origin=str(path.absolute()), source_id=source_id)


def read_data(path: Path) -> bytes:
    """Return a file's bytes, up to MAX_BYTES + 1. Raises SourceUnreadable for any obstacle."""
    name = one_line(str(path))
    try:
        if path.is_dir():
            raise SourceUnreadable(f"{name} is a folder, not a file", hint="name the files in it")
        with open(path, "rb", opener=without_waiting) as file:
            if stat.S_ISFIFO(os.fstat(file.fileno()).st_mode) and not select.select([file], [], [], PIPE_SECONDS)[0]:
                raise OSError(errno.ETIMEDOUT, "nothing is written into this pipe")
            os.set_blocking(file.fileno(), True)
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceUnreadable(f"{name} does not exist", hint="check the path") from error
    except PermissionError as error:
        raise SourceUnreadable(f"no permission to read {name}", hint="change its permissions") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = one_line(getattr(error, "strerror", None) or str(error))
        raise SourceUnreadable(f"{name} cannot be read: {reason}", hint="check the path") from error


def read_bytes(data: bytes, *, name: str, origin: str, source_id: str | None = None) -> Document:
    """Turn `data` into a document. The suffix of `name` gives the format; without one, the first bytes do.

    `origin` is where a reader can find it, unless front matter gives a URL. Raises SourceUnreadable.
    """
    shown = one_line(name) or "the input"
    _refuse_size(data, shown)
    try:
        parsed = _parse(data, _format(data, name), shown)
    except (RecursionError, MemoryError) as error:
        raise SourceUnreadable(
            f"{shown} is too large or too deeply nested to read", hint="save its text as a plain text file"
        ) from error
    return _document(parsed, shown, name, origin, source_id)


def keeps_lines(name: str) -> bool:
    """True if the text of such a file has the file's own lines; False for HTML, PDF and DOCX."""
    return _FORMATS.get(PurePath(name).suffix.lower(), "text") in _TEXT_READERS


def find_files(path: Path, also: frozenset[str] = frozenset()) -> list[Path]:
    """List the file itself, or the readable files below a folder, sorted. `also` adds suffixes.

    Hidden files and folders and links to folders are skipped, so loops of links can't trap us.
    Raises SourceUnreadable if nothing readable is there.
    """
    name = one_line(str(path))
    if not path.is_dir():
        if not path.exists():
            raise SourceUnreadable(f"{name} does not exist", hint="check the path")
        return [path]
    readable: list[Path] = []
    suffixes = READABLE | also
    for folder, folders, files in os.walk(path, onerror=_refuse):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        readable += [
            Path(folder, each)
            for each in files
            if not each.startswith(".")
            and PurePath(each).suffix.lower() in suffixes
            and os.path.isfile(f"{folder}/{each}")  # noqa: PTH113 (a pipe of that name would be waited for)
        ]
        if len(readable) > MOST_FILES:
            raise SourceUnreadable(f"{name} holds over {MOST_FILES:,} files", hint="choose a smaller folder")
    if not readable:
        kinds = ", ".join(sorted(suffixes))
        raise SourceUnreadable(f"{name} holds no readable file", hint=f"readable files end in {kinds}")
    return sorted(readable)


def slug(name: str) -> str:
    """Return lower-case letters, digits and single hyphens; "" if the name has none."""
    plain = unicodedata.normalize("NFKD", name[:500]).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:100].strip("-")


def _refuse(error: OSError) -> None:
    raise SourceUnreadable(
        f"no permission to read {one_line(str(error.filename))}", hint="change its permissions or leave it out"
    ) from error


def _format(data: bytes, name: str) -> str:
    """Return the format by suffix, unless the first bytes clearly disagree; without a known suffix, by the first bytes."""
    start = data[:1024].lstrip(b"\xef\xbb\xbf\t\n\r ").lower()
    if start.startswith(b"%pdf-"):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return "docx"
    suffix = PurePath(name).suffix.lower()
    kind = "data" if suffix in STRUCTURED else _FORMATS.get(suffix, "")
    if kind:
        return kind
    if suffix in UNREAD:
        raise SourceUnreadable(
            f"{one_line(name)} can't be read: {suffix} files aren't supported",
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
        raise SourceUnreadable(f"{shown} is larger than {MAX_BYTES >> 20} MiB", hint="split it, or save only its text")
    if not data.strip():
        raise SourceUnreadable(f"{shown} is empty", hint="give a file with text")


def _refuse_long(text: str, name: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise SourceUnreadable(f"{name} has over {MAX_CHARACTERS:,} characters", hint="split it into smaller files")


def _document(parsed: Parsed, shown: str, name: str, origin: str, source_id: str | None) -> Document:
    _refuse_long(parsed.text, shown)
    matter, stem = parsed.matter, PurePath(name).stem
    title = matter.title or parsed.title or one_line(stem) or shown
    blocks = finish(parsed.text, parsed.drafts, title)
    if not any(any(map(str.isalnum, parsed.text[b.start : b.end])) for b in blocks):
        raise SourceUnreadable(f"{shown} has no text", hint="give a file with text")
    info = SourceInfo(
        id=source_id or slug(matter.id) or slug(stem) or "document",
        title=title,
        origin=matter.url or normalize(origin),
        publisher=matter.publisher,
        author=matter.author,
        published=matter.published,
        kind=matter.kind or "document",
        lineage=matter.lineage,
        verified=matter.verified,
    )
    tree = parsed.tree
    return Document(info, parsed.text, blocks) if tree is None else DataDocument(info, parsed.text, blocks, tree)
