"""The one place where a question is understood: text in, queries out.

    parse("Which has more memory, the H200 or the MI300X?", domain)
        -> [Query(of=Set((nvidia-h200, amd-mi300x)), what=(memory_capacity,), order=most)]

Several readings come back where the words allow for several, the one first that accounts for the most words and assumes the least.
None come back where no query can be meant: a reason, a procedure, advice and a meaning are for passages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.assemble import queries_of
from chipwise.answering.chart import Cover, covers
from chipwise.answering.conversions import conversion_of
from chipwise.answering.frame import sort_parts
from chipwise.answering.mentions import Slot, slots
from chipwise.answering.query import PRICES, Query, Set
from chipwise.answering.subject import CHIPS
from chipwise.domain.model import Domain

MOST_READINGS = 6
_PICKED = 1.0  # "which Trainium" asks for one of them
_CONVERTED = 50.0  # behind every plain reading that leaves as many words


def parse(text: str, domain: Domain) -> list[Query]:
    """The readings of a question, best first; empty where it asks for nothing that a query could say."""
    read = readings(text, domain)
    about = [settled(q) for q in read if is_about_something(q)]
    return about or [settled(q) for r in read if is_about_something(q := _of_all_chips(r, domain))]


def _of_all_chips(query: Query, domain: Domain) -> Query:
    """ "largest memory", where nothing was asked before: of all chips."""
    ranks = any(o.kind == "rank" for o in domain.operators_in(query.text))
    lone = query.what[0].metric if len(query.what) == 1 else ""
    ranked = query.order is not None and query.asserts is None and ranks
    return replace(query, of=Set(kinds=(CHIPS,))) if ranked and lone in domain.metrics and lone not in PRICES else query


def settled(query: Query) -> Query:
    """Without what only a question before would have filled: "now"."""
    return replace(query, at=tuple((a, v) for a, v in query.at if v)) if any(not v for _, v in query.at) else query


def readings(text: str, domain: Domain) -> list[Query]:
    """As `parse`, and those as well that lack a subject or a measure: a follow-up takes these from the query before."""
    found = slots(text, domain)
    best = covers(text, found, domain)
    read = sorted(_read(text, found, best, domain), key=lambda r: r[0])
    kept: list[Query] = []
    for _, query in read:
        if not any(is_same(query, other) for other in kept):
            kept.append(query)
    return kept[:MOST_READINGS]


def _read(
    text: str, found: Sequence[Slot], best: Sequence[Cover], domain: Domain
) -> Iterator[tuple[tuple[int, float], Query]]:
    frames = [sort_parts(text, found, cover.parts) for cover in best]
    for cover, frame in zip(best, frames, strict=True):
        for number, query in enumerate(queries_of(frame, domain)):
            named = _PICKED if frame.picks_a_name and query.of.entities else 0.0
            yield (_left(query), cover.cost + named + number / 100), query
    converted = conversion_of(text, found, domain) if frames and not frames[0].refuses else None
    if converted is not None:
        yield (_left(converted), _CONVERTED), converted


def _left(query: Query) -> int:
    return sum(end - start for start, end in query.left)


def is_about_something(query: Query) -> bool:
    """True where a query names what it is of, or gives the figures that it is worked out from."""
    of = query.of
    runs = any(axis in ("workload", "benchmark", "model") for axis, _ in query.at)
    named = of.entities or of.unknown or of.is_open or of.holding
    return bool(named or query.converts or (query.what and runs))


def is_same(a: Query, b: Query) -> bool:
    """True where two readings ask for the same, whatever their words."""
    return replace(a, left=(), assumed=(), unused=()) == replace(b, left=(), assumed=(), unused=())
