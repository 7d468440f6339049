"""Raw HTML inside Markdown: its words, and its tables as rows and cells, all as spans of the source.

    <tr><th>GPU</th><td><b>80 GB</b></td></tr>   ->   the row, with the cells "GPU" and "80 GB"

Tags inside a sentence stay in the span. Hidden parts (scripts, styles, comments) and tags at either end don't.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from chipwise import patterns as re
from chipwise.text import Span

LONGEST_CELL: Final = 600  # characters; a longer cell is a column of the page's layout
FEWEST_CELLS: Final = 2  # rows and columns of a data table
FEWEST_HEADED: Final = 3  # columns of a table with a guessed header; two columns are mostly a list of properties
MOST_ACROSS: Final = 100  # columns of one cell
_ROW: Final = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_ROW_END: Final = re.compile(r"\s*</?(?:tr|tbody|thead|tfoot|table)\b", re.IGNORECASE)
_CELL: Final = re.compile(r"<t([dh])\b([^<>]*)>", re.IGNORECASE)
_CELL_END: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_ACROSS: Final = re.compile(r"\bcolspan\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_DOWN: Final = re.compile(r"\browspan\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_LEADING: Final = re.compile(r"(?:\s|<[^<>]*>)*")
_TAG: Final = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class TaggedCell:
    """`text[start:end]` without the tags at its ends, empty if it has no words; `across` columns and `down` rows."""

    start: int
    end: int
    across: int
    down: int
    heads: bool


def is_tagged(text: str, at: int = 0) -> bool:
    """True if a row's tag begins at `at`."""
    return _ROW.match(text, at) is not None


def rows_within(text: str, start: int, end: int) -> list[Span]:
    """List the rows between `start` and `end`, each from its tag to the end of its last cell."""
    starts = [match.start() for match in _ROW.finditer(text, start, end)]
    return [_trimmed(text, *span) for span in pairwise([*starts, end])]


def cells_of(text: str, start: int, end: int) -> Iterator[TaggedCell]:
    """Yield the cells of a row, in order."""
    opening = [*_CELL.finditer(text, start, end)]
    after = [*(match.start() for match in opening[1:]), end]
    for match, stop in zip(opening, after, strict=False):  # a row may have no cell
        closed = _CELL_END.search(text, match.end(), stop)
        inner = _undressed(text, match.end(), closed.start() if closed else stop)
        yield TaggedCell(*inner, _number(_ACROSS, match[2]), _number(_DOWN, match[2]), match[1] in "hH")


def plain_words(cell: str) -> str:
    """The visible words of a cell, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", cell)).split())


def barred(row: str) -> str:
    """Return a row in Markdown: "| H100 | 80 GB |"."""
    cells = (plain_words(row[cell.start : cell.end]).replace("|", "\\|") for cell in cells_of(row, 0, len(row)))
    return f"| {' | '.join(cells)} |"


def _trimmed(text: str, start: int, end: int) -> Span:
    closed = [match.end() for match in _CELL_END.finditer(text, start, end)]
    if closed:
        return start, closed[-1]
    left = _ROW_END.search(text, start + 1, end)
    return start, left.start() if left else end


def _undressed(text: str, start: int, end: int) -> Span:
    opening = _LEADING.match(text, start, end)
    start = opening.end() if opening else start
    while start < end and (text[end - 1].isspace() or text[end - 1] == ">"):
        tag = text.rfind("<", start, end) if text[end - 1] == ">" else end - 1
        if tag < 0:
            break
        end = tag
    return (start, end) if start < end else (start, start)


def _number(pattern: re.Pattern[str], attributes: str) -> int:
    value = pattern.search(attributes)
    return min(max(int(value[1]), 1), MOST_ACROSS) if value else 1


_HIDDEN: Final = re.compile(r"<(!--|script\b|style\b|template\b|noscript\b|svg\b|\?|!\[CDATA\[)", re.IGNORECASE)
_CLOSERS: Final = {"!--": "-->", "?": "?>", "![cdata[": "]]>"}
_LEADING_TAGS: Final = re.compile(r"(?:\s*</?[A-Za-z!][^<>]*>)*\s*")
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
    leading = _LEADING_TAGS.match(text, start, end)
    start = leading.end() if leading else start
    piece = text[start:end]
    while trailing := _TRAILING.search(piece[-1000:]):
        piece = piece[: len(piece) - (trailing.end() - trailing.start())]
    return (start, start + len(piece)) if any(map(str.isalnum, piece)) else None


def guess_heads(rows: Sequence[Sequence[str]]) -> int:
    """1 if the first row looks like an unmarked header (distinct words above figures), else 0."""
    names = rows[0][1:]
    if len(rows[0]) < FEWEST_HEADED or not all(names) or len(set(rows[0])) < len(rows[0]) or any(map(_is_value, names)):
        return 0
    return int(2 * sum(any(map(_is_value, row[1:])) for row in rows[1:]) > len(rows) - 1)


def _is_value(words: str) -> bool:
    return words.lstrip("~≈<>≤≥±+-$€£ ")[:1].isdigit()
