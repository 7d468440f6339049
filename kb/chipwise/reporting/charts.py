"""The roofline of chips, and what their compute costs.

    attainable = min(peak, bandwidth x intensity)      Williams, Waterman & Patterson, CACM 2009

The corner lies where a kernel does peak / bandwidth operations for each byte that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.format import listed, phrase, plain
from chipwise.figures.prices import chip_offers, offered
from chipwise.index.store import Store
from chipwise.reporting.chips import PRICE, TERMS, USD, Chip, Figure, figures_of
from chipwise.reporting.model import Chart, Point, Series

ROOFLINE, PRICES = "roofline", "price-performance"
_TERA = 1e12
_ROOM = 4.0  # how far a roof goes on to either side of the corners
_GUIDES = (100.0, 200.0, 400.0, 800.0, 1600.0)  # TFLOPS for one dollar an hour


def roofline(store: Store, domain: Domain, names: Names, chips: Sequence[str], dtype: str) -> Chart:
    """Attainable compute over arithmetic intensity; a chip without peak or bandwidth is told of and not drawn."""
    known = figures_of(store, domain, names, chips, dtype)
    roofs = [(c, c.peak, c.bandwidth) for c in known if c.peak is not None and c.bandwidth is not None]
    corners = [peak.value / bandwidth.value for _, peak, bandwidth in roofs]
    low, high = (min(corners) / _ROOM, max(corners) * _ROOM) if corners else (1.0, 1.0)
    series = tuple(_roof(chip, peak, bandwidth, low, high) for chip, peak, bandwidth in roofs)
    said = phrase("dtype", dtype, names)
    missing = [
        f"{c.name}: {listed(_lacking(c, said))} not known" for c in known if c.peak is None or c.bandwidth is None
    ]
    title = f"Roofline in {said}, dense"
    axes = ("arithmetic intensity (FLOP/byte)", "attainable compute (TFLOPS)")
    return Chart(ROOFLINE, title, *axes, series, notes=tuple(missing))


def _roof(chip: Chip, peak: Figure, bandwidth: Figure, low: float, high: float) -> Series:
    top, corner = peak.value / _TERA, peak.value / bandwidth.value
    says = f"{peak.text} / {bandwidth.text} = {plain(corner)} FLOP/byte"
    path = ((low, bandwidth.value * low / _TERA), (corner, top), (high, top))
    return Series(chip.name, (Point(corner, top, says, (peak.cited, bandwidth.cited)),), path)


def _lacking(chip: Chip, said: str) -> Iterator[str]:
    if chip.peak is None:
        yield f"dense {said} peak"
    if chip.bandwidth is None:
        yield "memory bandwidth"


def price_performance(store: Store, domain: Domain, names: Names, chips: Sequence[str], dtype: str) -> Chart:
    """Peak compute over what a chip costs an hour on demand, a point for each provider; the cheaper, the further left."""
    series, missing = [], []
    said = phrase("dtype", dtype, names)
    for chip in figures_of(store, domain, names, chips, dtype):
        offers = chip_offers(store, domain, names, chip.id, PRICE, TERMS)
        if chip.peak is None or not offers:
            lacking = f"dense {said} peak" if chip.peak is None else "on-demand price"
            missing.append(f"{chip.name}: {lacking} not known")
            continue
        top = chip.peak.value / _TERA
        points = []
        for offer in offers.values():
            price = Figure.of(offer.fact, names)
            cost = offer.value / names.units[USD].scale
            of_one = f"({price.text} / {offer.among} chips)" if offer.among > 1 else price.text
            rate = f"{plain(top / cost)} TFLOPS for 1 USD/hour"
            says = f"{offered(offer.fact, names)}: {chip.peak.text} / {of_one} = {rate}"
            points.append(Point(cost, top, says, (chip.peak.cited, price.cited)))
        series.append(Series(chip.name, tuple(points)))
    return Chart(
        PRICES,
        f"Peak compute in {said}, dense, by price",
        f"rental price of a chip on demand ({USD})",
        "peak compute (TFLOPS)",
        tuple(series),
        _guides(series),
        (*missing, "dashed lines: TFLOPS for one dollar an hour; a peak is no throughput"),
    )


def _guides(series: Sequence[Series]) -> tuple[float, ...]:
    """The round rates for a dollar that lie among those of the points."""
    rates = [p.y / p.x for s in series for p in s.points]
    return tuple(rate for rate in _GUIDES if rates and min(rates) / 2 <= rate <= max(rates) * 2)
