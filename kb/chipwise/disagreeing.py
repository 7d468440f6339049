"""What other sources say against the claims that an answer rests on."""

from __future__ import annotations

from collections.abc import Iterable
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


def find_disagreements(store: Store, domain: Domain, keys: set[tuple[str, str]]) -> tuple[Finding, ...]:
    """Contradictions on chips and metrics, worst first."""
    if not keys:
        return ()
    from chipwise.audit.readings import compare_all  # noqa: PLC0415
    from chipwise.audit.values import find_contradictions, find_record_conflicts  # noqa: PLC0415

    book = _casebook(store, domain, keys)
    found = [*find_contradictions(book, compare_all(book)), *find_record_conflicts(book)]
    return tuple(found[:MOST])


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
