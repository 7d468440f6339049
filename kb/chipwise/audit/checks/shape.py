"""What the shape of a table rules out: a row that is too long (CW407), and a number that breaks what its column is of others (CW408).

    | GPU | Memory | Power |
    | H100 | 80 GB | SXM | 700 W |    a cell too many

One row gives one finding, by the pattern that is least likely to be chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.amounts import number
from chipwise.audit.book import Book
from chipwise.audit.columns import Pattern, patterns
from chipwise.audit.tabled import Lines, Table, statement_at, tables_of, turned
from chipwise.audit.writer import draft, place
from chipwise.types import Finding, Passage

_OFF, _ALIKE = (
    1.02,
    1.5,
)  # times: a total is wrong that is off by more than the first, and another's that is by more than the second
_FEWEST = 2  # parts of a total
_CLEARLY = 0.1  # as likely: then another pattern is preferred
_SHOWN = 2  # other rows


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row."""
    for source in book.audited:
        for table in tables_of(book, source):
            yield from (_ragged(book, *row) for row in table.ragged())
            yield from _numbers(book, table)


def _numbers(book: Book, table: Table) -> Iterator[Finding]:
    rows = table.rows(book.domain)
    found: dict[tuple[int, int], Pattern] = {}
    for lines, down in ((turned(rows), True), (rows, False)):
        for pattern in (*patterns(book.domain, lines, down=down), *_totals(book, lines)):
            line = pattern.wrong.passage.ordinal, pattern.wrong.line[0]
            if line not in found or pattern.chance < _CLEARLY * found[line].chance:
                found[line] = pattern
    yield from (_broken(book, pattern) for pattern in found.values())


def _totals(book: Book, lines: Lines) -> Iterator[Pattern]:
    """Totals, named so, of all the numbers before them that are near their sum and not it."""
    called = book.domain.change_nothing("total")
    for _, (*parts, last) in ((name, numbers) for name, numbers in lines if numbers):
        alike = [p for p in parts if p]
        name = "" if last is None else last.row if alike and alike[0].column == last.column else last.column
        if last is None or not _FEWEST <= len(alike) == len(parts) or called.isdisjoint(name.lower().split()):
            continue
        made = sum((p.value for p in alike[1:]), alike[0].value)
        if _OFF < made.gap(last.value) < _ALIKE:
            yield Pattern(0.0, last, made, " + ".join(p.text for p in alike), tuple(alike))


def _broken(book: Book, pattern: Pattern) -> Finding:
    wrong = pattern.wrong
    said, *others = (
        statement_at(book, n.passage, n.line, n.start, n.start + len(n.text))
        for n in dict.fromkeys((wrong, *pattern.operands))
    )
    rest = (
        f"by which other rows come out: {', '.join(pattern.fits[:_SHOWN])}"
        if pattern.fits
        else "the rows above it added up"
    )
    where = ", ".join(dict.fromkeys(place(book, o) for o in others))
    return draft(
        book, "CW408", "contradiction", "medium",
        f"{wrong.row or 'a row'}, {wrong.column or 'a column'}: {wrong.text} is not {pattern.formula}",
        f"{pattern.formula} = {number(pattern.made.middle)}, {rest}   [{where}]\n"
        f"claimed: {wrong.text}   [{place(book, said)}]",
        (said, *others),
        help="see which of these numbers is off",
    )  # fmt: skip


def _ragged(book: Book, passage: Passage, line: tuple[int, int], cells: int, columns: int) -> Finding:
    said = statement_at(book, passage, line, *line)
    off = abs(cells - columns)
    return draft(
        book, "CW407", "contradiction", "medium",
        f"a row with {off} cell{'s' * (off > 1)} too {'many' if cells > columns else 'few'}",
        f"the row has {cells} cells, its table {columns} columns   [{place(book, said)}]",
        (said,),
        help="add or remove the cell, so that each figure stands under its own header",
    )  # fmt: skip
