"""Tables that lost their lines: rows of a table copied as text, one row per line.

Three shapes are known: cells parted by tabs, by two or more blanks, by "|"; and rows
whose cells are parted by one blank, told by their values or by the header's first word.
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

# What the first cell of a comparison's header says.
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
    """Units `first` to `last`, both included; `header` is the first row or absent, `caption` the unit above."""

    first: int
    last: int
    header: bool
    caption: bool


def find_tables(units: list[Unit]) -> list[FlatTable]:
    """Tables in order, never overlapping."""
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
    """Units with what is told of each once: a table may begin at every one, and then each would be looked at from all above."""

    def __init__(self, units: list[Unit]) -> None:
        self._units = units
        self._cells = [_cells(unit) for unit in units]
        self._is_row = [_is_row(unit) for unit in units]
        holds = [_holds_value(unit) for unit in units]
        tabular = [_share(unit) >= VALUED and _count_values(unit) >= FEWEST_COLUMNS for unit in units]
        # how many of the first n units are such
        self._holding = list(accumulate(holds, initial=0))
        self._tabular = list(accumulate(tabular, initial=0))
        self._ends = self._run_ends(holds)

    def _run_ends(self, holds: list[bool]) -> list[int]:
        """For each unit, where the run of short unpunctuated lines from it on ends.

        Where no blank line ends the table, the line of words behind it is a heading.
        """
        units, ends = self._units, list(range(len(self._units)))
        for at in range(len(units) - 2, -1, -1):
            if not units[at].last and self._is_row[at + 1]:
                end = ends[at + 1]
                # a line of words that the run from below ends with is none of its own, seen from above
                ends[at] = at if end == at + 1 and not (units[end].last or holds[end]) else end
        return ends

    def columns(self, at: int) -> int | None:
        """Where a run of lines with the same number of parted cells ends, or None."""
        cells = self._cells[at]
        if cells < FEWEST_COLUMNS:
            return None
        end = at
        while end + 1 < len(self._units) and not self._units[end].last and self._cells[end + 1] == cells:
            end += 1
        return end if end - at + 1 >= FEWEST_ROWS else None

    def values(self, at: int) -> int | None:
        """Where a table of single-blank rows that begins with its header at `at` ends, or None."""
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
        """Of the units `first` to `last`, both included."""
        return sums[last + 1] - sums[first]


def _is_row(unit: Unit) -> bool:
    told = unit.is_item or unit.ends_sentence or unit.count < FEWEST_COLUMNS
    return not told and len(unit.words) <= MOST_ROW_CHARACTERS


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
    """Whether the first row names the columns: it has fewer values than the others have."""
    if _HEADER.match(rows[0].words) and _share(rows[0]) < HALF:
        return True
    return _share(rows[0]) < min(map(_share, rows[1:]))


def _captions(unit: Unit) -> bool:
    return not unit.is_item and unit.count <= MOST_CAPTION_WORDS and bool(_CAPTION.match(unit.words))
