"""The documents that ship, each read and split once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chipwise.corpus import shipped_documents
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document, Passage

from .each import each

each_document = each("path", shipped_documents, name=lambda path: path.name)


@cache
def document(path: Path) -> Document:
    return read_file(path)


@cache
def passages(path: Path) -> list[Passage]:
    return split(document(path))
