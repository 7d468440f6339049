"""What a cover of a question holds, sorted by what it does: the slots that a query is filled from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chipwise.answering.mentions import Slot
from chipwise.answering.parts import Part
from chipwise.text import blanked, words

# what a part of a category is kept as
_KEPT = {
    "thing": "things",
    "open": "opens",
    "kind": "opens",
    "maker": "makers",
    "measure": "measures",
    "weak": "measures",
    "axis": "axes",
    "category": "categories",
    "told": "told",
    "condition": "conditions",
    "quantity": "quantities",
    "number": "numbers",
    "date": "dates",
    "order": "orders",
    "rank": "orders",
    "top": "orders",
    "compared": "compared",
    "compare": "compared",
    "related": "related",
    "relate": "related",
    "multiplied": "multiplied",
    "multiple": "multiplied",
    "excluded": "excluded",
    "number asked": "numbers_asked",
    "relative": "left",
    "both": "left",
    "place": "left",
    "verb": "verbs",
    "hint": "hints",
    "judge": "judges",
    "unit": "units",
    "counted": "left",
    "word": "left",
    "not": "negations",
    "except": "left",
    "only": "left",
}
_SENTENCE_ENDS = frozenset(".:;?!")
_ENDS_A_CLAUSE = tuple(",;:.!?–—-(")


@dataclass(slots=True)
class Frame:
    """The parts of one cover, by what they do."""

    text: str
    parts: tuple[Part, ...]
    things: list[Part] = field(default_factory=list)
    opens: list[Part] = field(default_factory=list)
    makers: list[Part] = field(default_factory=list)
    measures: list[Part] = field(default_factory=list)
    axes: list[Part] = field(default_factory=list)
    categories: list[Part] = field(default_factory=list)
    told: list[Part] = field(default_factory=list)
    conditions: list[Part] = field(default_factory=list)
    quantities: list[Part] = field(default_factory=list)
    numbers: list[Part] = field(default_factory=list)
    dates: list[Part] = field(default_factory=list)
    orders: list[Part] = field(default_factory=list)
    compared: list[Part] = field(default_factory=list)
    related: list[Part] = field(default_factory=list)
    multiplied: list[Part] = field(default_factory=list)
    excluded: list[Part] = field(default_factory=list)
    numbers_asked: list[Part] = field(default_factory=list)
    verbs: list[Part] = field(default_factory=list)
    hints: list[Part] = field(default_factory=list)
    judges: list[Part] = field(default_factory=list)
    units: list[Part] = field(default_factory=list)
    negations: list[Part] = field(default_factory=list)
    left: list[Part] = field(default_factory=list)
    asks: set[str] = field(default_factory=set)  # values of the questions: "which", "amount"
    joins: set[str] = field(default_factory=set)  # kinds of operators that join: "or", "versus"
    is_yes_no: bool = False
    states: bool = False
    refuses: str = ""
    describing: list[Part] = field(default_factory=list)  # figures right beside a product: "the 4090 (24 GB)"
    is_choice: bool = False  # "Is it A or B": one of several, and no yes or no
    opener: Part | None = None  # what yes or no answers: "is", "does"

    @property
    def picks_a_name(self) -> bool:
        """True for "which Trainium", which asks for one of a line and not for the chip that is called like it."""
        behind = [p.category for p in self.parts if p.category != "filler"]
        pairs = zip(self.parts, behind[1:], strict=False)
        return any(p.category == "question" and p.value == "which" and b == "thing" for p, b in pairs)

    @property
    def counts_others(self) -> bool:
        """True for "how many L4 have the memory of an MI300X": things are counted against others."""
        counted = any(p.inner and p.inner[0].category == "thing" for p in self.numbers_asked)
        return counted and any(p.value in ("same", "as much") for p in self.related)

    @property
    def sets_apart(self) -> bool:
        """True where several things are set against one another: "vs", "or", "more than"."""
        return bool(self.joins & {"or", "versus", "than"} or self.compared or self.related)


def sort_parts(text: str, found: Sequence[Slot], parts: tuple[Part, ...]) -> Frame:
    """The frame of one cover of the slots `found`."""
    frame = Frame(text, parts)
    for part in parts:
        _keep(frame, part)
    frame.describing = _describing(frame, found)
    if "which" in frame.asks and not _picks(parts):
        frame.asks = frame.asks - {"which"} | {"what"}
    if "what" in frame.asks and _picks(parts):
        frame.asks.add("which")
    opener = None if frame.asks - {"opener"} else opener_in(text, found)
    frame.is_choice = opener is not None and "or" in frame.joins
    opener = None if frame.is_choice else opener
    frame.is_yes_no = opener is not None
    frame.opener = Part("opener", opener.start, opener.end) if opener is not None else None
    return frame


def _keep(frame: Frame, part: Part) -> None:
    """Puts a part where what it does is looked for."""
    name = _KEPT.get(part.category)
    if name is not None:
        getattr(frame, name).append(part)
    elif part.category == "question":
        frame.asks |= {part.value, "what"} if part.value == "kind" else {part.value}
    elif part.category in ("or", "and", "versus", "than", "with", "group", "each", "present"):
        frame.joins.add(part.category)
    elif part.category == "states":
        frame.states = True
    elif part.category == "refuse":
        frame.refuses = part.value
    elif part.category == "opener":
        frame.asks.add("opener")
    if part.is_asked or part.category in ("related", "number asked"):
        frame.asks.add("amount")


def _picks(parts: Sequence[Part]) -> bool:
    """True where members of a set are asked for: "which GPUs", "which is"; false for "which memory does the H200 use"."""
    for number, part in enumerate(parts):
        if part.category == "question" and part.value in ("which", "what"):
            behind = next((p.category for p in parts[number + 1 :] if p.category != "filler"), "")
            if behind in ("open", "kind", "maker") or (
                part.value == "which" and behind not in ("measure", "weak", "thing")
            ):
                return True
    return False


def _describing(frame: Frame, found: Sequence[Slot]) -> list[Part]:
    """The figures that stand beside a product with no more than "with" or a bracket between, and those that go on: "(80 GB, 700 W)"."""
    linking = [s for s in found if any(o.kind == "with" for o in s.operators)]
    beside = [p for p in frame.things if p.ids]
    for part in frame.quantities:
        if part.quantity is None or part.quantity.dimension in ("count", "ratio"):
            continue
        gaps = [(b.end, part.start) if b.end <= part.start else (part.end, b.start) for b in beside]
        between = (blanked(frame.text, [(s.start, s.end) for s in linking])[a:b] for a, b in gaps)
        if any(not words(gap) and not _SENTENCE_ENDS & set(gap) for gap in between):
            beside.append(part)
    return [p for p in beside if p in frame.quantities]


def opener_in(text: str, found: Sequence[Slot]) -> Slot | None:
    """Where a clause begins with what yes or no answers: "is", "does", "can I"."""
    for number, slot in enumerate(found):
        first = number
        while first and any(o.id in ("manners", "preamble", "and") for o in found[first - 1].operators):
            first -= 1
        before = text[: found[first].start].rstrip()
        if any(o.kind == "opener" for o in slot.operators) and (not before or before.endswith(_ENDS_A_CLAUSE)):
            return slot
    return None
