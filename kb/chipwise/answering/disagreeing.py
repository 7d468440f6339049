"""What other sources say against the claims that an answer rests on."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chipwise.answering.answer import Cited, Told, together
from chipwise.answering.base import Base
from chipwise.answering.conditions import DENIAL
from chipwise.answering.query import Query
from chipwise.audit.evidence import claim_evidence, span_evidence
from chipwise.claims.model import Fact, Figure
from chipwise.domain.model import Domain
from chipwise.figures.alike import ENGINE, usual_engine
from chipwise.figures.format import listed
from chipwise.figures.relate import Verdict, relate
from chipwise.figures.statement import made_of, place
from chipwise.index.store import Store
from chipwise.text import ITEM_MARK, one_line
from chipwise.types import Evidence, Finding, Role

if TYPE_CHECKING:
    from chipwise.audit.book import Book

MOST = 2  # findings beside an answer
MOST_TOLD = 3  # disagreements where they are asked for
_SHORT = 2  # digits
Sides = tuple[Evidence, ...]
_DISPUTED = "contradiction drift spread"  # verdicts, the worst first


def kin_of(subjects: Iterable[Sequence[str]], domain: Domain) -> list[str]:
    """The things named and all that are one of them or made of it."""
    asked = {i for ids in subjects for i in ids}
    return [entity for entity in domain.entities if not asked.isdisjoint((entity, *domain.ancestors(entity)))]


def keys_of_facts(domain: Domain, facts: Iterable[Fact]) -> set[tuple[str, str]]:
    """The chips and metrics that facts are about."""
    return {(s.chip, s.claim.metric) for s in (place(domain, f.claim, Role.BODY, f) for f in facts)}


def keys_of_figures(domain: Domain, figures: Iterable[Figure]) -> set[tuple[str, str]]:
    """The chips and metrics that figures of sentences are about, where the text tells both."""
    return {(made_of(domain, f.subject)[0], f.metric) for f in figures if f.subject and f.metric}


def find_rivals(store: Store, domain: Domain, facts: Sequence[Fact]) -> tuple[Finding, ...]:
    """Other figures that the table has for the very things that `facts` are, with why they differ."""
    from chipwise.audit.writer import draft, figure, name  # noqa: PLC0415

    keys = keys_of_facts(domain, facts)
    book = _book_on(store, domain, keys)
    chosen = {f.id for f in facts}
    findings: list[Finding] = []
    for fact in facts:
        own = place(domain, fact.claim, Role.BODY, fact)
        for rival in book.facts.get(own.key, []):
            other = rival.fact
            if other is None or other.id in chosen or not store.holds(other):
                continue
            of_source = other.claim.source == fact.claim.source
            if of_source and other.rank != "deprecated":  # what a source says itself is no other's word
                continue
            alike = other.claim.subject == fact.claim.subject and _stated(other) == _stated(fact)
            alike = alike and _counts_the_same(domain, fact, other) and not _denies_another(domain, fact, other)
            verdict = relate(domain, own, rival).verdict
            explained = verdict is Verdict.EXPLAINED and other.rank != "deprecated"  # rounded, or GB for GiB
            if not alike or explained or verdict in (Verdict.SAME, Verdict.COMPATIBLE):
                continue
            subject, metric = name(book, fact.claim.subject), name(book, fact.claim.metric)
            code, kind = ("CW702", "contradiction") if other.rank == "deprecated" else ("CW103", "spread")
            where = f'elsewhere, according to "{other.citation.title}"' if of_source else f'in "{other.citation.title}"'
            title = f"{subject} {metric}: {figure(book, rival)} {where}"
            why = other.reason or f"another edition or source, of {other.as_of or 'no date'}"
            findings.append(draft(book, code, kind, "low", title, why, (own, rival)))
    return tuple(findings[:MOST])


def _stated(fact: Fact) -> dict[str, str]:
    """What a fact states on each axis; a peak that names no units is one of the usual ones."""
    return {ENGINE: usual_engine(fact), **{axis: value for axis, value in fact.claim.qualifiers if value}}


def _denies_another(domain: Domain, fact: Fact, other: Fact) -> bool:
    """True for "no NVFP4" beside FP8, or beside "no FP8"."""
    denied = [f.value for f in (fact, other) if f.value.startswith(DENIAL)]
    names = [domain.terms[f.value].name for f in (fact, other) if f.value in domain.terms]
    return bool(denied) and not any(d == f"{DENIAL}{n}" for d in denied for n in names)


def _counts_the_same(domain: Domain, fact: Fact, other: Fact) -> bool:
    """False for SMs beside tensor cores."""
    units = [domain.units.get(f.unit) for f in (fact, other)]
    counted = [u.of for u in units if u is not None and u.dimension == "count"]
    return len(set(counted)) < 2  # noqa: PLR2004


def find_disagreements(
    store: Store, domain: Domain, keys: set[tuple[str, str]], cited: Sequence[Evidence]
) -> tuple[Finding, ...]:
    """Contradictions on chips and metrics that touch one of the quotes `cited`, worst first."""
    book = _book_on(store, domain, keys) if keys else None
    if book is None or len({s.key for s in book.statements}) == len(book.statements):  # no two of the same thing
        return ()
    from chipwise.audit.checks import key  # noqa: PLC0415

    places = {(e.source, e.start) for e in cited}
    return tuple(
        [
            f
            for f in key.check(book)
            if f.verdict == "contradiction" and any((e.source, e.start) in places for e in f.evidence)
        ][:MOST]
    )


def disputes(question: Query, base: Base) -> Told | str:
    """Where sources disagree about what a question names, both sides quoted; else that none do."""
    from chipwise.audit.checks import key, spread  # noqa: PLC0415

    domain = base.domain
    subjects = [i for ids in question.subjects for i in ids[:1]]
    chips = {made_of(domain, i)[0] for i in subjects}
    metrics = question.metrics or tuple(domain.metrics)
    book = _book_on(base.store, domain, {(chip, m) for chip in chips for m in metrics})
    found = sorted((*key.check(book), *spread.check(book)), key=lambda f: (_DISPUTED.find(f.verdict), -f.confidence))
    found = [f for f in found if f.verdict in _DISPUTED and not domain.is_machine(f.subject)]
    sides = [*_corrected(subjects, metrics, base), *((f.title, f.evidence) for f in found)]
    told = {one.parts: one for title, each in sides if (one := _set_against(title, each)) is not None}
    if told:
        return together([*told.values()][:MOST_TOLD], "\n")
    what = f"the {domain.metrics[question.metrics[0]].name} of " if question.metrics else ""
    return f"no two sources here are known to disagree about {what}{listed(base.names.name(i) for i in subjects)}"


def _corrected(subjects: Sequence[str], metrics: Sequence[str], base: Base) -> Iterator[tuple[str, Sides]]:
    """Yield each measured claim that a sentence replaces with another figure: "3,540 instead of the article's 3,450"."""
    store, told = base.store, set[str]()
    claims = store.claims_about(subjects, [m for m in metrics if base.domain.metrics[m].nature == "measured"])
    for claim, source in itertools.product(claims, dict.fromkeys(c.source for c in claims)):
        passage, info = store.find_passage(claim.source, claim.passage), store.find_source(claim.source)
        metric, at = base.domain.metrics[claim.metric], claim.value_start - passage.start
        numeral = passage.text[at : claim.value_end - passage.start].split()[0]
        for stored in store.source_passages(source) if info is not None and len(numeral) > _SHORT else ():
            for s in stored.sentences:
                said = stored.passage.text[s.start : s.end]
                alike = [q for q in base.domain.unit_table.find_all(said) if q.dimension == metric.dimension]
                own = sum((f.subject, f.metric) == (claim.subject, claim.metric) for f in s.figures)
                bare = numeral in {word.strip(".,;:()") for word in said.split()} and said not in told
                if alike and own != 1 and bare and all(numeral not in said[q.start : q.end] for q in alike):
                    told.add(said)
                    other = span_evidence(stored.passage, store.find_source(source), s.start, s.end)
                    yield (
                        f"{base.names.name(claim.subject)} {metric.name}",
                        (claim_evidence(claim, info, passage), other),  # type: ignore[arg-type]  # None has no passages
                    )


def _set_against(title: str, sides: Sequence[Evidence]) -> Told | None:
    if len({side.quote for side in sides[:2]}) < 2:  # noqa: PLR2004
        return None
    parts: list[str | Cited] = [f"{title}: "]
    for n, side in enumerate(sides[:2]):
        whose = "the same source" if n and side.title == sides[0].title else side.title
        words = ITEM_MARK.sub("", one_line(side.quote), count=1)
        parts += ["; " if n else "", f'{whose} says "{words}" ', Cited(side)]
    return Told((*parts, "."), tuple(map(Cited, sides[:2])))


def _book_on(store: Store, domain: Domain, keys: set[tuple[str, str]]) -> Book:
    """All that is said of some chips and metrics, claims and facts, of variants and of what is made of a chip as well."""
    from chipwise.audit.book import make_book, placed_by  # noqa: PLC0415

    chips, metrics = {chip for chip, _ in keys}, {metric for _, metric in keys}
    about = kin_of([tuple(chips)], domain)
    claims, facts = store.claims_about(about, metrics), store.facts(about, metrics)
    said = placed_by(domain, claims, store.roles({c.source for c in claims}), {})
    sources = {info.id: info for info in store.sources()}
    book = make_book(domain, said, facts, sources, lambda key: store.find_passage(*key))
    return replace(book, statements=[s for s in book.statements if s.key in keys])
