"""Questions answered from queries: parsed once, evaluated, judged and written; what is left over is for passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.disagreeing import find_disagreements, find_rivals, keys_of_facts
from chipwise.answering.overview import overview
from chipwise.answering.query import Counted, Query
from chipwise.answering.quoting import Told, together
from chipwise.answering.rendering import Draft
from chipwise.answering.table import FactTable, table
from chipwise.answering.tabletext import render
from chipwise.answering.verify import verify

_BUILT_IN = ("precision", "interconnect")  # kinds of terms that a chip has or lacks, whatever else is asked


def answer(readings: Sequence[Query], base: Base) -> Draft | None:
    """The answer to the first reading that has a whole one, or any; why none has, or None where no query can answer."""
    drafts = [(query, tell(query, base)) for query in _meant(readings)]
    answered = [(query, draft) for query, draft in drafts if draft is not None and draft.answered]
    if not answered:
        return drafts[0][1] if drafts else None
    query, draft = min(answered, key=lambda pair: not pair[1].is_full)
    # what a name may mean as well is told too: of a "TPU v5" the v5e and the v5p
    others = [
        d.told for q, d in answered if d.is_full and q.of != query.of and (q.what, q.at) == (query.what, query.at)
    ]
    told = together([draft.told, *(others if draft.is_full and len(query.of.entities) == 1 else ())])
    whole = drafted(query.text, without(told, query.unused), base)
    aside = any(map(str.isdigit, "".join(query.unused)))  # a figure said in passing is left to passages
    return replace(whole, is_full=draft.is_full, names_only=draft.names_only or aside)


def _is_built_in(query: Query, base: Base) -> bool:
    """True where a format or a link is put forward, which a chip has or lacks wherever it is rented and whatever runs on it."""
    said = query.asserts.value if query.asserts is not None else None
    term = base.domain.terms.get(said) if isinstance(said, str) else None
    return term is not None and term.kind in _BUILT_IN


def without(told: Told, unused: Sequence[str]) -> Told:
    """What was told, and what of the question it does not use."""
    said = (f' Words not used: "{", ".join(dict.fromkeys(unused))}".',) if unused else ()
    return replace(told, parts=(*told.parts, *said))


def _meant(readings: Sequence[Query]) -> list[Query]:
    """The first reading, and what it may mean as well (another of two names or metrics); none where it leaves words over."""
    whole = [query for query in readings if not query.left]
    if not whole or whole[0] is not readings[0]:
        return []
    alike = [q for q in whole if (q.of, q.what, q.asserts) == (whole[0].of, whole[0].what, whole[0].asserts)]
    fullest = max(alike, key=lambda q: len(q.at))
    return [fullest, *(q for q in whole if q is not fullest and fullest.assumed and q.assumed)]


def tell(query: Query, base: Base) -> Draft | None:
    """What a query comes to, or what is missing for it, judged where it asserts something; None where no fact decides it."""
    query = replace(query, at=()) if _is_built_in(query, base) else query
    things = query.of.entities
    if not query.what and things and not query.of.unknown:
        told = _overview(query, base)
        return Draft(query.text, told, names_only=len(things) > 1) if told is not None else None
    rows = table(query, base)
    if not isinstance(rows, FactTable):
        return Draft(query.text, reason=rows) if rows is not None else None
    told = verify(rows, query.asserts, base) if query.asserts is not None else render(rows, base)
    if told is None or not told.parts:
        return None
    # of a format or a link, passages tell what else has it, and why not
    judged = query.asserts is not None and isinstance(query.asserts.value, str)
    return Draft(query.text, told, is_full=rows.is_full or judged, names_only=judged)


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
