"""From the parts of one cover to queries: each slot of a query is filled from what the frame holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import cast

from chipwise.answering.accounting import described, left_of
from chipwise.answering.assertions import asserted
from chipwise.answering.conditions import conditions_of, kinds_named
from chipwise.answering.frame import Frame
from chipwise.answering.measures import Wanted, at_axes, measure, measures_of, spread
from chipwise.answering.parts import Part
from chipwise.answering.query import (
    CHIP_OF,
    CLOUDS,
    COUNTS,
    DESIGNER,
    PRICES,
    Assertion,
    Counted,
    Measure,
    Order,
    Query,
    Relation,
    Set,
    Side,
)
from chipwise.answering.subject import CHIPS, kinds_of, subject_of
from chipwise.domain.catalogue import GROUP
from chipwise.domain.model import Domain

_USUAL_TERMS = "on-demand"
_READINGS = 4  # of one cover, where names or metrics are ambiguous
_OPEN_METRICS = 2  # measures of which more than the likeliest metric is tried
_OPEN_NAMES = 3
_RELATIONS = ("percent", "ratio", "same", "difference")  # the more telling one first
_RANKED = 12  # of a set that is to be put in order, where no number is named
_SIDES = ("most", "least", "best", "worst")


def queries_of(frame: Frame, domain: Domain) -> Iterator[Query]:
    """The readings of one cover, likeliest first; none where no query can answer the question."""
    if frame.refuses and not (frame.refuses == "manner" and frame.sets_apart):
        return
    of = subject_of(frame, domain)
    what = list(spread(frame, measures_of(frame, of, domain), domain))
    picks = [w.ids[:2] if n < _OPEN_METRICS else w.ids[:1] for n, w in enumerate(what)]
    named = [p for p in (*frame.things, *(p.inner[0] for p in frame.numbers_asked)) if p.ids and p.category == "thing"]
    meanings = list(product(*(p.ids[:_OPEN_NAMES] for p in named)))
    for chosen, names in list(product(product(*picks), meanings))[:_READINGS]:
        measures = tuple(_measure(m, w, of, domain) for m, w in zip(chosen, what, strict=True))
        meant = dict(zip((p.ids[0] for p in named), names, strict=True))
        query = _filled(frame, _meaning(of, meant), tuple(dict.fromkeys(measures)), domain)
        if query is not None and not _is_at_odds(query, domain):
            assumed = [domain.metrics[m].name for m, w in zip(chosen, what, strict=True) if len(w.ids) > 1]
            assumed += [domain.entities[n].name for p, n in zip(named, names, strict=True) if len(p.ids) > 1]
            yield replace(query, assumed=tuple(dict.fromkeys(assumed)))


def _is_at_odds(query: Query, domain: Domain) -> bool:
    """True for the PCIe figure of an OAM module."""
    forms = {domain.entities[c.entity].form_factor for c in query.of.entities} - {""}
    asked = {v for m in query.what for a, v in m.axes if a == "form_factor"}
    return bool(asked) and len(forms) == 1 and not asked & forms


def _measure(metric: str, wanted: Wanted, of: Set, domain: Domain) -> Measure:
    """One of the measures; of eight chips it is of all of them, whether the question says so or not."""
    several = any((c.count or 1) > 1 for c in of.entities)
    each = several or of.kinds == (CHIPS,)  # chips that are ranked have their figures one by one
    axes = tuple(x for x in wanted.axes if not each or x != GROUP)
    return measure(metric, axes, domain, wanted.unit, wanted.is_group and not each)


def _meaning(of: Set, meant: dict[str, str]) -> Set:
    """With each ambiguous name as the one of the things that is meant."""

    def as_meant(counted: Counted) -> Counted:
        return replace(counted, entity=meant.get(counted.entity, counted.entity))

    return replace(of, entities=tuple(map(as_meant, of.entities)), holding=tuple(map(as_meant, of.holding)))


def _filled(frame: Frame, of: Set, what: tuple[Measure, ...], domain: Domain) -> Query | None:
    used: set[Part] = set()
    of = replace(of, where=tuple(conditions_of(frame, of, what, domain, used)))
    if not what and of.entities:
        what = tuple(_told_measures(frame, of, domain))
    if of.holding and frame.orders and not what:
        what = (Measure(COUNTS),)  # "the most H100s"
    said: Assertion | None = None
    if (judged := asserted(frame, of, what, domain, used)) is not None:
        what, said = judged
    elif of.entities:
        of = replace(of, where=tuple(kinds_named(frame, domain)))
    at = at_axes(frame, said.value if said is not None and isinstance(said.value, str) else "")
    terms = [v for a, v in at if a == "price_terms"]
    if len(of.entities) == 1 and frame.related and len(terms) == 1 and terms != [_USUAL_TERMS]:
        at = tuple(sorted((*at, ("price_terms", _USUAL_TERMS))))  # "how much cheaper is it on spot"
    if of.holding:  # the makers of the machines say whose they are
        at = tuple((a, v) for a, v in at if a != "provider")
    if not (of.entities or of.unknown or of.is_open or of.holding or what or at):
        return None
    query = Query(frame.text, of, what, _order(frame, of, what, used), _relation(frame), said, None, at)
    unused = tuple(frame.text[p.start : p.end] for p in described(frame, said, used))
    return replace(query, left=left_of(frame, query, used, domain), unused=unused)


def _told_measures(frame: Frame, of: Set, domain: Domain) -> Iterator[Measure]:
    """What is asked of a thing by a noun or a verb alone: "which clouds offer", "who makes", "which GPU is in a p5"."""
    kinds = {k for p in frame.opens for k in kinds_of(p)}
    verbs = [v.ids[0] for v in frame.verbs]
    lines = any(p.ids for p in frame.opens)
    if "cloud" in kinds or "where" in frame.asks or ("who" in frame.asks and CLOUDS in verbs):
        yield Measure(CLOUDS)
    elif "maker" in kinds or ("who" in frame.asks and verbs):
        yield Measure(verbs[0] if verbs and verbs[0] in (DESIGNER, "foundry") else DESIGNER)
    elif (
        (frame.asks & {"which", "what"} or not (frame.asks or frame.sets_apart))
        and (lines or "chip" in kinds)
        and all(domain.is_machine(c.entity) for c in of.entities)
    ):
        yield Measure(CHIP_OF)
    elif verbs and not (frame.categories or frame.told or frame.is_yes_no) and frame.asks & {"which", "what"}:
        yield Measure(verbs[0])


def _order(frame: Frame, of: Set, what: tuple[Measure, ...], used: set[Part]) -> Order | None:
    """Which comes first: of a set that is ranked, of things that are compared."""
    orders = frame.orders
    if len(of.entities) == 1 and not of.is_open:  # "max power of an L4" ranks nothing, "the cheapest H100" its offers
        priced = any(m.metric in PRICES for m in what)
        orders = [
            p for p in orders if priced or (p.operator is not None and p.operator.metrics) or set(p.ids) & set(PRICES)
        ]
    if frame.related and "which" not in frame.asks:
        return None
    ranked = orders or frame.compared
    if not ranked:
        return None
    first = next((p for p in ranked if p.count), ranked[0])
    sides = [p for p in ranked if p.value in _SIDES]
    first = replace(sides[0], count=first.count) if sides and not first.value else first
    value = first.value if first.value in _SIDES else first.operator.value if first.operator is not None else ""
    counts = [
        p for p in frame.quantities if p.quantity and p.quantity.dimension == "count" and of.is_open and p not in used
    ]
    used.update(counts[:1])
    every = _RANKED if any(p.category == "top" for p in orders) and of.is_open else 1  # "rank all chips"
    limit = first.count or (int(counts[0].quantity.middle) if counts and counts[0].quantity else every)
    return Order(cast("Side", value if value in _SIDES else "most"), limit)


def _relation(frame: Frame) -> Relation:
    found = [p.value for p in frame.related]
    if frame.counts_others:
        return "count"
    return cast("Relation", next((r for r in _RELATIONS if r in found), ""))
