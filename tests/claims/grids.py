"""Tables read for the tests of grids, with what passes for a name and a quantity there."""

from __future__ import annotations

import re
from itertools import pairwise

from chipwise.claims.grid import Grid, read_grids
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Passage, Role

NAME = re.compile(r"(?:NVIDIA |Google |AMD )?(?:H100(?: SXM| PCIe)?|H200|A100(?: 80GB)?|MI300X|Gaudi \d|TPU v\d\w?)\b")
QUANTITY = re.compile(
    r"(?<![\w.,])(?:\$\d[\d,.]*(?: - \$\d[\d,.]*)?|\d[\d,.]*[\s-]?(?:GB/s|TB/s|GB|kWh|W|TFLOPS|tokens/sec|chip|%)(?!\w))"
)


def entity_spans(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in NAME.finditer(text)]


def quantity_spans(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in QUANTITY.finditer(text)]


def is_entity(text: str) -> bool:
    return bool(NAME.search(text))


def read_grid(passage: Passage) -> Grid | None:
    return read_grids([passage], entity_spans=entity_spans, quantity_spans=quantity_spans).get(passage.ordinal)


def tables(data: str | bytes, name: str) -> list[Passage]:
    raw = data if isinstance(data, bytes) else data.encode()
    return [p for p in split(read_bytes(raw, name=name, origin=f"/{name}")) if p.role is Role.TABLE]


def grids(data: str | bytes, name: str = "a.md") -> list[Grid]:
    return list(read_grids(tables(data, name), entity_spans=entity_spans, quantity_spans=quantity_spans).values())


def grid(data: str | bytes, name: str = "a.md") -> Grid:
    (only,) = grids(data, name)
    return only


def html(table: str) -> Grid:
    return grid(f"<html><body><h1>T</h1><p>Some words about two chips, to begin.</p>{table}</body></html>", "a.html")


def said(made: Grid) -> dict[str, list[str]]:
    """Label -> "header: cell" of each row."""
    return {
        row.label.text if row.label else "": [f"{made.header(cell.column)}: {cell.text}" for cell in row.cells]
        for row in made.rows
    }


def passage_of(text: str, *, context: str = "", rows_from: int = 0) -> Passage:
    """A table passage whose every line from `rows_from` on is a row."""
    spans, at = [], 0
    for number, line in enumerate(text.split("\n")):
        if number >= rows_from and line.strip():
            spans.append((at + len(line) - len(line.lstrip()), at + len(line.rstrip())))
        at += len(line) + 1
    return Passage("s", 1, 0, len(text), 1, Role.TABLE, (), None, text, context, tuple(spans))


def check(passage: Passage, made: Grid) -> None:
    for number, row in enumerate(made.rows):
        assert (row.start, row.end) in passage.sentences
        own = [cell for cell in (row.label, *row.cells) if cell is not None and cell.row == number]
        for cell in own:
            assert cell.text == passage.text[cell.start : cell.end] == cell.text.strip() != ""
            assert row.start <= cell.start < cell.end <= row.end
        assert all(a.end <= b.start and a.column < b.column for a, b in pairwise(own))
        assert all(cell.row == number and cell.column > 0 for cell in row.cells)
