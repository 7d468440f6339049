"""What other sources say against the claims that an answer rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from chipwise.audit.casebook import Casebook, Statement, place
from chipwise.claims.model import Fact
from chipwise.domain import Domain
from chipwise.store import Store
from chipwise.types import Evidence, Finding, Role

MOST = 2  # findings beside an answer


def find_disagreements(store: Store, domain: Domain, facts: Sequence[Fact]) -> tuple[Finding, ...]:
    """Contradictions with the chips and metrics of `facts`, worst first."""
    from chipwise.audit.readings import compare_all  # noqa: PLC0415
    from chipwise.audit.values import find_contradictions, find_record_conflicts  # noqa: PLC0415

    keys = {(s.chip, s.claim.metric) for s in (place(domain, f.claim, Role.BODY, f) for f in facts)}
    book = _casebook(store, domain, keys)
    found = [*find_contradictions(book, compare_all(book)), *find_record_conflicts(book)]
    return tuple(found[:MOST])


def _casebook(store: Store, domain: Domain, keys: set[tuple[str, str]]) -> Casebook:
    """All that is said of some chips and metrics."""
    chips, metrics = {chip for chip, _ in keys}, {metric for _, metric in keys}
    about = [e for e in domain.entities if chips & set(domain.ancestors(e))]
    roles = store.roles()
    said = [place(domain, c, roles.get((c.source, c.passage), Role.BODY)) for c in store.claims(about=about)]
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
