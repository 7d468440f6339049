"""Questions answered from queries: parsed once, evaluated, judged and written.

A text whose questions can all be answered so is; what is left over, or is no query, is for passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.disagreeing import find_disagreements, find_rivals, keys_of_facts
from chipwise.answering.model import Ruling
from chipwise.answering.overview import overview
from chipwise.answering.query import PRICES, Counted, Query
from chipwise.answering.quoting import Told, together
from chipwise.answering.rendering import Draft
from chipwise.answering.table import FactCell, FactTable, table
from chipwise.answering.tabletext import render
from chipwise.answering.terms import is_priced
from chipwise.answering.verify import has_category, verify
from chipwise.figures.format import phrase


def answer(readings: Sequence[Query], base: Base) -> Draft | None:
    """The answer to the first reading that has one; the reason why none has, or None where no query can answer.

    Where a name may mean several things, and all is known of each, all are told.
    """
    found = [(query, tell(query, base)) for query in _meant(readings)]
    known = [(query, draft) for query, draft in found if draft is not None and draft.answered]
    full = [(query, draft) for query, draft in known if draft.is_full]
    for query, draft in (full or known)[:1]:
        others = [other.told for q, other in full[1:] if _means_another(q, query)]
        told = together([draft.told, *others])
        whole = drafted(query.text, without(told, query.unused), base)
        return replace(whole, is_full=draft.is_full, names_only=draft.names_only)
    return found[0][1] if found else None


def without(told: Told, unused: Sequence[str]) -> Told:
    """What was told, and what of the question it does not use."""
    said = (f' Not used: "{", ".join(dict.fromkeys(unused))}".',) if unused else ()
    return replace(told, parts=(*told.parts, *said))


def _meant(readings: Sequence[Query]) -> list[Query]:
    """The first reading, what it may mean as well (another of two names or metrics); whatever leaves no word over."""
    whole = [query for query in readings if not query.left]
    if not whole or whole[0] is not readings[0]:
        return []
    fuller = max(
        whole,
        key=lambda q: len(q.at) if (q.of, q.what, q.asserts) == (whole[0].of, whole[0].what, whole[0].asserts) else -1,
    )
    whole = [fuller, *(q for q in whole if q is not fuller)]
    is_open = bool(whole[0].assumed)
    return [query for n, query in enumerate(whole) if n == 0 or (is_open and query.assumed)]


def _means_another(query: Query, first: Query) -> bool:
    """True for the same question about the other thing that a name may mean, and about the other price: to rent it, and to buy it."""
    named = query.of != first.of and len(query.of.entities) == 1 and (query.what, query.at) == (first.what, first.at)
    prices = {m.metric for m in (*query.what, *first.what)} == set(PRICES) and len(query.what) == len(first.what) == 1
    plain = not (query.order or query.relate or query.asserts) and len(query.of.entities) == 1
    return named or (prices and plain and (query.of, query.at) == (first.of, first.at))


def tell(query: Query, base: Base) -> Draft | None:
    """What a query comes to, or what is missing for it, judged where it asserts something; None where no fact decides it."""
    things, lead = query.of.entities, ""
    if not query.what and things and not query.of.unknown:
        told = _overview(query, base)
        return Draft(query.text, told, names_only=len(things) > 1) if told is not None else None
    rows, purpose = table(query, base), dict(query.at).get("workload", "")
    if rows is None and purpose and query.order is not None and query.asserts is None and len(things) > 1:
        rows = table(replace(query, at=tuple(pair for pair in query.at if pair[0] != "workload")), base)
        priced = any(is_priced(measure.metric, base) for measure in query.what)
        lead = "" if priced else f"These are peak figures, not measured {phrase('workload', purpose, base.names)}. "
    if not isinstance(rows, FactTable):
        return Draft(query.text, reason=rows) if rows is not None else None
    told = verify(rows, query.asserts, base) if query.asserts is not None else render(rows, base)
    if told is None or not told.parts:
        return None
    lacks = _lacking(query, base)
    told = together([lacks, told]) if lacks is not None else told
    return Draft(query.text, told.led(lead), is_full=rows.is_full, names_only=bool(lead))


def _lacking(query: Query, base: Base) -> Told | None:
    """Says that a product lacks the part whose figure is asked for: the "NVLink bandwidth" of a chip without NVLink."""
    if len(query.of.entities) != 1 or not query.of.where or query.asserts is not None:
        return None
    condition = query.of.where[0]
    told = has_category(FactCell(query.of.entities[0], condition.measure), str(condition.value), condition.holds, base)
    return told if told is not None and told.ruling is Ruling.NO else None


def _overview(query: Query, base: Base) -> Told | None:
    """The main figures, where the question says no more than names; of machines of which none are known those of their chips."""
    asserted, things = query.asserts, query.of.entities
    compares = asserted is not None and asserted.value is None and (query.order is not None or query.relate == "same")
    at = [axis for axis, _ in query.at if not (compares and axis == "workload")]
    alone = len(things) == 1 and (things[0].count or 1) > 1  # of several of one a sum is meant
    if at or (asserted and not compares) or alone or any(c.unit for c in things):
        return None
    chips = {Counted(base.domain.nearest_chip(c.entity)): c for c in things if base.domain.is_machine(c.entity)}
    return overview(things, base, query.at) or (overview(list(chips), base, query.at) if len(chips) > 1 else None)


def drafted(text: str, told: Told, base: Base) -> Draft:
    """What was told to a question with what speaks against it."""
    cited = [c.evidence for c in told.cited]
    sources = tuple(dict.fromkeys(evidence.source for evidence in cited))
    against = find_rivals(base.store, base.domain, told.facts)
    against = against or find_disagreements(base.store, base.domain, keys_of_facts(base.domain, told.facts), cited)
    return Draft(text, told, consulted=sources, disagreements=against)
