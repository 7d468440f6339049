"""Questions made of the facts table: each fact has the sentence that says it, and no other thing's sentence answers for it.

What they teach is that another chip, another metric or another number format is another question. They are worded by a few
templates, so that the written ones have to teach everything else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.training.questions.data import Labelled, Question, found_for, reading_of

from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.index.rows import StoredPassage
from chipwise.opening import OpenIndex
from chipwise.text import words

OF_ONE_SOURCE = 6  # facts of one digest
FIGURE = (
    "What is the {m} of the {e}{q}?",
    "{e} {m}{q}?",
    "how much {m} does the {e} have{q}",
    "whats the {m} on a {e}{q}",
    "Do you know the {e}'s {m}{q}?",
    "{m} for {e}{q}",
    "We are looking at the {e}; what {m} does it come with{q}?",
)
CATEGORY = (
    "{e} {m}?",
    "which {m} does the {e} have",
    "What {m} does the {e} use?",
    "{m} of the {e}",
    "Tell me the {m} of the {e}.",
)


@dataclass(frozen=True, slots=True)
class Table:
    """What questions are made from: the index, its titles, and which metrics facts know of a thing in a source."""

    index: OpenIndex
    titles: dict[str, str]
    chance: random.Random

    @property
    def domain(self) -> Domain:
        """Of the index."""
        return self.index.domain


def of_facts(index: OpenIndex, seed: int) -> list[Question]:
    """For some facts of each digest a question with its sentence, and one with one thing exchanged that has none."""
    chance = random.Random(seed)  # noqa: S311
    table = Table(index, {s.id: s.title for s in index.store.sources()}, chance)
    by_source: dict[str, list[Fact]] = {}
    for fact in index.store.facts():
        if fact.rank != "deprecated" and fact.claim.source in table.titles:
            by_source.setdefault(fact.claim.source, []).append(fact)
    found: list[Question] = []
    for source, facts in sorted(by_source.items()):
        for fact in chance.sample(facts, min(OF_ONE_SOURCE, len(facts))):
            stored = next((p for p in index.store.source_passages(source) if _holds(p, fact)), None)
            if stored is not None:
                found += _questions(fact, stored, facts, table)
    return found


def _holds(stored: StoredPassage, fact: Fact) -> bool:
    return stored.passage.start <= fact.claim.start < stored.passage.end


def _questions(fact: Fact, stored: StoredPassage, facts: Sequence[Fact], table: Table) -> Iterator[Question]:
    claim = fact.claim
    reading = reading_of(stored, table.titles)
    at = claim.start - stored.passage.start
    same = [f for f in facts if (f.claim.subject, f.claim.metric) == (claim.subject, claim.metric)]
    places = {f.claim.start - stored.passage.start for f in same}
    marked = tuple(any(s.start <= p < s.end for p in places) for s in stored.sentences)
    if not any(s.start <= at < s.end for s in stored.sentences):
        return
    text = _worded(fact, claim.subject, claim.metric, table)
    others = _others(text, claim.subject, claim.metric, stored, table)
    yield Question(
        f"fact-{fact.id}", text, "facts", "train", (Labelled(reading, marked),), others, "lookup", len(others)
    )
    exchanged = _exchanged(fact, stored, table)
    if exchanged:
        near = (Labelled.without(reading),)
        yield Question(f"fact-{fact.id}-x", exchanged, "facts", "train", (), near, "lookup", 1)


def _worded(fact: Fact, subject: str, metric: str, table: Table) -> str:
    entity, known = table.domain.entities[subject], table.domain.metrics[metric]
    name = table.chance.choice((entity.name, entity.name, *entity.aliases[:3]))
    cue = table.chance.choice((known.name, known.name, *known.cues[:3]))
    dtype = fact.claim.qualifier("dtype")
    under = f" in {dtype.upper()}" if dtype and metric == fact.claim.metric else ""
    forms = CATEGORY if known.dimension in ("text", "date") else FIGURE
    text = table.chance.choice(forms).format(e=name, m=cue, q=under)
    return text.lower() if table.chance.random() < 0.3 else text[0].upper() + text[1:]


def _others(text: str, subject: str, metric: str, own: StoredPassage, table: Table) -> tuple[Labelled, ...]:
    """Passages that the search finds and that do not say it, as far as claims were read of them."""
    silent = (p for p in found_for(text, table.index, [own]) if not _may_say(p, subject, metric, table))
    return tuple(Labelled.without(reading_of(p, table.titles)) for p in silent)


def _may_say(stored: StoredPassage, subject: str, metric: str, table: Table) -> bool:
    return any(
        metric in s.metrics or any(f.metric in (metric, "") for f in s.figures)
        for s in stored.sentences
        if any(table.domain.covers(subject, i) or i == subject for i in s.subjects)
    )


def _exchanged(fact: Fact, stored: StoredPassage, table: Table) -> str:
    """The question for another thing's, or for another metric, of which the passage says nothing."""
    domain, chance, claim = table.domain, table.chance, fact.claim
    said = {i for s in stored.sentences for i in s.subjects}
    above = {i for m in domain.find_entities(reading_of(stored, table.titles).above) for i in m.ids}
    if chance.random() < 0.5:
        kind = domain.entities[claim.subject].kind
        free = [e for e in domain.entities.values() if e.kind == kind and e.id not in said | above]
        free = [e for e in free if not any(domain.covers(i, e.id) or domain.covers(e.id, i) for i in said | above)]
        return _worded(fact, chance.choice(free).id, claim.metric, table) if free else ""
    told = {m for s in stored.sentences for m in s.metrics} | {f.metric for s in stored.sentences for f in s.figures}
    dimensions = {domain.metrics[m].dimension for m in told if m}
    free_metrics = [m for m in domain.metrics.values() if m.id not in told and m.main and m.dimension not in dimensions]
    return _worded(fact, claim.subject, chance.choice(free_metrics).id, table) if free_metrics else ""


ASKED = (
    "What is {n}?",
    "{n}?",
    "what does {n} mean",
    "{n} meaning",
    "Can you explain {n}?",
    "define {n}",
    "whats {n}",
    "What are {n}?",
)
DEFINES = frozenset(("is", "are", "means", "stands", "describes", "measures"))
_DETERMINERS = frozenset(("a", "an", "the"))


def of_terms(index: OpenIndex, seed: int) -> list[Question]:
    """For each term and metric that some sentence defines ("MFU (model FLOPs utilization) is ...") questions for its meaning."""
    chance = random.Random(seed)  # noqa: S311
    table = Table(index, {s.id: s.title for s in index.store.sources()}, chance)
    domain = table.domain
    names = {t.id: (t.name, *t.aliases) for t in domain.terms.values()} | {
        m.id: (m.name,) for m in domain.metrics.values()
    }
    owner = {" ".join(words(name)): id_ for id_, own in names.items() for name in own}
    defined: dict[str, list[Labelled]] = {}
    for source in sorted(table.titles):
        for stored in index.store.source_passages(source):
            reading = reading_of(stored, table.titles)
            heads = [owner.get(_defined(sentence), "") for sentence in reading.sentences]
            for id_ in {h for h in heads if h}:
                defined.setdefault(id_, []).append(Labelled(reading, tuple(h == id_ for h in heads)))
    found = []
    for id_, gold in sorted(defined.items()):
        for number in range(2):
            text = chance.choice(ASKED).format(n=chance.choice(names[id_][:3]))
            readings = [reading_of(p, table.titles) for p in found_for(text, index)]
            others = [Labelled.without(r) for r in readings if all(r != g.reading for g in gold)]
            found.append(
                Question(f"term-{id_}-{number}", text, "terms", "train", tuple(gold), tuple(others), "what-is")
            )
    return found


def _defined(sentence: str) -> str:
    """What a sentence defines: the words before its "is", less a bracket; "" where it does not begin so."""
    head = sentence.lstrip("-*• ")
    before, bracket, behind = head.partition(" (")
    rest = behind.partition(") ")[2] if bracket and len(before.split()) < 6 else ""
    said = words(before if rest else head)
    if rest:
        return (
            " ".join(w for w in said if w not in _DETERMINERS) if words(rest)[:1] and words(rest)[0] in DEFINES else ""
        )
    at = next((n for n, w in enumerate(said[:7]) if w in DEFINES), 0)
    return " ".join(w for w in said[:at] if w not in _DETERMINERS)


WHY = (
    "why {c}?",
    "Why is it that {c}?",
    "how come {c}",
    "What is the reason that {c}?",
    "reason {c}",
    "Why would it be that {c}?",
)
_LEFT_OUT = 0.15  # of the words of a clause, so that a question has not all of its sentence's


def of_reasons(index: OpenIndex, seed: int) -> list[Question]:
    """For sentences that give a reason ("X, because Y", "Y, so X") the question why X."""
    chance = random.Random(seed)  # noqa: S311
    table = Table(index, {s.id: s.title for s in index.store.sources()}, chance)
    found = []
    for source in sorted(table.titles):
        for stored in index.store.source_passages(source):
            reading = reading_of(stored, table.titles)
            for number, sentence in enumerate(reading.sentences):
                clause = _explained(sentence)
                if not clause:
                    continue
                kept = [w for w in clause.split() if w[0].isupper() or chance.random() > _LEFT_OUT]
                text = chance.choice(WHY).format(c=" ".join(kept))
                text = text.lower() if chance.random() < 0.3 else text
                gold = Labelled(reading, tuple(n == number for n in range(len(reading.sentences))))
                others = found_for(text, index, [stored])
                labelled = tuple(Labelled.without(reading_of(o, table.titles)) for o in others)
                id_ = f"why-{stored.passage.id}-{number}"
                found.append(Question(id_, text, "reasons", "train", (gold,), labelled, "why"))
    return found


def _explained(sentence: str) -> str:
    """What a sentence gives a reason for; "" where it gives none, or where a colon or a bracket makes it hard to tell."""
    bare = sentence.lstrip("-*• ").rstrip(".")
    if bare.startswith("|") or ":" in bare or "(" in bare or len(bare.split()) > 40:
        return ""
    effect, because, _ = bare.partition(" because ")
    cause, so, result = bare.partition(", so ")
    clause = effect.rstrip(",") if because else result if so and cause else ""
    if len(clause.split()) < 4:
        return ""
    named = clause.split()[0]
    return (
        clause
        if any(c.isupper() for c in named[1:]) or any(c.isdigit() for c in named)
        else clause[0].lower() + clause[1:]
    )
