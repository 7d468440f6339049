"""Which sources repeat one another: agreement among them is the word of one witness (CW601).

Two sources are one where they share figures that hardly anybody else has: copied articles reword every sentence and keep
every number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, figure, name
from chipwise.figures.statement import Statement
from chipwise.types import Finding, SourceInfo

RARE = 3  # a figure that more sources have is common knowledge
ENOUGH = 4.0  # the weight of shared rare figures that makes two sources one witness
SHARE = 0.3  # and how much of the shorter one's rare figures that must be
_SHOWN = 8

Figure = tuple[str, str, str]  # dimension, number, width of a range ("" for what is none)


def find_witnesses(statements: Sequence[Statement], sources: Mapping[str, SourceInfo]) -> dict[str, str]:
    """By source, the first in alphabetical order of those that are one witness with it; only where there are several."""
    leader: dict[str, str] = {}

    def first(source: str) -> str:
        while leader.get(source, source) != source:
            source = leader[source]
        return source

    def join(a: str, b: str) -> None:
        low, high = sorted((first(a), first(b)))
        leader.setdefault(low, low)
        leader[high] = low

    for source, info in sources.items():
        for origin in info.lineage:
            if origin in sources:
                join(source, origin)
    for a, b in _sharing_figures(statements):
        join(a, b)
    return {source: first(source) for source in leader}


def rare_figures(statements: Iterable[Statement]) -> dict[Figure, dict[str, Statement]]:
    """Figures that two to RARE sources state and that no fact of the table has: by source, who states them."""
    stated: dict[Figure, dict[str, Statement]] = {}
    known: set[Figure] = set()
    for s in statements:
        q = s.claim.quantity
        if q is None or not s.role.speaks_for_the_source:
            continue
        # a bound and an estimate are worded differently from copy to copy: the number is what stays
        width = "" if q.form != "range" else f"{q.high - q.low:.4g}"
        figure_ = (q.dimension, f"{q.middle:.4g}", width)
        if s.fact is not None:
            known |= {figure_} if s.fact.rank != "deprecated" else set()
        else:
            stated.setdefault(figure_, {}).setdefault(s.claim.source, s)
    return {f: by for f, by in stated.items() if 1 < len(by) <= RARE and f not in known}


def _sharing_figures(statements: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    weights: dict[tuple[str, str], float] = {}
    totals: dict[str, float] = {}
    for figure_, by in rare_figures(statements).items():
        weight = _weight(figure_)
        for source in by:
            totals[source] = totals.get(source, 0.0) + weight
        for pair in combinations(sorted(by), 2):
            weights[pair] = weights.get(pair, 0.0) + weight
    for (a, b), weight in weights.items():
        if weight >= ENOUGH and weight >= SHARE * min(totals[a], totals[b]):
            yield a, b


def _weight(figure_: Figure) -> float:
    """How little a figure can be shared by chance: three digits or a range tell much, "2x" nearly nothing."""
    digits = len(figure_[1].partition("e")[0].replace(".", "").strip("0-"))
    return 1.0 if figure_[2] or digits >= 3 else 0.7 if digits == 2 else 0.2  # noqa: PLR2004


def check(book: Book) -> Iterator[Finding]:
    """CW601: one finding for each group of sources that are one witness."""
    groups: dict[str, list[str]] = {}
    for source, leader in book.witness_of.items():
        groups.setdefault(leader, []).append(source)
    rare = rare_figures(book.statements)
    for members in groups.values():
        shared = [by for by in rare.values() if len(set(by) & set(members)) > 1]
        if not shared or len(members) < 2:  # noqa: PLR2004
            continue
        statements = [s for by in shared for source, s in by.items() if source in members]
        yield _copy(book, sorted(members), shared, statements)


def _copy(
    book: Book, members: Sequence[str], shared: Sequence[Mapping[str, Statement]], statements: Sequence[Statement]
) -> Finding:
    ones = (next(s for source, s in by.items() if source in members) for by in shared[:_SHOWN])
    named = [f"{name(book, s.claim.metric)} {figure(book, s)}" for s in ones]
    more = f" and {len(shared) - _SHOWN} more" if len(shared) > _SHOWN else ""
    title = f"{len(members)} sources are one witness: {', '.join(members)}"
    explanation = f"they share {len(shared)} figures that hardly any other source has: {'; '.join(named)}{more}"
    quoted = list(dict.fromkeys(statements))[:4]
    return draft(book, "CW601", "lineage", "low", title, explanation, quoted, help="Count them as one source.")
