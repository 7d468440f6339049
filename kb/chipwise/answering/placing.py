"""Where a figure that a question brings along stands among those that are known: whether a quote is dear, an MFU good.

"We were quoted $8.20 per H100-hour, is that a lot?"  ->  yes: 9 of 11 providers ask less, from 1.90 (Hyperstack) to 7.57 (...)
"Is 38% MFU good on a v5p?"                            ->  no: 4 of 5 known runs reach more

"Much" is more than three in four ask, "little" less than three in four; between the two it depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise.answering.base import Base
from chipwise.answering.cells import axes_of, is_priced
from chipwise.answering.evaluate import is_downward
from chipwise.answering.model import Ruling
from chipwise.answering.query import Assertion, Order, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, qualified, the, value
from chipwise.claims.model import Fact
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.amounts import plain
from chipwise.figures.prices import Offer, chip_offers, offered
from chipwise.figures.variants import covered
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

FEW = 3  # figures, below which nothing can stand among them
_MUCH = 0.75
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class _Known:
    """One figure that is known: its amount in base units, how it is written, and the fact that it is from."""

    amount: float
    written: str
    fact: Fact


def place_among(query: Query, asserted: Assertion, base: Base) -> Told | None:
    """The figure between its neighbours, with the least and the most; None where too few figures are known."""
    stated, about = asserted.value, query.of.entities
    if not isinstance(stated, Quantity) or len(about) != 1 or len(query.what) != 1 or (about[0].count or 1) > 1:
        return None
    known = sorted(_known(query, base), key=lambda k: k.amount)
    if len({k.amount for k in known}) < FEW:
        return None
    less, more = [k for k in known if k.amount < stated.low], [k for k in known if k.amount > stated.high]
    writer = Writer(base)
    if (ruling := _ruling(asserted, len(less) / len(known), len(more) / len(known), query, base)) is not None:
        writer.add(ruling)
    metric = base.domain.metrics[query.what[0].metric]
    kind = "on-demand prices" if is_priced(metric.id, base) else f"known figures for the {metric.name}"
    writer.add(
        f"of {len(known)} {kind} of {the(about[0].entity, base)}, {len(less)} {_are(less)} lower and {len(more)} {_are(more)} higher than "
        f"{_written(stated, base)}: "
    )
    for n, one in enumerate(_shown(less, more, known)):
        writer.add("; " if n else "", f"{one.written} ", one.fact)
    writer.end()
    return writer.told()


def _are(some: list[_Known]) -> str:
    return "is" if len(some) == 1 else "are"


def _written(stated: Quantity, base: Base) -> str:
    scale = base.domain.units[stated.unit].scale if stated.unit in base.domain.units else 1.0
    return f"{plain(stated.middle / scale, _DIGITS)} {stated.unit}".replace(" %", "%")


def _ruling(asserted: Assertion, less: float, more: float, query: Query, base: Base) -> Ruling | None:
    """Whether the figure is what the question takes it for; None where it only says that somebody asks or pays it."""
    side = asserted.among
    if side == "best":
        side = "most" if is_downward(Order("best"), query.what[0], base) else "least"
    if side not in ("most", "least"):
        return None
    for_it, against = (less, more) if side == "most" else (more, less)
    so = Ruling.YES if for_it >= _MUCH else Ruling.NO if against >= _MUCH else Ruling.DEPENDS
    return {Ruling.YES: Ruling.NO, Ruling.NO: Ruling.YES}.get(so, so) if not asserted.holds else so


def _shown(less: list[_Known], more: list[_Known], known: list[_Known]) -> Iterator[_Known]:
    """The least, the nearest ones on each side and what is the same, the most."""
    same = [k for k in known if k not in less and k not in more]
    picked = [*less[:1], *less[-1:], *same[:1], *more[:1], *more[-1:]]
    yield from dict.fromkeys(picked)


def _known(query: Query, base: Base) -> Iterable[_Known]:
    measure, entity = query.what[0], query.of.entities[0].entity
    axes = dict(axes_of(measure, query, base))
    if is_priced(measure.metric, base):
        sought = {"price_terms": ON_DEMAND, **axes}
        found = chip_offers(base.store, base.domain, base.names, entity, measure.metric, sought).values()
        return [_Known(o.value, _priced(o, base), o.fact) for o in found]
    facts = base.store.facts(covered(base.names, entity), [measure.metric])
    standing = [f for f in facts if f.rank != "deprecated" and f.is_single and base.store.holds(f)]
    fitting = [f for f in standing if f.claim.states(axes)] or standing
    return [_Known(f.amount, f"{value(f, base)}{qualified(f, base)}", f) for f in fitting]


def _priced(offer: Offer, base: Base) -> str:
    parted = f" / {offer.among} chips" if offer.among > 1 else ""
    return f"{value(offer.fact, base)}{parted} ({offered(offer.fact, base.names)})"
