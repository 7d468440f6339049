"""Questions answered from queries: parsed once, evaluated, judged and written.

A text whose questions can all be answered so is; what is left over, or is no query, is for passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.cells import is_priced
from chipwise.answering.derive import derive
from chipwise.answering.evaluate import evaluate
from chipwise.answering.machines import CHIP, chips_of, machines_holding, machines_of
from chipwise.answering.makers import DESIGNER, makers
from chipwise.answering.overview import overview
from chipwise.answering.prices import prices_in_order
from chipwise.answering.query import Query
from chipwise.answering.render import render
from chipwise.answering.sentences import capital
from chipwise.answering.table import Missing, Table
from chipwise.answering.verify import verify
from chipwise.asking.disagreeing import find_disagreements, find_rivals, find_unsound, keys_of_facts
from chipwise.asking.quoting import Told
from chipwise.asking.rendering import Draft
from chipwise.claims.model import Fact
from chipwise.types import Evidence, Finding


def answer(readings: Sequence[Query], base: Base, *, alone: bool = True) -> Draft | None:
    """The answer to the first reading that has one; the reason why none has, or None where no query can answer.

    A question that is not `alone` in its text has no sum here, whose figures may stand in another one.
    """
    missing: Missing | None = None
    for number, query in enumerate(readings):
        if query.left or (number and not _is_another(query)) or (_is_sum(query) and not alone):
            continue
        found = tell(query, base)
        if isinstance(found, Missing):
            missing = missing or (found if number == 0 else None)
        elif found is not None and found.parts:
            return as_draft(query, found, base)
    return Draft(readings[0].text, reason=missing.reason) if missing is not None else None


def _is_another(query: Query) -> bool:
    """True for what a question may mean as well as its first reading: another of two names or metrics, or a sum."""
    return bool(query.assumed) or _is_sum(query)


def _is_sum(query: Query) -> bool:
    return bool(query.given) or any(m.is_variable for m in query.what)


def tell(query: Query, base: Base) -> Told | Missing | None:
    """What a query comes to, judged where it asserts something; None where no fact decides it."""
    if _is_sum(query):
        return derive(query, base)
    if query.of.holding:
        return machines_holding(query, base)
    metrics = {m.metric for m in query.what}
    if metrics == {DESIGNER}:
        return makers(query, base)
    if metrics == {CHIP}:
        return chips_of(query, base)
    if not query.what and query.of.entities and not query.of.unknown:
        plain = not (query.at or query.asserts or query.given) and all((c.count or 1) == 1 for c in query.of.entities)
        return overview([c.entity for c in query.of.entities], base) if plain else None
    lone = query.what[0] if len(query.what) == 1 else None
    if lone is not None and query.order is not None and query.asserts is None and is_priced(lone.metric, base):
        return prices_in_order(query, lone, query.order, base)
    table = evaluate(query, base)
    if not isinstance(table, Table):
        return (machines_of(query, base) or table) if metrics == {"chips_per_node"} else table
    return verify(table, query.asserts, base) if query.asserts is not None else render(table, base)


def as_draft(query: Query, told: Told, base: Base) -> Draft:
    """What was told with what speaks against it."""
    read = [said for said in query.assumed if " read as " in said]
    told = told.led(f"{capital(' and '.join(read))}. ") if read else told
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


