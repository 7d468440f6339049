"""Readings as claims: what `chipwise.extract` gives of figures.

A figure without a unit has the one that its metric is stated in, as a table's column or a sentence leaves it out: "141" under "Memory".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.claims.candidates import DATE
from chipwise.claims.decode import Reading
from chipwise.claims.model import Claim, Modality
from chipwise.claims.reader import ClaimReader
from chipwise.claims.units import Unit
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span
from chipwise.types import Passage

LEAST = 0.3  # confidence below which a reading is no claim
BASE_UNITS = 1e9  # from which on a bare number is one of bytes or FLOPS, as code has them: "HBM_BW = 3.35e12"


def read_claims(
    reader: ClaimReader, domain: Domain, passages: Sequence[Passage], title: str = "", least: float = LEAST
) -> list[Claim]:
    """The claims on figures of one source, in the order of its text, each with its confidence and the runner-up readings.

    What the text gives to a product that the domain lacks is no claim, and neither is a multiple of what it does not tell.
    """
    units, readings = reader.read(passages, title)
    source = passages[0].source if passages else ""
    return sorted(_claims(domain, source, units, readings, least), key=lambda c: c.value_start)


def _claims(
    domain: Domain, source: str, units: Sequence[Unit], readings: Sequence[Reading], least: float
) -> Iterator[Claim]:
    for reading in readings:
        unit = units[reading.unit]
        place = unit.places[reading.figure]
        quantity = quantity_of(domain, reading, place) if reading.metric and reading.confidence >= least else None
        if quantity is None or reading.subject not in domain.entities:
            continue
        axes = dict(reading.axes)
        if reading.scope:
            axes["aggregation"] = reading.scope
        if reading.count:
            axes["count"] = str(reading.count)
        yield Claim(
            source, unit.passage, *unit.span, *place, reading.subject, reading.metric, quantity, "", _baseline(domain, reading, quantity),
            tuple(sorted(axes.items())), Modality(reading.modality), confidence=round(reading.confidence, 3), rivals=reading.rivals,
        )  # fmt: skip


def quantity_of(domain: Domain, reading: Reading, place: Span) -> Quantity | None:
    """The figure at its place in the source, None for a date and for a bare number of a metric without a unit."""
    candidate, dimension = reading.candidate, domain.metrics[reading.metric].dimension
    if candidate.dimension == "price" and dimension == "price_rate":  # "$2.49" in a column of prices per hour
        found = domain.unit_table.find(f"{candidate.surface}/hour")
        return replace(found[0], start=place[0], end=place[1]) if len(found) == 1 else None
    if candidate.quantity is not None:
        return replace(candidate.quantity, start=place[0], end=place[1])
    if candidate.written >= BASE_UNITS:
        return Quantity(*place, dimension, domain.metrics[reading.metric].unit, candidate.written, candidate.written)
    unit = domain.units.get(domain.metrics[reading.metric].unit) if candidate.dimension != DATE else None
    found = (
        domain.unit_table.find(f"{candidate.written:.10g} {unit.forms[0]}") if unit is not None and unit.forms else []
    )
    return replace(found[0], start=place[0], end=place[1]) if len(found) == 1 else None


def _baseline(domain: Domain, reading: Reading, quantity: Quantity) -> str:
    known = reading.baseline in domain.entities and reading.baseline != reading.subject
    return reading.baseline if known and quantity.compares else ""
