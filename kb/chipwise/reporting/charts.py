"""What plots show: the figures of chips, like for like, and the figures of a metric by who says so.

    attainable = min(peak, bandwidth x intensity)      Williams, Waterman & Patterson, CACM 2009

The corner of a roofline lies where a kernel does peak / bandwidth operations for each byte that it reads. The chips of a
chart and of the table are of one variant, in one number format, dense.

    H100 SXM, BF16, dense:  989 TFLOPS (stas00 and 11 more), 989.4 (Lockwood), 1,979 "dense" (a blog)   one band

Figures share a band of strips where they are of one thing under the same qualifiers, and where a finding sets one
against the other. A figure has one mark, whoever says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from chipwise.audit.evidence import claim_evidence, fact_evidence
from chipwise.claims.model import Claim, Fact, Modality
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown
from chipwise.figures.alike import FIXED, SPLIT, values
from chipwise.figures.bindings import Sources
from chipwise.figures.format import in_words, listed, phrase, plain, value_text
from chipwise.figures.resolve import Offer, chip_offers, offered
from chipwise.figures.statement import Statement, place
from chipwise.index.store import Store
from chipwise.lookups.compare import Comparison, ComparisonRow, columns, compare
from chipwise.lookups.facts import select, unknown
from chipwise.reporting.model import TELLING, Band, Chart, ChipRow, Mark, Point, Series, Strips
from chipwise.types import Evidence, Finding, Role

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
MOST_BANDS = 12  # of one metric on the page
_SEVERAL = 2
_BY = tuple(axis for axis in (*SPLIT, *FIXED, "condition") if axis not in ("provider", "power_basis", "capacity"))
# what a figure is taken to be of where it does not say: it stands beside those that do, and a note tells
_OPEN = {"sparsity": "dense", "aggregation": "chip", "basis": "peak"}
_TOLD = (Modality.REPORTED, Modality.ESTIMATED, Modality.PROMISED)


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


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement with its quote; `kind` is what figures of one band share."""

    statement: Statement
    evidence: Evidence
    kind: tuple[str, ...]

    @property
    def place(self) -> tuple[str, int]:
        """The source, and where in it the figure stands."""
        return self.statement.claim.source, self.evidence.start + (self.evidence.mark or (0, 0))[0]


@dataclass(frozen=True)
class Figures:
    """Everything that is said in figures, ready to be laid out by metric."""

    store: Store
    domain: Domain
    names: Names
    said: Mapping[str, Sequence[_Said]]
    findings: Sequence[Finding]

    @classmethod
    def of(cls, store: Store, domain: Domain, names: Names, findings: Sequence[Finding], metric: str = "") -> Figures:
        """All figures that their source stands behind, or those of one metric."""
        roles, sources = store.roles(), {info.id: info for info in store.sources()}
        found: dict[str, list[_Said]] = {}

        def add(statement: Statement, evidence: Callable[[], Evidence]) -> None:
            if _is_figure(statement) and metric in ("", statement.claim.metric):
                of_metric = found.setdefault(statement.claim.metric, [])
                of_metric.append(_Said(statement, evidence(), _kind(domain, statement)))

        def quoted(claim: Claim) -> Evidence:
            return claim_evidence(claim, sources[claim.source], store.find_passage(claim.source, claim.passage))

        for fact in store.facts():
            add(place(domain, fact.claim, Role.BODY, fact), partial(fact_evidence, fact))
        for claim in store.claims():
            role = roles.get((claim.source, claim.passage), Role.BODY)
            add(place(domain, claim, role), partial(quoted, claim))
        return cls(store, domain, names, found, findings)

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], list[Finding]]:
        """The findings that mark a figure, by where it stands."""
        found: dict[tuple[str, int], list[Finding]] = {}
        for finding in self.findings:
            for place_ in _places(finding) if finding.verdict in TELLING else ():
                found.setdefault(place_, []).append(finding)
        return found

    def each(self, subjects: Sequence[str] = ()) -> Iterator[Strips]:
        """The bands of each metric in which some figure has several sources, in the domain's order."""
        made = (self.strips(metric, subjects, several=True) for metric in self.names.metrics if metric in self.said)
        return (strips for strips in made if strips.bands)

    def strips(self, metric: str, subjects: Sequence[str] = (), *, several: bool = False) -> Strips:
        """The bands of a metric with several sources or a finding, those that disagree first; of `subjects` all there are."""
        unit = self.names.metrics[metric].unit
        bands = [self._band(group, unit) for group in self._groups(metric, tuple(subjects))]
        kept = [b for b in bands if (subjects and not several) or b.sources >= _SEVERAL or b.disagrees]
        # subtle: a finding in which a source is at odds with itself makes a band too
        ordered = sorted(kept, key=lambda b: (not b.contradicts, not b.disagrees, -b.sources, b.title))
        shown = ordered if subjects else ordered[:MOST_BANDS]
        return Strips(metric, self.names.name(metric), unit, tuple(shown), len(ordered) - len(shown))

    def _groups(self, metric: str, wanted: tuple[str, ...]) -> list[list[_Said]]:
        groups: dict[tuple[str, ...], list[_Said]] = {}
        for said in self.said.get(metric, ()):
            of = said.statement.claim.subject
            if of and (not wanted or any(w == of or w in self.names.ancestors(of) for w in wanted)):
                groups.setdefault((of, *said.kind), []).append(said)
        return _joined(groups, [f for f in self.findings if f.verdict == "contradiction" and f.metric == metric])

    def _band(self, group: Sequence[_Said], unit: str) -> Band:
        subjects = list(dict.fromkeys(s.statement.claim.subject for s in group))
        marks: dict[tuple[float, float, bool], Mark] = {}
        for said in group:
            mark = self._mark(said, unit, tell=len(subjects) > 1)
            key = (_rounded(mark.low), _rounded(mark.high), bool(mark.outdated))
            known = marks.get(key)
            marks[key] = mark if known is None else _both(known, mark)
        # a figure that one source has against all others, and no finding quotes, was misread or is of something else
        sure = [m for m in marks.values() if m.curated or m.against or m.sources >= _SEVERAL]
        ordered = sorted(sure or marks.values(), key=lambda m: (m.middle, m.low, m.outdated))
        model = max((s.statement.claim for s in group), key=lambda c: len(c.qualifiers))
        title = " / ".join(map(self.names.name, subjects))
        words = in_words(_without_own(model), self.names)
        title = f"{title} ({words})" if words else title
        return Band(title, tuple(ordered))

    def _mark(self, said: _Said, unit: str, *, tell: bool) -> Mark:
        claim, fact, evidence = said.statement.claim, said.statement.fact, said.evidence
        quantity = claim.quantity
        assert quantity is not None  # noqa: S101
        scale = self.names.units[unit].scale if unit in self.names.units else 1.0
        told = self._by_place.get(said.place, ())
        return Mark(
            low=quantity.low / scale,
            high=quantity.high / scale,
            middle=quantity.middle / scale,
            text=value_text(fact, self.names) if fact is not None else _written(evidence),
            cited=(evidence,),
            note=", ".join(filter(None, (self.names.name(claim.subject) if tell else "", self._note(claim)))),
            against=tuple(dict.fromkeys(f.fingerprint for f in told)),
            # a peak that is right may be what a throughput is held against
            contradicts=any(f.verdict == "contradiction" and f.metric == claim.metric for f in told),
            outdated=(fact.reason or "deprecated") if fact is not None and fact.rank == "deprecated" else "",
            curated=fact is not None and bool(fact.place),
        )

    def _note(self, claim: Claim) -> str:
        stated = dict(claim.qualifiers)
        provider = self.names.name(stated["provider"]) if "provider" in stated else ""
        metric = self.names.metrics[claim.metric]
        left = "sparsity not stated" if "sparsity" in metric.qualifiers and "sparsity" not in stated else ""
        how = claim.modality.value if claim.modality in _TOLD else ""
        return ", ".join(filter(None, (provider, how, left)))


def _is_figure(statement: Statement) -> bool:
    """True for a figure that its source stands behind, or that the table holds as outdated; multiples are of no unit."""
    fact = statement.fact
    stands = statement.asserted or (fact is not None and fact.rank == "deprecated")
    return statement.claim.quantity is not None and stands and not statement.comparative


def _kind(domain: Domain, statement: Statement) -> tuple[str, ...]:
    claim = statement.claim
    stated = zip(_BY, values(statement, _BY), strict=True)
    unit = claim.quantity.unit if claim.quantity is not None and claim.quantity.dimension == "count" else ""
    counted = unit if unit in domain.units else ""  # "cores" of one kind are never beside those of another
    return (claim.baseline, counted, *(value or _OPEN.get(axis, "") for axis, value in stated))


def _without_own(claim: Claim) -> Claim:
    """A claim without what each mark says of itself."""
    own = ("provider", "as_of", "form_factor", "memory_kind", "power_basis", "capacity")
    kept = tuple(q for q in claim.qualifiers if q[0] not in own)
    return replace(claim, qualifiers=kept, modality=Modality.SPECIFIED)


def _places(finding: Finding) -> set[tuple[str, int]]:
    return {(e.source, e.start + (e.mark or (0, 0))[0]) for e in finding.evidence}


def _joined(groups: Mapping[tuple[str, ...], list[_Said]], findings: Sequence[Finding]) -> list[list[_Said]]:
    """The groups, those in one between which a finding stands."""
    apart = list(groups.values())
    for finding in findings:
        places = _places(finding)
        touched = [g for g in apart if any(s.place in places for s in g)]
        if len(touched) > 1:
            apart = [g for g in apart if not any(g is t for t in touched)]
            apart.append([s for g in touched for s in g])
    return apart


def _rounded(value: float) -> float:
    """A value without the last digits, in which 0.8 TB/s and 800 GB/s differ."""
    return float(f"{value:.9g}")


def _both(known: Mark, again: Mark) -> Mark:
    """One mark for what is said twice: as the table writes it, with all sources and findings."""
    first = again if again.curated and not known.curated else known
    sources = {c.source: c for c in (*again.cited, *known.cited)}
    return replace(
        first,
        cited=tuple(sources[source] for source in sorted(sources)),
        note=known.note if known.note == again.note else "",
        against=tuple(dict.fromkeys((*known.against, *again.against))),
        contradicts=known.contradicts or again.contradicts,
        curated=known.curated or again.curated,
    )


def _written(evidence: Evidence) -> str:
    """The figure as its source writes it."""
    start, end = evidence.mark or (0, len(evidence.quote))
    return evidence.quote[start:end]
