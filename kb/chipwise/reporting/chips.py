"""Chips for a chart, each with the figures that it takes, like for like: of one variant, in one number format, dense.

h100, mi300x in BF16  ->  H100 SXM: 989 TFLOPS, 3.35 TB/s        MI300X: 1,307 TFLOPS, 5.3 TB/s
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chipwise.answering.compare import Comparison, ComparisonRow, columns, compare
from chipwise.answering.facts import select, unknown
from chipwise.audit.evidence import fact_evidence
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown
from chipwise.figures.format import value_text
from chipwise.figures.prices import Offer, chip_offers
from chipwise.index.store import Store
from chipwise.reporting.model import ChipRow
from chipwise.types import Evidence

# the columns of the table of chips: metric, and what its figures have to state
COLUMNS: Mapping[str, tuple[str, dict[str, str]]] = {
    "memory": ("memory_capacity", {}),
    "bandwidth": ("memory_bandwidth", {}),
    "peak in BF16, dense": ("peak_compute", {"dtype": "bf16"}),
    "power": ("tdp", {}),
}
USD = "USD/hour"
PRICE, TERMS = "price_per_hour", {"price_terms": "on-demand"}
USUAL = 8  # chips of a chart where none are named: as many as there are colours to tell them apart
USUAL_FORMAT = "bf16"
PEAK, BANDWIDTH = "peak_compute", "memory_bandwidth"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a chip in base units, as it is written, and where it stands."""

    value: float
    text: str
    cited: Evidence

    @classmethod
    def of(cls, fact: Fact, names: Names) -> Figure:
        """The figure of a fact."""
        return cls(fact.amount, value_text(fact, names), fact_evidence(fact))


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip with its dense peak and its memory bandwidth, None where nobody gives one; `name` is without its maker."""

    id: str
    name: str
    peak: Figure | None
    bandwidth: Figure | None


def chips_named(store: Store, names: Names, words: Sequence[str]) -> tuple[str, ...]:
    """The chips that are named, in their order. Raises NameUnknown for a word that names no chip."""
    asked = select(names, words)
    if asked.metrics or asked.values:
        raise unknown(names, " ".join(words))
    chosen = columns(store, asked.readings)
    for subject in chosen:
        if not names.is_chip(subject):
            hint = "name the chip that it is made of"
            raise NameUnknown(f"{names.name(subject)} is no chip", hint=hint)
    return chosen


def format_named(names: Names, word: str) -> str:
    """The number format that is named, BF16 where none is. Raises NameUnknown."""
    found = select(names, [word]).values if word else (USUAL_FORMAT,)
    if len(found) != 1:
        raise unknown(names, word)
    return found[0]


def usual_chips(store: Store, domain: Domain, names: Names) -> tuple[str, ...]:
    """The chips that most sources speak of, of several makers.

    Places go by d'Hondt's method: a maker's second chip counts half its sources, the third a third.
    """
    spoken = _speakers(store, names)
    most = sorted(spoken, key=lambda chip: (-len(spoken[chip]), chip))[: 8 * USUAL]
    drawn = [c.id for c in figures_of(store, domain, names, most, USUAL_FORMAT) if c.peak and c.bandwidth]
    taken: dict[str, int] = {}
    weight: dict[str, float] = {}
    for chip in drawn:
        vendor = domain.entities[chip].vendor
        taken[vendor] = taken.get(vendor, 0) + 1
        weight[chip] = len(spoken[chip]) / taken[vendor]
    best = sorted(drawn, key=lambda chip: (-weight[chip], chip))
    return tuple(best[:USUAL])


def _speakers(store: Store, names: Names) -> dict[str, set[str]]:
    """By chip the sources that say something of it."""
    spoken: dict[str, set[str]] = {}
    for claim in (*(fact.claim for fact in store.facts()), *store.claims()):
        chip = names.chip_of(claim.subject)
        if chip:
            spoken.setdefault(chip, set()).add(claim.source)
    return spoken


def chip_rows(store: Store, domain: Domain, names: Names, chips: Sequence[str]) -> tuple[ChipRow, ...]:
    """The rows of the table of chips."""
    spoken = _speakers(store, names)
    found = compare(store, names, chips, metrics=[metric for metric, _ in COLUMNS.values()], singles=True)
    cells = [_cells(found, metric, wanted) for metric, wanted in COLUMNS.values()]
    rows = []
    for chip in chips:
        facts = [column.get(chip) for column in cells]
        figures = [None if f is None else (value_text(f, names), fact_evidence(f)) for f in facts]
        offers = chip_offers(store, domain, names, chip, PRICE, TERMS).values()
        least = min(offers, key=lambda offer: offer.value, default=None)
        figures.append(None if least is None else (_from(least, names), fact_evidence(least.fact)))
        chip = names.chip_of(chip) or chip
        rows.append(ChipRow(names.name(chip), tuple(figures), len(spoken.get(chip, ()))))
    return tuple(rows)


def _from(offer: Offer, names: Names) -> str:
    dollars = offer.value / names.units[USD].scale
    return f"from ${dollars:.2f}"


def figures_of(store: Store, domain: Domain, names: Names, chips: Sequence[str], dtype: str) -> list[Chip]:
    """Each chip with its figures in one format; a peak that only 2:4 sparsity reaches is none."""
    found = compare(store, names, chips, metrics=(PEAK, BANDWIDTH), singles=True)
    peaks = _cells(found, PEAK, {"dtype": dtype})
    bandwidths = _cells(found, BANDWIDTH, {})
    made = []
    for chip in chips:
        peak, bandwidth = peaks.get(chip), bandwidths.get(chip)
        named = max(
            (f.claim.subject for f in (peak, bandwidth) if f is not None),
            default=chip,
            key=lambda s: len(names.ancestors(s)),
        )
        variant = named if chip in names.ancestors(named) else chip
        figures = [None if f is None else Figure.of(f, names) for f in (peak, bandwidth)]
        made.append(Chip(chip, short_name(domain, variant), *figures))
    return made


def short_name(domain: Domain, subject: str) -> str:
    """The name of an entity without its maker: "H100 SXM"."""
    entity = domain.entities.get(subject)
    return entity.name.removeprefix(f"{entity.vendor} ") if entity is not None else subject


def _cells(found: Comparison, metric: str, wanted: Mapping[str, str]) -> dict[str, Fact]:
    """By chip the figure of the row that most chips have a dense figure in."""

    def facts(row: ComparisonRow) -> dict[str, Fact]:
        here = {s: f for s, f in zip(found.subjects, row.facts, strict=True) if f is not None}
        return {s: f for s, f in here.items() if f.claim.states(wanted) and f.claim.qualifier("sparsity") != "2:4"}

    rows = [facts(row) for row in found.rows if row.metric == metric]
    return max(rows, key=len, default={})
