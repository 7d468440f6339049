"""A figure in another unit: one that a question gives, or one that a fact does.

    "what is 3200 Gbps in GB/s"  ->  "3,200 Gbps / 8 = 400 GB/s."

The factor is shown, so that a reader sees whether bits, or powers of two, make the difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from chipwise.answering.base import Base
from chipwise.answering.mentions import Slot
from chipwise.answering.query import Measure, Query
from chipwise.answering.quoting import Told
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import value_text
from chipwise.text import words

_LEAST = 3  # digits of a result
_EXACT = 10  # significant digits of a factor: 1.073741824


def conversion_of(text: str, found: Sequence[Slot], domain: Domain) -> Query | None:
    """A figure wanted in another unit of its dimension; None where more is asked."""
    figures = [s for s in found if s.quantity is not None and s.number is None]
    units = [s for s in found if s.unit and s.quantity is None]
    if len(figures) != 1 or not units or any(s.names for s in found):
        return None
    quantity = figures[0].quantity
    if quantity is None or any(domain.units[s.unit].dimension != quantity.dimension for s in units):
        return None
    convert = domain.change_nothing("conversion")
    rest = [
        s
        for s in found
        if s not in figures
        and s not in units
        and not any(o.kind in ("filler", "question", "opener") for o in s.operators)
    ]
    left = tuple((s.start, s.end) for s in rest if not set(words(text[s.start : s.end])) <= convert)
    return Query(text, what=tuple(Measure("", unit=s.unit) for s in units), converts=quantity, left=left)


def converted(query: Query, base: Base) -> Told | None:
    """The figure that a query converts in each of the units asked for; None for a bound or a range."""
    given, domain = query.converts, base.domain
    if given is None or given.bound != "exact" or given.form == "range":
        return None
    units = [m.unit for m in query.what if m.unit != given.unit and _alike(given.unit, m.unit, domain)]
    digits = _digits(query.text[given.start : given.end])
    steps = (_step(given.middle, given.unit, unit, domain, digits=digits) for unit in units)
    return Told.of(" ".join(f"{step}." for step in steps)) if units else None


def step_to(fact: Fact, target: str, domain: Domain, names: Names) -> str:
    """ "4,800 GB/s / 1,000 = 4.8 TB/s"; "" where the fact is in that unit, or in one of another kind."""
    quantity = fact.claim.quantity
    if quantity is None or not quantity.is_single or not _alike(fact.unit, target, domain):
        return ""
    value = float(fact.value) * domain.units[fact.unit].scale
    return _step(value, fact.unit, target, domain, value_text(fact, names), digits=_digits(fact.value))


def _alike(a: str, b: str, domain: Domain) -> bool:
    """True for two units of one dimension and of different sizes; counts are of different things."""
    if a not in domain.units or b not in domain.units:
        return False
    one, other = domain.units[a], domain.units[b]
    same = one.dimension == other.dimension and one.offset == other.offset == 0
    return same and one.dimension != "count" and not math.isclose(one.scale, other.scale)


def _digits(written: str) -> int:
    """As many as a figure has, without those that only place its point: 762.8 GiB/s would be more than 819 GB/s tell."""
    return max(_LEAST, len("".join(c for c in written if c.isdigit()).lstrip("0")))


def _step(value: float, unit: str, target: str, domain: Domain, written: str = "", *, digits: int) -> str:
    """ "3,200 Gbps / 8 = 400 GB/s", of a value in base units."""
    factor = domain.units[unit].scale / domain.units[target].scale
    sign, by = ("x", factor) if factor > 1 else ("/", 1 / factor)
    shown = written or f"{number(value / domain.units[unit].scale, 6)} {unit}"
    return f"{shown} {sign} {number(by, _EXACT)} = {number(value / domain.units[target].scale, digits)} {target}"
