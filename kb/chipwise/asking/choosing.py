"""Which of the rated sentences an answer is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from chipwise.asking.candidates import LOOSE_DIMENSIONS, Candidate, parts_from
from chipwise.asking.forms import defines, spells_out
from chipwise.asking.kinds import TELLS_APART, Kind
from chipwise.asking.question import Question
from chipwise.asking.searching import stem
from chipwise.asking.training import counts_chips, counts_its_chips
from chipwise.claims.model import Figure
from chipwise.domain.model import Domain
from chipwise.text import ITEM_MARK, asks, content_words, words
from chipwise.types import Role

MAX_SENTENCES = 5
_EXPLAINED = (Kind.DEFINITION, Kind.WHY, Kind.ADVICE)  # kinds that a row of a table does not answer
MAX_VALUES = 3  # different figures for one thing that an answer shows
FAR_BEHIND = 0.8  # a further sentence must fit at least this well, as a share of the best one
BEHIND = 0.7  # the same where an answer has several parts: a list, a reason, advice
LOOSELY_BEHIND = 0.6  # the same for a sentence that states the number wanted
_BINDING_TERMS = (
    "cloud",
    "benchmark",
    "model",
    "precision",
)  # a figure under another of these answers another question
_COUNT = re.compile(r"(?<![\w.-])(\d[\d,]*)\s?x?\s*$", re.I)
SAME_WORDS = 0.5  # share of common words from which two sentences say the same


def choose(question: Question, candidates: Sequence[Candidate], domain: Domain) -> list[Candidate]:
    """The sentences of the answer, in its order, out of `candidates`, best first; empty when none will do."""
    if question.kind is Kind.COMPARISON and len(question.subjects) > 1:
        return _one_for_each_subject(question, candidates)
    if wants_figure(question, domain):
        candidates = [c for c in candidates if gives_it(question, c, domain)]
    elif question.kind is Kind.LOOKUP and question.wants_number:
        stating = [c for c in candidates if c.figures and c.fit >= LOOSELY_BEHIND * candidates[0].fit]
        candidates = stating or candidates
    notions = len(question.terms) > 1 and not question.subjects
    if notions and (question.kind is Kind.DEFINITION or TELLS_APART.search(question.text)):
        each = _each_defined(question, candidates, domain)
        if each:
            return each
    if question.kind in _EXPLAINED:
        candidates = [c for c in candidates if c.passage.role is not Role.TABLE] or candidates
    best = candidates[0]
    if best.figure is not None:
        return _with_other_values(candidates, domain)
    if _is_list(best.text):
        return [best]
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


def _each_defined(question: Question, candidates: Sequence[Candidate], domain: Domain) -> list[Candidate]:
    """Of several notions what each is, and what is said of all of them together; empty where one is not defined."""
    chosen: list[Candidate] = []
    for term in (domain.terms[t] for t in question.terms):
        names = {stem(word) for name in (term.name, *term.aliases) for word in words(name)}
        saying = [c for c in candidates if defines(c.text, names)]
        if not saying:
            return []
        meant = max(saying, key=lambda c: (spells_out(c.text, names), c.fit))
        if meant not in chosen:
            chosen.append(meant)
    of_all = (c for c in candidates if set(question.terms) <= set(c.sentence.terms) and c not in chosen)
    return [*chosen, *islice(of_all, 1)]


def _is_list(text: str) -> bool:
    """True for several items, of which a sentence from elsewhere would be no further one."""
    return sum(1 for line in text.splitlines() if ITEM_MARK.match(line)) > 1


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


def wants_figure(question: Question, domain: Domain) -> bool:
    """True for a question for a metric of something specific, which one figure or statement answers."""
    specific = any(not domain.is_many(i) for ids in question.subjects for i in ids)
    bound = any(domain.terms[t].kind in _BINDING_TERMS for t in question.terms) and _measurable(question, domain)
    looked_up = question.kind is Kind.LOOKUP or (bound and question.kind in (Kind.OPEN, Kind.LIST))
    return looked_up and (specific or bound) and bool(question.metrics or question.unit)


def says_none_of(question: Question, chosen: Sequence[Candidate], domain: Domain) -> list[str]:
    """The further words of the question where it has several, or no metric, and the answer none of them: it answers something else."""
    asked = {stem(w): w for w in question.free_words if w not in domain.change_nothing("behind a name")}
    said = {stem(w) for c in chosen for w in words(" ".join((c.text, *c.passage.heading, c.passage.context)))}
    return list(asked.values()) if (len(asked) > 1 or not question.metrics) and said.isdisjoint(asked) else []


def _measurable(question: Question, domain: Domain) -> bool:
    """True when the question is for something with a unit of its own, which a ratio or a category has not."""
    dimensions = {domain.metrics[m].dimension for m in question.metrics}
    return bool(question.unit) or not dimensions <= {"ratio", "text", "date"}


def gives_it(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True when a sentence gives the metric of the subject, under the terms asked."""
    if counts_its_chips(question, domain):
        return counts_chips(candidate, domain)
    required = {t for t in question.terms if domain.terms[t].kind in _BINDING_TERMS}
    if len(candidate.about) < len(question.subjects) or not required <= candidate.terms:
        return False
    if asks(candidate.text) or not _of_as_many(question, candidate, domain):
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


def _of_as_many(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """False for a run of another number of chips than the one that a question about a benchmark names: "2048 H100s in MLPerf"."""
    if not any(domain.terms[t].kind == "benchmark" for t in question.terms):
        return True
    before = (_COUNT.search(question.text[: m.start]) for m in domain.find_entities(question.text))
    counts = {match[1].replace(",", "") for match in before if match}
    return counts <= set(re.findall(r"[\d.]+", candidate.text.replace(",", "")))


def _answers(question: Question, number: int, figure: Figure, domain: Domain) -> bool:
    """True unless the figure is another thing's: the power of a node is not that of its chip."""
    if not figure.subject or not question.subjects:
        return True
    return any(domain.covers(asked, figure.subject) for asked in question.subjects[number])
