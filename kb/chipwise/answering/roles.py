"""The phrases of a question, each with the part that it plays: what is asked about, measured, required, put in order, or only said.

Which words do what is data (operators.toml). No rule looks at words, only at what kind of phrase they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from chipwise.answering.mentions import OF_METRICS, Slot
from chipwise.answering.query import Unknown
from chipwise.claims.model import Qualifiers
from chipwise.domain.model import Domain
from chipwise.domain.records import Operator
from chipwise.numbers.quantity import Quantity
from chipwise.text import words

MACHINES = ("system", "instance")
CHIP = "chip"
GENERIC = {("memory_kind", "hbm"), ("memory_kind", "gddr")}  # "HBM" is how people call a memory
# what a word is taken for where it may be several things and nothing beside it decides
_FIRST = (
    "filler", "hint", "present", "judge", "refuse", "with", "states", "than", "question", "opener", "compare", "rank", "top", "place", "relate",
    "versus", "or", "and", "only", "both", "kind", "group", "each", "relative", "state", "verb", "not", "except", "multiple", "number", "bound",
)  # fmt: skip
# operators that words stay even where they name something as well
_SURE = frozenset(
    "refuse states than judge question compare rank top place relate versus or and only both kind group each relative".split()
)
_GAP = 5  # fillers between two phrases that go together: "memory that one of the"
_LINES = ("line", "family")
_LEADS = ("manners", "preamble", "and")  # operators that may stand before what asks
_ENDS_A_CLAUSE = tuple(",;:.!?–—-(")


@dataclass(slots=True, eq=False)
class Phrase:
    """A stretch of the question and what it does; `ids` are entities, metrics or terms, `does` all that its words may do."""

    kind: str
    start: int
    end: int
    ids: tuple[str, ...] = ()
    does: dict[str, Operator] = field(default_factory=dict)
    value: str = ""  # of an operator, a category, a date
    axes: Qualifiers = ()
    count: int | None = None
    unit: str = ""
    figure: Quantity | None = None
    strict: bool = False  # True for a bound that is none of it
    holds: bool = True
    unknown: Unknown | None = None
    lines: tuple[str, ...] = ()  # what a name means as well
    kinds: tuple[str, ...] = ()  # of a set: "chip", "system"
    makers: tuple[str, ...] = ()
    asked: bool = False  # True behind "how much"
    bound_to: Phrase | None = None  # the measure of a figure, the figure of a measure, the verb of a category
    used: bool = False

    @property
    def operator(self) -> str:
        """The id of the operator that it is."""
        return self.does[self.kind].id if self.kind in self.does else ""

    def grow(self, other: Phrase) -> None:
        """Takes another phrase in."""
        self.start, self.end, other.kind = min(self.start, other.start), max(self.end, other.end), ""


@dataclass(slots=True)
class Roles:
    """The phrases of a question by what they do, and what kind of question it is."""

    text: str
    phrases: list[Phrase]
    asks: set[str] = field(default_factory=set)  # values of the questions: "which", "amount"
    refuses: str = ""
    opener: Phrase | None = None  # what yes or no answers: "is", "does"
    is_choice: bool = False  # "Is it A or B": one of several, and no yes or no

    def of(self, *kinds: str) -> list[Phrase]:
        """Those of some kinds, in order."""
        return [p for p in self.phrases if p.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """True where one of some kinds is there."""
        return any(p.kind in kinds for p in self.phrases)

    @property
    def is_yes_no(self) -> bool:
        """True where the question begins with what yes or no answers."""
        return self.opener is not None

    @property
    def sets_apart(self) -> bool:
        """True where several things are set against one another: "vs", "or", "more than"."""
        return self.has("or", "versus", "than", "compare", "relate")

    def relates(self, *values: str) -> bool:
        """True where things are related in one of some ways: "same", "as much"."""
        return any(p.value in values for p in self.of("relate"))

    def metrics_of(self, phrase: Phrase) -> tuple[str, ...]:
        """What it measures: by its words, or by what it does."""
        known = phrase.does.get(phrase.kind)
        return phrase.ids or (known.metrics if known is not None else ())


def read_roles(text: str, found: Sequence[Slot], domain: Domain) -> Roles:
    """The phrases of the slots `found`, put together and sorted."""
    phrases = [_typed(slot, domain) for slot in found]
    reader = _Reader(text, phrases, domain)
    for join in (reader.name, reader.count, reader.leave_out, reader.tell, reader.deny, reader.ask, reader.bind):
        for n, phrase in enumerate(phrases):
            if phrase.kind:
                join(n, phrase)
    kept = [p for p in phrases if p.kind]
    roles = Roles(text, kept)
    roles.refuses = next((p.value for p in reversed(kept) if p.kind == "refuse"), "")
    for phrase in kept:
        if phrase.kind == "question":
            roles.asks |= {phrase.value, "what"} if phrase.value == "kind" else {phrase.value}
        if phrase.asked or phrase.kind == "counted" or (phrase.value in ("percent", "ratio") and roles.has("compare")):
            roles.asks.add("amount")
    picks = _picks(kept)
    if "which" in roles.asks and not picks:
        roles.asks = roles.asks - {"which"} | {"what"}
    if "what" in roles.asks and picks:
        roles.asks.add("which")
    opener = None if roles.asks else opener_in(text, found)
    roles.is_choice = opener is not None and roles.has("or")
    roles.opener = Phrase("opener", opener.start, opener.end) if opener is not None and not roles.is_choice else None
    return roles


def _typed(slot: Slot, domain: Domain) -> Phrase:
    """A slot as one phrase: a name before a figure, a figure before a measure, a measure before what its words do."""
    does = {o.kind: o for o in reversed(slot.operators)}
    phrase = Phrase("word", slot.start, slot.end, does=does, makers=slot.makers)
    whole = slot.number is not None and slot.number % 1 == 0
    phrase.count = int(does["number"].value) if "number" in does else int(slot.number or 0) if whole else None
    if slot.names is not None:
        ids = tuple(i for i in slot.names.ids if domain.kind(i) not in _LINES)
        phrase.lines = tuple(i for i in slot.names.ids if i not in ids)
        phrase.kind, phrase.ids = ("thing", ids) if ids or slot.names.unknown else ("set", phrase.lines)
        phrase.count, phrase.unit, phrase.unknown = slot.names.count, slot.names.unit, slot.names.unknown
    elif slot.quantity is not None and slot.number is None:
        phrase.kind, phrase.figure, phrase.strict = "figure", slot.quantity, slot.is_strict
    elif slot.number is not None and not (slot.is_word and does):
        phrase.kind, phrase.figure = "number", slot.quantity
    elif slot.date:
        phrase.kind, phrase.value = "date", slot.date
    elif not _is_said(phrase, slot):
        _type_by_words(phrase, slot, domain)
    return phrase


def _is_said(phrase: Phrase, slot: Slot) -> bool:
    """Makes a phrase a measure, a maker or a value where it says one; its axes and its category come along."""
    does, says = phrase.does, bool(slot.metrics or slot.axes or slot.categories or slot.makers)
    verb = does.get("verb")
    if not says or not _SURE.isdisjoint(does):
        return False
    if slot.metrics and not (verb is not None and set(verb.metrics) & set(slot.metrics)):
        phrase.kind, phrase.ids, phrase.unit = "value" if slot.is_weak else "measure", slot.metrics, slot.unit
    elif slot.makers and not slot.axes:
        phrase.kind = "maker"
    elif slot.axes or slot.categories:
        phrase.kind = "value"
    else:
        return False
    phrase.axes = tuple((a, v) for a, v in slot.axes if not slot.metrics or a not in OF_METRICS)
    phrase.value = slot.categories[0].removeprefix("!") if slot.categories else ""
    phrase.holds = not (slot.categories and slot.categories[0].startswith("!"))
    return True


def _type_by_words(phrase: Phrase, slot: Slot, domain: Domain) -> None:
    """A unit, or what the words do."""
    does = phrase.does
    if slot.unit and "hint" not in does:
        default = domain.default_metrics.get(domain.units[slot.unit].dimension)
        phrase.kind, phrase.unit, phrase.ids = "unit", slot.unit, (default,) if default else ()
    elif does or slot.number is not None:
        phrase.kind = next((k for k in _FIRST if k in does), "number")
        phrase.value, phrase.unit = does[phrase.kind].value if phrase.kind in does else "", slot.unit


class _Reader:
    """Puts neighbors together, one kind of rule after the other."""

    def __init__(self, text: str, phrases: list[Phrase], domain: Domain) -> None:
        self.text, self.phrases, self.domain = text, phrases, domain

    def beside(self, n: int, step: int, *, near: bool = False, across: bool = False) -> Phrase | None:
        """The next phrase behind (or before) one, over fillers unless `near`, over a mark only `across`."""
        last, gaps = self.phrases[n], 0
        at = n + step
        while 0 <= at < len(self.phrases) and gaps <= _GAP:
            other = self.phrases[at]
            left, right = (last, other) if step > 0 else (other, last)
            if left.end < right.start and self.text[left.end : right.start].strip() and not across:
                return None
            if other.kind and (other.kind != "filler" or near):
                return other if other.kind != "filler" else None
            if other.kind:
                gaps, last = gaps + 1, other
            elif left.end < right.start:
                last = other
            at += step
        return None

    def name(self, n: int, p: Phrase) -> None:
        """ "NVIDIA GPUs" is one set, "a DGX H100 server" one machine."""
        behind, before = self.beside(n, 1, near=True), self.beside(n, -1)
        asked = before is not None and (before.kind, before.value) == ("question", "which")
        if p.kind == "thing" and p.lines and asked:
            p.kind, p.ids = "set", p.lines  # "which Trainium" asks for one of them
        if behind is None:
            return
        machine = p.kind == "thing" and bool(p.ids) and behind.kind == "kind" and behind.value in MACHINES
        if "state" in p.does and behind.kind == "thing":  # "used 3090s"
            behind.grow(p)
        elif p.makers and behind.kind in ("set", "kind") and (p.kind == "maker" or behind.kind == "set"):
            self._of_maker(p, behind)
        elif machine and self.domain.is_machine(p.ids[0]):
            p.grow(behind)

    def _of_maker(self, p: Phrase, behind: Phrase) -> None:
        if p.kind == "maker" or "provider" not in dict(p.axes):
            behind.makers = (*behind.makers, *p.makers)
            behind.grow(p)
            if behind.kind == "kind":
                behind.kind, behind.kinds = "set", (behind.value,)

    def count(self, n: int, p: Phrase) -> None:
        """ "two H200", "3 racks of GB300", "8 GPUs", "top 3"; "used 3090s" are 3090s."""
        behind = self.beside(n, 1, near=True, across=p.kind == "number" and p.count is not None)
        is_count = p.count is not None and p.kind in ("number", "filler", "question") and p.figure is None
        if is_count and behind is not None and behind.kind == "thing" and behind.count is None:
            behind.count = p.count
            behind.grow(p)
        elif is_count and behind is not None and behind.kind in ("kind", "set"):
            if behind.kind == "set" or behind.value == CHIP:
                p.kind, p.lines, p.makers = "figure", behind.ids, behind.makers
                p.kinds = (behind.value,) if behind.kind == "kind" else behind.kinds
                p.figure = Quantity(p.start, behind.end, "count", "chips", p.count, p.count)  # type: ignore[arg-type]
                p.grow(behind)
        elif p.kind == "number" and p.count:
            sides = (self.beside(n, 1), self.beside(n, -1, near=True))
            ranks = [r for r in sides if r is not None and r.kind in ("rank", "top")]
            if ranks and p.figure is None:
                ranks[0].count = p.count
                ranks[0].grow(p)

    def leave_out(self, n: int, p: Phrase) -> None:
        """ "besides NVIDIA", "non-NVIDIA chips", "not from AMD"."""
        if not {"except", "not"} & set(p.does):
            return
        behind = self.beside(n, 1, across=True)
        kinds = ("maker", "thing", "set", "value", "measure") if "except" in p.does else ("maker",)
        if behind is not None and behind.kind in kinds and (behind.kind != "value" or not behind.axes or behind.value):
            behind.lines = behind.ids if behind.kind == "set" else ()
            behind.kind, behind.value = "excluded", behind.value or behind.kind
            behind.grow(p)

    def deny(self, n: int, p: Phrase) -> None:
        """ "no NVLink", "without HBM"."""
        behind = self.beside(n, 1) if "not" in p.does else None
        if behind is not None and behind.kind in ("value", "told") and behind.value:
            behind.holds = not behind.holds
            behind.grow(p)

    def tell(self, n: int, p: Phrase) -> None:
        """ "support BF16", "made by NVIDIA": of the metrics that a verb goes with those that have such a value."""
        verb = p.does.get("verb")
        if verb is None or p.kind in ("thing", "set"):
            return
        for told in (self.beside(n, 1), self.beside(n, -1)):
            if told is None or told.kind not in ("value", "maker") or told.bound_to is not None:
                continue
            if p.kind != "verb" and told.axes and any(o.kind == "measure" for o in self.phrases):
                continue  # "how many TFLOPS does it do in BF16"
            metrics = tuple(m for m in verb.metrics if told.value and relation_takes(m, told.value, self.domain))
            if metrics:
                told.kind, told.ids, told.bound_to = "told", metrics, p
                told.grow(p)
                return

    def ask(self, n: int, p: Phrase) -> None:
        """ "how much memory", "how many H200s", "how many watts", "how much more"."""
        if p.kind != "question" or p.value not in ("amount", "count"):
            return
        behind = self.beside(n, 1)
        near = self.beside(n, 1, near=True)
        if behind is not None and (behind.kind == "measure" or (behind.kind == "value" and behind.ids)):
            behind.asked = True
            behind.kind = "measure"
        elif behind is not None and behind.kind == "compare":
            behind.kind, behind.value = "relate", "difference"
            behind.does["relate"], behind.asked = behind.does["compare"], True
        elif near is not None and near.unit and near.kind in ("unit", "hint"):
            near.kind, near.ids, near.asked = "measure", of_unit(near.unit, self.domain), True
        elif near is not None and p.value == "count" and near.kind in ("thing", "set", "kind"):
            near.value = near.value if near.kind == "kind" else near.kind
            near.kinds = (near.value,) if near.kind == "kind" else near.kinds
            near.kind = "counted"
        elif p.does["question"].metrics:
            p.kind, p.asked, p.ids = "measure", True, p.does["question"].metrics
            return
        else:
            return
        if p.value == "amount" or behind is None or behind.kind != "relate":
            p.used = True

    def bind(self, n: int, p: Phrase) -> None:
        """A figure beside the measure that it is of: "a TDP under 700 W"; a unit beside its measure."""
        if p.kind == "unit":
            for measure in (self.beside(n, -1), self.beside(n, 1)):
                if measure is not None and measure.kind in ("measure", "value") and measure.ids and not measure.unit:
                    dimension, metrics = self.domain.units[p.unit].dimension, self.domain.metrics
                    ids = tuple(i for i in measure.ids if i in metrics and metrics[i].dimension == dimension)
                    if ids:
                        measure.ids, measure.unit = ids, p.unit
                        measure.grow(p)
                        return
        if p.kind != "figure" or p.figure is None:
            return
        for measure in (self.beside(n, -1), self.beside(n, 1)):
            if measure is not None and measure.kind in ("measure", "value") and not (measure.bound_to or measure.unit):
                fitting = tuple(i for i in measure.ids if fits(i, p.figure, self.domain))
                if fitting:
                    p.bound_to, measure.bound_to, p.ids, p.axes = measure, p, fitting, measure.axes
                    return


PACE = {  # how fast something is
    "memory_capacity": "memory_bandwidth",
    "memory_kind": "memory_bandwidth",
    "interconnect_kind": "interconnect_bandwidth",
}


def fits(metric: str, figure: Quantity, domain: Domain) -> bool:
    """True where a metric may have a figure of that dimension."""
    known = domain.metrics.get(metric)
    if known is None:
        return False
    if figure.dimension == "count":
        return known.dimension == "count" and domain.counts(known, figure.unit)
    return known.dimension == figure.dimension or figure.dimension in known.implied_by


def of_unit(unit: str, domain: Domain) -> tuple[str, ...]:
    """What "how many watts" asks for: the metrics of that dimension."""
    dimension = domain.units[unit].dimension
    alike = [m for m in domain.metrics.values() if m.dimension == dimension]
    if dimension == "count":
        return tuple(m.id for m in alike if domain.counts(m, unit))
    default = domain.default_metrics.get(dimension)
    return (default,) if default else tuple(m.id for m in alike if m.main) or tuple(m.id for m in alike)


def relation_takes(metric: str, id_: str, domain: Domain) -> bool:
    """True where a term or value can be what a relation says: PyTorch is a framework."""
    relation = domain.relations.get(metric)
    if relation is None:
        return False
    kind = domain.terms[id_].kind if id_ in domain.terms else ""
    return id_ in relation.objects or bool(kind and kind in relation.objects)


def opener_in(text: str, found: Sequence[Slot]) -> Slot | None:
    """Where a clause begins with what yes or no answers: "is", "does", "can I"."""
    for number, slot in enumerate(found):
        first = number
        while first and any(o.id in _LEADS for o in found[first - 1].operators):
            first -= 1
        before = text[: found[first].start].rstrip()
        if any(o.kind == "opener" for o in slot.operators) and (not before or before.endswith(_ENDS_A_CLAUSE)):
            return slot
    return None


def _picks(phrases: Sequence[Phrase]) -> bool:
    """True where members of a set are asked for: "which GPUs", "which is"; false for "which memory does the H200 use"."""
    for n, phrase in enumerate(phrases):
        if phrase.kind == "question" and phrase.value in ("which", "what"):
            after = next((p for p in phrases[n + 1 :] if p.kind != "filler"), None)
            behind = "" if after is None else "measure" if after.kind == "value" and after.ids else after.kind
            if behind in ("set", "kind", "maker") or (phrase.value == "which" and behind not in ("measure", "thing")):
                return True
    return False


def describing(roles: Roles) -> list[Phrase]:
    """The figures right beside a product with no more than "with" or a bracket between: "the 4090 (24 GB, 450 W)"."""
    beside = [p for p in roles.of("thing") if p.ids]
    linking = [(p.start, p.end) for p in roles.phrases if "with" in p.does]
    found: list[Phrase] = []
    for part in roles.of("figure"):
        if part.figure is None or part.figure.dimension in ("count", "ratio"):
            continue
        gaps = [(b.end, part.start) if b.end <= part.start else (part.end, b.start) for b in beside]
        if any(_is_link(roles.text, a, b, linking) for a, b in gaps):
            beside.append(part)
            found.append(part)
    return found


def _is_link(text: str, start: int, end: int, linking: Sequence[tuple[int, int]]) -> bool:
    said = "".join(c for n, c in enumerate(text[start:end], start) if not any(a <= n < b for a, b in linking))
    return not words(said) and not set(".:;?!") & set(said)
