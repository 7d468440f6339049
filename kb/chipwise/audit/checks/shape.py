"""A row of a table with a cell too many or too few (CW407): each figure behind it stands under another header.

| GPU | Memory | Power |
| H100 | 80 GB | SXM | 700 W |    a cell too many
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.audit.book import Book
from chipwise.audit.sentences import statement_at
from chipwise.audit.writer import draft, place
from chipwise.claims.cells import Style, cut
from chipwise.claims.grid import Grid, read_grids
from chipwise.text import Span
from chipwise.types import Finding, Passage


def check(book: Book) -> Iterator[Finding]:
    """One finding for each row."""
    for source in book.audited:
        passages = [p for p in book.passages_of(source) if p.role.speaks_for_the_source]
        grids = read_grids(passages)
        for passage in (p for p in passages if p.ordinal in grids):
            for line, cells, columns in _ragged(passage, grids[passage.ordinal]):
                yield _draft(book, passage, line, cells, columns)


def _ragged(passage: Passage, grid: Grid) -> Iterator[tuple[Span, int, int]]:
    """Where each such row stands, its cells, and those of the header."""
    if grid.style is not Style.BOXED or not passage.sentences or not passage.sentences[0][0]:
        return  # of another style, or cut from a longer table, the header's own cells are not for certain
    width, top = len(grid.headers), passage.text[: passage.sentences[0][0]].strip().splitlines()[0]
    counts = [len(cut(passage.text, *span, grid.style)) for span in passage.sentences]
    # a row of one cell heads those below
    if len(cut(top, 0, len(top), grid.style)) == width and 2 * counts.count(width) > len(counts) - counts.count(1):
        rows = zip(passage.sentences, counts, strict=True)
        yield from ((span, n, width) for span, n in rows if n not in (1, width) and passage.text[span[0]] == "|")


def _draft(book: Book, passage: Passage, line: Span, cells: int, columns: int) -> Finding:
    said, off = statement_at(book, passage, line, *line), abs(cells - columns)
    return draft(
        book, "CW407", "contradiction", "medium",
        f"a row with {off} cell{'s' * (off > 1)} too {'many' if cells > columns else 'few'}",
        f"the row has {cells} cells, its table {columns} columns   [{place(book, said)}]",
        (said,),
        help="add or remove the cell, so that each figure stands under its own header",
    )  # fmt: skip
