"""Code as a tree: a constant with the keys, conditions, fields and comments that enclose it; nothing is executed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from chipwise.grids.arithmetic import evaluate
from chipwise.grids.fields import Field, Fields
from chipwise.grids.tokens import Group, Item, Kind, Token, tokens_of
from chipwise.grids.tree import DEEPEST, MOST_CELLS, Label, Node, too_large

Parts: TypeAlias = "list[Token | Group]"
_ENDS: Final = frozenset((",", ";"))
_PARTS: Final = frozenset(("=", ":", "=>", ":=", "->"))
_STATES: Final = frozenset(("return", "yield"))
_DENIES: Final = frozenset(("not", "!=", "!"))
_CASES: Final = frozenset(("case", "default"))
_DEFINES: Final = frozenset(("def", "fn", "func", "function"))


def read_code(text: str, name: str, language: str) -> Node:
    """The constants of a file. Raises SourceUnreadable."""
    top = _Builder().build(tokens_of(text, language, name))
    maker = _Maker(Fields.of(top), toml=language == "toml")
    return Node(children=maker.nodes(top, 0))


@dataclass(slots=True)
class _Frame:
    """An open group, the item that goes on in it, and the comment above what comes next."""

    group: Group
    above: list[Label] = field(default_factory=list)
    item: Item | None = None


class _Builder:
    """Tokens as items of groups."""

    def __init__(self) -> None:
        self._frames = [_Frame(Group(""))]
        self._ended: Item | None = None  # the last item, which a comment on its line is about
        self._line = 0  # of the last token
        self._since: list[Label] = []  # comments on lines of their own, after the last token

    def build(self, tokens: Iterable[Token]) -> Group:
        """The file's top group; what no bracket closes ends with the file."""
        count = 0
        for token in tokens:
            count += token.kind is Kind.NUMBER
            if count > MOST_CELLS:
                raise too_large()
            if token.kind is Kind.COMMENT:
                self._note(token)
                continue
            self._add(token)
            self._line = max(self._line, token.line)
            if token.text or token.kind not in (Kind.NEWLINE, Kind.CLOSE):
                self._since = []
        return self._frames[0].group

    def _add(self, token: Token) -> None:
        frame = self._frames[-1]
        if token.kind is Kind.NEWLINE or (token.kind is Kind.OP and token.text in _ENDS):
            self._ended, frame.item = frame.item or self._ended, None
        elif token.kind is Kind.CLOSE:
            self._close(token)
        else:
            item = self._item(frame, token)
            if token.kind is Kind.OPEN:
                self._open(frame, item, token)
            else:
                item.parts.append(token)

    def _open(self, frame: _Frame, item: Item, token: Token) -> None:
        if len(self._frames) > DEEPEST:
            raise too_large()
        group = Group(token.text)
        item.parts.append(group)
        inside = self._since if token.text == "" else []  # Python begins a block behind the comment on it
        frame.above = [] if inside else frame.above
        self._frames.append(_Frame(group, inside))
        self._ended = item

    def _close(self, token: Token) -> None:
        if len(self._frames) == 1:
            return
        self._frames.pop()
        frame = self._frames[-1]
        self._ended = frame.item or self._ended
        if token.text == "":
            frame.item = None
            frame.above = self._since or frame.above  # and ends one behind the comment on what follows

    def _item(self, frame: _Frame, token: Token) -> Item:
        """The item that a token belongs to, a new one where none goes on."""
        items = frame.group.items
        if frame.item is None and token.kind is Kind.OPEN and token.text == "" and items:
            frame.item = items[-1]  # the block of the line above
        elif frame.item is None or (token.text == "else" and isinstance(frame.item.parts[-1], Group)):
            if token.line > self._line + 1 and items and token.kind is not Kind.OPEN:
                frame.above = []  # an empty line ends what a comment is about
            frame.item = Item(above=list(frame.above))
            items.append(frame.item)
        return frame.item

    def _note(self, token: Token) -> None:
        note = _label(token)
        frame = self._frames[-1]
        owner = frame.item or self._ended
        if token.line == self._line and owner is not None and not self._since:
            owner.notes.append(note)
        else:
            follows = self._since and token.line == self._line + 1
            self._since = frame.above = [*self._since, note] if follows else [note]
        self._line = token.line + token.text.count("\n")


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
        node = Node(notes=[*item.notes, *item.above])
        if any(isinstance(p, Token) and p.text == "?" and p.kind is Kind.OP for p in parts):
            return node  # of two values one, by a condition
        cut = max((n for n, p in enumerate(parts) if _is_cut(p)), default=-1)
        head, value = parts[: max(cut, 0)], parts[cut + 1 :]
        if [getattr(p, "kind", None) for p in value] == [Kind.STRING, Kind.OP, Kind.NAME, None]:
            value = value[:1]  # "v4".to_string()
        if cut > 0 and getattr(parts[cut], "text", "") == "=":
            head = head[: next((n for n, p in enumerate(head) if _is_cut(p)), cut)]  # without the type behind a colon
        last = value[-1] if value else None
        result = evaluate(value, self._declared.constants)
        literal = _wrapped(value)
        if result is not None:
            node.value, node.units = result
            node.reckoned = sum(isinstance(p, Token) and p.kind is Kind.NUMBER for p in value) > 1
        elif literal is not None and not self._declared.fields_of(_names_of(value[:-1]), literal[1]):
            node.value, head = _label(literal[0]), [*value[:-1], *head]
        elif isinstance(last, Group):
            head = [*head, *value[:-1]]
            fields = self._declared.fields_of(_names_of(head), last) or inherited or _listed(item, last)
            node.children = self.nodes(last, depth + 1, fields)
        else:
            head, node.value = _worded(head, value, cut)
        if any(isinstance(p, Token) and p.text in _DEFINES for p in head):
            defaults = [self.nodes(p, depth + 1) for p in head if isinstance(p, Group)]
            node.children = [*(d for group in defaults for d in group), *node.children]
        node.keys = _names_of(head)[::-1] or ([named[0]] if named else [])
        told = self._declared.notes.get(node.keys[0].text, []) if node.value and node.keys else []
        declared = [*told, *(named[1] if named and node.keys == [named[0]] else [])]  # what has a name has no place
        node.notes += [note for note in declared if note not in node.notes]
        return node


def _listed(item: Item, group: Group) -> list[Field]:
    """The fields that a comment lists, one for each element of a record without names: "# name, memory_gb, tflops"."""
    first = next((p for p in (group.items[0].parts if group.items else ()) if isinstance(p, Group)), group)
    if any(_is_cut(p) for i in first.items for p in i.parts):
        return []
    notes = (*item.notes, *item.above)
    lists = ([Label(name.strip("()[]{} "), n.start, n.end) for name in n.text.split(",")] for n in notes)
    return next(([(name, []) for name in names] for names in lists if len(names) == len(first.items) > 1), [])


def _worded(head: Parts, value: Parts, cut: int) -> tuple[Parts, Label | None]:
    """A value in words, "fp8" or torch.float8; of "#define H100_TFLOPS 989" the number behind its name."""
    last = value[-1] if value else None
    numbers = [p for p in value if isinstance(p, Token) and p.kind is Kind.NUMBER]
    if cut < 0 and len(numbers) == 1 and last is numbers[0]:
        return value[:-1], _label(numbers[0])
    if numbers or any(isinstance(p, Group) for p in value):
        return head, None
    names = _names_of(value)
    return (head, names[0] if len(names) == 1 else None) if names else ([*head, *value], None)


def _wrapped(value: Parts) -> tuple[Token, Group] | None:
    """The text that a call makes a value of, with the brackets around it: MustParse("24Gi")."""
    group = value[-1] if len(value) > 1 else None
    inside = group.items[0].parts if isinstance(group, Group) and group.open == "(" and len(group.items) == 1 else []
    only = inside[0] if len(inside) == 1 else None
    if not isinstance(group, Group) or not isinstance(only, Token) or only.kind is not Kind.STRING:
        return None
    return (only, group) if all(isinstance(p, Token) and p.kind in (Kind.NAME, Kind.OP) for p in value[:-1]) else None


def _is_cut(part: Token | Group) -> bool:
    if isinstance(part, Group):
        return False
    return (part.kind is Kind.OP and part.text in _PARTS) or (part.kind is Kind.NAME and part.text in _STATES)


def _label(token: Token) -> Label:
    return Label(token.text if "\n" in token.text else " ".join(token.text.split()), token.start, token.end)


def _names(group: Group) -> list[Label]:
    return [name for item in group.items for name in _names_of(item.parts)]


def _names_of(parts: Parts) -> list[Label]:
    """Names and strings, a dotted name as one; of a condition that denies something, no strings."""
    found: list[Label] = []
    denies = any(isinstance(p, Token) and p.kind is not Kind.STRING and p.text in _DENIES for p in parts)
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
