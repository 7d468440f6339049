"""The one place where a question is understood: text in, queries out.

    parse("Which has more memory, the H200 or the MI300X?", domain)
        -> [Query(of=Set((nvidia-h200, amd-mi300x)), what=(memory_capacity,), order=most)]

Several readings come back where the words allow for several, the one first that accounts for the most words and assumes the least.
None come back where no query can be meant: a reason, a procedure, advice and a meaning are for passages.
"""

from __future__ import annotations

from chipwise.answering.assemble import queries_of
from chipwise.answering.chart import covers
from chipwise.answering.frame import sort_parts
from chipwise.answering.mentions import slots
from chipwise.answering.query import Query
from chipwise.domain.model import Domain
from chipwise.domain.names import Names

MOST_READINGS = 6


def parse(text: str, domain: Domain, names: Names | None = None) -> list[Query]:
    """The readings of a question, best first; empty where it asks for nothing that a query could say."""
    found = slots(text, domain)
    read: list[tuple[tuple[int, float, int], Query]] = []
    for cover in covers(found, domain):
        frame = sort_parts(text, found, cover.parts)
        for number, query in enumerate(queries_of(frame, domain)):
            left = sum(end - start for start, end in query.left)
            read.append(((left, cover.cost, number), query))
    read.sort(key=lambda r: r[0])
    kept: list[Query] = []
    for _, query in read:
        if not any(_same(query, other) for other in kept):
            kept.append(query)
    return kept[:MOST_READINGS]


def _same(a: Query, b: Query) -> bool:
    return (a.of, a.what, a.order, a.relate, a.asserts, a.given, a.at) == (b.of, b.what, b.order, b.relate, b.asserts, b.given, b.at)
