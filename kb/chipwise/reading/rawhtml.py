"""Words and tables in raw HTML inside Markdown, as spans of the source.

Tags inside a sentence stay in the span. Hidden parts (scripts, styles, comments) and tags at either end don't.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from chipwise import patterns as re
from chipwise.reading.blocks import Span
from chipwise.reading.htmlparts import FEWEST_CELLS, LONGEST_CELL, guess_heads
from chipwise.taggedrows import cells_of, plain_words, rows_within

_HIDDEN: Final = re.compile(r"<(!--|script\b|style\b|template\b|noscript\b|svg\b|\?|!\[CDATA\[)", re.IGNORECASE)
_CLOSERS: Final = {"!--": "-->", "?": "?>", "![cdata[": "]]>"}
_LEADING: Final = re.compile(r"(?:\s*</?[A-Za-z!][^<>]*>)*\s*")
_TRAILING: Final = re.compile(r"(?:</?[A-Za-z][^<>]*>|\s+)\Z")
# subtle: excluding nested tables bounds the search for a closing tag that is missing
_TABLE: Final = re.compile(r"<table\b[^<]*(?:<(?!/?table\b)[^<]*)*</table\s*>", re.IGNORECASE)
_HEAD_END: Final = re.compile(r"</thead\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table from its first row to its last, with the span of its header, if any."""

    span: Span
    header: Span | None


def parts_of(text: str, start: int, end: int) -> Iterator[tuple[Span, RawTable | None]]:
    """Yield the visible spans with words between `start` and `end`, and data tables among them."""
    for first, stop in _shown(text, start, end):
        at = first
        for match in _TABLE.finditer(text, first, stop):
            table = _read_table(text, *match.span())
            if table is None:
                continue
            if before := _trim(text, at, match.start()):
                yield before, None
            yield table.span, table
            at = match.end()
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
    """Return the table, or None for one that lays out pictures or other tables."""
    rows = rows_within(text, start, end)
    cells = [[*cells_of(text, *row)] for row in rows]
    texts = [[plain_words(text[c.start : c.end]) for c in row for _ in range(c.across)] for row in cells]
    columns = max((sum(map(bool, row)) for row in texts), default=0)
    longest = max((len(cell) for row in texts for cell in row), default=0)
    if len(rows) < FEWEST_CELLS or columns < FEWEST_CELLS or longest > LONGEST_CELL:
        return None
    marked = [
        len(row) > 1 and all(c.heads or (n == 0 and c.start == c.end) for n, c in enumerate(row)) for row in cells
    ]
    thead = _HEAD_END.search(text, start, end)
    heads = sum(row[1] <= thead.start() for row in rows) if thead else 0
    heads = heads or sum(1 for _ in takewhile(bool, marked)) or guess_heads(texts)
    header = (rows[0][0], rows[heads - 1][1]) if 0 < heads < len(rows) else None
    return RawTable((rows[0][0], rows[-1][1]), header)


def _find(text: str, closer: str, start: int, end: int) -> int:
    match = re.compile(re.escape(closer), re.IGNORECASE).search(text, start, end)
    return match.start() if match else -1


def _trim(text: str, start: int, end: int) -> Span | None:
    """Return the span without tags at its ends, or None if no word is left."""
    leading = _LEADING.match(text, start, end)
    start = leading.end() if leading else start
    piece = text[start:end]
    while trailing := _TRAILING.search(piece[-1000:]):
        piece = piece[: len(piece) - (trailing.end() - trailing.start())]
    return (start, start + len(piece)) if any(map(str.isalnum, piece)) else None
