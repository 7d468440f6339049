"""The identities of one subject over figures that stand together, whether or not they are claims (CW401 to CW404).

    "The H100 peaks at 989 TFLOPS in dense BF16. Our run reached 58% MFU, which is 820 TFLOPS per GPU."
        ->  58% x 989 TFLOPS = 574 TFLOPS, though only the first sentence names the chip

Asked of the fewest neighbouring sentences that give each figure exactly once, and of no more
than one chip; where chips are counted beside them, nothing tells how many each is of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.audit.amounts import amounts
from chipwise.audit.casebook import Casebook, Statement, made_of
from chipwise.audit.explaining import Breach
from chipwise.audit.fitting import AXES
from chipwise.audit.inputs import Input, is_total
from chipwise.audit.lines import Line, counted
from chipwise.claims.levels import is_level
from chipwise.claims.model import Modality
from chipwise.domain.formulas import Identity, IdentityTerm
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval, evaluate, names
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role

_WIDEST = 3  # sentences, items or rows that figures of one equation may be spread over
_BECOMES = re.compile(r"(?:->|→|⟶)\s?$")  # "25→45 GW in 16 months": a growth
_MEASURED = ("measured", "sustained")
_UNSAID = {"engine": ("",)}  # a BF16 peak that names no units is that of the matrix units


def find_breaches_beside(book: Casebook, identities: Sequence[Identity], lines: Sequence[Line]) -> Iterator[Breach]:
    """Each equation that the figures of neighbouring lines break, of `identities_beside`; a figure is asked once whether it follows."""
    asked: set[tuple[str, Statement]] = set()
    for width in range(1, _WIDEST + 1):
        for at in range(len(lines) - width + 1):
            window = lines[at : at + width]
            if not (window[0].dimensions and window[-1].dimensions):
                continue
            possible = [i for i in identities if _may_have_all(book, i, window)]
            if not (possible and _may_reckon(window)):
                continue
            for identity in possible:
                inputs = _inputs(book, identity, window)
                key = identity.id, inputs[names(identity.left)[0]].statement if inputs else None
                if not inputs or key in asked:
                    continue
                asked.add(key)  # type: ignore[arg-type]  # it is there where there are inputs
                values = {symbol: i.value for symbol, i in inputs.items()}
                if evaluate(identity.left, values).gap(evaluate(identity.right, values)) > 1 + identity.tolerance:
                    yield _breach(book, identity, window, inputs)


def identities_beside(domain: Domain) -> list[Identity]:
    """Those that can be asked of neighbouring lines."""
    return [i for i in domain.identities.values() if _is_of_one(i)]


def _is_of_one(identity: Identity) -> bool:
    tags = {s.rpartition("_")[2] for s in (*names(identity.left), *names(identity.right))}
    return tags == {"a"} and len(identity.terms) > 1 and not any(is_total(identity, t) for t in identity.terms)


def _may_have_all(book: Casebook, identity: Identity, window: Sequence[Line]) -> bool:
    """A cheap look: True where the lines have a figure of every dimension that is reckoned with, and begin and end with one."""
    wanted = {book.domain.metrics[t.metric].dimension for t in identity.terms}
    has = [line.dimensions & wanted for line in window]
    shares = any("ratio" in line.dimensions for line in window)
    return set().union(*has) == wanted and bool(has[0] and has[-1]) and not (identity.beside and shares)


def _may_reckon(window: Sequence[Line]) -> bool:
    """True where the lines name no more than one chip, which is not counted."""
    return len(set().union(*(line.chips for line in window))) <= 1 and not counted(window)


def _inputs(book: Casebook, identity: Identity, window: Sequence[Line]) -> dict[str, Input]:
    """A figure for each symbol, where the lines give exactly one; {} otherwise."""
    found: dict[str, Input] = {}
    looked_up = [t for t in identity.terms if t.facts and len(window) == 1]
    for term in sorted(identity.terms, key=looked_up.__contains__):
        fitting = {(i.value.low, i.value.high): i for line in window for i in _readings(book, term, line)}
        if not fitting and term in looked_up:
            facts = _of_the_table(book, term, window[0], [i.statement for i in found.values()])
            fitting = {(i.value.low, i.value.high): i for i in facts}
        if len(fitting) != 1:
            return {}
        found[f"{term.symbol}_a"] = next(iter(fitting.values()))
    statements = [i.statement for i in found.values()]
    if len(set(statements)) < len(statements) or any(s.count not in (None, 1) for s in statements):
        return {}
    if any(len({v for s in statements if (v := s.claim.qualifier(axis))}) > 1 for axis in AXES):
        return {}
    return found if all(line.asserted for line in window) else {}


def _readings(book: Casebook, term: IdentityTerm, line: Line) -> Iterator[Input]:
    metric = book.domain.metrics[term.metric]
    for q in line.scene.quantities:
        if not (q.dimension == "ratio" or term.any_of_dimension or is_level(line.scene.text, q)):
            continue  # "over 24 hours" is a setting mostly, and is reckoned with here
        if _BECOMES.search(line.scene.text, 0, q.start):
            continue
        s = line.statement(q)
        if q.dimension != metric.dimension and not _is_named(line, q, metric.id):
            continue  # "$20k of hardware" is no price per hour
        if not (metric.id == _measures(book, s) or (term.any_of_dimension and q.dimension == metric.dimension)):
            continue
        if any(s.claim.qualifier(axis) not in (value, "") for axis, value in term.qualifiers):
            continue
        both = amounts(metric, s)
        if both is not None and s.claim.qualifier("aggregation") in ("", "chip"):
            value, nominal = map(_closed, both) if term.any_of_dimension else both
            yield Input(f"{term.symbol}_a", term, s, value, nominal)


def _is_named(line: Line, q: Quantity, metric: str) -> bool:
    """True where the words before the next figure on either side, or the labels of the table, name a metric."""
    if line.passage.role is Role.TABLE:
        return any(metric in m.ids for m in line.book.domain.find_metrics(line.passage.context))
    others = [o for o in line.scene.quantities if o.dimension != "count"]
    before = max((o.end for o in others if o.end <= q.start), default=0)
    after = min((o.start for o in others if o.start >= q.end), default=len(line.text))
    return any(metric in m.ids and before <= m.start and m.end <= after for m in line.scene.metrics)


def _of_the_table(book: Casebook, term: IdentityTerm, line: Line, beside: Sequence[Statement]) -> Iterator[Input]:
    """What the table has for the one chip that a sentence is about: the peak beside "71% MFU ..., that is 382 TFLOP/s per chip"."""
    chips = {made_of(book.domain, chip)[0] for chip in line.chips} | {s.chip for s in beside if s.chip}
    metric = book.domain.metrics[term.metric]
    for fact in book.facts.get((next(iter(chips)), term.metric), ()) if len(chips) == 1 else ():
        stated = all(fact.claim.qualifier(a) in (value, *_UNSAID.get(a, ())) for a, value in term.qualifiers)
        both = amounts(metric, fact) if stated and fact.asserted and fact.count in (None, 1) else None
        if both is not None:
            yield Input(f"{term.symbol}_a", term, fact, *both)


def _closed(interval: Interval) -> Interval:
    """The figure itself of what looks like a bound: "over 24 hours" is how long."""
    ends = [end for end in (interval.low, interval.high) if math.isfinite(end)]
    return interval if len(ends) > 1 else Interval.of(ends[0])


def _measures(book: Casebook, s: Statement) -> str:
    """The metric of a figure: what was measured of a peak is none."""
    metric = book.domain.metrics.get(s.claim.metric)
    if metric is None or not metric.measured_as:
        return s.claim.metric
    basis = s.claim.qualifier("basis")
    measured = basis in _MEASURED or (basis == "" and s.claim.modality is Modality.MEASURED)
    return metric.measured_as if measured else metric.id


def _breach(book: Casebook, identity: Identity, window: Sequence[Line], inputs: dict[str, Input]) -> Breach:
    named = [chip for line in window for chip in line.chips]
    carried = [i.statement.claim.subject for i in inputs.values() if i.statement.claim.subject]
    chip = made_of(book.domain, (*named, *carried, "")[0])[0]
    nominal = {symbol: i.nominal for symbol, i in inputs.items()}
    off = evaluate(identity.left, nominal).gap(evaluate(identity.right, nominal))
    placed = {
        symbol: replace(i, statement=replace(i.statement, chip=i.statement.chip or chip))
        for symbol, i in inputs.items()
    }
    return Breach(identity, {"a": chip}, placed, off, "")
