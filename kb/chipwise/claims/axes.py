"""Which way a table runs: whether its rows or its columns are the things that it is about."""

from __future__ import annotations

from collections.abc import Callable

from chipwise.claims.cells import words_of
from chipwise.claims.grid import Grid

NAMES_SUBJECTS = 0.5  # the share of labels, or of headers, that name one


def subject_column(
    grid: Grid, is_entity: Callable[[str], bool], is_product: Callable[[str], bool] | None = None
) -> int | None:
    """The leftmost column most of whose cells name a subject, or None; behind the labels only a product is one.

    "GPU" in a column of types does not tell what a row is about.
    """
    columns: dict[int, list[bool]] = {}
    for row in grid.rows:
        for cell in (row.label, *row.cells):
            if cell is not None:
                names = is_product if cell.column and is_product else is_entity
                columns.setdefault(cell.column, []).append(names(words_of(cell.text)))
    return next((c for c, found in sorted(columns.items()) if sum(found) >= NAMES_SUBJECTS * len(found)), None)


def subject_axis(
    grid: Grid, is_entity: Callable[[str], bool], is_product: Callable[[str], bool] | None = None
) -> str:
    """What names the subjects: "rows", "columns", "corner" for one subject of all, "" when nothing does.

    Rows count by their labels, or by another column when neither labels nor
    headers do: `subject_column` tells which.
    """
    labels = [is_entity(words_of(row.label.text)) for row in grid.rows if row.label is not None]
    headers = [is_entity(header) for header in grid.headers[1:] if header]
    in_rows, in_headers = (sum(found) / len(found) if found else 0.0 for found in (labels, headers))
    if max(in_rows, in_headers) >= NAMES_SUBJECTS:
        return "rows" if in_rows >= in_headers else "columns"
    if grid.headers and is_entity(grid.headers[0]):
        return "corner"
    return "rows" if subject_column(grid, is_entity, is_product) is not None else ""
