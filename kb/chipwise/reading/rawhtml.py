"""Where the words are in a stretch of raw HTML inside Markdown, and its tables.

Spans of the source are returned, so tags in the middle of a sentence stay; what
is hidden (scripts, styles, comments) and tags at either end do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from chipwise import patterns as re
from chipwise.reading.blocks import Span
from chipwise.reading.htmltables import FEWEST_CELLS, LONGEST_CELL, guess_heads
from chipwise.taggedrows import cells_of, plain_words, rows_within

_HIDDEN: Final = re.compile(r"<(!--|script\b|style\b|template\b|noscript\b|svg\b|\?|!\[CDATA\[)", re.IGNORECASE)
_CLOSERS: Final = {"!--": "-->", "?": "?>", "![cdata[": "]]>"}
_LEADING: Final = re.compile(r"(?:\s*</?[A-Za-z!][^<>]*>)*\s*")
_TRAILING: Final = re.compile(r"(?:</?[A-Za-z][^<>]*>|\s+)\Z")
# subtle: what never closes is looked for once, as a table may not hold another
_TABLE: Final = re.compile(r"<table\b[^<]*(?:<(?!/?table\b)[^<]*)*</table\s*>", re.IGNORECASE)
_HEAD_END: Final = re.compile(r"</thead\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table from its first row to its last, with the span of its header where it has one."""

    span: Span
    header: Span | None


def parts_of(text: str, start: int, end: int) -> Iterator[tuple[Span, RawTable | None]]:
    """Spans between `start` and `end` that hold words, and its tables of data among them, without what is hidden."""
    for first, stop in _shown(text, start, end):
        at = first
        for found in _TABLE.finditer(text, first, stop):
            table = _read_table(text, *found.span())
            if table is None:
                continue
            if before := _trim(text, at, found.start()):
                yield before, None
            yield table.span, table
            at = found.end()
        if after := _trim(text, at, stop):
            yield after, None


def _shown(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    while at < end:
        hidden = _HIDDEN.search(text, at, end)
        yield at, hidden.start() if hidden else end
        if hidden is None:
            return
        opener = hidden[1].lower()
        closer = _CLOSERS.get(opener, f"</{opener}")
        closed = _find(text, closer, hidden.end(), end)
        if closed < 0:  # never closed: a browser would hide the rest too
            return
        bracket = text.find(">", closed, end)
        at = end if bracket < 0 else bracket + 1


def _read_table(text: str, start: int, end: int) -> RawTable | None:
    """The table, or None for one that lays out pictures or other tables."""
    rows = rows_within(text, start, end)
    cells = [[*cells_of(text, *row)] for row in rows]
    said = [[plain_words(text[c.start : c.end]) for c in row for _ in range(c.across)] for row in cells]
    columns = max((sum(map(bool, row)) for row in said), default=0)
    longest = max((len(cell) for row in said for cell in row), default=0)
    if len(rows) < FEWEST_CELLS or columns < FEWEST_CELLS or longest > LONGEST_CELL:
        return None
    marked = [
        len(row) > 1 and all(c.heads or (n == 0 and c.start == c.end) for n, c in enumerate(row)) for row in cells
    ]
    thead = _HEAD_END.search(text, start, end)
    heads = sum(row[1] <= thead.start() for row in rows) if thead else 0
    heads = heads or sum(1 for _ in takewhile(bool, marked)) or guess_heads(said)
    header = (rows[0][0], rows[heads - 1][1]) if 0 < heads < len(rows) else None
    return RawTable((rows[0][0], rows[-1][1]), header)


def _find(text: str, closer: str, start: int, end: int) -> int:
    found = re.compile(re.escape(closer), re.IGNORECASE).search(text, start, end)
    return found.start() if found else -1


def _trim(text: str, start: int, end: int) -> Span | None:
    """The span without tags at its ends, or None when no word is left."""
    leading = _LEADING.match(text, start, end)
    start = leading.end() if leading else start
    piece = text[start:end]
    while found := _TRAILING.search(piece[-1000:]):
        piece = piece[: len(piece) - (found.end() - found.start())]
    return (start, start + len(piece)) if any(map(str.isalnum, piece)) else None
