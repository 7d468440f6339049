"""How well a sentence answers a question: which of the question's parts it meets.

A question's parts are what it is about (subjects), what it wants to know
(metrics, terms) and its remaining words. Each part has a weight, its inverse
document frequency; a sentence is rated by the share of the weight that it meets,
by its passage's rank, and by whether it has the form of the answer wanted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise.domain import Domain
from chipwise.figures import Figure, Sentence
from chipwise.question import Kind, Question
from chipwise.searching import Hit, stem
from chipwise.store import Store
from chipwise.text import content_words, words
from chipwise.types import Passage, SourceInfo
from chipwise.vectors import Vector, packed_cosines

SUBJECT_WEIGHT = 6.0  # in the unit of inverse document frequencies, where a rare word has about 6
METRIC_WEIGHT = 4.0
TERM_WEIGHT = 4.0
ABOVE = 0.7  # what a heading, title or table header says counts less than what the sentence says
QUIET = 0.6  # the same for a sentence that does not speak for its source
PASSAGE_SHARE = 0.2  # of the rating comes from the passage's rank
MEANING_SHARE = 0.3  # from the sentence's vector; the rest from the parts that the sentence meets

# Whose word goes first when several say the same: those who made it or measured it.
_KIND_BONUS = {"datasheet": 0.05, "documentation": 0.05, "paper": 0.04, "benchmark": 0.03, "primer": 0.02}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer.

    `fit` orders, from 0 to a little over 1; `coverage` in [0, 1] is the share of
    the question that it meets; `cosine` its closeness in meaning; `about` tells
    which of the question's subjects;
    `figure` is the one asked for, where the sentence states it.
    """

    hit: Hit
    sentence: Sentence
    fit: float
    coverage: float
    cosine: float
    about: frozenset[int]
    figure: Figure | None

    @property
    def passage(self) -> Passage:
        """The passage that it stands in."""
        return self.hit.stored.passage

    @property
    def text(self) -> str:
        """The sentence, verbatim."""
        return self.passage.text[self.sentence.start : self.sentence.end]


def rate(question: Question, vector: Vector, hits: Sequence[Hit], store: Store, domain: Domain) -> list[Candidate]:
    """Every sentence of the passages found, best first. `vector` is the question's."""
    rater = _Rater(question, domain, _word_weights(question, store))
    sources = {name: store.find_source(name) for name in dict.fromkeys(hit.stored.passage.source for hit in hits)}
    found = [
        rater.rate(hit, sentence, cosine, sources[hit.stored.passage.source])
        for hit in hits
        for sentence, cosine in zip(
            hit.stored.sentences, packed_cosines(hit.stored.meaning, vector), strict=True
        )
    ]
    return sorted(found, key=lambda c: (-c.fit, c.hit.stored.row, c.sentence.start))


def _word_weights(question: Question, store: Store) -> dict[str, float]:
    """By stem, how informative each remaining word of the question is: its inverse document frequency."""
    total = max(1, store.count_passages())
    stems = dict.fromkeys(stem(word) for word in question.free_words)
    return {s: math.log(1 + total / (1 + store.document_frequency(s))) for s in stems}


@dataclass(frozen=True, slots=True)
class _Rater:
    question: Question
    domain: Domain
    word_weights: dict[str, float]

    def rate(self, hit: Hit, sentence: Sentence, cosine: float, source: SourceInfo | None) -> Candidate:
        passage = hit.stored.passage
        text = passage.text[sentence.start : sentence.end]
        above = " / ".join(filter(None, (source.title if source else "", *passage.heading, passage.context)))
        about = {n: share for n, share in enumerate(self._subjects(sentence, above)) if share}
        figure = self._figure(sentence, set(about))
        coverage = self._coverage(text, above, sentence, about, figure)
        fit = PASSAGE_SHARE * hit.score + MEANING_SHARE * cosine + (1 - PASSAGE_SHARE - MEANING_SHARE) * coverage
        fit += self._form_bonus(text, sentence) + _KIND_BONUS.get(source.kind if source else "", 0.0)
        fit *= 1.0 if passage.role.speaks_for_the_source else QUIET
        return Candidate(hit, sentence, fit, coverage, cosine, frozenset(about), figure)

    def _coverage(
        self, text: str, above: str, sentence: Sentence, about: dict[int, float], figure: Figure | None
    ) -> float:
        """Share of the question's weight that the sentence meets, in [0, 1]."""
        question = self.question
        parts = [(SUBJECT_WEIGHT, about.get(n, 0.0)) for n in range(len(question.subjects))]
        if question.kind is Kind.COMPARISON and about:
            # a sentence for each thing compared is as good as one about both
            parts = [(SUBJECT_WEIGHT, max(about.values()))]
        if question.metrics:
            parts.append((METRIC_WEIGHT, self._metric(sentence, figure)))
        over = {i for m in self.domain.find_terms(above) for i in m.ids} if question.terms else set()
        parts += [(TERM_WEIGHT, 1.0 if t in sentence.terms else ABOVE if t in over else 0.0) for t in question.terms]
        inside, beside = {stem(w) for w in content_words(text)}, {stem(w) for w in words(above)}
        parts += [
            (weight, 1.0 if s in inside else ABOVE if s in beside else 0.0) for s, weight in self.word_weights.items()
        ]
        total = sum(weight for weight, _ in parts)
        return sum(weight * met for weight, met in parts) / total if total else 0.0

    def _subjects(self, sentence: Sentence, above: str) -> Iterator[float]:
        """For each subject of the question, how surely the sentence is about it, in [0, 1]."""
        over = [i for m in self.domain.find_entities(above) for i in m.ids] if self.question.subjects else []
        for asked in self.question.subjects:
            named = max((_closeness(self.domain, a, said) for a in asked for said in sentence.entities), default=0.0)
            carried = max((_closeness(self.domain, a, said) for a in asked for said in sentence.carried), default=0.0)
            headed = 0.0
            if not sentence.subjects:
                headed = max((_closeness(self.domain, a, said) for a in asked for said in over), default=0.0)
            yield max(named, 0.9 * carried, ABOVE * headed)

    def _figure(self, sentence: Sentence, about: set[int]) -> Figure | None:
        """The figure of a metric asked, about a subject asked; the closest subject first."""
        asked = [a for n in about for a in self.question.subjects[n]]
        found = [
            (max((_closeness(self.domain, a, f.subject) for a in asked), default=0.0) if f.subject else 0.5, f)
            for f in sentence.figures
            if f.metric in self.question.metrics
        ]
        suited = [(closeness, figure) for closeness, figure in found if closeness or not self.question.subjects]
        return max(suited, key=lambda pair: pair[0])[1] if suited else None

    def _metric(self, sentence: Sentence, figure: Figure | None) -> float:
        if figure is not None:
            return 1.0
        mentioned = set(self.question.metrics) & set(sentence.metrics)
        if not mentioned:
            return 0.0
        numeric = any(self.domain.metrics[m].dimension not in ("text", "date") for m in mentioned)
        return 0.5 if numeric and self.question.wants_number else 1.0

    def _form_bonus(self, text: str, sentence: Sentence) -> float:
        """For sentences that have the form of the answer wanted: a definition, a reason, advice."""
        kind = self.question.kind
        if kind is Kind.DEFINITION and (match := _DEFINES.match(text)):
            head = {stem(w) for w in words(match["name"])}
            return 0.25 if head & {stem(w) for w in self.question.words} else 0.0
        if (kind is Kind.WHY and _REASONS.search(text)) or (kind is Kind.ADVICE and _ADVISES.search(text)):
            return 0.06
        return 0.0 if sentence.figures or not self.question.wants_number else -0.05


def _closeness(domain: Domain, asked: str, said: str) -> float:
    """1 for the very entity, less for one that answers for it, 0 for any other."""
    if asked == said:
        return 1.0
    return 0.9 if domain.covers(asked, said) else 0.0


_DEFINES = re.compile(
    r"^\W*(?:an?\s|the\s)?(?P<name>[^.;:,]{2,70}?)\s(?:\([^)]{1,60}\)\s)?"
    r"(?:is|are|means|stands for|measures|refers to|describes)\s(?:an?|the|how|what|that|\w+)\b",
    re.I,
)
_REASONS = re.compile(
    r"\b(?:because|since|due to|so that|therefore|reason|owing to|which is why|as a result|that is why|thanks to)\b", re.I
)
_ADVISES = re.compile(
    r"\b(?:use|choose|pick|prefer|suit(?:s|ed)?|better|best|when|if|should|recommend\w*|ideal|fits?)\b", re.I
)
