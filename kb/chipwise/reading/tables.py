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

FEWEST_ROWS: Final = 3  # header included; two lines alike are a coincidence
MOST_CAPTION_WORDS: Final = 20
MOST_ROW_CHARACTERS: Final = 160
LONGEST_CELL: Final = 60
FEWEST_COLUMNS: Final = 2
HALF: Final = 0.5
VALUED: Final = 0.3  # "Memory bandwidth 3.35 TB/s 2 TB/s": the share of a row's words that are values
ROWS_VALUED: Final = 0.75

# the first cell of a comparison's header
_HEADER: Final = re.compile(
    r"(?:Features?|Spec(?:ification)?s?|Metrics?|Aspects?|Categor(?:y|ies)|Criteri(?:a|on)|Attributes?|Parameters?|Factors?|Chips?|GPUs?|TPUs?"
    r"|Accelerators?|Models?|Devices?|Products?|Generations?|Propert(?:y|ies)|Items?|Types?|Names?|Characteristics?|Dimensions?|Components?"
    r"|Instances?(?: type)?|Workloads?|Providers?|Regions?|Precision|Data type|Year|Version)\b",
    re.IGNORECASE,
)
_CAPTION: Final = re.compile(
    r"(?:Table\b|Comparison\b|Comparing\b|Specifications?\b|Overview of\b|Summary of\b)", re.IGNORECASE
)
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
        tables.append(FlatTable(at, end, _is_header(units[at : end + 1]), caption))
        at = end + 1
    return tables


class _Lines:
    """Units with the properties that every possible start of a table would otherwise compute again."""

    def __init__(self, units: list[Unit]) -> None:
        self._units = units
        self._cells = [_cells(unit) for unit in units]
        self._is_row = [_is_row(unit) for unit in units]
        holds = [_holds_value(unit) for unit in units]
        tabular = [_share(unit) >= VALUED and _count_values(unit) >= FEWEST_COLUMNS for unit in units]
        # prefix sums over the units
        self._holding = list(accumulate(holds, initial=0))
        self._tabular = list(accumulate(tabular, initial=0))
        self._ends = self._run_ends(holds)

    def _run_ends(self, holds: list[bool]) -> list[int]:
        """For each unit, the end of the run of short unpunctuated lines that begins with it.

        If no blank line ends the table, a line of words after it is a heading.
        """
        units, ends = self._units, list(range(len(self._units)))
        for at in range(len(units) - 2, -1, -1):
            if not units[at].last and self._is_row[at + 1]:
                end = ends[at + 1]
                # a run may end with a line of words, but that line can't be its only row
                ends[at] = at if end == at + 1 and not (units[end].last or holds[end]) else end
        return ends

    def columns(self, at: int) -> int | None:
        """The last unit of a run of lines with equally many separated cells, or None."""
        cells = self._cells[at]
        if cells < FEWEST_COLUMNS:
            return None
        end = at
        while end + 1 < len(self._units) and not self._units[end].last and self._cells[end + 1] == cells:
            end += 1
        return end if end - at + 1 >= FEWEST_ROWS else None

    def values(self, at: int) -> int | None:
        """The last unit of a table of single-blank rows with its header at `at`, or None."""
        header, end = self._units[at], self._ends[at]
        if not self._is_row[at] or header.count <= FEWEST_COLUMNS or header.last:
            return None
        if header.words.endswith((":", "?", "→")):
            return None
        rows = end - at
        if rows < FEWEST_ROWS - 1 or (_captions(header) and not self._count(self._holding, at + 1, at + 1)):
            return None  # in the second case the header is the line below
        if _HEADER.match(header.words) and _share(header) < HALF:
            return end if self._count(self._holding, at + 1, end) >= HALF * rows else None
        valued = self._count(self._tabular, at + 1, end)
        return end if valued >= ROWS_VALUED * rows and _count_values(header) < FEWEST_COLUMNS else None

    @staticmethod
    def _count(sums: list[int], first: int, last: int) -> int:
        """Count the units from `first` to `last`, both included, by prefix sums."""
        return sums[last + 1] - sums[first]


def _is_row(unit: Unit) -> bool:
    is_prose = unit.is_item or unit.ends_sentence or unit.count < FEWEST_COLUMNS
    return not is_prose and len(unit.words) <= MOST_ROW_CHARACTERS


def _cells(unit: Unit) -> int:
    if unit.is_item or len(unit.words) > 4 * MOST_ROW_CHARACTERS:
        return 0
    cells = [cell for cell in CELLS.split(unit.words) if cell.strip()]
    return len(cells) if cells and sum(map(len, cells)) <= LONGEST_CELL * len(cells) else 0


def _count_values(unit: Unit) -> int:
    return sum(1 for word in unit.words.split() if _VALUE.match(word))


def _holds_value(unit: Unit) -> bool:
    return any(_VALUE.match(word) for word in unit.words.split()[1:])


def _share(unit: Unit) -> float:
    """The share of words that are values, in [0, 1]."""
    return _count_values(unit) / unit.count


def _is_header(rows: list[Unit]) -> bool:
    """True if the first row names the columns: it has a smaller share of values than the others."""
    if _HEADER.match(rows[0].words) and _share(rows[0]) < HALF:
        return True
    return _share(rows[0]) < min(map(_share, rows[1:]))


def _captions(unit: Unit) -> bool:
    return not unit.is_item and unit.count <= MOST_CAPTION_WORDS and bool(_CAPTION.match(unit.words))
