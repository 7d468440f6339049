"""Which way a table runs: whether its rows or its columns are the things that it is about."""

from __future__ import annotations

from collections.abc import Callable

from chipwise import patterns as re
from chipwise.claims.cells import words_of
from chipwise.claims.grid import Grid

_HEADS_PRODUCTS = re.compile(r"\b(?:accelerator|GPU|chip|device|card)s?\b", re.I)  # "Accelerator model name"
NAMES_SUBJECTS = 0.5  # the share of labels, or of headers, that name one


def subject_column(
    grid: Grid, is_entity: Callable[[str], bool], product_share: Callable[[str], float] | None = None
) -> int | None:
    """The leftmost column most of whose cells name a subject, or None.

    Behind the labels only products count, by `product_share`, how much of a cell names one:
    "GPU" in a column of types does not tell what a row is about, and the names of files,
    "4xA100-NVBridge.json", less than the "NVIDIA A100" of another column.
    """
    columns: dict[int, list[float]] = {}
    for row in grid.rows:
        for cell in (row.label, *row.cells):
            if cell is not None:
                text = words_of(cell.text)
                share = product_share(text) if cell.column and product_share else float(is_entity(text))
                columns.setdefault(cell.column, []).append(share)
    named = [c for c, found in sorted(columns.items()) if sum(map(bool, found)) >= NAMES_SUBJECTS * len(found)]
    names = [c for c in named if sum(columns[c]) >= NAMES_SUBJECTS * sum(map(bool, columns[c]))] or named
    headed = [c for c in names if _HEADS_PRODUCTS.search(grid.header(c))]
    return next(iter(headed if 0 not in names and headed else names), None)


def subject_axis(
    grid: Grid, is_entity: Callable[[str], bool], product_share: Callable[[str], float] | None = None
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
    return "rows" if subject_column(grid, is_entity, product_share) is not None else ""
