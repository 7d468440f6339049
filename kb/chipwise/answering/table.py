"""A query evaluated: a table of cells, subjects x measures, or what is missing for it."""

from __future__ import annotations

from chipwise.answering.cells import Cell
from chipwise.answering.query import Counted, Measure, Query
from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` has, for each measure, a cell for each subject; `known` is of how many things the members were chosen."""

    query: Query
    subjects: tuple[Counted, ...]
    measures: tuple[Measure, ...]
    columns: tuple[tuple[Cell, ...], ...]
    known: int = 0

    @property
    def is_full(self) -> bool:
        """True where every cell has a value of its own."""
        return bool(self.columns) and all(
            cell.facts and not cell.of_chips for column in self.columns for cell in column
        )

    @property
    def is_empty(self) -> bool:
        """True where no cell has one."""
        return not any(cell.facts for column in self.columns for cell in column)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no table: in words, what is not known and what is known instead."""

    reason: str
