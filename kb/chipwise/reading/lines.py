"""Plain text cut into units (a paragraph, a list item, a bare line), and the tables among these.

Plain text comes in two habits: one line per paragraph (copied from a web page) and
paragraphs wrapped at some column (mail, README, RFC). Tables have one row per line, in three shapes: cells separated by
tabs, by two or more blanks or by "|"; and cells separated by one blank, recognized by their values or by the header's
first word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final

from chipwise import patterns as re
from chipwise.reading.sections import wordings

BULLET: Final = re.compile(r"(?:[-*+•◦‣▪●○·–—]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
# separators of table cells: tabs, a bar, or blanks that don't follow a period
CELLS: Final = re.compile(r"\t+|[ \t]{0,8}\|[ \t]{0,8}|(?<=[^\s.!?:;,]) {2,}")
_RULE: Final = re.compile(r"[-=_*~#+.]{3,}")  # a line drawn under a heading, or between sections
_SENTENCE_END: Final = re.compile(r"[.!?…][\"'”’)\]]*$")

NARROWEST_WRAP: Final = 60  # columns; shorter lines in a row are a list or a table
WIDEST_WRAP: Final = 120
FEWEST_LINES: Final = 2  # continued lines needed to infer a width
LONGEST_ROW: Final = 640  # characters of a table's row
MOSTLY: Final = 0.6  # share of a wrapped chunk's lines that break where the next word didn't fit
FEWEST_ROWS: Final = 3  # header included; two lines alike are a coincidence
MOST_CAPTION_WORDS: Final = 20
MOST_ROW_CHARACTERS: Final = 160
LONGEST_CELL: Final = 60
FEWEST_COLUMNS: Final = 2
HALF: Final = 0.5
VALUED: Final = 0.3  # "Memory bandwidth 3.35 TB/s 2 TB/s": the share of a row's words that are values
ROWS_VALUED: Final = 0.75
_VALUE: Final = re.compile(r"[~≈<>±+(]*[$€£]?\d|[✓✔✗✘—–-]$|(?:Yes|No|N/A)\b")


@dataclass(slots=True)
class Unit:
    """A paragraph, an item or a bare line of the text.

    `first` and `last`: a blank line, or the end of the text, comes before or after it. `count` is its
    number of words. Never changed after creation.
    """

    start: int
    end: int
    words: str
    first: bool
    last: bool
    count: int = field(init=False)
    is_item: bool = field(init=False)
    ends_sentence: bool = field(init=False)
    is_question: bool = field(init=False)

    def __post_init__(self) -> None:
        end = self.words[-8:]
        self.count = len(self.words.split())
        self.is_item = BULLET.match(self.words) is not None
        self.ends_sentence = _SENTENCE_END.search(end) is not None
        self.is_question = end.rstrip("\"'”’)").endswith("?")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    words: str
    indent: int


def read_units(text: str) -> list[Unit]:
    """List the units in order, without those that have no letter or digit."""
    lines = list(_lines(text))
    width = _wrap_width(lines)
    units: list[Unit] = []
    for blank, group in groupby(lines, key=lambda line: not line.words):
        if blank:
            continue
        chunk = list(group)
        parts = _paragraphs(chunk, width)
        for at, part in enumerate(parts):
            words = " ".join(line.words for line in part)
            end = part[-1].start + len(part[-1].words)
            unit = Unit(part[0].start, end, words, at == 0, at == len(parts) - 1)
            if any(map(str.isalnum, words)):
                units.append(unit)
    return units


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for raw in text.split("\n"):
        words = raw.strip()
        if _RULE.fullmatch(words):
            words = ""
        indent = raw.index(words[0]) if words else 0
        yield _Line(at + indent, words, indent)
        at += len(raw) + 1


def _wrap_width(lines: list[_Line]) -> int:
    """The column at which most continued lines break, or 0."""
    going_on = sorted((len(a.words), a.words[-8:]) for a, b in pairwise(lines) if a.words and b.words)
    unfinished = sum(not _SENTENCE_END.search(end) for _, end in going_on)
    if len(going_on) < FEWEST_LINES or unfinished < MOSTLY * len(going_on):
        return 0
    width = going_on[round(0.9 * (len(going_on) - 1))][0]
    return width if NARROWEST_WRAP <= width <= WIDEST_WRAP else 0


def _paragraphs(chunk: list[_Line], width: int) -> list[list[_Line]]:
    """Join the chunk's lines where they were wrapped or hang below a list item."""
    fits = [_would_fit(a, b, width) for a, b in pairwise(chunk)]
    wrapped = bool(fits) and width > 0 and fits.count(False) >= MOSTLY * len(fits)
    parts = [[chunk[0]]]
    for fit, (before, line) in zip(fits, pairwise(chunk), strict=True):
        top = parts[-1][0]
        hangs = line.indent > top.indent and BULLET.match(top.words)
        ended = fit and _SENTENCE_END.search(before.words[-8:])
        apart = _stands_alone(line) or _has_cells(before)
        if not apart and (hangs or (wrapped and not ended)):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _would_fit(line: _Line, after: _Line, width: int) -> bool:
    """True if the next line's first word had room on this one, so the break was intended."""
    word = after.words.split(maxsplit=1)[0]
    return len(line.words) + 1 + len(word) <= width or _stands_alone(after)


def _stands_alone(line: _Line) -> bool:
    return BULLET.match(line.words) is not None or _has_cells(line)


def _has_cells(line: _Line) -> bool:
    return len(line.words) <= LONGEST_ROW and CELLS.search(line.words) is not None


@dataclass(frozen=True, slots=True)
class FlatTable:
    """Units `first` to `last`, both included. `header`: the first row is one; `caption`: the unit above is one."""

    first: int
    last: int
    header: bool
    caption: bool


def find_tables(units: list[Unit]) -> list[FlatTable]:
    """List the tables in order; they never overlap."""
    values = [[_VALUE.match(word) is not None for word in unit.words.split()] for unit in units]
    tables: list[FlatTable] = []
    for first, last in _spans(units, values):
        shares = [sum(values[at]) / units[at].count for at in range(first, last + 1)]
        header = (_opens("table", units[first]) and shares[0] < HALF) or shares[0] < min(shares[1:])
        floor = tables[-1].last + 1 if tables else 0
        tables.append(FlatTable(first, last, header, first - 1 >= floor and _captions(units[first - 1])))
    return tables


def _spans(units: list[Unit], values: list[list[bool]]) -> Iterator[tuple[int, int]]:
    cells = [*map(_cells, units), 0]
    at = 0
    while at < len(units):
        end = at
        while cells[at] >= FEWEST_COLUMNS and not units[end].last and cells[end + 1] == cells[at]:
            end += 1
        if end - at + 1 >= FEWEST_ROWS:
            yield at, end
            at = end + 1
            continue
        # what follows without a blank line, short and unpunctuated, has one end for all of its lines
        end = at
        while (
            end + 1 < len(units) and not units[end].last and _is_row(units[end + 1]) and cells[end + 1] < FEWEST_COLUMNS
        ):
            end += 1
        last = end
        if end > at and not units[end].last and not any(values[end][1:]):
            last -= 1  # without a blank line below the table, a line of words after it is a heading
        first = _header_of_values(units, values, at, last)
        if first is not None:
            yield first, last
        at = end + 1


def _header_of_values(units: list[Unit], values: list[list[bool]], start: int, end: int) -> int | None:
    """The first of a run of lines that may be the header of those below it, whose cells one blank parts; None if none is."""
    holding = valued = 0
    found = None
    for rows, at in enumerate(range(end, start - 1, -1)):
        unit, own = units[at], sum(values[at])
        if (
            rows >= FEWEST_ROWS - 1
            and _is_row(unit)
            and unit.count > FEWEST_COLUMNS
            and not unit.words.endswith((":", "?", "→"))
        ):
            below = any(values[at + 1][1:])  # else the header is the line below a caption
            named = _opens("table", unit) and own < HALF * unit.count
            enough = holding >= HALF * rows if named else valued >= ROWS_VALUED * rows and own < FEWEST_COLUMNS
            if enough and (below or not _captions(unit)):
                found = at
        holding += any(values[at][1:])
        valued += own >= max(FEWEST_COLUMNS, VALUED * unit.count)
    return found


def _is_row(unit: Unit) -> bool:
    is_prose = unit.is_item or unit.ends_sentence or unit.count < FEWEST_COLUMNS
    return not is_prose and len(unit.words) <= MOST_ROW_CHARACTERS


def _cells(unit: Unit) -> int:
    if unit.is_item or len(unit.words) > 4 * MOST_ROW_CHARACTERS:
        return 0
    cells = [cell for cell in CELLS.split(unit.words) if cell.strip()]
    return len(cells) if cells and sum(map(len, cells)) <= LONGEST_CELL * len(cells) else 0


def _captions(unit: Unit) -> bool:
    return not unit.is_item and unit.count <= MOST_CAPTION_WORDS and _opens("caption", unit)


def _opens(kind: str, unit: Unit) -> bool:
    return wordings().weigh(kind, unit.words) > 0
