"""A figure in another unit: one that a question gives, or one that a fact does.

    "what is 3200 Gbps in GB/s"  ->  "3,200 Gbps / 8 = 400 GB/s."

The factor is shown, so that a reader sees whether bits, or powers of two, make the difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from chipwise.answering.quoting import Told
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import value_text
from chipwise.numbers.quantity import Quantity

_LEAST = 3  # digits of a result
_EXACT = 10  # significant digits of a factor: 1.073741824


def converted(written: str, given: Quantity, targets: Iterable[str], domain: Domain) -> Told | None:
    """A figure, as it is `written`, in each of the units `targets` of its kind; None for a bound or a range."""
    if given.bound != "exact" or given.form == "range":
        return None
    units = [unit for unit in targets if unit != given.unit and _alike(given.unit, unit, domain)]
    steps = (_step(given.middle, given.unit, unit, domain, digits=_digits(written)) for unit in units)
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
