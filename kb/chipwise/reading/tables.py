"""Tables copied as plain text, one row per line.

Three shapes: cells separated by tabs, by two or more blanks or by "|"; and cells separated by one blank,
recognized by their values or by the header's first word.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
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
    tables: list[FlatTable] = []
    lines = _Lines(units)
    at = 0
    while at < len(units):
        end = lines.columns(at) or lines.values(at)
        if end is None:
            at += 1
            continue
        floor = tables[-1].last + 1 if tables else 0
        caption = at - 1 >= floor and _captions(units[at - 1])
        tables.append(FlatTable(at, end, lines.begins_with_header(at, end), caption))
        at = end + 1
    return tables


class _Lines:
    """Units with the properties that every possible start of a table would otherwise compute again."""

    def __init__(self, units: list[Unit]) -> None:
        self._units = units
        self._cells = [*map(_cells, units), 0]
        values = [[_VALUE.match(word) is not None for word in unit.words.split()] for unit in units]
        self._values = [sum(each) for each in values]
        holds = [any(each[1:]) for each in values]
        tabular = [self.share(at) >= VALUED and n >= FEWEST_COLUMNS for at, n in enumerate(self._values)]
        # prefix sums over the units
        self._holding = list(accumulate(holds, initial=0))
        self._tabular = list(accumulate(tabular, initial=0))
        self._ends = self._run_ends(holds)

    def share(self, at: int) -> float:
        """The share of words that are values, in [0, 1]."""
        return self._values[at] / self._units[at].count

    def _run_ends(self, holds: list[bool]) -> list[int]:
        """For each unit, the end of the run of short unpunctuated lines that begins with it.

        If no blank line ends the table, a line of words after it is a heading.
        """
        units, ends = self._units, list(range(len(self._units)))
        for at in range(len(units) - 2, -1, -1):
            if not units[at].last and _is_row(units[at + 1]):
                end = ends[at + 1]
                # a run may end with a line of words, but that line can't be its only row
                ends[at] = at if end == at + 1 and not (units[end].last or holds[end]) else end
        return ends

    def columns(self, at: int) -> int | None:
        """The last unit of a run of lines with equally many separated cells, or None."""
        cells, end = self._cells[at], at
        if cells < FEWEST_COLUMNS:
            return None
        while not self._units[end].last and self._cells[end + 1] == cells:
            end += 1
        return end if end - at + 1 >= FEWEST_ROWS else None

    def values(self, at: int) -> int | None:
        """The last unit of a table of single-blank rows with its header at `at`, or None."""
        header, end, rows = self._units[at], self._ends[at], self._ends[at] - at
        if not _is_row(header) or header.count <= FEWEST_COLUMNS or header.last or rows < FEWEST_ROWS - 1:
            return None
        below = self._holding[at + 2] > self._holding[at + 1]  # else the header is the line below a caption
        if header.words.endswith((":", "?", "→")) or (_captions(header) and not below):
            return None
        if _opens("table", header) and self.share(at) < HALF:
            return end if self._holding[end + 1] - self._holding[at + 1] >= HALF * rows else None
        valued = self._tabular[end + 1] - self._tabular[at + 1]
        return end if valued >= ROWS_VALUED * rows and self._values[at] < FEWEST_COLUMNS else None

    def begins_with_header(self, first: int, last: int) -> bool:
        """True if the first row names the columns: it has a smaller share of values than the others."""
        named = _opens("table", self._units[first]) and self.share(first) < HALF
        return named or self.share(first) < min(map(self.share, range(first + 1, last + 1)))


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
