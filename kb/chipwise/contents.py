"""The contents of a knowledge base, as stored in knowledge.json, and their validation.

People may edit that file, and its paths are written to and removed, so a path that leads elsewhere is refused.
"""

from __future__ import annotations

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
    """A document added by the user. `file` is our copy, below the folder; `size` and `modified` belong to its original."""

    id: str
    origin: str
    file: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Contents:
    """The shipped corpus or none, the embedding model, and the added documents."""

    shipped: bool = True
    model: str = DEFAULT_MODEL
    documents: tuple[AddedDocument, ...] = ()


def checked_contents(data: Any) -> Contents:
    """Validate parsed JSON and return the contents. Raises ValueError, KeyError or TypeError."""
    if data["format"] != FORMAT:
        raise ValueError(f"it has format {data['format']!r}; this chipwise reads {FORMAT}")
    shipped, model, documents = data["shipped"], data["model"], data["documents"]
    if not (isinstance(shipped, bool) and isinstance(model, str) and isinstance(documents, list)):
        raise TypeError("`shipped` must be true or false, `model` a name, `documents` a list")
    model.encode()  # JSON may contain a lone surrogate, which can't be written
    return Contents(shipped, model, tuple(checked_document(d) for d in documents))


def checked_document(data: Any) -> AddedDocument:
    """Validate JSON or a row and return the document, whose file will be written. Raises ValueError, KeyError or TypeError."""
    document = AddedDocument(**data)
    texts: tuple[object, ...] = (document.id, document.origin, document.file)
    numbers: tuple[object, ...] = (document.size, document.modified)
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        raise TypeError("`id`, `origin` and `file` of a document must be text")
    document.id.encode()
    document.file.encode("utf-8", "surrogateescape")  # a file's name may not be UTF-8
    if not all(type(number) is int for number in numbers):
        raise TypeError("`size` and `modified` of a document must be whole numbers")
    if not _ID.fullmatch(document.id):
        raise ValueError(f"{document.id!r} is not an id: use lower-case letters, digits and hyphens")
    parts = PurePosixPath(document.file).parts
    if parts[:-1] != (DOCUMENTS, document.id) or parts[-1] == "..":
        raise ValueError(f"{document.file!r} is not a path of the form {DOCUMENTS}/{document.id}/NAME")
    return document
