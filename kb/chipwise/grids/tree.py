"""A structured file as a tree: what each value is, and the labels that enclose it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from chipwise.errors import SourceUnreadable
from chipwise.values import dataclass

MOST_CELLS: Final = 200_000  # a table of 10,000 chips; aliases in YAML can make more of a few lines
DEEPEST: Final = 100


@dataclass(frozen=True, slots=True)
class Label:
    """Words of a file: `[start, end)` is where they stand there, without quotation marks."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class Node:
    """A field, a record, a row or a block. `keys` name it, nearest first; `notes` are the comments about it.

    `value` is a scalar as written, or what an expression comes to, `cues` are the words in its cell about it. `irregular` is a row with more or fewer cells than the
    table has columns; `row` tells that the first child labels the others, `reckoned` that an
    expression was worked out; `units` are names that the value is multiplied by.
    """

    keys: list[Label] = field(default_factory=list)
    value: Label | None = None
    children: list[Node] = field(default_factory=list)
    notes: list[Label] = field(default_factory=list)
    units: list[Label] = field(default_factory=list)
    cues: list[Label] = field(default_factory=list)
    irregular: bool = False
    row: bool = False
    reckoned: bool = False

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


def too_large() -> SourceUnreadable:
    """The error for a file that no bound on time allows to read."""
    return SourceUnreadable(f"it is nested too deeply, or has over {MOST_CELLS:,} cells", hint="check a part of it")
