"""Raw HTML inside Markdown: its words, and its tables as rows and cells, all as spans of the source.

    <tr><th>GPU</th><td><b>80 GB</b></td></tr>   ->   the row, with the cells "GPU" and "80 GB"

Tags inside a sentence stay in the span. Hidden parts (scripts, styles, comments) and tags at either end don't.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from chipwise import patterns as re
from chipwise.text import Span

LONGEST_CELL: Final = 600  # characters; a longer cell is a column of the page's layout
FEWEST_CELLS: Final = 2  # rows and columns of a data table
FEWEST_HEADED: Final = 3  # columns of a table with a guessed header; two columns are mostly a list of properties
MOST_ACROSS: Final = 100  # columns of one cell
_TAG: Final = re.compile(r"<(/?)([A-Za-z!][^\s<>/]*)([^<>]*)>|<[^<>]*>")
_SPANS: Final = re.compile(r"\b(col|row)span\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
_HIDDEN: Final = re.compile(r"<(!--|script\b|style\b|template\b|noscript\b|svg\b|\?|!\[CDATA\[)", re.IGNORECASE)
_CLOSERS: Final = {"!--": "-->", "?": "?>", "![cdata[": "]]>"}
_CELLS: Final = ("td", "th")
_ROWS: Final = ("tr", "tbody", "thead", "tfoot", "table")


@dataclass(frozen=True, slots=True)
class TaggedCell:
    """`text[start:end]` without the tags at its ends, empty if it has no words; `across` columns and `down` rows."""

    start: int
    end: int
    across: int
    down: int
    heads: bool


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table from its first row to its last, with the span of its header, if any."""

    span: Span
    header: Span | None


class _Tag(NamedTuple):
    start: int
    end: int
    closes: bool
    name: str
    rest: str


def _tags(text: str, start: int, end: int, names: tuple[str, ...]) -> list[_Tag]:
    """The tags of these names between `start` and `end`, in order."""
    found = _TAG.finditer(text, start, end)
    tags = (_Tag(m.start(), m.end(), m[1] == "/", (m[2] or "").lower(), m[3] or "") for m in found)
    return [tag for tag in tags if tag.name in names]


def is_tagged(text: str, at: int = 0) -> bool:
    """True if a row's tag begins at `at`."""
    tag = _TAG.match(text, at)
    return tag is not None and not tag[1] and (tag[2] or "").lower() == "tr"


def rows_within(text: str, start: int, end: int) -> list[Span]:
    """List the rows between `start` and `end`, each from its tag to the end of its last cell."""
    tags = _tags(text, start, end, (*_CELLS, *_ROWS))
    starts = [at for at, tag in enumerate(tags) if tag.name == "tr" and not tag.closes]
    rows = []
    for first, stop in pairwise([*starts, len(tags)]):
        own = tags[first + 1 : stop]
        closed = [tag.end for tag in own if tag.name in _CELLS and tag.closes]
        beyond = next((tag.start for tag in own if tag.name in _ROWS), tags[stop].start if stop < len(tags) else end)
        rows.append((tags[first].start, closed[-1] if closed else beyond))
    return rows


def cells_of(text: str, start: int, end: int) -> Iterator[TaggedCell]:
    """Yield the cells of a row, in order."""
    tags = _tags(text, start, end, _CELLS)
    for at, tag in enumerate(tags):
        if not tag.closes:
            inner = _trimmed(text, tag.end, tags[at + 1].start if at + 1 < len(tags) else end)
            spans = {which.lower(): min(max(int(number), 1), MOST_ACROSS) for which, number in _SPANS.findall(tag.rest)}
            yield TaggedCell(*inner, spans.get("col", 1), spans.get("row", 1), tag.name == "th")


def plain_words(cell: str) -> str:
    """The visible words of a cell, in one line."""
    return " ".join(html.unescape(_TAG.sub(" ", cell)).split())


def barred(row: str) -> str:
    """Return a row in Markdown: "| H100 | 80 GB |"."""
    cells = (plain_words(row[cell.start : cell.end]).replace("|", "\\|") for cell in cells_of(row, 0, len(row)))
    return f"| {' | '.join(cells)} |"


def _trimmed(text: str, start: int, end: int) -> Span:
    """The span without tags and blanks at its ends; (start, start) if nothing is left."""
    kept = [span for span in _between_tags(text, start, end) if text[slice(*span)].strip()]
    if not kept:
        return start, start
    first, last = text[slice(*kept[0])], text[slice(*kept[-1])]
    return kept[0][0] + len(first) - len(first.lstrip()), kept[-1][0] + len(last.rstrip())


def _between_tags(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    for tag in _TAG.finditer(text, start, end):
        yield at, tag.start()
        at = tag.end()
    yield at, end


def parts_of(text: str, start: int, end: int) -> Iterator[tuple[Span, RawTable | None]]:
    """Yield the visible spans with words between `start` and `end`, and data tables among them."""
    for first, stop in _shown(text, start, end):
        at = first
        for opened, closed in _tables(text, first, stop):
            table = _read_table(text, opened, closed)
            if table is not None:
                yield from _words(text, at, opened)
                yield table.span, table
                at = closed
        yield from _words(text, at, stop)


def _words(text: str, start: int, end: int) -> Iterator[tuple[Span, None]]:
    span = _trimmed(text, start, end)
    if any(map(str.isalnum, text[slice(*span)])):
        yield span, None


def _shown(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    while at < end:
        hidden = _HIDDEN.search(text, at, end)
        yield at, hidden.start() if hidden else end
        if hidden is None:
            return
        opener = hidden[1].lower()
        closer = _CLOSERS.get(opener, f"</{opener}")
        closed = re.compile(re.escape(closer), re.IGNORECASE).search(text, hidden.end(), end)
        if closed is None:  # never closed: a browser would hide the rest too
            return
        bracket = text.find(">", closed.start(), end)
        at = end if bracket < 0 else bracket + 1


def _tables(text: str, start: int, end: int) -> Iterator[Span]:
    """The tables that hold no other table."""
    opened: int | None = None
    for tag in _tags(text, start, end, ("table",)):
        if tag.closes and opened is not None:
            yield opened, tag.end
        opened = None if tag.closes else tag.start
    yield from [] if opened is None else [(opened, end)]  # a part of a page


def _read_table(text: str, start: int, end: int) -> RawTable | None:
    """Return the table, or None for one that lays out pictures or other tables."""
    rows = rows_within(text, start, end)
    cells = [[*cells_of(text, *row)] for row in rows]
    texts = [[plain_words(text[c.start : c.end]) for c in row for _ in range(c.across)] for row in cells]
    columns = max((sum(map(bool, row)) for row in texts), default=0)
    longest = max((len(cell) for row in texts for cell in row), default=0)
    if len(rows) < FEWEST_CELLS or columns < FEWEST_CELLS or longest > LONGEST_CELL:
        return None
    each = ([c.heads or (n == 0 and c.start == c.end) for n, c in enumerate(row)] for row in cells)
    marked = [len(row) > 1 and all(row) for row in each]
    thead = next((tag.start for tag in _tags(text, start, end, ("thead",)) if tag.closes), start)
    heads = sum(row[1] <= thead for row in rows) or sum(1 for _ in takewhile(bool, marked)) or guess_heads(texts)
    header = (rows[0][0], rows[heads - 1][1]) if 0 < heads < len(rows) else None
    return RawTable((rows[0][0], rows[-1][1]), header)


def guess_heads(rows: Sequence[Sequence[str]]) -> int:
    """1 if the first row looks like an unmarked header (distinct words above figures), else 0."""
    names = rows[0][1:]
    if len(rows[0]) < FEWEST_HEADED or not all(names) or len(set(rows[0])) < len(rows[0]) or any(map(_is_value, names)):
        return 0
    return int(2 * sum(any(map(_is_value, row[1:])) for row in rows[1:]) > len(rows) - 1)


def _is_value(words: str) -> bool:
    return words.lstrip("~≈<>≤≥±+-$€£ ")[:1].isdigit()
