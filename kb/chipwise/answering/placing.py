"""Where a price or a measured figure that a question brings along stands among the known ones.

"We were quoted $8.20 per H100-hour, is that a lot?"
    Yes: of 8 on-demand prices of the H100, 7 are lower and 1 is higher than 8.2 USD/hour: 1.80 USD/hour (...); ...

A figure is "a lot" if at least three in four known ones are lower, "low" if three in four are higher; otherwise it depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise.answering.base import Base
from chipwise.answering.cells import axes_of, is_priced
from chipwise.answering.evaluate import is_downward
from chipwise.answering.model import Ruling
from chipwise.answering.query import Assertion, Order, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, counted, qualified, value
from chipwise.claims.model import Fact
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.amounts import plain
from chipwise.figures.prices import Offer, chip_offers, offered
from chipwise.figures.variants import covered
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

FEW = 3  # figures, below which nothing can stand among them
_MOST = 0.75  # of the known figures
_DIGITS = 4
_TERMS = "price_terms"


@dataclass(frozen=True, slots=True)
class _Known:
    """One figure that is known: its amount in base units, how it is written, and the fact that it is from."""

    amount: float
    written: str
    fact: Fact


def place_among(query: Query, asserted: Assertion, base: Base) -> Told | None:
    """The figure between its neighbours, with the least and the most.

    None where too few figures are known, and for a specification, of which there is one for each variant.
    """
    stated, about = asserted.value, query.of.entities
    if not isinstance(stated, Quantity) or len(about) != 1 or len(query.what) != 1:
        return None
    if base.domain.metrics[query.what[0].metric].nature == "specified":
        return None
    known = sorted(_known(query, base), key=lambda k: k.amount)
    if len({k.amount for k in known}) < FEW:
        return None
    less, more = [k for k in known if k.amount < stated.low], [k for k in known if k.amount > stated.high]
    writer = Writer(base)
    if (ruling := _ruling(asserted, len(less) / len(known), len(more) / len(known), query, base)) is not None:
        writer.add(ruling)
    writer.add(
        f"of {len(known)} {_called(query, base)} of {counted(about[0], base)}, {len(less)} {_are(less)} lower and "
        f"{len(more)} {_are(more)} higher than {_written(stated, base)}: "
    )
    for n, one in enumerate(_shown(less, more, known)):
        writer.add("; " if n else "", f"{one.written} ", one.fact)
    writer.end()
    return writer.told()


def _called(query: Query, base: Base) -> str:
    metric = base.domain.metrics[query.what[0].metric]
    if is_priced(metric.id, base):
        terms = _sought(query, base)[_TERMS]
        return "on-demand prices" if terms == ON_DEMAND else f"prices ({base.names.name(terms)})"
    return f"known figures for the {metric.name}"


def _are(some: list[_Known]) -> str:
    return "is" if len(some) == 1 else "are"


def _written(stated: Quantity, base: Base) -> str:
    scale = base.domain.units[stated.unit].scale if stated.unit in base.domain.units else 1.0
    return f"{plain(stated.middle / scale, _DIGITS)} {stated.unit}".replace(" %", "%")


def _ruling(asserted: Assertion, less: float, more: float, query: Query, base: Base) -> Ruling | None:
    """Whether the figure is what the question takes it for; None where it only says that somebody asks or pays it.

    `less` and `more` are the shares of the known figures that are lower and higher.
    """
    if not asserted.among or asserted.among == "any":
        return None
    is_for_much = is_downward(Order(asserted.among), query.what[0], base)
    for_it, against = (less, more) if is_for_much else (more, less)
    if max(for_it, against) < _MOST:
        return Ruling.DEPENDS
    return Ruling.YES if (for_it >= _MOST) == asserted.holds else Ruling.NO


def _shown(less: list[_Known], more: list[_Known], known: list[_Known]) -> Iterator[_Known]:
    """The least, the nearest ones on each side and what is the same, the most."""
    same = [k for k in known if k not in less and k not in more]
    picked = [*less[:1], *less[-1:], *same[:1], *more[:1], *more[-1:]]
    yield from dict.fromkeys(picked)


def _known(query: Query, base: Base) -> Iterable[_Known]:
    measure, about = query.what[0], query.of.entities[0]
    if is_priced(measure.metric, base):
        found = chip_offers(
            base.store,
            base.domain,
            base.names,
            about.entity,
            measure.metric,
            _sought(query, base),
            count=about.count or 1,
        )
        return [_Known(o.value, _priced(o, base), o.fact) for o in found.values()]
    if (about.count or 1) > 1:
        return []
    facts = base.store.facts(covered(base.names, about.entity), [measure.metric])
    standing = [f for f in facts if f.rank != "deprecated" and f.is_single and base.store.holds(f)]
    axes = dict(axes_of(measure, query, base))
    fitting = [f for f in standing if f.claim.states(axes)] or standing
    return [_Known(f.amount, f"{value(f, base)}{qualified(f, base)}", f) for f in fitting]


def _sought(query: Query, base: Base) -> dict[str, str]:
    """The terms of the prices to compare with; who asks the price in question is no condition on these."""
    return {_TERMS: ON_DEMAND, **{a: v for a, v in axes_of(query.what[0], query, base) if a != "provider"}}


def _priced(offer: Offer, base: Base) -> str:
    return f"{offer.shown.format(value(offer.fact, base))} ({offered(offer.fact, base.names)})"
