"""Sentences whose figure the facts table has set aside: a deprecated value, or an earlier one with a successor.

They go behind those that stand, and one that is quoted all the same says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from chipwise.asking.candidates import Candidate
from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question
from chipwise.claims.model import Fact, Figure
from chipwise.domain.model import Domain
from chipwise.figures.alike import SPLIT, values
from chipwise.index.store import Store


def set_back(question: Question, candidates: Sequence[Candidate], store: Store, domain: Domain) -> list[Candidate]:
    """The candidates, best first, with those whose figure no longer stands behind all others.

    As they are for a question why, or of some year, which such a figure may be the answer to.
    """
    if question.kind is Kind.WHY or question.years or not (question.metrics or question.wants_number):
        return list(candidates)

    @cache
    def known(subject: str, metric: str) -> list[Fact]:
        return [f for f in store.facts([subject], [metric]) if store.holds(f)]

    def is_set_aside(candidate: Candidate) -> bool:
        sentence = candidate.sentence
        figures = candidate.figures.values() if question.metrics else sentence.figures
        quoting = [
            f for figure in figures for i in (figure.subject, *domain.variants(figure.subject))
            for f in known(i, figure.metric) if f.citation.quote.strip() == candidate.text.strip()
        ]  # fmt: skip
        beside = any(_stands_beside(f, sentence.figures, known(f.subject, f.metric)) for f in figures)
        if quoting and not beside and all(f.rank == "deprecated" for f in quoting):
            return True  # a sentence is as good as what was taken from it
        # "the p5.48xlarge with eight H100 GPUs": the price may be known of the one or of the other
        return any(
            _is_set_aside(f, [known(s, f.metric) for s in (f.subject, *sentence.subjects)])
            and not _stands_beside(f, sentence.figures, known(f.subject, f.metric))
            for f in figures
        )

    marked = [replace(c, set_aside=True) if is_set_aside(c) else c for c in candidates]
    return sorted(marked, key=lambda c: c.set_aside)


def _is_set_aside(figure: Figure, about: Sequence[Sequence[Fact]]) -> bool:
    """True when all facts with that value, of the first subject that has some, are deprecated or have a successor."""
    for facts in about:
        same = _same(figure, facts)
        if same:
            return all(f.rank == "deprecated" or _has_successor(f, facts) for f in same)
    return False


def _stands_beside(figure: Figure, others: Sequence[Figure], facts: Sequence[Fact]) -> bool:
    """True where the sentence gives the preferred value too: it tells which one stands."""
    alike = (f for f in others if (f.subject, f.metric) == (figure.subject, figure.metric))
    return any(fact.rank == "preferred" for f in alike for fact in _same(f, facts))


def _same(figure: Figure, facts: Sequence[Fact]) -> list[Fact]:
    """The facts with the figure's value."""
    return [f for f in facts if f.claim.quantity is not None and f.claim.quantity.agrees_with(figure.quantity)]


def _has_successor(fact: Fact, facts: Sequence[Fact]) -> bool:
    alike = (f for f in facts if f.rank == "preferred" and values(f, SPLIT) == values(fact, SPLIT))
    return fact.rank == "normal" and any(f.as_of > fact.as_of > "" for f in alike)
