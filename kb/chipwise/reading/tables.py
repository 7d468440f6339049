"""Tables that lost their lines: rows of a table copied as text, one row per line.

Three shapes are known: cells parted by tabs, by two or more blanks, by "|"; and rows
whose cells are parted by one blank, told by their values or by the header's first word.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    at = 0
    while at < len(units):
        end = _columns(units, at) or _values(units, at)
        if end is None:
            at += 1
            continue
        floor = tables[-1].last + 1 if tables else 0
        caption = at - 1 >= floor and _captions(units[at - 1])
        tables.append(FlatTable(at, end, _is_header(units[at : end + 1]), caption))
        at = end + 1
    return tables


def _rows(units: list[Unit], at: int) -> int:
    """The last unit of the run of short unpunctuated lines that starts at `at`.

    Where no blank line ends the table, the line of words behind it is a heading.
    """
    end = at
    while end + 1 < len(units) and not units[end].last and _is_row(units[end + 1]):
        end += 1
    while end > at and not units[end].last and not _holds_value(units[end]):
        end -= 1
    return end


def _is_row(unit: Unit) -> bool:
    told = unit.is_item or unit.ends_sentence or unit.count < FEWEST_COLUMNS
    return not told and len(unit.words) <= MOST_ROW_CHARACTERS


def _columns(units: list[Unit], at: int) -> int | None:
    """Where a run of lines with the same number of parted cells ends, or None."""
    cells = _cells(units[at])
    if cells < FEWEST_COLUMNS:
        return None
    end = at
    while end + 1 < len(units) and not units[end].last and _cells(units[end + 1]) == cells:
        end += 1
    return end if end - at + 1 >= FEWEST_ROWS else None


def _cells(unit: Unit) -> int:
    if unit.is_item or len(unit.words) > 4 * MOST_ROW_CHARACTERS:
        return 0
    cells = [cell for cell in CELLS.split(unit.words) if cell.strip()]
    return len(cells) if cells and sum(map(len, cells)) <= LONGEST_CELL * len(cells) else 0


def _values(units: list[Unit], at: int) -> int | None:
    """Where a table of single-blank rows that begins with its header at `at` ends, or None."""
    header = units[at]
    if not _is_row(header) or header.count <= FEWEST_COLUMNS or header.last or header.words.endswith((":", "?", "→")):
        return None
    end = _rows(units, at)
    rows = units[at + 1 : end + 1]
    if len(rows) < FEWEST_ROWS - 1 or (_captions(header) and not _holds_value(rows[0])):
        return None  # in the second case the header is the line below
    if _HEADER.match(header.words) and _share(header) < HALF:
        return end if sum(map(_holds_value, rows)) >= HALF * len(rows) else None
    valued = sum(_share(row) >= VALUED and _count_values(row) >= FEWEST_COLUMNS for row in rows)
    return end if valued >= ROWS_VALUED * len(rows) and _count_values(header) < FEWEST_COLUMNS else None


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
