"""CSV, JSON and YAML as cells: what each says, by what path, and where it stands in the file.

    chips:
      - name: H200
        memory_gb: 141        ->  path (chips, 0, memory_gb), value "141" at line 3, column 16

Knows nothing of chips or units: `chipwise.audit.sheets` makes of the cells what claims are read from.
Every error is SourceUnreadable, with line and column where the syntax is broken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from chipwise.errors import SourceUnreadable

MOST_CELLS: Final = 200_000  # a table of 10,000 chips; aliases in YAML can make more of a few lines

_DELIMITED: Final = {".csv": ",;\t|", ".tsv": "\t"}
_TREES: Final = frozenset((".json", ".yaml", ".yml"))
STRUCTURED: Final = frozenset((*_DELIMITED, *_TREES))


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says; the file's text at `[start:end]` is how it is written, without quotation marks."""

    text: str
    start: int
    end: int


Step: TypeAlias = Cell | int  # a key, or the place in a list
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a tree, with the keys and list places that lead to it."""

    path: tuple[Step, ...]
    value: Cell


@dataclass(frozen=True, slots=True)
class Structured:
    """A file as cells: `rows` of a table, the header first, or `leaves` of a tree."""

    text: str
    rows: tuple[Row, ...] = ()
    leaves: tuple[Leaf, ...] = ()


def is_structured(name: str) -> bool:
    """Whether a file of that name holds cells and no prose."""
    return PurePath(name).suffix.lower() in STRUCTURED


def read_structured(text: str, name: str) -> Structured:
    """The cells of a file's text; the suffix of `name` says which format. Raises SourceUnreadable."""
    suffix = PurePath(name).suffix.lower()
    if suffix in _DELIMITED:
        read = Structured(text, rows=tuple(_rows(text, _DELIMITED[suffix])))
    elif suffix == ".json":
        _check_json(text, name)
        # a tab is blank space in JSON and an error in YAML
        read = Structured(text, leaves=tuple(_leaves(text, text.replace("\t", " "), name)))
    else:
        read = Structured(text, leaves=tuple(_leaves(text, text, name)))
    cells = (*(cell for row in read.rows for cell in row), *(leaf.value for leaf in read.leaves))
    if not any(map(str.isalnum, "".join(cell.text for cell in cells))):
        raise SourceUnreadable(f"{name} holds no values", hint="give a file that has some")
    return read


def _rows(text: str, delimiters: str) -> Iterator[Row]:
    """The rows of RFC 4180's format; the delimiter is the one that the first line has most of."""
    first = text.partition("\n")[0]
    delimiter = max(delimiters, key=first.count)
    other = re.escape(delimiter)
    field = re.compile(rf'[ ]*"((?:[^"]|"")*)"[ ]*(?=[{other}\n]|\Z)|([^{other}\n]*)')
    row: list[Cell] = []
    at = cells = 0
    while at <= len(text):
        found = field.match(text, at)
        assert found is not None  # noqa: S101  the second way matches the empty text
        group = 1 if found[1] is not None else 2
        said = " ".join(found[group].replace('""', '"').split()) if group == 1 else found[2].strip()
        start = found.start(group) + len(found[group]) - len(found[group].lstrip())
        row.append(Cell(said, start, start + len(found[group].strip())))
        at = found.end() + 1
        cells += 1
        if cells > MOST_CELLS:
            raise _too_large()
        if found.end() >= len(text) or text[found.end()] == "\n":
            if any(cell.text for cell in row):
                yield tuple(row)
            row = []


def _check_json(text: str, name: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceUnreadable(
            f"{name}:{error.lineno}:{error.colno}: {error.msg}", hint="mend the JSON there"
        ) from error
    except RecursionError as error:
        raise _too_large() from error


def _leaves(text: str, composed: str, name: str) -> Iterator[Leaf]:
    """All scalars, in order. JSON is read as the YAML that it is as well: that tells where each value stands."""
    import yaml  # noqa: PLC0415

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it
    begins = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    try:
        for node in yaml.compose_all(composed, Loader=loader):
            yield from _Walk(text, begins).leaves(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        raise SourceUnreadable(f"{place}: {error.problem or error.context}", hint="mend the YAML there") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise SourceUnreadable(f"{name} cannot be read: {error}", hint="mend its syntax") from error


class _Walk:
    """One document of a YAML file, from its root down. An alias is what it stands for, unless that is around it."""

    def __init__(self, text: str, begins: Sequence[int]) -> None:
        self._text, self._begins, self._seen = text, begins, 0

    def leaves(self, node: Any, path: tuple[Step, ...] = (), above: tuple[int, ...] = ()) -> Iterator[Leaf]:
        self._seen += 1
        if self._seen > MOST_CELLS:
            raise _too_large()
        if node is None or id(node) in above:
            return
        if node.id == "scalar":
            yield Leaf(path, self._cell(node))
        elif node.id == "sequence":
            for number, item in enumerate(node.value):
                yield from self.leaves(item, (*path, number), (*above, id(node)))
        else:
            for key, value in node.value:
                if key.id == "scalar":
                    yield from self.leaves(value, (*path, self._cell(key)), (*above, id(node)))

    def _cell(self, node: Any) -> Cell:
        start, end = (self._offset(mark) for mark in (node.start_mark, node.end_mark))
        if end - start > 1 and self._text[start] in "\"'" and self._text[end - 1] == self._text[start]:
            start, end = start + 1, end - 1
        return Cell(" ".join(node.value.split()), start, end)

    def _offset(self, mark: Any) -> int:
        line = min(mark.line, len(self._begins) - 1)
        offset: int = self._begins[line] + mark.column
        return min(offset, len(self._text))


def _too_large() -> SourceUnreadable:
    return SourceUnreadable(f"it is nested too deeply, or has over {MOST_CELLS:,} cells", hint="check a part of it")
