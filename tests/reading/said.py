"""What tests ask of a document: its blocks' words, roles and paths."""

from __future__ import annotations

from chipwise.reading import read_bytes
from chipwise.types import Block, Document, Role


def read(text: str | bytes, name: str) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return read_bytes(data, name=name, origin=f"/docs/{name}")


def words(document: Document, block: Block) -> str:
    return document.text[block.start : block.end]


def found(document: Document, part: str) -> Block:
    """The one block that holds `part`."""
    (block,) = [block for block in document.blocks if part in words(document, block)]
    return block


def role(document: Document, part: str) -> Role:
    return found(document, part).role
