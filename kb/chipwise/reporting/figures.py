"""The figures of a metric, by what they are of and by who says so: the bands of a strip plot.

    H100 SXM, BF16, dense:  989 TFLOPS (stas00 and 11 more), 989.4 (Lockwood), 1,979 "dense" (a blog)   one band

Figures share a band where they are of one thing under the same qualifiers, and where a finding sets one
against the other. A figure has one mark, whoever says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from chipwise.audit.evidence import claim_evidence, fact_evidence
from chipwise.claims.model import Claim, Modality
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import FIXED, SPLIT, values
from chipwise.figures.format import in_words, value_text
from chipwise.figures.statement import Statement, place
from chipwise.index.store import Store
from chipwise.reporting.model import TELLING, Band, Mark, Strips
from chipwise.types import Evidence, Finding, Role

MOST_BANDS = 12  # of one metric on the page
_SEVERAL = 2
_BY = tuple(axis for axis in (*SPLIT, *FIXED, "condition") if axis not in ("provider", "power_basis", "capacity"))
# what a figure is taken to be of where it does not say: it stands beside those that do, and a note tells
_OPEN = {"sparsity": "dense", "aggregation": "chip", "basis": "peak"}
_TOLD = (Modality.REPORTED, Modality.ESTIMATED, Modality.PROMISED)


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
