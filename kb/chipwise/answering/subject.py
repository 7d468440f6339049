"""Of which things a query is: those named, or all of some lines, kinds and makers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from chipwise.answering.frame import Frame
from chipwise.answering.parts import Part
from chipwise.answering.query import Counted, Set
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain

HOLDERS = ("system", "instance")
CHIPS = "chip"


def counted(part: Part) -> Counted:
    """A named thing as the query has it."""
    return Counted(part.ids[0], part.count, part.unit)


def subject_of(frame: Frame, domain: Domain) -> Set:
    """The set that a question is about; its conditions come later."""
    named = [p for p in frame.things if p.ids]
    if frame.counts_others or not named:
        named += [p.inner[0] for p in frame.numbers_asked if p.inner[0].category == "thing" and p.inner[0].ids]
    each = (counted(p) for p in sorted(named, key=lambda p: p.start))
    things = tuple(dict.fromkeys(each))
    unknown = tuple(dict.fromkeys(p.unknown for p in frame.things if p.unknown is not None))
    without = tuple(_left_out(frame, domain))
    if things and _asks_for_holders(frame, domain):
        holders = [p for p in frame.opens if kinds_of(p) & set(HOLDERS)]
        kinds = tuple(k for k in HOLDERS if k in kinds_of(holders[0]))
        clouds = tuple(maker for v in clouds_of(frame, domain) for maker in vendors_of(v, domain))
        makers = (*_makers([*holders, *frame.makers]), *clouds)
        return Set(
            kinds=kinds[:1], holding=things, without=without, unknown=unknown, makers=tuple(dict.fromkeys(makers))
        )
    if things or unknown:
        if frame.sets_apart:
            beside = (i for p in frame.opens for i in p.ids if not domain.is_generic(i))
            apart = (i for i in beside if not any(i in domain.ancestors(t.entity) for t in things))
            things += tuple(Counted(i) for i in apart)
        things = tuple(t if not domain.is_many(t.entity) else replace(t, count=None) for t in things)
        return Set(entities=things, unknown=unknown, without=without)
    return _open_set(frame, without, domain)


def _open_set(frame: Frame, without: tuple[str, ...], domain: Domain) -> Set:
    """The set of a question that names no thing: all of some lines, kinds and makers."""
    opens = [p for p in frame.opens if p.ids or kinds_of(p) & {CHIPS, *HOLDERS} or p.category == "open"]
    if frame.orders and not opens:  # "the 3 chips with the most memory"
        opens = [p.inner[0] for p in frame.quantities if p.inner]
    opens += [p.inner[0] for p in frame.numbers_asked if p.inner and p.inner[0].category in ("open", "kind")]
    shut_out = any(p.category == "open" for e in frame.excluded for p in e.inner)  # "non-NVIDIA chips" are chips
    if not opens and (shut_out or _ranks_all(frame)):
        return Set(kinds=(CHIPS,), without=without)
    if not opens and not (frame.makers and is_searched(frame)):
        return Set(without=without)
    lines = tuple(dict.fromkeys(i for p in opens for i in p.ids))
    companies = tuple(v for p in frame.categories for v in domain.vendors_named(p.ids[0])) if is_searched(frame) else ()
    lines = tuple(i for i in lines if not any(i != other and i in domain.ancestors(other) for other in lines))
    if lines and _asks_beside(frame):
        return Set(entities=tuple(Counted(i) for i in lines), without=without)
    makers = tuple(dict.fromkeys((*_makers([*opens, *frame.makers]), *companies)))
    if makers and any(domain.entities[i].vendor not in ("", *makers) for i in lines):  # "Intel or AMD accelerators"
        vendors = dict.fromkeys((*(domain.entities[i].vendor for i in lines), *makers))
        return Set(kinds=(CHIPS,), makers=tuple(filter(None, vendors)), without=without)
    kinds = tuple(k for k in ("chip", *HOLDERS) if any(k in kinds_of(p) for p in opens))
    if is_searched(frame) or not lines:
        if not lines and not kinds:
            kinds = (CHIPS,)
        return Set(lines=lines, kinds=kinds if not lines or kinds != (CHIPS,) else (), makers=makers, without=without)
    return Set(entities=tuple(Counted(i) for i in lines), without=without)


def _ranks_all(frame: Frame) -> bool:
    """True for "rank all chips by memory": all of them are meant, and not what all have together."""
    return bool(frame.orders) and any(GROUP in p.axes for p in frame.measures)


def _asks_beside(frame: Frame) -> bool:
    """True for "which clouds offer TPUs" and "who makes TPUs": clouds and makers are asked for, not TPUs."""
    return "who" in frame.asks or any({"cloud", "maker"} & kinds_of(p) for p in frame.opens)


def kinds_of(part: Part) -> set[str]:
    """The kinds that a part of an open set names: "chip" of "cards"."""
    found = {p.value for p in (part, *part.inner) if p.category == "kind"}
    return found | ({part.value} if part.category == "kind" else set())


def is_searched(frame: Frame) -> bool:
    """True where members are looked for: "which", "the cheapest", "with 80 GB"."""
    tied = any(c.value == "with" for c in frame.categories)
    ranked = bool(frame.orders)
    valued = any(p.category == "weak" and p.value and (not p.holds or "with" in frame.joins) for p in frame.measures)
    picked = bool(frame.asks & {"which"}) or bool(frame.excluded) or (valued and "amount" not in frame.asks)
    return (
        ranked
        or picked
        or tied
        or (bool(frame.conditions or frame.quantities) and not frame.is_yes_no and not frame.states)
    )


def _makers(parts: Iterable[Part]) -> tuple[str, ...]:
    found = [i for p in parts for m in (p, *p.inner) if m.category == "maker" for i in m.ids]
    return tuple(dict.fromkeys(found))


def _left_out(frame: Frame, domain: Domain) -> Iterator[str]:
    """Ids of what is excluded: things, makers, terms."""
    for part in frame.excluded:
        yield from (
            v for p in part.inner if p.category != "measure" for i in p.ids for v in (domain.vendors_named(i) or (i,))
        )


def clouds_of(frame: Frame, domain: Domain) -> list[str]:
    """The clouds that a question names, in whatever part."""
    found = [v for p in frame.axes for a, v in p.axes if a == "provider"]
    found += [
        i
        for p in (*frame.categories, *frame.told)
        for i in p.ids
        if i in domain.terms and domain.terms[i].kind == "cloud"
    ]
    return found


def vendors_of(cloud: str, domain: Domain) -> tuple[str, ...]:
    """Who has the instances of a cloud: the maker of the name that it begins with, or the one that it is called like."""
    term = domain.terms[cloud]
    found = {v for m in domain.find_makers(term.name) for v in m.ids}
    said = {e.vendor for e in domain.entities.values() if e.kind == "system" and e.name.startswith(f"{term.name} ")}
    return tuple(sorted(found | said))


def _asks_for_holders(frame: Frame, domain: Domain) -> bool:
    """True for "which AWS instance has the H200": machines are asked for, by the chips in them."""
    if frame.numbers_asked or any(p.inner and kinds_of(p.inner[0]) for p in frame.numbers_asked):
        return False
    holders = [p for p in frame.opens if kinds_of(p) & set(HOLDERS)]
    chips = all(domain.is_chip(p.ids[0]) or domain.is_many(p.ids[0]) for p in frame.things if p.ids)
    if any("cloud" in kinds_of(p) for p in frame.opens):
        return False  # "which cloud offers MI325X instances"
    instances = any("instance" in kinds_of(p) for p in holders)
    wanted = instances or frame.asks & {"which", "what"} or frame.orders or frame.is_yes_no
    return bool(holders and chips and wanted) and not frame.compared
