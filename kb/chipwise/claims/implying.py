"""A figure in the unit of its metric, where the wording implies more than it writes: a price that is one of an hour."""

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
    low, high = quantity.low * unit.scale, quantity.high * unit.scale
    return replace(quantity, dimension=metric.dimension, unit=unit.id, low=low, high=high)
