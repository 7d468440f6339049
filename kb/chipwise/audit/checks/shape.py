"""A row of a table with a cell too many or too few (CW407): each figure behind it stands under another header."""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.book import Book
from chipwise.audit.sentences import statement_at
from chipwise.audit.writer import draft, place
from chipwise.grids.tables import read_tables
from chipwise.text import Span
from chipwise.types import Finding, Passage


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row."""
    for source in book.audited:
        passages = [p for p in book.passages_of(source) if p.role.speaks_for_the_source]
        tables = read_tables(passages, book.domain)
        for passage in (p for p in passages if p.ordinal in tables):
            table = tables[passage.ordinal]
            for line, cells in table.ragged.items():
                yield _draft(book, passage, line, cells, len(table.headers))


def _draft(book: Book, passage: Passage, line: Span, cells: int, columns: int) -> Finding:
    said, off = statement_at(book, passage, line, *line), abs(cells - columns)
    return draft(
        book, "CW407", "contradiction", "medium",
        f"a table row with {off} cell{'s' * (off > 1)} too {'many' if cells > columns else 'few'}",
        f"the row has {cells} cells, and its table has {columns} columns   [{place(book, said)}]",
        (said,),
        help="Add or remove the cell, so that each figure is under its own header.",
    )  # fmt: skip
