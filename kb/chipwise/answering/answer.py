"""Questions answered from queries: parsed once, evaluated, judged and written.

A text whose questions can all be answered so is; what is left over, or is no query, is for passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.evaluate import evaluate
from chipwise.answering.query import Query
from chipwise.answering.render import render
from chipwise.answering.table import Missing, Table
from chipwise.answering.verify import verify
from chipwise.asking.disagreeing import find_disagreements, find_rivals, find_unsound, keys_of_facts
from chipwise.asking.quoting import Told
from chipwise.asking.rendering import Draft
from chipwise.claims.model import Fact
from chipwise.types import Evidence, Finding


def answer(readings: Sequence[Query], base: Base) -> Draft | None:
    """The answer to the first reading that has one; the reason why none has, or None where no query can answer."""
    missing: Missing | None = None
    for query in readings:
        if query.left:
            continue
        found = evaluate(query, base)
        if isinstance(found, Missing):
            missing = missing or found
            continue
        told = tell(found, base) if found is not None else None
        if told is not None and told.parts:
            return as_draft(query, told, base)
    return Draft(readings[0].text, reason=missing.reason) if missing is not None else None


def tell(table: Table, base: Base) -> Told | None:
    """A table as an answer: judged where the question asserts something."""
    if table.query.asserts is not None:
        return verify(table, table.query.asserts, base)
    return render(table, base)


def as_draft(query: Query, told: Told, base: Base) -> Draft:
    """What was told with what speaks against it."""
    cited = [c.evidence for c in told.cited]
    sources = tuple(dict.fromkeys(evidence.source for evidence in cited))
    return Draft(query.text, told, consulted=sources, disagreements=_against(told.facts, cited, base))


def _against(facts: Sequence[Fact], cited: Sequence[Evidence], base: Base) -> tuple[Finding, ...]:
    against = find_rivals(base.store, base.domain, facts)
    against = against or find_disagreements(base.store, base.domain, keys_of_facts(base.domain, facts), cited)
    metrics = base.domain.metrics
    if all(f.claim.metric in metrics and metrics[f.claim.metric].nature == "specified" for f in facts):
        return against
    return (*against, *find_unsound(base.store, base.domain, cited))


