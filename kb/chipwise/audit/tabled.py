"""Tables as the numbers in their cells, in rows and turned into columns, for checks of their shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise.audit.book import Book
from chipwise.claims.cells import Style, cut
from chipwise.claims.grid import Grid, Row, read_grids
from chipwise.claims.model import Claim
from chipwise.domain.model import Domain
from chipwise.figures.statement import Statement
from chipwise.figures.statement import place as located
from chipwise.numbers.intervals import Interval
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Passage

_MARKS = "~$€£≈x×%+ \u00a0"


@dataclass(frozen=True, slots=True)
class Number:
    """The one number of a cell as written, whatever its unit, with the precision of its digits; `row` and `column` name it."""

    text: str
    value: Interval
    blur: float  # one unit of its last digit, as a share of it: 0.125 of "8", 0.01 of "1.00"
    passage: Passage
    line: tuple[int, int]  # its row's span in the passage
    start: int
    row: str
    column: str


Lines = list[tuple[str, list[Number | None]]]  # of each line of a table its name, and its numbers by place


@dataclass(frozen=True)
class Table:
    """The parts of one table, in order."""

    parts: Sequence[tuple[Passage, Grid]]

    def rows(self, domain: Domain) -> Lines:
        """Row by row; a cell with two numbers, or with words beside its number, is None."""
        return [
            (row.called, self._numbers(domain, passage, grid, row)) for passage, grid in self.parts for row in grid.rows
        ]

    @staticmethod
    def _numbers(domain: Domain, passage: Passage, grid: Grid, row: Row) -> list[Number | None]:
        found: list[Number | None] = [None] * max(len(grid.headers), *(c.column + 1 for c in row.cells), 1)
        for cell in row.cells:
            header, span = grid.header(cell.column), (row.start, row.end)
            found[cell.column] = _number(domain, passage, span, cell.start, cell.text, row.called, header)
        return found

    def ragged(self) -> Iterator[tuple[Passage, tuple[int, int], int, int]]:
        """Rows with a cell too many or too few: where each stands, its cells, and those of the header."""
        for passage, grid in self.parts:
            if grid.style is not Style.BOXED or not passage.sentences or not passage.sentences[0][0]:
                continue  # of another style, or cut from a longer table, the header's own cells are not for certain
            width, top = len(grid.headers), passage.text[: passage.sentences[0][0]].strip().splitlines()[0]
            if len(cut(top, 0, len(top), grid.style)) != width:
                continue
            counts = [len(cut(passage.text, *span, grid.style)) for span in passage.sentences]
            if 2 * counts.count(width) > len(counts) - counts.count(1):  # a row of one cell heads those below
                whole = [(s, n) for s, n in zip(passage.sentences, counts, strict=True) if n not in (1, width)]
                yield from ((passage, span, n, width) for span, n in whole if passage.text[span[0]] == "|")


def tables_of(book: Book, source: str) -> Iterator[Table]:
    """The tables of a source that it stands behind."""
    passages = [p for p in book.passages_of(source) if p.role.speaks_for_the_source]
    grids = read_grids(passages)
    parts: list[tuple[Passage, Grid]] = []
    for passage in (p for p in passages if p.ordinal in grids):
        goes_on = (
            parts
            and parts[-1][0].ordinal + 1 == passage.ordinal
            and parts[-1][1].headers == grids[passage.ordinal].headers
        )
        if parts and not goes_on:
            yield Table(parts)
            parts = []
        parts.append((passage, grids[passage.ordinal]))
    if parts:
        yield Table(parts)


def turned(lines: Lines) -> Lines:
    """Columns for rows, without those that have no number."""
    width = max((len(numbers) for _, numbers in lines), default=0)
    columns = [[numbers[at] if at < len(numbers) else None for _, numbers in lines] for at in range(width)]
    return [(next(n.column for n in column if n), column) for column in columns if any(column)]


def _number(
    domain: Domain, passage: Passage, line: tuple[int, int], start: int, text: str, row: str, column: str
) -> Number | None:
    at = next((i for i, c in enumerate(text) if c.isdigit()), None)
    numeral = numeral_at(text, at) if at is not None else None
    if at is None or numeral is None or text[:at].strip(_MARKS) or any(map(str.isdigit, text[numeral.end :])):
        return None
    quantities, scale = domain.unit_table.find(text), 0.01 if text.endswith("%") else 1.0
    if len(quantities) > 1 or (quantities and not quantities[0].is_single):
        return None
    if text[numeral.end :].strip(_MARKS):
        unit = domain.units.get(quantities[0].unit) if quantities and quantities[0].end == len(text.rstrip()) else None
        if unit is None:
            return None  # words beside it
        scale = unit.scale
    value = Interval(numeral.value - numeral.half, numeral.value + numeral.half) * Interval.of(scale)
    unit_of_last = 10.0 ** -len(text[at : numeral.end].partition(".")[2].rstrip("kKMBT "))
    blur = unit_of_last * numeral.scale / max(numeral.value, unit_of_last)
    return Number(text.strip(), value, blur, passage, line, start, row, column)


def statement_at(book: Book, passage: Passage, line: tuple[int, int], start: int, end: int) -> Statement:
    """The claim on the figure at a place of a passage, or one of nothing that is known; how it is read decides nothing here."""
    at = passage.start
    known = book.claimed.get((passage.source, at + start))
    q = Quantity(at + start, at + end, "number", "", 0.0, 0.0)
    places = at + line[0], at + line[1], at + start, at + end
    if known is not None:
        return replace(known, claim=replace(known.claim, confidence=1.0))
    return located(book.domain, Claim(passage.source, passage.ordinal, *places, "", "", q), passage.role)
