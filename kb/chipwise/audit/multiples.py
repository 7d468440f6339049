"""A comparison of two chips beside the quotient of the facts that the table has of them (CW703).

    "The H200 has 1.76x the memory of the H100"  ->  141 GB / 80 GB = 1.76x, as said
    "The H200 has 3x the memory of the H100"     ->  141 GB / 80 GB = 1.76x, not 3x

Facts are divided like for like: of one format, density, direction and scope. Where any
quotient agrees, be it of two variants or of two formats, nothing is wrong; where it is
open which metric the words mean, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from chipwise.audit.amounts import LOOSE, loosened, number
from chipwise.audit.casebook import Casebook, Statement, is_comparative
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.ratios import NEAR, Clause, agree, directions
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.types import Evidence, Finding

_FORMATS = ("dtype", "sparsity", "direction")  # what a text may set against one another without a word
_TERMS = ("basis", "power_basis", "capacity", "engine")  # what differs only where both say so
FAR = 4.0  # times: of links there are many ways to count
_ONE = Interval.of(1)


@dataclass(frozen=True, slots=True)
class Quotient:
    """Two facts and what the first is of the second."""

    of: Statement
    against: Statement

    @property
    def value(self) -> Interval:
        """With the precision of both."""
        return Interval(self.of.low, self.of.high) / Interval(self.against.low, self.against.high)

    @property
    def is_alike(self) -> bool:
        """True where both are of one format, density and direction."""
        a, b = self.of.claim, self.against.claim
        return all(a.qualifier(axis) == b.qualifier(axis) for axis in _FORMATS)


def find_wrong_multiples(book: Casebook) -> Iterator[Finding]:
    """One finding for each comparison that no quotient of the facts makes."""
    for s in book.said:
        found = quotients(book, s)
        alike = [q for q in found if q.is_alike]
        if not alike or any(agrees(book, s, q) for q in found) or all(_is_far(book, s, q) for q in alike):
            continue
        yield _draft(book, s, alike)


def quotients(book: Casebook, s: Statement) -> list[Quotient]:
    """What the facts make of a comparison, by every pair of them that it can be about; none where it is open what it says."""
    c, metric = s.claim, book.domain.metrics.get(s.claim.metric)
    if metric is None or not (s.asserted and is_comparative(s) and c.baseline and metric.nature == "specified"):
        return []
    if metric.dimension == "ratio":
        return []  # "2.8x faster" is no property of which each chip has its own
    if (s.count or 1) > 1 or c.qualifier("workload") or c.qualifier("benchmark") or not _is_plain(book, s):
        return []
    return [Quotient(a, b) for a, b in product(_facts(book, s, c.subject), _facts(book, s, c.baseline)) if _fit(a, b)]


def _facts(book: Casebook, s: Statement, subject: str) -> list[Statement]:
    """The facts of one chip for what `s` compares, on the terms that it states."""
    domain = book.domain
    if not domain.is_chip(subject):
        return []
    stated = [(axis, value) for axis, value in s.claim.qualifiers if axis in (*_FORMATS, *_TERMS)]
    return [
        f
        for f in book.facts.get((domain.chip_of(subject), s.claim.metric), ())
        if f.asserted
        and f.count in (1, None)
        and f.claim.qualifier("aggregation") in ("", "chip")
        and domain.is_chip(f.claim.subject)
        and f.claim.quantity is not None
        and f.claim.quantity.form == "value"
        and f.low > 0
        and Interval(f.low, f.high).is_finite
        and domain.are_kin(f.claim.subject, subject)
        and all(f.claim.qualifier(axis) in ("", value) for axis, value in stated)
    ]


def _fit(a: Statement, b: Statement) -> bool:
    """True for figures of one unit and one kind of memory, on equal terms but for the format."""
    x, y = a.claim, b.claim
    if x.quantity is None or y.quantity is None or x.quantity.dimension != y.quantity.dimension:
        return False
    counted = x.quantity.dimension == "count" and x.quantity.unit != y.quantity.unit
    kinds = {c.qualifier("memory_kind").rstrip("0123456789ex") for c in (x, y)}
    alike = all(len({x.qualifier(axis), y.qualifier(axis)} - {""}) <= 1 for axis in _TERMS)
    return not counted and len(kinds - {""}) <= 1 and alike


def _is_plain(book: Casebook, s: Statement) -> bool:
    """True where the words beside a multiple name its metric and no other, and the sentence speaks of no price or rate.

    "3x the HBM" may be its size or its bandwidth, "1.8x the peak per dollar" is neither chip's.
    """
    evidence = book.find_evidence(s)
    if evidence.mark is None:
        return False
    clause, metrics = Clause.around(book.domain, evidence.quote, evidence.mark), book.domain.metrics
    if any(metrics[i].nature != "specified" for m in book.domain.find_metrics(evidence.quote) for i in m.ids):
        return False
    named = {i for m in clause.scene.metrics if clause.start < m.end and m.start < clause.end for i in m.ids}
    return named == {s.claim.metric} and clause.kinds(book.domain) is not None


def agrees(book: Casebook, s: Statement, quotient: Quotient) -> bool:
    """True where one way to read a comparison takes in what the facts make."""
    q = s.claim.quantity
    if q is None:
        return False
    made = _readings(book.domain, q, book.find_evidence(s), quotient.value)
    return any(agree(loosened(q), m) for m in made)


def stated_quotient(book: Casebook, s: Statement) -> Quotient | None:
    """The quotient that a comparison states, of one format and near its figure if there is such; "up to 4x" states no 1.4x."""
    near = [(abs(_middle(s) - q.value.middle), q) for q in quotients(book, s) if _states(book, s, q)]
    return min(near, key=lambda pair: (not pair[1].is_alike, pair[0]), default=(0.0, None))[1]


def _states(book: Casebook, s: Statement, quotient: Quotient) -> bool:
    q = s.claim.quantity
    if q is None or q.bound in ("exact", "about"):
        return agrees(book, s, quotient)
    end = Interval.of(loosened(q).middle) * Interval(1 - LOOSE, 1 + LOOSE)
    return any(end.meets(made) for made in _readings(book.domain, q, book.find_evidence(s), quotient.value))


def _middle(s: Statement) -> float:
    """About how many times: a change as what it makes of one."""
    q = s.claim.quantity
    if q is None:
        return 0.0
    return q.middle + (1.0 if q.form in ("change", "discount") else 0.0)


def _readings(domain: Domain, q: Quantity, evidence: Evidence, ratio: Interval) -> list[Interval]:
    """What the comparison would have to be, in each way to read it, where one chip has `ratio` times what the other has."""
    first, last = evidence.mark or (0, 0)
    near = evidence.quote[max(0, first - NEAR) : last + NEAR].replace("up to", "")  # a bound, and no rise
    falls, rises = directions(domain, q, near)
    if q.form not in ("change", "discount"):
        return [_ONE / ratio, ratio, _ONE - ratio] if falls else [ratio, ratio - _ONE][: 1 + rises]
    fall = [_ONE - ratio, _ONE / ratio - _ONE]
    return [*([ratio - _ONE] if rises or not falls else []), *(fall if falls or not rises else [])]


def _is_far(book: Casebook, s: Statement, quotient: Quotient) -> bool:
    """True where the facts can hardly be those that were compared: all links of one chip, one direction of the other's."""
    if "direction" not in book.domain.metrics[s.claim.metric].qualifiers:
        return False
    return abs(math.log(max(_middle(s), 1e-9) / quotient.value.middle)) > math.log(FAR)


def equation(book: Casebook, quotient: Quotient) -> str:
    """ "141 GB / 80 GB = 1.76x"."""
    a, b = (figure(book, s) for s in (quotient.of, quotient.against))
    return f"{a} / {b} = {number(quotient.value.middle)}x"


def _draft(book: Casebook, s: Statement, alike: Sequence[Quotient]) -> Finding:
    subject, baseline = name(book, s.claim.subject), name(book, s.claim.baseline)
    metric, claimed = name(book, s.claim.metric), figure(book, s)
    ordered = sorted(alike, key=lambda p: abs(p.value.middle - _middle(s)))
    lines = {
        equation(book, p): f"{equation(book, p)}   [{place(book, p.of)}, {place(book, p.against)}]" for p in ordered
    }
    nearest = ordered[0]
    return draft(
        book,
        "CW703",
        "contradiction",
        "medium",
        f"{subject} {metric}: {claimed} against {baseline} is not what the table makes",
        "\n".join([*list(lines.values())[:3], f"claimed: {claimed}   [{place(book, s)}]"]),
        (s, nearest.of, nearest.against),
        help="see which figures the comparison was made from, and of which variant, format and scope",
    )
