"""Tables copied as plain text, one row per line.

Three shapes: cells separated by tabs, by two or more blanks or by "|"; and cells separated by one blank,
recognized by their values or by the header's first word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chipwise import patterns as re
from chipwise.reading.lines import CELLS, Unit
from chipwise.reading.wordings import wordings

FEWEST_ROWS: Final = 3  # header included; two lines alike are a coincidence
MOST_CAPTION_WORDS: Final = 20
MOST_ROW_CHARACTERS: Final = 160
LONGEST_CELL: Final = 60
FEWEST_COLUMNS: Final = 2
HALF: Final = 0.5
VALUED: Final = 0.3  # "Memory bandwidth 3.35 TB/s 2 TB/s": the share of a row's words that are values
ROWS_VALUED: Final = 0.75
_VALUE: Final = re.compile(r"[~≈<>±+(]*[$€£]?\d|[✓✔✗✘—–-]$|(?:Yes|No|N/A)\b")


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
