"""Prices side by side, the cheapest first: of one thing under each kind of terms, or of several things.

    cheapest H100                      ->  the lowest price on demand, then on other terms
    H100 or MI300X, cheaper on Azure   ->  what one of each costs there, be it priced by the chip or by the node

Those prices count that no later one of the same provider has replaced.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.cells import axes_of, fits
from chipwise.answering.evaluate import is_downward
from chipwise.answering.members import members, products
from chipwise.answering.query import Counted, Measure, Order, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, counted, qualified, the, value
from chipwise.claims.model import Fact, Key
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.amounts import plain, times
from chipwise.figures.phrasing import listed
from chipwise.figures.prices import Offer, chip_offers, in_order, offered, sold_as
from chipwise.figures.resolve import filling, latest

_FEW = 3  # of members
_MOST = 5  # kinds of terms shown
_DIGITS = 4
_TERMS, _PROVIDER = "price_terms", "provider"


def prices_in_order(query: Query, measure: Measure, order: Order, base: Base) -> Told | None:
    """Who is cheaper of several; of one thing, or of a line, the lowest price under each kind of terms."""
    if len(query.of.entities) > 1:
        return _of_several(query, measure, order, base)
    domain, names = base.domain, base.names
    if query.of.is_open and query.of.where:
        return _of_members(query, measure, order, base)
    sold = products(query.of, base.domain) if query.of.is_open else _sold(query.of.entities[0], base)
    if query.of.entities and (query.of.entities[0].count or 1) > 1 and not query.of.entities[0].unit:
        return None
    facts = filling(base.store, names, sold, Key("", measure.metric, None, axes_of(measure, query, base)))
    of_one = [f for f in facts if domain.is_chip(f.claim.subject) == f.claim.key.is_of_one and fits(f, query)]
    offers = latest([f for f in of_one if f.rank == "preferred"] or of_one, names)
    dear = is_downward(order, measure, base)
    by_terms: dict[str, Fact] = {}
    for fact in in_order(offers, dear=dear):
        by_terms.setdefault(fact.claim.qualifier(_TERMS), fact)
    shown = list(by_terms.values())[:_MOST]
    if not shown:
        return None
    writer = Writer(base)
    which = "highest" if dear else "lowest"
    writer.add(f"The {which} of {len(offers)} prices is " if len(offers) > 1 else "The only price known is ")
    for n, fact in enumerate(shown):
        writer.add("; on other terms: " if n == 1 else "; " if n else "")
        writer.add(f"{value(fact, base)} for {the(fact.claim.subject, base)}{qualified(fact, base)} ", fact)
    writer.end()
    return writer.told()


def _sold(subject: Counted, base: Base) -> list[str]:
    entity = subject.entity
    if subject.unit:  # a node of eight
        systems = [
            e for e in base.domain.entities.values() if e.kind == "system" and e.chips == (subject.count or e.chips)
        ]
        return [e.id for e in systems if entity in base.domain.ancestors(e.id)]
    if base.domain.is_many(entity):
        return base.domain.members(entity)
    return sold_as(entity, base.domain, base.names)


def _of_several(query: Query, measure: Measure, order: Order, base: Base) -> Told | None:
    sought = {_TERMS: ON_DEMAND, **dict(axes_of(measure, query, base))}
    found: list[tuple[Counted, Offer]] = []
    for subject in query.of.entities:
        if not base.names.is_chip(subject.entity):
            return None
        offers = chip_offers(
            base.store, base.domain, base.names, subject.entity, measure.metric, sought, count=subject.count or 1
        )
        if offers:
            found.append((subject, next(iter(offers.values()))))
    unpriced = [s for s in query.of.entities if all(s != known for known, _ in found)]
    if not found:
        return None
    found.sort(key=lambda pair: pair[1].value, reverse=is_downward(order, measure, base))
    writer = Writer(base)
    (first, cheap), (_, dear) = found[0], found[-1]
    how = "more expensive" if is_downward(order, measure, base) else "cheaper"
    if unpriced:
        writer.add("The prices known do not tell them apart: " if len(found) == 1 else "By price: ")
    elif len(found) == 2 and cheap.value != dear.value:  # noqa: PLR2004
        ratio = max(cheap.value, dear.value) / min(cheap.value, dear.value)
        verb = "are" if (first.count or 1) > 1 else "is"
        writer.add(f"{counted(first, base)} {verb} {how}, by a factor of {times(ratio)}: ")
    else:
        writer.add("By price, the " + ("highest" if how != "cheaper" else "lowest") + " first: ")
    _listed(writer, found, base)
    writer.end()
    if unpriced:
        writer.add(f" No such price is known of {listed(the(s.entity, base) for s in unpriced)}")
        writer.end()
    return writer.told()


def _of_members(query: Query, measure: Measure, order: Order, base: Base) -> Told | None:
    """Of those that fulfil the conditions the cheapest, each with the figures that show it."""
    sought = {_TERMS: ON_DEMAND, **dict(axes_of(measure, query, base))}
    met = members(query, base).met
    first: dict[str, tuple[Counted, Offer]] = {}
    for product in met:
        offers = chip_offers(base.store, base.domain, base.names, product, measure.metric, sought)
        for offer in list(offers.values())[:1]:
            first.setdefault(offer.fact.id, (Counted(product), offer))
    found = sorted(first.values(), key=lambda pair: pair[1].value, reverse=is_downward(order, measure, base))[:_FEW]
    if not found:
        return None
    writer = Writer(base)
    writer.add(f"The cheapest of {len(first)} with a price: ")
    for n, pair in enumerate(found):
        writer.add("; " if n else "")
        _listed(writer, [pair], base)
        for fact in met[pair[0].entity]:
            writer.add(f", {value(fact, base)} ", fact)
    writer.end()
    return writer.told()


def _listed(writer: Writer, found: Sequence[tuple[Counted, Offer]], base: Base) -> None:
    for n, (subject, offer) in enumerate(found):
        before, _, behind = offer.shown.partition("{}")
        writer.add(
            "; " if n else "", f"{counted(subject, base)}, {before}{value(offer.fact, base)} ", offer.fact, behind
        )
        if offer.among > 1 or offer.times > 1:
            scale = base.names.units[offer.fact.unit].scale
            writer.add(f" = {plain(offer.value / scale, _DIGITS)} {offer.fact.unit}")
        writer.add(f" ({offered(offer.fact, base.names)})")
