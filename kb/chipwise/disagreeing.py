"""What other sources say against the claims that an answer rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from chipwise.audit.casebook import Casebook, Statement, made_of, place
from chipwise.claims.model import Fact
from chipwise.domain import Domain
from chipwise.figures import Figure
from chipwise.store import Store
from chipwise.types import Evidence, Finding, Role

MOST = 2  # findings beside an answer


def keys_of_facts(domain: Domain, facts: Iterable[Fact]) -> set[tuple[str, str]]:
    """The chips and metrics that facts are about."""
    return {(s.chip, s.claim.metric) for s in (place(domain, f.claim, Role.BODY, f) for f in facts)}


def keys_of_figures(domain: Domain, figures: Iterable[Figure]) -> set[tuple[str, str]]:
    """The chips and metrics that figures of sentences are about, where the text tells both."""
    return {(made_of(domain, f.subject)[0], f.metric) for f in figures if f.subject and f.metric}


def find_rivals(store: Store, domain: Domain, facts: Sequence[Fact]) -> tuple[Finding, ...]:
    """Other figures that the table has for the very things that `facts` are, with why they differ."""
    from chipwise.audit.comparing import relate  # noqa: PLC0415
    from chipwise.audit.drafting import draft, figure, name  # noqa: PLC0415
    from chipwise.audit.verdicts import Verdict  # noqa: PLC0415

    keys = keys_of_facts(domain, facts)
    book = _casebook(store, domain, keys)
    chosen = {f.id for f in facts}
    findings: list[Finding] = []
    for fact in facts:
        own = place(domain, fact.claim, Role.BODY, fact)
        for rival in book.facts.get(own.key, []):
            other = rival.fact
            if other is None or other.id in chosen or store.find_source(other.claim.source) is None:
                continue
            alike = other.claim.subject == fact.claim.subject and other.claim.qualifiers == fact.claim.qualifiers
            verdict = relate(domain, own, rival).verdict
            explained = verdict is Verdict.EXPLAINED and other.rank != "deprecated"  # rounded, or GB for GiB
            if not alike or explained or verdict in (Verdict.SAME, Verdict.COMPATIBLE):
                continue
            subject, metric = name(book, fact.claim.subject), name(book, fact.claim.metric)
            code, kind = ("CW702", "contradiction") if other.rank == "deprecated" else ("CW103", "spread")
            title = f"{subject} {metric}: {figure(book, rival)} in {other.citation.title}"
            why = other.reason or f"another edition or source, of {other.as_of or 'no date'}"
            findings.append(draft(book, code, kind, "low", title, why, (own, rival)))
    return tuple(findings[:MOST])


def find_disagreements(
    store: Store, domain: Domain, keys: set[tuple[str, str]], cited: Sequence[Evidence]
) -> tuple[Finding, ...]:
    """Contradictions on chips and metrics that touch one of the quotes `cited`, worst first."""
    if not keys:
        return ()
    from chipwise.audit.readings import compare_all  # noqa: PLC0415
    from chipwise.audit.values import find_contradictions, find_record_conflicts  # noqa: PLC0415

    book = _casebook(store, domain, keys)
    found = [*find_contradictions(book, compare_all(book)), *find_record_conflicts(book)]
    places = {(e.source, e.start) for e in cited}
    return tuple([f for f in found if any((e.source, e.start) in places for e in f.evidence)][:MOST])


def _casebook(store: Store, domain: Domain, keys: set[tuple[str, str]]) -> Casebook:
    """All that is said of some chips and metrics."""
    chips, metrics = {chip for chip, _ in keys}, {metric for _, metric in keys}
    about = [e for e in domain.entities if chips & set(domain.ancestors(e))]
    claims = [c for c in store.claims(about=about) if c.metric in metrics]
    roles = store.roles({c.source for c in claims})
    said = [place(domain, c, roles.get((c.source, c.passage), Role.BODY)) for c in claims]
    curated = [place(domain, f.claim, Role.BODY, f) for f in store.facts(about, metrics)]
    statements = [s for s in (*said, *curated) if s.key in keys]
    sources = {info.id: info for info in store.sources()}

    @cache
    def evidence(s: Statement) -> Evidence:
        from chipwise.audit.evidence import claim_evidence, fact_evidence  # noqa: PLC0415

        if s.fact is not None:
            return fact_evidence(s.fact)
        return claim_evidence(s.claim, sources[s.claim.source], store.find_passage(s.claim.source, s.claim.passage))

    return Casebook(domain, statements, sources, evidence)
