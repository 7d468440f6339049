"""Code as a tree: a constant with the keys, conditions, fields and comments that enclose it.

    if "H100" in name:       Node("H100", "name")
        peak = 989e12          Node("peak"), value 989e12

One reader for all languages: statements and elements are parted by commas, semicolons or new lines, and what stands before a
bracket names what is in it. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from chipwise.grids.arithmetic import evaluate
from chipwise.grids.fields import Field, Fields
from chipwise.grids.tokens import Kind, Token, tokens_of
from chipwise.grids.tree import DEEPEST, MOST_CELLS, Label, Node, too_large

LANGUAGES: Final = {
    ".py": "python", ".pyi": "python", ".rs": "rust", ".toml": "toml", ".json": "json", ".go": "go",
    ".ts": "ts", ".tsx": "ts", ".js": "ts", ".mjs": "ts", ".jsx": "ts",
    ".c": "c", ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hpp": "c", ".hh": "c", ".cu": "c", ".cuh": "c",
}  # fmt: skip
_ENDS: Final = frozenset((",", ";"))
_PARTS: Final = frozenset(("=", ":", "=>", ":=", "->"))
_STATES: Final = frozenset(("return", "yield"))
_DENIES: Final = frozenset(("not", "!=", "!"))
_CASES: Final = frozenset(("case", "default"))
_DEFINES: Final = frozenset(("def", "fn", "func", "function"))


@dataclass(slots=True)
class Group:
    """What stands between two brackets, or in an indented block."""

    open: str
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """One statement or element, with the comments behind it and above it."""

    parts: list[Token | Group] = field(default_factory=list)
    notes: list[Label] = field(default_factory=list)
    above: list[Label] = field(default_factory=list)


def read_code(text: str, name: str, language: str) -> Node:
    """The constants of a file. Raises SourceUnreadable."""
    top = _Builder().build(tokens_of(text, language, name))
    maker = _Maker(Fields.of(top), toml=language == "toml")
    return Node(children=maker.nodes(top, 0))


class _Builder:
    """Tokens as items of groups."""

    def __init__(self) -> None:
        self._stack = [Group("")]
        self._ended: Item | None = None  # the last item, which a comment on its line is about
        self._line = 0  # of the last token
        self._above: list[list[Label]] = [[]]  # by open group, the comment above what comes next
        self._count = 0

    def build(self, tokens: Iterable[Token]) -> Group:
        """The file's top group; what no bracket closes ends with the file."""
        open_items: list[Item | None] = [None]
        for token in tokens:
            self._count += token.kind is Kind.NUMBER
            if self._count > MOST_CELLS:
                raise too_large()
            item = open_items[-1]
            if token.kind is Kind.COMMENT:
                self._note(token, item)
                continue
            if token.kind is Kind.NEWLINE or (token.kind is Kind.OP and token.text in _ENDS):
                self._ended, open_items[-1] = item or self._ended, None
            elif token.kind is Kind.CLOSE:
                if len(self._stack) > 1:
                    self._stack.pop(), self._above.pop(), open_items.pop()
                    self._ended = open_items[-1] or self._ended
                    if token.text == "":
                        open_items[-1] = None
            else:
                if item is None and token.kind is Kind.OPEN and token.text == "" and self._stack[-1].items:
                    item = self._stack[-1].items[-1]  # the block of the line above
                elif item is None or (token.text == "else" and item.parts and isinstance(item.parts[-1], Group)):
                    item = self._begin(token)
                open_items[-1] = item
                if token.kind is Kind.OPEN:
                    if len(self._stack) > DEEPEST:
                        raise too_large()
                    group = Group(token.text)
                    item.parts.append(group)
                    self._stack.append(group), self._above.append([]), open_items.append(None)
                    self._ended = item
                else:
                    item.parts.append(token)
            self._line = max(self._line, token.line)
        return self._stack[0]

    def _begin(self, token: Token) -> Item:
        above = self._above[-1]
        if above and token.line > self._line + 1 and self._stack[-1].items and token.kind is not Kind.OPEN:
            above = self._above[-1] = []  # an empty line ends what a comment is about
        item = Item(above=list(above))
        self._stack[-1].items.append(item)
        return item

    def _note(self, token: Token, item: Item | None) -> None:
        note = Label(" ".join(token.text.split()), token.start, token.end)
        owner = item or self._ended
        if token.line == self._line and owner is not None:
            owner.notes.append(note)
        elif token.line == self._line + 1 and self._above[-1] and self._above[-1][-1].end < token.start and self._fresh:
            self._above[-1] = [*self._above[-1], note]
        else:
            self._above[-1] = [note]
        self._line = token.line + token.text.count("\n")
        self._fresh = True

    _fresh = False


class _Maker:
    """Items as nodes."""

    def __init__(self, declared: Fields, *, toml: bool) -> None:
        self._declared, self._toml = declared, toml

    def nodes(self, group: Group, depth: int, fields: Sequence[Field] = ()) -> list[Node]:
        """A node for each item that holds something; what stands below a `case` or a [section] is in it."""
        made: list[Node] = []
        case: Node | None = None
        for number, item in enumerate(group.items):
            first = item.parts[0] if item.parts else None
            section = self._toml and depth == 0 and isinstance(first, Group) and len(item.parts) == 1
            opens = isinstance(first, Token) and first.text in _CASES
            if section and isinstance(first, Group):
                case = Node(_names(first)[::-1], notes=[*item.notes, *item.above])
                made.append(case)
                continue
            record = isinstance(first, Group) and len(item.parts) == 1  # one of a list of records has their fields
            named = fields[number] if number < len(fields) and not record else None
            node = self._node(item, depth, named, fields if record else ())
            if opens:
                case = Node(node.keys, None, [node], node.notes)
                node.keys = []
                made.append(case)
            else:
                (made if case is None else case.children).append(node)
        return made

    def _node(self, item: Item, depth: int, named: Field | None, inherited: Sequence[Field]) -> Node:
        parts = [p for p in item.parts if isinstance(p, Group) or p.text != "as"]
        words = [p for p in parts if isinstance(p, Token)]
        if len(words) == 1 == len(parts) and words[0].kind is Kind.STRING and depth and not item.notes and " " in words[0].text:
            return Node(value=_label(words[0]))
        node = Node(notes=[*item.notes, *item.above])
        if any(w.text == "?" and w.kind is Kind.OP for w in words):
            return node
        cut = max((n for n, p in enumerate(parts) if _parts_here(p)), default=-1)
        head, value = parts[:cut], parts[cut + 1 :]
        if cut < 0:
            head, value = [], parts
        last = value[-1] if value else None
        result = evaluate(value, self._declared.constants)
        if result is not None:
            node.value, node.units = result
        elif isinstance(last, Group):
            head = [*head, *value[:-1]]
            fields = self._declared.fields_of(_names_of(head), last) or inherited
            node.children = self.nodes(last, depth + 1, fields)
        elif value and all(isinstance(p, Token) and p.kind in (Kind.NAME, Kind.STRING, Kind.OP) for p in value):
            names = _names_of(value)
            node.value = names[0] if len(names) == 1 else None
            head = head if names else [*head, *value]
        elif not any(isinstance(p, Token) and p.text in _PARTS for p in parts):
            numbers = [p for p in value if isinstance(p, Token) and p.kind is Kind.NUMBER]
            if len(numbers) == 1 and value[-1] is numbers[0]:  # "#define H100_TFLOPS 989"
                head, node.value = value[:-1], _label(numbers[0])
        if any(isinstance(p, Token) and p.text in _DEFINES for p in head):
            for group in (p for p in head if isinstance(p, Group)):
                node.children = [*self.nodes(group, depth + 1), *node.children]
        node.keys = _names_of(head)[::-1]
        if named and not node.keys:
            node.keys = [named[0]]
        node.notes += self._declared.notes_of(node.keys) if node.value else []
        if named:
            node.notes += named[1]
        return node


def _parts_here(part: Token | Group) -> bool:
    if isinstance(part, Group):
        return False
    return (part.kind is Kind.OP and part.text in _PARTS) or (part.kind is Kind.NAME and part.text in _STATES)


def _label(token: Token) -> Label:
    return Label(" ".join(token.text.split()), token.start, token.end)


def _names(group: Group) -> list[Label]:
    return [name for item in group.items for name in _names_of(item.parts)]


def _names_of(parts: Sequence[Token | Group]) -> list[Label]:
    """Names and strings, a dotted name as one; of a condition that denies something, no strings."""
    found: list[Label] = []
    denies = any(isinstance(p, Token) and p.text in _DENIES for p in parts)
    joins = False
    for part in parts:
        if isinstance(part, Group):
            found += [] if denies else _names(part)
            joins = False
        elif part.kind is Kind.OP:
            joins = part.text in (".", "::") and bool(found)
        elif part.kind is Kind.STRING:
            found += [] if denies else [_label(part)]
        elif part.kind is Kind.NAME and joins and found[-1].end + 2 >= part.start:
            found[-1] = Label(f"{found[-1].text}.{part.text}", found[-1].start, part.end)
            joins = False
        elif part.kind is Kind.NAME:
            found.append(_label(part))
    return found
