"""A cited answer out of passages, or a refusal with its reason.

Nothing is generated: an answer is sentences of the sources, chosen by what the
question asks about, each with its citation. The steps, in order:

    refuse     a name that no source mentions
    rate       the sentences of the best passages
    refuse     nothing about that subject, no figure for that metric, nothing close
    choose     one sentence for each thing compared; figures that differ, side by side
    compose
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chipwise.candidates import LOOSE_DIMENSIONS, Candidate, parts_from
from chipwise.composing import Citation, compare, compose, differing
from chipwise.domain import Domain
from chipwise.figures import Figure
from chipwise.question import Kind, Question
from chipwise.rating import rate
from chipwise.searching import Hit, search, stem
from chipwise.store import Store
from chipwise.text import content_words, words
from chipwise.types import Finding, Role
from chipwise.vectors import Vector

PASSAGES = 30  # read for an answer; the best sentence is hardly ever in a later one
MAX_SENTENCES = 5
MAX_VALUES = 3  # different figures for one thing that an answer shows
FAR_BEHIND = 0.8  # a further sentence must fit at least this well, as a share of the best one
BEHIND = 0.7  # the same where an answer has several parts: a list, a reason, advice
LOOSELY_BEHIND = 0.6  # the same for a sentence that states the number wanted
MIN_CLOSENESS = 0.85  # the share of the question that the best sentence meets, plus the highest cosine
_VAGUE = ("line", "family")  # kinds of subject that are too wide for one figure
_BINDING_TERMS = ("cloud", "benchmark", "model")  # a figure under another of these answers another question
SAME_WORDS = 0.5  # share of common words from which two sentences say the same


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` with its citations, or, where `reason` is not empty, why there is none.

    `consulted` are the sources of the passages that were read, `disagreements`
    where the sentences quoted give different figures for one thing.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    reason: str = ""
    consulted: tuple[str, ...] = ()
    disagreements: tuple[Finding, ...] = ()

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason


def answer(
    question: Question, vector: Vector, store: Store, index: Any, domain: Domain, *, count: int = PASSAGES
) -> Answer:
    """The answer to `question`, whose vector is `vector`, from the `count` best passages."""
    beyond = _beyond_sources(question, store)
    if beyond:
        return Answer(question.text, "", (), beyond)
    hits = _find_passages(question, vector, store, index, domain, count)
    candidates = rate(question, vector, hits, store, domain)
    consulted = tuple(dict.fromkeys(hit.stored.passage.source for hit in hits))
    reason = _reason_to_refuse(question, hits, candidates, domain)
    if reason:
        return Answer(question.text, "", (), reason, consulted)
    chosen = _choose(question, candidates, domain)
    if not chosen:
        return Answer(question.text, "", (), "no passage comes close enough to the question", consulted)
    text, citations = compose(chosen, store)
    if question.kind is Kind.COMPARISON:
        text = compare(question, chosen, domain) + text
    return Answer(question.text, text, citations, "", consulted, differing(chosen, citations, domain))


def _find_passages(
    question: Question, vector: Vector, store: Store, index: Any, domain: Domain, count: int
) -> list[Hit]:
    """The passages to read. Of several things compared each is searched by itself too, lest the loudest fill the list."""
    named = [word for word in question.words if word not in question.free_words]
    hits = search(store, index, question.text, vector, count, stressed=named)
    if question.kind is not Kind.COMPARISON:
        return hits
    found = {hit.stored.row: hit for hit in hits}
    for ids in question.subjects[:MAX_SENTENCES]:
        name = domain.entities[ids[0]].name
        text = " ".join((name, *(domain.metrics[m].name for m in question.metrics[:1])))
        for hit in search(store, index, text, vector, count // 2, stressed=words(name)):
            found.setdefault(hit.stored.row, hit)
    return list(found.values())


def _beyond_sources(question: Question, store: Store) -> str:
    """Why no passage needs to be looked at; empty when one may answer."""
    unknown = _unknown_names(question, store)
    if unknown:
        return f"no source mentions {_listed(unknown)}"
    if question.wants_opinion:
        return "it asks for an opinion, and there are only sources here"
    ranks = question.wants_ranking and question.metrics
    return "it asks to rank a whole line of chips; name the ones to compare" if ranks else ""


def _unknown_names(question: Question, store: Store) -> list[str]:
    """Names and years in the question that occur in no passage, as they were written."""
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", question.text)}
    found = store.document_frequencies((*question.names, *question.years))
    return [written.get(name, name) for name, count in found.items() if not count]


def _reason_to_refuse(question: Question, hits: Sequence[Hit], candidates: Sequence[Candidate], domain: Domain) -> str:
    """Why there is no answer; empty when there is one."""
    if not candidates:
        return "the knowledge base holds nothing that could be searched"
    missed = [ids for n, ids in enumerate(question.subjects) if not any(n in c.about for c in candidates)]
    specific = [domain.entities[ids[0]].name for ids in missed if domain.entities[ids[0]].kind not in _VAGUE]
    if specific:
        return f"no source says anything on this about {_listed(specific)}"
    if _wants_figure(question, domain):
        given = any(_gives_it(question, c, domain) for c in candidates)
        return "" if given else f"no source gives {_wanted(question, domain)} of {_whose(question, domain)}"
    if _lacks_any(question, candidates, domain):
        return f"no source gives {_wanted(question, domain)}"
    closest = max(*(candidate.cosine for candidate in candidates), *(hit.cosine for hit in hits))
    close = candidates[0].coverage + closest >= MIN_CLOSENESS
    return "" if close else "no passage comes close enough to the question"


def _whose(question: Question, domain: Domain) -> str:
    subjects = [domain.entities[ids[0]].name for ids in question.subjects]
    return _listed(subjects or [domain.terms[t].name for t in question.terms])


def _wants_figure(question: Question, domain: Domain) -> bool:
    """True for a question for a metric of something specific, which one figure or statement answers."""
    specific = any(domain.entities[i].kind not in _VAGUE for ids in question.subjects for i in ids)
    bound = any(domain.terms[t].kind in _BINDING_TERMS for t in question.terms) and _measurable(question, domain)
    looked_up = question.kind is Kind.LOOKUP or (bound and question.kind in (Kind.OPEN, Kind.LIST))
    return looked_up and (specific or bound) and bool(question.metrics or question.unit)


def _measurable(question: Question, domain: Domain) -> bool:
    """True when the question is for something with a unit of its own, which a ratio or a category has not."""
    dimensions = {domain.metrics[m].dimension for m in question.metrics}
    return bool(question.unit) or not dimensions <= {"ratio", "text", "date"}


def _gives_it(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True when a sentence gives the metric of the subject, under the terms asked."""
    required = {t for t in question.terms if domain.terms[t].kind in _BINDING_TERMS}
    if len(candidate.about) < len(question.subjects) or not required <= candidate.terms:
        return False
    if candidate.text.endswith("?"):
        return False
    if any(_answers(question, number, figure, domain) for number, figure in candidate.figures.items()):
        # a TDP answers for "power draw", though not for "idle power draw"
        asked = any(
            f.metric in question.metrics or f.quantity.unit == question.unit for f in candidate.figures.values()
        )
        return asked or question.modifier in ("", *words(candidate.text))
    if question.unit or not required <= set(candidate.sentence.terms):
        return False
    loose = {m for m in question.metrics if domain.metrics[m].dimension in LOOSE_DIMENSIONS}
    # a table's units may be in its header: then its row states no quantity at all
    bare_row = candidate.passage.role is Role.TABLE and not candidate.sentence.figures
    wanted = set(question.metrics) if bare_row else loose
    return bool(wanted & set(candidate.sentence.metrics))


def _wanted(question: Question, domain: Domain) -> str:
    return f"the {domain.metrics[question.metrics[0]].name}" if question.metrics else f"the number of {question.unit}"


def _lacks_any(question: Question, candidates: Sequence[Candidate], domain: Domain) -> bool:
    """True when a number in some unit is wanted and nothing found states one in that dimension."""
    dimensions = {domain.metrics[m].dimension for m in question.metrics}
    if question.unit:
        dimensions.add(domain.units[question.unit].dimension)
    asks = question.kind in (Kind.LOOKUP, Kind.OPEN, Kind.LIST) and question.wants_number
    if not asks or not dimensions or dimensions & LOOSE_DIMENSIONS:
        return False
    return not any(f.quantity.dimension in dimensions for c in candidates for f in c.sentence.figures)


def _answers(question: Question, number: int, figure: Figure, domain: Domain) -> bool:
    """True unless the figure is another thing's: the power of a node is not that of its chip."""
    if not figure.subject or not question.subjects:
        return True
    return any(domain.covers(asked, figure.subject) for asked in question.subjects[number])


def _choose(question: Question, candidates: Sequence[Candidate], domain: Domain) -> list[Candidate]:
    if question.kind is Kind.COMPARISON and len(question.subjects) > 1:
        return _one_for_each_subject(question, candidates)
    if _wants_figure(question, domain):
        candidates = [c for c in candidates if _gives_it(question, c, domain)]
    elif question.kind is Kind.LOOKUP and question.wants_number:
        stating = [c for c in candidates if c.figures and c.fit >= LOOSELY_BEHIND * candidates[0].fit]
        candidates = stating or candidates
    best = candidates[0]
    if best.figure is not None:
        return _with_other_values(candidates, domain)
    if question.kind in (Kind.DEFINITION, Kind.YES_NO, Kind.LOOKUP):
        return _distinct([c for c in candidates if c.fit >= FAR_BEHIND * best.fit], 2)
    limit = MAX_SENTENCES if question.kind is Kind.LIST else MAX_SENTENCES - 1
    return _distinct([c for c in candidates if c.fit >= BEHIND * best.fit], limit)


def _one_for_each_subject(question: Question, candidates: Sequence[Candidate]) -> list[Candidate]:
    """For each thing compared its best sentence, one with the figure asked before others.

    A sentence that speaks of all of them, with their figures where there are any, goes first.
    """
    enough = FAR_BEHIND * candidates[0].fit
    everything = range(len(question.subjects))
    by_figure = all(any(number in c.figures for c in candidates) for number in everything)
    joint = [c for c in candidates if len(c.figures if by_figure else c.about) == len(everything) and c.fit >= enough]
    chosen = joint[:1] if by_figure else _distinct(joint, 2)
    for number in everything:
        if any(number in c.figures for c in chosen):
            continue
        about = [c for c in candidates if number in c.about]
        own = [c for c in about if number in c.figures]
        if not own and not question.metrics:
            own = [c for c in about if c not in joint and c.sentence.figures and c.fit >= enough]
        pick = next(iter(own), None)
        if pick is None and not chosen and about:
            pick = about[0]
        if pick is not None and pick not in chosen:
            chosen.append(pick)
    return chosen[: max(MAX_SENTENCES, len(everything))]


def _with_other_values(candidates: Sequence[Candidate], domain: Domain) -> list[Candidate]:
    """The best sentence, then those of other passages that give another figure for the same thing."""
    chosen = [candidates[0]]
    for candidate in candidates[1:]:
        if len(chosen) == MAX_VALUES or candidate.fit < FAR_BEHIND * chosen[0].fit:
            break
        speaks = candidate.passage.role.speaks_for_the_source
        if speaks and all(_gives_another_value(candidate, c, domain) for c in chosen):
            chosen.append(candidate)
    return chosen


def _gives_another_value(a: Candidate, b: Candidate, domain: Domain) -> bool:
    return a.figure is not None and b.figure is not None and parts_from(a, a.figure, b, b.figure, domain)


def _distinct(candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """The first `limit` whose words are not those of one chosen before."""
    chosen: list[Candidate] = []
    seen: list[set[str]] = []
    for candidate in candidates:
        own = {stem(w) for w in content_words(candidate.text)}
        if own and all(len(own & other) / len(own | other) < SAME_WORDS for other in seen):
            chosen.append(candidate)
            seen.append(own)
        if len(chosen) == limit:
            break
    return chosen


def _listed(names: Iterable[str]) -> str:
    items = list(dict.fromkeys(names))
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
