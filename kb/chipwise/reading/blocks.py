"""Drafts of blocks, the builder that writes text for formats without any, and the blocks that a document keeps.

HTML, DOCX and PDF have no text file to point into. A `Builder` writes their blocks one after
the other, separated by a blank line, and keeps spans and heading paths.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from chipwise import patterns as re
from chipwise.reading.decoding import normalize
from chipwise.reading.sections import Outline, clean_heading
from chipwise.text import Span
from chipwise.types import Block, Document, Role
from chipwise.values import dataclass

_OF_SOMETHING = (Role.TABLE, Role.LIST)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The metadata of a file: the keys that we know, "" for a missing one."""

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
    """A block before its span is stripped and its line counted."""

    start: int
    end: int
    role: Role
    heading: tuple[str, ...] = ()
    page: int | None = None
    header: Span | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of a format's reader. `title` comes from the text itself, "" if it has none."""

    text: str
    drafts: list[Draft]
    matter: FrontMatter = FrontMatter()
    title: str = ""
    tree: Any = None  # of a file of cells or code, see grids.tree


@dataclass(frozen=True, slots=True)
class DataDocument(Document):
    """A file of cells or code: its text unchanged, and its tree."""

    tree: Any


def finish(text: str, drafts: Iterable[Draft], title: str) -> tuple[Block, ...]:
    """Turn drafts into blocks: in order, disjoint, stripped, never blank.

    If two drafts overlap, the earlier one keeps the shared part: a reader's mistake may cost a
    heading, but spans stay disjoint. The title is dropped from the heading paths below it, unless a
    table or a list comes before it.
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
    """Return the span without surrounding white space; start == end if nothing is left."""
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    if lead == len(piece):
        return start, start
    return start + lead, start + len(piece.rstrip())


GAP: Final = "\n\n"
# invisible characters: soft hyphens, joiners, marks
_WEIGHTLESS: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
MOST_COLUMNS: Final = 64


class Builder:
    """Writes text block by block, with drafts and the current heading path."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self._parts: list[str] = []
        self._length = 0
        self._outline = Outline()

    @property
    def text(self) -> str:
        """The text so far."""
        return GAP.join(self._parts)

    def heading(self, words: str, level: int, *, page: int | None = None) -> None:
        """Write a heading of level 1 to 6 (or deeper). It closes headings of the same and deeper levels."""
        title = clean_heading(words)
        if not title:
            return
        self._outline.close(level)
        self.block(words.replace("\n", " "), Role.HEADING, page=page)
        self._outline.open(title, level, of_document=level == 1 and len(self.drafts) == 1)

    def block(self, words: str, role: Role, *, page: int | None = None, above: tuple[str, ...] = ()) -> None:
        """Write a block unless it is blank. `above` extends the heading path for this block only."""
        words = tidy(words)
        if not words:
            return
        start = self._length
        self._parts.append(words)
        self._length += len(words) + len(GAP)
        path = self._outline.path + above
        self.drafts.append(Draft(start, start + len(words), self._outline.role_of(role), path, page))

    def table(self, rows: list[list[str]], heads: int, *, role: Role = Role.TABLE, above: tuple[str, ...] = ()) -> None:
        """Write a table: a line per row, cells separated by " | ". The first `heads` rows are its header."""
        lines = [" | ".join(map(_cell, row[:MOST_COLUMNS])) for row in rows]
        lines = [line for line in lines if line.strip(" |")]
        if not lines:
            return
        self.block("\n".join(lines), role, above=above)
        draft = self.drafts[-1]
        if 0 < heads < len(lines):
            width = len("\n".join(lines[:heads]).strip())
            header: Span = (draft.start, draft.start + width)
            self.drafts[-1] = Draft(draft.start, draft.end, draft.role, draft.heading, draft.page, header)


def tidy(words: str) -> str:
    """Normalize text: collapse blanks, strip each line, drop blank lines."""
    plain = _BLANKS.sub(" ", normalize(_WEIGHTLESS.sub("", words)))
    return "\n".join(line for each in plain.split("\n") if (line := each.strip()))


def _cell(words: str) -> str:
    return " ".join(tidy(words).replace("|", "/").split())
