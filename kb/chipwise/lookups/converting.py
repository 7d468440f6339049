"""The figures of one row in one unit, with the basis of what had to be converted.

    3.35 TB/s, 2765 GB/s  ->  3,350 and 2,765 GB/s        95 GiB beside 80 GB  ->  102 GB, "1 GiB = 1.0737 GB"

What differs by thousands alone needs no basis.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.figures.phrasing import value_text
from chipwise.values import dataclass

_DIGITS = 3  # that a converted figure shows at least


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a row: `number` in the row's unit; `converted` says from what, where that takes more than thousands."""

    fact: Fact
    number: str
    converted: str = ""


def row_unit(names: Names, metric: str, facts: Sequence[Fact | None]) -> str:
    """The unit that most cells are written in; the metric's own where that is undecided."""
    units = Counter(f.unit for f in facts if f is not None and f.claim.quantity is not None)
    if not units:
        return ""
    best = [unit for unit, count in units.items() if count == max(units.values())]
    return names.metrics[metric].unit if names.metrics[metric].unit in best else best[0]


def cell_of(names: Names, fact: Fact, unit: str) -> Cell:
    """A fact as a cell of a row in `unit`."""
    written = value_text(fact, names)
    if fact.claim.quantity is None:
        return Cell(fact, written)
    number = written.removesuffix(fact.unit).rstrip()
    if fact.unit == unit:
        return Cell(fact, number)
    factor = names.units[fact.unit].scale / names.units[unit].scale
    parts = [_converted(part, factor) for part in fact.value.split("..")]
    bound = "" if fact.claim.quantity.bound == "exact" else f"{fact.claim.quantity.bound} "
    by_thousands = abs(math.log(factor, 1000) - round(math.log(factor, 1000))) < 1e-9  # noqa: PLR2004
    basis = "" if by_thousands else f"{written} as cited, 1 {fact.unit} = {factor:.5g} {unit}"
    return Cell(fact, bound + " to ".join(parts), basis)


def _converted(number: str, factor: float) -> str:
    """A number in another unit, with the digits that it had and at least three."""
    digits = max(_DIGITS, len(number.replace(".", "").replace("-", "").lstrip("0")))
    value = float(number) * factor
    text = f"{value:.{digits}g}"
    value = float(text)
    return f"{value:,.0f}" if value >= 1000 or "e" in text else text  # noqa: PLR2004
