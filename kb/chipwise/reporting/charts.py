"""The figures of chips, like for like: of one variant, in one number format, dense. Of them a table and two charts are made.

    attainable = min(peak, bandwidth x intensity)      Williams, Waterman & Patterson, CACM 2009

The corner of a roofline lies where a kernel does peak / bandwidth operations for each byte that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chipwise.audit.evidence import fact_evidence
from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown
from chipwise.figures.bindings import Sources
from chipwise.figures.format import listed, phrase, plain, value_text
from chipwise.figures.resolve import Offer, chip_offers, offered
from chipwise.lookups.compare import Comparison, ComparisonRow, columns, compare
from chipwise.lookups.facts import select, unknown
from chipwise.reporting.model import Chart, ChipRow, Point, Series

ROOFLINE, PRICES = "roofline", "price-performance"
PEAK, BANDWIDTH = "peak_compute", "memory_bandwidth"
# the columns of the table of chips: metric, and what its figures have to state
COLUMNS: Mapping[str, tuple[str, dict[str, str]]] = {
    "memory": ("memory_capacity", {}),
    "bandwidth": (BANDWIDTH, {}),
    "peak in BF16, dense": (PEAK, {"dtype": "bf16"}),
    "power": ("tdp", {}),
}
_USD = "USD/hour"
_PRICE, _TERMS = "price_per_hour", {"price_terms": "on-demand"}
_USUAL = 8  # chips of a chart where none are named: as many as there are colors to tell them apart
_USUAL_FORMAT = "bf16"
_TERA = 1e12
_ROOM = 4.0  # how far a roof goes on to either side of the corners
_GUIDES = (100.0, 200.0, 400.0, 800.0, 1600.0)  # TFLOPS for one dollar an hour


@dataclass(frozen=True, slots=True)
class _Chip:
    """A chip with its dense peak and its memory bandwidth, None where nobody gives one; `name` is without its maker."""

    id: str
    name: str
    peak: Fact | None
    bandwidth: Fact | None


def chips_named(sources: Sources, words: Sequence[str]) -> tuple[str, ...]:
    """The chips that are named, in their order, or without words the usual ones. Raises NameUnknown for what is not a chip."""
    if not words:
        return _usual_chips(sources)
    asked = select(sources.names, words)
    if asked.metrics or asked.values:
        raise unknown(sources.names, " ".join(words))
    chosen = columns(sources.store, asked.readings)
    for subject in chosen:
        if not sources.names.is_chip(subject):
            hint = "name the chip that it is made of"
            raise NameUnknown(f"{sources.names.name(subject)} is not a chip", hint=hint)
    return chosen


def format_named(names: Names, word: str) -> str:
    """The number format that is named, BF16 where none is. Raises NameUnknown."""
    found = select(names, [word]).values if word else (_USUAL_FORMAT,)
    if len(found) != 1:
        raise unknown(names, word)
    return found[0]


def _usual_chips(sources: Sources) -> tuple[str, ...]:
    """The chips that most sources mention, of several makers.

    Places go by d'Hondt's method: a maker's second chip counts half its sources, the third a third.
    """
    spoken = _speakers(sources)
    most = sorted(spoken, key=lambda chip: (-len(spoken[chip]), chip))[: 8 * _USUAL]
    drawn = [c.id for c in _figures(sources, most, _USUAL_FORMAT) if c.peak and c.bandwidth]
    taken: dict[str, int] = {}
    weight: dict[str, float] = {}
    for chip in drawn:
        vendor = sources.domain.entities[chip].vendor
        taken[vendor] = taken.get(vendor, 0) + 1
        weight[chip] = len(spoken[chip]) / taken[vendor]
    return tuple(sorted(drawn, key=lambda chip: (-weight[chip], chip))[:_USUAL])


def _speakers(sources: Sources) -> dict[str, set[str]]:
    """By chip the sources that say something of it."""
    spoken: dict[str, set[str]] = {}
    for claim in (*(fact.claim for fact in sources.store.facts()), *sources.store.claims()):
        if chip := sources.names.chip_of(claim.subject):
            spoken.setdefault(chip, set()).add(claim.source)
    return spoken


def chip_rows(sources: Sources, chips: Sequence[str]) -> tuple[ChipRow, ...]:
    """The rows of the table of chips."""
    names, spoken = sources.names, _speakers(sources)
    found = compare(sources.store, names, chips, metrics=[metric for metric, _ in COLUMNS.values()], singles=True)
    cells = [_cells(found, metric, wanted) for metric, wanted in COLUMNS.values()]
    rows = []
    for chip in chips:
        facts = [column.get(chip) for column in cells]
        figures = [None if f is None else (value_text(f, names), fact_evidence(f)) for f in facts]
        offers = chip_offers(sources.store, sources.domain, names, chip, _PRICE, _TERMS).values()
        least = min(offers, key=lambda offer: offer.value, default=None)
        dollars = 0.0 if least is None else least.value / names.units[_USD].scale
        figures.append(None if least is None else (f"from ${dollars:.2f}", fact_evidence(least.fact)))
        whole = names.chip_of(chip) or chip
        rows.append(ChipRow(names.name(whole), tuple(figures), len(spoken.get(whole, ()))))
    return tuple(rows)


def _figures(sources: Sources, chips: Sequence[str], dtype: str) -> list[_Chip]:
    """Each chip with its figures in one format; a peak that only 2:4 sparsity reaches is none."""
    names = sources.names
    found = compare(sources.store, names, chips, metrics=(PEAK, BANDWIDTH), singles=True)
    peaks, bandwidths = _cells(found, PEAK, {"dtype": dtype}), _cells(found, BANDWIDTH, {})
    made = []
    for chip in chips:
        both = peaks.get(chip), bandwidths.get(chip)
        of = (fact.claim.subject for fact in both if fact is not None)
        named = max(of, default=chip, key=lambda s: len(names.ancestors(s)))
        variant = named if chip in names.ancestors(named) else chip
        entity = sources.domain.entities.get(variant)
        made.append(_Chip(chip, entity.name.removeprefix(f"{entity.vendor} ") if entity else variant, *both))
    return made


def _cells(found: Comparison, metric: str, wanted: Mapping[str, str]) -> dict[str, Fact]:
    """By chip the figure of the row that most chips have a dense figure in."""

    def facts(row: ComparisonRow) -> dict[str, Fact]:
        here = {s: f for s, f in zip(found.subjects, row.facts, strict=True) if f is not None}
        return {s: f for s, f in here.items() if f.claim.states(wanted) and f.claim.qualifier("sparsity") != "2:4"}

    rows = [facts(row) for row in found.rows if row.metric == metric]
    return max(rows, key=len, default={})


def roofline(sources: Sources, chips: Sequence[str], dtype: str) -> Chart:
    """Attainable compute over arithmetic intensity; a chip without peak or bandwidth is named in a note and not drawn."""
    known, said = _figures(sources, chips, dtype), phrase("dtype", dtype, sources.names)
    roofs = [(c.name, c.peak, c.bandwidth) for c in known if c.peak is not None and c.bandwidth is not None]
    corners = [peak.amount / bandwidth.amount for _, peak, bandwidth in roofs]
    low, high = (min(corners) / _ROOM, max(corners) * _ROOM) if corners else (1.0, 1.0)
    series, notes = [], []
    for (name, peak, bandwidth), corner in zip(roofs, corners, strict=True):
        top = peak.amount / _TERA
        figures = f"{value_text(peak, sources.names)} / {value_text(bandwidth, sources.names)}"
        cited = (fact_evidence(peak), fact_evidence(bandwidth))
        path = ((low, bandwidth.amount * low / _TERA), (corner, top), (high, top))
        series.append(Series(name, (Point(corner, top, f"{figures} = {plain(corner)} FLOP/byte", cited),), path))
    for c in known:
        lacking = [*([] if c.peak else [f"dense {said} peak"]), *([] if c.bandwidth else ["memory bandwidth"])]
        notes += [f"{c.name}: {listed(lacking)} not known"] if lacking else []
    axes = ("arithmetic intensity (FLOP/byte)", "attainable compute (TFLOPS)")
    return Chart(ROOFLINE, f"Roofline in {said}, dense", *axes, tuple(series), notes=tuple(notes))


def price_performance(sources: Sources, chips: Sequence[str], dtype: str) -> Chart:
    """Peak compute over what a chip costs an hour on demand, a point for each provider; the cheaper, the further left."""
    names, said = sources.names, phrase("dtype", dtype, sources.names)
    series, notes = [], []
    for chip in _figures(sources, chips, dtype):
        offers = chip_offers(sources.store, sources.domain, names, chip.id, _PRICE, _TERMS)
        if chip.peak is None or not offers:
            lacking = f"dense {said} peak" if chip.peak is None else "on-demand price"
            notes.append(f"{chip.name}: {lacking} not known")
        else:
            series.append(Series(chip.name, tuple(_offers(chip.peak, offers.values(), names))))
    rates = [p.y / p.x for s in series for p in s.points]
    guides = tuple(rate for rate in _GUIDES if rates and min(rates) / 2 <= rate <= max(rates) * 2)
    notes.append("dashed lines: TFLOPS for one dollar an hour; a peak is no throughput")
    axes = (f"rental price of a chip on demand ({_USD})", "peak compute (TFLOPS)")
    return Chart(PRICES, f"Peak compute in {said}, dense, by price", *axes, tuple(series), guides, tuple(notes))


def _offers(peak: Fact, offers: Iterable[Offer], names: Names) -> Iterator[Point]:
    top = peak.amount / _TERA
    for offer in offers:
        cost, price = offer.value / names.units[_USD].scale, value_text(offer.fact, names)
        of_one = f"({price} / {offer.among} chips)" if offer.among > 1 else price
        rate = f"{plain(top / cost)} TFLOPS for 1 USD/hour"
        says = f"{offered(offer.fact, names)}: {value_text(peak, names)} / {of_one} = {rate}"
        yield Point(cost, top, says, (fact_evidence(peak), fact_evidence(offer.fact)))
