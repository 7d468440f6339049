"""CSV, JSON, YAML, TOML and code as trees. Every error is SourceUnreadable, with line and column where the syntax is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import PurePath
from typing import Any, Final

from chipwise import patterns as re
from chipwise.errors import SourceUnreadable
from chipwise.grids.code import read_code
from chipwise.grids.tree import DEEPEST, MOST_CELLS, Label, Node, too_large
from chipwise.reading.blocks import Draft, Parsed
from chipwise.reading.files import DELIMITED, LANGUAGES, YAML
from chipwise.types import Role

_COMMENT: Final = re.compile(r"[^\S\n]*,?[^\S\n]+#+[^\S\n]*([^\n]*)")


def read_tree(text: str, name: str) -> Node:
    """The tree of a file's text; the suffix of `name` says which format. Raises SourceUnreadable."""
    suffix = PurePath(name).suffix.lower()
    if suffix in DELIMITED:
        return _table(_rows(text, DELIMITED[suffix]))
    if suffix in YAML:
        return Node(children=_documents(text, name))
    if suffix == ".json":
        _check_json(text, name)
    return read_code(text, name, LANGUAGES[suffix])


def read_data(text: str, name: str) -> Parsed:
    """The file as one block, with its tree. Raises SourceUnreadable, also for a file without a value."""
    tree = read_tree(text, name)
    if not any(node.value is not None and any(map(str.isalnum, node.value.text)) for node in tree.walk()):
        raise SourceUnreadable(f"{name} holds no values", hint="give a file that has some")
    return Parsed(text, [Draft(0, len(text), Role.DATA)], tree=tree)


def _table(rows: Iterator[list[Label]]) -> Node:
    """A node for each row, its fields named by the header."""
    header = next(rows, [])
    top = Node(children=[])
    for row in rows:
        fields = [Node([key], cell) for key, cell in zip(header, row, strict=False) if cell.text]
        top.children.append(Node(children=fields, irregular=len(row) != len(header), row=True))
    if not top.children and header:
        top.children.append(Node(children=[Node(value=cell) for cell in header], row=True))
    return top


def _rows(text: str, delimiters: str) -> Iterator[list[Label]]:
    """The rows of RFC 4180's format; the delimiter is the one that the first line has most of."""
    first = text.partition("\n")[0]
    delimiter = max(delimiters, key=first.count)
    other = re.escape(delimiter)
    field = re.compile(rf'[ ]*"((?:[^"]|"")*)"[ ]*(?=[{other}\n]|\Z)|([^{other}\n]*)')
    row: list[Label] = []
    at = cells = 0
    while at <= len(text):
        found = field.match(text, at)
        assert found is not None  # noqa: S101  the second way matches the empty text
        group = 1 if found[1] is not None else 2
        words = " ".join((found[1].replace('""', '"') if group == 1 else found[2]).split())
        start = found.start(group) + len(found[group]) - len(found[group].lstrip())
        row.append(Label(words, start, start + len(found[group].strip())))
        at = found.end() + 1
        cells += 1
        if cells > MOST_CELLS:
            raise too_large()
        if found.end() >= len(text) or text[found.end()] == "\n":
            if any(cell.text for cell in row) and not row[0].text.startswith("#"):
                yield row
            row = []


def _check_json(text: str, name: str) -> None:
    try:
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        if "," not in error.msg:  # a comma that is missing parts no lines
            where = f"{name}:{error.lineno}:{error.colno}"
            raise SourceUnreadable(f"{where}: {error.msg}", hint="fix the JSON there") from error
    except RecursionError as error:
        raise too_large() from error


def _documents(text: str, name: str) -> list[Node]:
    import yaml  # noqa: PLC0415

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it
    try:
        walk = _Walk(text)
        return [made for root in yaml.compose_all(text, Loader=loader) for made in walk.nodes(root)]
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        why = getattr(error, "problem", None) or getattr(error, "context", None) or error
        raise SourceUnreadable(f"{place}: {why}", hint="fix the YAML there") from error


class _Walk:
    """The documents of a YAML file. An alias is what it stands for, unless that is around it."""

    def __init__(self, text: str) -> None:
        self._text, self._seen = text, 0
        self._begins: Sequence[int] = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def nodes(self, root: Any, above: tuple[int, ...] = ()) -> list[Node]:
        """What stands in a mapping or a list; a scalar by itself."""
        if root is None or id(root) in above:
            return []
        above = (*above, id(root))
        if root.id == "scalar":
            return [Node(value=self._label(root), notes=self._behind(root))]
        if root.id == "sequence":
            return [self._one(None, item, above) for item in root.value]
        return [self._one(key, value, above) for key, value in root.value if key.id == "scalar"]

    def _one(self, key: Any, value: Any, above: tuple[int, ...]) -> Node:
        self._seen += 1
        if self._seen > MOST_CELLS or len(above) > DEEPEST:
            raise too_large()
        named = [] if key is None else [self._label(key)]
        notes = [] if key is None else [*self._behind(key), *self._over(key)]
        if value.id == "scalar":
            return Node(named, self._label(value), notes=[*self._behind(value), *notes])
        return Node(named, children=self.nodes(value, above), notes=notes)

    def _behind(self, node: Any) -> list[Label]:
        """The comment on the line of a scalar, or behind the colon of a key."""
        end = self._offset(node.end_mark)
        found = _COMMENT.match(self._text, end + self._text.startswith(":", end))
        return [Label(found[1].strip(), *found.span(1))] if found and found[1].strip() else []

    def _over(self, node: Any) -> list[Label]:
        """The lines of comment right above a key."""
        found: list[Label] = []
        for line in range(min(node.start_mark.line, len(self._begins) - 1), 0, -1):
            begin, end = self._begins[line - 1], self._begins[line] - 1
            written = self._text[begin:end].strip()
            if not written.startswith("#"):
                break
            words = written.strip("# ")
            start = self._text.find(words, begin)
            found.append(Label(words, start, start + len(words)))
        return found

    def _label(self, node: Any) -> Label:
        start, end = self._offset(node.start_mark), self._offset(node.end_mark)
        if end - start > 1 and self._text[start] in "\"'" and self._text[end - 1] == self._text[start]:
            start, end = start + 1, end - 1
        return Label(" ".join(node.value.split()), start, end)

    def _offset(self, mark: Any) -> int:
        offset: int = self._begins[min(mark.line, len(self._begins) - 1)] + mark.column
        return min(offset, len(self._text))
