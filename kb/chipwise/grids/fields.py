"""The fields that code declares: their order names what a record writes without names, their comments say the units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import zip_longest

from chipwise.grids.arithmetic import number_of
from chipwise.grids.tokens import Group, Item, Kind, Token
from chipwise.grids.tree import Label

Field = tuple[Label, list[Label]]  # the name, and what comments say of it
_MADE_BY = frozenset(("class", "struct", "interface", "type", "record"))


@dataclass(slots=True)
class Fields:
    """By type, its fields in order; by field, the comments beside its declaration; numbers that have a name."""

    of_type: dict[str, list[Field]] = field(default_factory=dict)
    constants: dict[str, Decimal] = field(default_factory=dict)
    notes: dict[str, list[Label]] = field(default_factory=dict)

    @classmethod
    def of(cls, top: Group) -> Fields:
        """What a file declares."""
        declared, waiting = cls(), [top]
        while waiting:
            for item in waiting.pop().items:
                declared._add(item)
                waiting += [p for p in item.parts if not isinstance(p, Token)]
        return declared

    def fields_of(self, names: Sequence[Label], group: Group) -> list[Field]:
        """The fields of what a group holds, where a name before it is a type's; of a list of records, those of each."""
        return next((self.of_type[n.text] for n in reversed(names) if n.text in self.of_type and group.open), [])

    def _add(self, item: Item) -> None:
        words = [p for p in item.parts if isinstance(p, Token)]
        assigned = len(item.parts) == len(words) == 3 and words[1].text == "="  # noqa: PLR2004  NAME = NUMBER
        if assigned and words[2].kind is Kind.NUMBER and (value := number_of(words[2].text)) is not None:
            self.constants.setdefault(words[0].text, value)
        group = item.parts[-1] if item.parts else None
        if isinstance(group, Token) or group is None or not any(w.text in _MADE_BY for w in words):
            return
        fields = [f for i, below in zip_longest(group.items, group.items[1:]) if (f := _field(i, below)) is not None]
        for name in (w.text for w in words if fields and w.kind is Kind.NAME and w.text not in _MADE_BY):
            self.of_type.setdefault(name, fields)
        for label, notes in (f for f in fields if f[1]):
            self.notes.setdefault(label.text, notes)


def _field(item: Item, below: Item | None) -> Field | None:
    """`vram: int`, `int vram` and `Vram int` declare a field: it stands before a colon, or is the last word in small letters.

    A text alone in the item below it tells what it is, as a comment does.
    """
    words = [p for p in item.parts if isinstance(p, Token)]
    names = [w for w in words if w.kind is Kind.NAME]
    texts = {w.text for w in words}
    colon, literal = ":" in texts, any(w.kind in (Kind.STRING, Kind.NUMBER) for w in words[:1])
    if not names or literal or "def" in texts or ("=" in texts and not colon):
        return None
    named = next((w for w in names if w.text not in ("pub", "readonly", "const")), names[0])
    if not colon and not named.text[0].isupper():
        named = names[-1]
    text = below.parts[0] if below is not None and len(below.parts) == 1 else None
    told = [Label(text.text, text.start, text.end)] if isinstance(text, Token) and text.kind is Kind.STRING else []
    return Label(named.text, named.start, named.end), [*told, *item.notes, *item.above]
