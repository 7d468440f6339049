"""Drafts of blocks, as the readers make them, and the blocks that a document keeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from chipwise.types import Block, Document, Role
from chipwise.values import dataclass

Span: TypeAlias = tuple[int, int]
_OF_SOMETHING = (Role.TABLE, Role.LIST)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself: the keys that we know, "" where it does not say."""

    id: str = ""
    title: str = ""
    publisher: str = ""
    author: str = ""
    published: str = ""
    url: str = ""
    kind: str = ""
    lineage: tuple[str, ...] = ()
    verified: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A block before its span is stripped and its line is counted."""

    start: int
    end: int
    role: Role
    heading: tuple[str, ...] = ()
    page: int | None = None
    header: Span | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a reader of one format hands back. `title` is the text's own, "" where it has none."""

    text: str
    drafts: list[Draft]
    matter: FrontMatter = FrontMatter()
    title: str = ""
    tree: Any = None  # of a file of cells or code, see grids.tree


@dataclass(frozen=True, slots=True)
class DataDocument(Document):
    """A file of cells or code: the text as it stands, and its tree."""

    tree: Any


def finish(text: str, drafts: Iterable[Draft], title: str) -> tuple[Block, ...]:
    """Blocks in order, disjoint, stripped, never blank.

    Of two drafts that overlap the earlier keeps the shared part: a reader's
    mistake may cost a heading, never the promise that spans are disjoint.
    The title is no heading of what stands below it, unless a table or a list
    above it is not of it.
    """
    blocks: list[Block] = []
    reached, counted, line, titled = 0, 0, 1, True
    for draft in sorted(drafts, key=lambda draft: (draft.start, draft.end)):
        start, end = strip_span(text, max(draft.start, reached), draft.end)
        if start >= end:
            continue
        line += text.count("\n", counted, start)
        counted, reached = start, end
        path = draft.heading
        titled = titled and (bool(path) or draft.role not in _OF_SOMETHING)
        if path and path[0] == title and titled:
            path = path[1:]
        header = strip_span(text, *draft.header) if draft.header else None
        if header and not start <= header[0] < header[1] <= end:
            header = None
        blocks.append(Block(start, end, line, draft.role, path, draft.page, header))
    return tuple(blocks)


def strip_span(text: str, start: int, end: int) -> Span:
    """The span without surrounding white space; start == end when nothing is left."""
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    if lead == len(piece):
        return start, start
    return start + lead, start + len(piece.rstrip())
