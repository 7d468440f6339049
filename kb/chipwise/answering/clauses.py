"""A text as clauses: those that ask, and those that only tell how the question came up.

"works on my V100, vLLM complains about 8.6. Does it support bf16?"
    ->  "Does it support bf16" asks; the others may give it a name, and each may be left out

What is left out is chosen by weight: a name, a figure or a condition that is not used weighs much more than any other word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise

from chipwise.answering.mentions import ASKING, Slot, slots
from chipwise.domain.model import Domain

_MOST_LEFT_OUT = 4  # clauses that are left out one by one; those before them go together
_MOST_TRIED = 8  # of one question
_MARKS = frozenset(".?!;:–—()")
_ASKS = ("question", "opener", "refuse", "versus", "relate")
_ASK_NOTHING = ("same", "as much", "ratio", "percent", "outside")  # values of those that begin a statement as well
_LEADS = ("manners", "preamble", "and", "prepositions")  # what stands before that which asks: "so", "and", "into"
_HOW = ("reason", "procedure", "manner")  # what asks without a mark before it: "both have 24 GB so why"
_DEPENDS = ("with", "bound", "not", "except", "than", "or", "versus")  # what begins with these is no clause of its own
_WORD, _NAMED = 0.1, 3.0


@dataclass(frozen=True, slots=True)
class Clause:
    """The stretch `[start, end)` of a text; one that is `free` may be left out."""

    start: int
    end: int
    slots: tuple[Slot, ...]
    told: tuple[Slot, ...]  # names, figures and conditions in it
    asks: bool
    free: bool

    @property
    def reports(self) -> bool:
        """True for what somebody says, the figures of which are no givens."""
        return any("states" in _kinds(s) or s.aside == ASKING for s in self.slots)

    @property
    def weight(self) -> float:
        """How much is lost with it."""
        return _NAMED * len(self.told) + _WORD * len(self.slots)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What is left of a text without some of its clauses, with the names that it takes from them and as `asked` without.

    `unused` are the names and figures left out; it `lacks_figures` where some are given, and not only what somebody says.
    """

    text: str
    asked: str
    unused: tuple[str, ...]
    lacks_figures: bool


def asks(sentence: str, domain: Domain) -> bool:
    """True for a text with a clause that asks."""
    return any(c.asks for c in _clauses(sentence, domain))


def narrowed(text: str, domain: Domain) -> list[Narrowed]:
    """The text without the clauses that do not ask, the one that loses least first; none where nothing can be left out."""
    found = list(_clauses(text, domain))
    if not any(c.asks for c in found):
        return []
    free = [c for c in found if c.free]
    first, last = free[:-_MOST_LEFT_OUT], free[-_MOST_LEFT_OUT:]
    groups = [*([first] if first else []), *([c] for c in last)]
    chosen = [list(chain(*some)) for n in range(1, len(groups) + 1) for some in combinations(groups, n)]
    chosen.sort(key=lambda out: sum(c.weight for c in out))
    tried = [*chosen[: _MOST_TRIED - 1], chosen[-1]] if len(chosen) > _MOST_TRIED else chosen
    return [_without(text, found, out, domain) for out in tried]


def _without(text: str, found: Sequence[Clause], out: Sequence[Clause], domain: Domain) -> Narrowed:
    """Without the clauses `out`; where the rest names nothing, behind the names of the nearest one that does."""
    ends = [*(c.start for c in found[1:]), len(text)]
    kept = "".join(text[c.start : end] for c, end in zip(found, ends, strict=True) if c not in out).strip(" ,;:-–—\n")
    slots_kept = [s for c in found if c not in out for s in c.slots]
    named = (
        [] if any(_names(s, domain) for s in slots_kept) else [[s for s in c.slots if _names(s, domain)] for c in out]
    )
    filled = next((names for names in reversed(named) if names), [])
    said = {text[s.start : s.end].lower() for s in (*slots_kept, *filled)}
    told = (text[s.start : s.end] for c in out for s in c.told)
    unused = tuple(dict.fromkeys(t for t in told if t.lower() not in said))
    whose = ", ".join(dict.fromkeys(text[s.start : s.end] for s in filled))
    lacks = any(not c.reports and any(map(_is_figure, c.told)) for c in out)
    return Narrowed(f"{whose}: {kept}" if whose else kept, kept, unused, lacks)


def _tells(slot: Slot, domain: Domain) -> bool:
    """True for a name, a figure or a condition."""
    return bool(_names(slot, domain) or _is_figure(slot) or slot.date or slot.axes or slot.categories)


def _is_figure(slot: Slot) -> bool:
    return bool(slot.quantity) or (slot.number is not None and not slot.is_word)


def _names(slot: Slot, domain: Domain) -> bool:
    """True for the name of one thing or of several alike, not of all GPUs."""
    return slot.names is not None and not all(map(domain.is_many, slot.names.ids))


def _clauses(text: str, domain: Domain) -> Iterator[Clause]:
    found = slots(text, domain)
    cuts = [0]
    for n in range(1, len(found)):
        if _parts(text, found, cuts[-1], n):
            cuts.append(n)
    binding = domain.word_group("scene")
    for a, b in pairwise([*cuts, len(found)] if found else []):
        own = tuple(found[a:b])
        end = found[b].start if b < len(found) else len(text)
        mark = text[own[-1].end : end].strip()[:1]
        ends = (
            b == len(found) or "and" in _kinds(found[b]) or mark in (".", "!")
        )  # "Will it fit, and how much is left?"
        tells_more = (
            a > 0 and mark == "." and text[found[a - 1].end : own[0].start].strip() == ","
        )  # ", which seems huge."
        does_ask = mark == "?" or (_asks(own, ends=ends) and not tells_more)
        first = text[own[0].start : own[0].end].lower()
        binds = first in binding and not any(o.id == "articles" for o in own[0].operators) and mark in ("", ",")
        told = tuple(s for s in own if _tells(s, domain))
        yield Clause(
            own[0].start, own[-1].end, own, told, does_ask, not (does_ask or binds or _sets_beside_unknown(own, text))
        )


def _parts(text: str, found: Sequence[Slot], since: int, at: int) -> bool:
    """True where a clause of its own begins with the slot `at`; the one before it begins with `since`."""
    gap = text[found[at - 1].end : found[at].start]
    mark = gap.strip()
    if gap != mark and (mark in ("-", "--") or not _MARKS.isdisjoint(mark)):
        return True
    before, behind = found[since:at], found[at:]
    if not mark and any(o.kind == "refuse" and o.value in _HOW for o in behind[0].operators):
        return True
    if not mark and any(o.id == "manners" for o in behind[0].operators) and _has_verb(before):
        return any("question" in _kinds(s) for s in behind[1:2])  # "both have 24 GB so what"
    if "," not in mark and "and" not in _kinds(behind[0]):
        return False
    depends = _kinds(before[0]) & set(_DEPENDS) or any(o.id == "prepositions" for o in before[0].operators)
    if _asks(behind) and (since or not depends):
        return True
    until = next((n for n in range(1, len(behind)) if text[behind[n - 1].end : behind[n].start].strip()), len(behind))
    return bool(mark) and _has_verb(before) and _has_verb(behind[:until]) and not _kinds(behind[0]) & set(_DEPENDS)


def _sets_beside_unknown(found: Sequence[Slot], text: str) -> bool:
    """True for things to be compared one of which nothing knows: "Kunlun P800 vs H100"."""
    said = [text[s.start : s.end] for s in found if not s.is_known]
    joins = any(_kinds(s) & {"versus", "or"} for s in found)
    return joins and any(w[0].isupper() or any(map(str.isdigit, w)) for w in said)


def _asks(found: Sequence[Slot], *, ends: bool = True) -> bool:
    """True for what begins with a question word or as an order ("so what differs"), or with what yes or no answers where a sentence `ends` behind it."""
    first = next((s for s in found if not any(o.id in _LEADS for o in s.operators)), None)
    if first is None:
        return False
    kinds = {o.kind for o in first.operators if o.value not in _ASK_NOTHING}
    return bool(kinds & (set(_ASKS) if ends else set(_ASKS) - {"opener"}))


def _kinds(slot: Slot) -> set[str]:
    return {o.kind for o in slot.operators}


def _has_verb(found: Sequence[Slot]) -> bool:
    return any(_kinds(s) & {"verb", "opener"} or any(o.id == "being and having" for o in s.operators) for s in found)
