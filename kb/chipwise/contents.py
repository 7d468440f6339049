"""What belongs to a knowledge base, as its knowledge.json says it, and which of that is believed.

A file that people may edit names paths which are written to and removed: one
that leads elsewhere is refused.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from chipwise import patterns as re
from chipwise.models import DEFAULT_MODEL
from chipwise.values import dataclass

FORMAT = 1  # of knowledge.json and seal.json
DOCUMENTS = "documents"  # the folder of the copies
_ID = re.compile(r"[a-z0-9-]+")  # a slug, see reading.files


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """A document that a user added: `file` is our copy, below the folder; `size` and `modified` its original's."""

    id: str
    origin: str
    file: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What belongs to a knowledge base."""

    shipped: bool = True
    model: str = DEFAULT_MODEL
    documents: tuple[AddedDocument, ...] = ()


def with_documents(contents: Contents, documents: tuple[AddedDocument, ...]) -> Contents:
    """The same contents with other documents."""
    return replace(contents, documents=documents)


def checked_contents(data: Any) -> Contents:
    """The contents that parsed JSON stands for. Raises ValueError, KeyError or TypeError for any other value."""
    if data["format"] != FORMAT:
        raise ValueError(f"it has format {data['format']!r}, this chipwise reads {FORMAT}")
    shipped, model, documents = data["shipped"], data["model"], data["documents"]
    if not (isinstance(shipped, bool) and isinstance(model, str) and isinstance(documents, list)):
        raise TypeError("`shipped` must be true or false, `model` a name, `documents` a list")
    model.encode()  # a lone surrogate, which JSON may hold, can be written nowhere
    return Contents(shipped, model, tuple(checked_document(d) for d in documents))


def checked_document(data: Any) -> AddedDocument:
    """The document that parsed JSON or a row stands for. Raises ValueError, KeyError or TypeError, as its file is written to."""
    document = AddedDocument(**data)
    texts: tuple[object, ...] = (document.id, document.origin, document.file)
    numbers: tuple[object, ...] = (document.size, document.modified)
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        raise TypeError("`id`, `origin` and `file` of a document must be text")
    document.id.encode()
    document.file.encode("utf-8", "surrogateescape")  # a file's name may be no UTF-8, and then has these in its place
    if not all(type(number) is int for number in numbers):
        raise TypeError("`size` and `modified` of a document must be whole numbers")
    if not _ID.fullmatch(document.id):
        raise ValueError(f"{document.id!r} is no id: lower-case letters, digits and hyphens")
    parts = PurePosixPath(document.file).parts
    if parts[:-1] != (DOCUMENTS, document.id) or parts[-1] == "..":
        raise ValueError(f"{document.file!r} is no path of the form {DOCUMENTS}/{document.id}/NAME")
    return document
