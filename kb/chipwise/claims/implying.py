"""A figure in a unit that is not written with it: a price that is one of an hour, a bare number of what its column gives."""

from __future__ import annotations

from dataclasses import replace

from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity


def implied(domain: Domain, metric: Metric, quantity: Quantity) -> Quantity:
    """The figure in the metric's own unit where its wording implies that: "hourly cost: $12" is 12 USD/hour."""
    unit = domain.units.get(metric.unit)
    if quantity.dimension not in metric.implied_by or unit is None:
        return quantity
    return replace(in_unit(domain, unit.id, quantity), dimension=metric.dimension)


def is_sum_for_a_rate(metric: Metric, quantity: Quantity) -> bool:
    """True for the $12 of "hourly cost: $12": a sum of money that is taken for a price of an hour."""
    return metric.dimension.endswith("_rate") and quantity.dimension in metric.implied_by


def in_unit(domain: Domain, unit_id: str, number: Quantity) -> Quantity:
    """A bare number, whose ends count nothing yet, as so many of a unit."""
    unit = domain.units[unit_id]
    low, high = number.low * unit.scale, number.high * unit.scale
    return replace(number, low=low, high=high, unit=unit.id, dimension=unit.dimension)
