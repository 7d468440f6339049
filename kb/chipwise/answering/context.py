"""Several questions in one text, and follow-ups: what one leaves out is taken from the query before.

"TDP of the H100? And the B200?"       ->  the TDP of each
"We serve a 405B model in FP8. How many H200s? And how many MI300X?"
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chipwise.answering.mentions import Slot, slots
from chipwise.answering.parse import is_about_something, parse, readings, settled
from chipwise.answering.query import Query
from chipwise.answering.roles import opener_in
from chipwise.domain.model import Domain
from chipwise.text import Span, sentences, words

# a new question begins with these even where the one before has said all: "..., and which of them draws more?"
_NEW = ("which", "who", "when")
_ASKS = ("question", "refuse", "versus", "relate")
_ASK_NOTHING = ("same", "as much", "ratio", "percent", "outside")  # values of those that begin a statement as well
_LEADS = ("manners", "preamble", "and", "prepositions")  # what stands before that which asks: "so", "and", "into"
_LATER = ("what", "amount", "count", "all")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a text, at `[begin, end)`; what is said from `start` on sets its scene, and up to `until` comes after it."""

    start: int
    begin: int
    end: int
    until: int


def readings_of(text: str, parts: Sequence[Asked], domain: Domain) -> list[list[Query]]:
    """The readings of each of the `parts` of a text."""
    if len(parts) < 2:  # noqa: PLR2004
        return [[_moved(q, text, p.start) for q in parse(text[p.start : p.until], domain)] for p in parts]
    found: list[list[Query]] = []
    before: Query | None = None
    for part in parts:
        read = [_completed(q, before) for q in readings(text[part.start : part.end], domain)]
        read = [_moved(settled(q), text, part.start) for q in read if is_about_something(q)]
        read.sort(key=lambda q: sum(e - s for s, e in q.left))
        found.append(read)
        before = read[0] if read and not read[0].left else None  # what a query leaves over is not taken on
    return found


def asked_in(text: str, domain: Domain) -> list[Asked]:
    """The questions of a text. What only sets the scene ("We serve a 405B model.") belongs to the one behind it, at the end to the one before."""
    found: list[Asked] = []
    scene: int | None = None
    for start, end in _sentences(text):
        first = start if scene is None else scene
        ends = end == len(text.rstrip())
        if not _asks(text[start:end], domain) and not (ends and (not found or _stands_alone(text[first:end], domain))):
            scene = first
            continue
        scene = None
        parts = _clauses(text, first, end, domain)
        for a, b in parts:
            if b < end and not _asks(text[a:b], domain) and not _stands_alone(text[a:b], domain):
                scene = a if scene is None else scene
                continue
            taken = premise_in(text, max(a, start), domain)
            begin = taken[1] + len(", ") if taken is not None and taken[1] + len(", ") < b else max(a, start)
            found.append(Asked(a if scene is None else scene, begin, b, b))
            scene = None
    if scene is not None:
        found[-1] = replace(found[-1], until=len(text))
    return found


def _sentences(text: str) -> Iterator[Span]:
    """Those of the text, and what goes on in small letters behind a question."""
    for start, end in sentences(text):
        cuts = [n + 1 for n in range(start, end - 1) if text[n] == "?" and text[n + 1] == " "]
        for a, b in itertools.pairwise((start, *cuts, end)):
            yield a + len(text[a:b]) - len(text[a:b].lstrip()), b


def _asks(text: str, domain: Domain) -> bool:
    """True for a text with a question mark, and where a clause of it begins with a word that asks."""
    found = slots(text, domain)
    before = ((text[a.end : b.start].strip(), a) for a, b in itertools.pairwise(found))
    begins = [(".", True), *((mark, bool(mark) or any(o.id in _LEADS for o in a.operators)) for mark, a in before)]
    for slot, (mark, first) in zip(found, begins, strict=False):
        kinds = {o.kind for o in slot.operators if o.value not in _ASK_NOTHING}
        if first and (not kinds.isdisjoint(_ASKS) or (mark == "." and "opener" in kinds)):
            return True
    return "?" in text


def _stands_alone(text: str, domain: Domain) -> bool:
    """True for what no question word asks and can be answered all the same: "Memory of the B200, too"."""
    read = parse(text, domain)
    return bool(read) and not read[0].left and bool(read[0].what)


def premise_in(text: str, start: int, domain: Domain) -> Span | None:
    """What a sentence that begins at `start` takes for granted, up to its comma: "since the H100 has 96 GB, how many ..."."""
    first = words(text[start:])[:1]
    comma = text.find(", ", start)
    if comma < 0 or domain.word_group("premise").isdisjoint(first):
        return None
    return text.index(" ", start) + 1, comma


def _clauses(text: str, start: int, end: int, domain: Domain) -> list[tuple[int, int]]:
    """A sentence in its questions: cut where a question word follows "and" or a mark, if the whole does not hold together."""
    said = text[start:end]
    found = slots(said, domain)
    is_scene = not domain.word_group("scene").isdisjoint(words(said)[:1])
    cuts = [
        s.start
        for before, s in itertools.pairwise(found)
        if _begins(said, before, s) and _has_asked(said, found, s, is_scene=is_scene) and _goes_on(found, s)
    ]
    sure = [s.start for s in found if s.start in cuts and _values(s) & set(_NEW)]
    if not cuts:
        return [(start, end)]
    edges = [0, *cuts, len(said)]
    parts = list(itertools.pairwise(edges))
    whole = parse(said, domain)
    if whole and whole[0].of.unknown and not whole[0].of.entities:  # of nothing known no part can be answered
        return [(start, end)]
    if not sure and whole and not whole[0].left and not _are_apart([said[a:b] for a, b in parts], domain):
        return [(start, end)]
    return [(start + a, start + b) for a, b in parts]


def _are_apart(parts: Sequence[str], domain: Domain) -> bool:
    """True where each part asks something of a thing or a time of its own."""
    read = [next(iter(readings(part, domain)), None) for part in parts]
    complete = [q for q in read if q is not None and q.what and q.of.entities and not q.left]
    things = {c.entity for q in complete for c in q.of.entities}
    own = len(complete) == len(parts) and len(things) == sum(len(q.of.entities) for q in complete)
    times = {dict(q.at)["as_of"] for q in read if q is not None and "as_of" in dict(q.at)}
    return own or len(times) > 1


def _begins(text: str, before: Slot, slot: Slot) -> bool:
    joined = any(o.kind == "and" for o in before.operators) or text[before.end : slot.start].strip() in (
        ",",
        ";",
        "-",
        "–",
        "?",
    )
    asks = _values(slot) & {*_NEW, *_LATER} or any(
        o.kind in ("opener", "refuse") and o.id != "reason" for o in slot.operators[:1]
    )
    return joined and bool(asks or any(o.kind == "refuse" for o in slot.operators))


def _goes_on(found: Sequence[Slot], slot: Slot) -> bool:
    """False for the "why" of "GPUs are busy but MFU is low, why?", which asks for the reason of what stands before it."""
    behind = (s for s in found if s.start > slot.start)
    return not any(o.kind == "refuse" for o in slot.operators) or any(not s.operators for s in behind)


def _has_asked(text: str, found: list[Slot], slot: Slot, *, is_scene: bool) -> bool:
    """True where something was asked before a place: a name alone ("L40S: does it ...") asks for nothing, nor does a scene ("If MFU is 46 %, ...")."""
    asks = ("question",) if is_scene else ("question", "compare", "rank")
    before = [s for s in found if s.end <= slot.start]
    opened = opener_in(text, before) is not None
    return opened or any((s.metrics and not is_scene) or any(o.kind in asks for o in s.operators) for s in before)


def _values(slot: Slot) -> set[str]:
    return {o.value for o in slot.operators if o.kind == "question"}


def _completed(query: Query, before: Query | None) -> Query:
    """A query with the slots that it leaves empty filled from the one before."""
    if before is None:
        return query
    of, told = query.of, before.of
    has_subject = of.entities or of.unknown or of.is_open
    of = of if has_subject else replace(told, without=of.without or told.without, where=of.where or told.where)
    wants = query.what or query.order or query.asserts
    what = query.what if wants else before.what
    order = query.order if wants else before.order
    own = dict(query.at)
    at = tuple(sorted({**dict(before.at), **own}.items())) if not has_subject or not wants else query.at
    return replace(query, of=of, what=what, order=order, at=at)


def _moved(query: Query, text: str, by: int) -> Query:
    """With the places counted in the whole text."""
    return replace(query, text=text, left=tuple((s + by, e + by) for s, e in query.left))
