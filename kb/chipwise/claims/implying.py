"""A figure in a unit that is not written with it: a price that is one of an hour, a bare number of what its column gives."""

from __future__ import annotations

from dataclasses import replace

from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity


def in_unit(domain: Domain, unit_id: str, number: Quantity) -> Quantity:
    """A bare number, whose ends count nothing yet, as so many of a unit."""
    unit = domain.units[unit_id]
    low, high = number.low * unit.scale, number.high * unit.scale
    return replace(number, low=low, high=high, unit=unit.id, dimension=unit.dimension)
