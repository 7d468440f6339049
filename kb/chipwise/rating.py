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
from chipwise.text import ITEM_MARK, content_words, words
from chipwise.types import Passage, SourceInfo
from chipwise.vectors import Vector, packed_cosines

SUBJECT_WEIGHT = 6.0  # in the unit of inverse document frequencies, where a rare word has about 6
METRIC_WEIGHT = 4.0
TERM_WEIGHT = 4.0
ABOVE = 0.7  # what a heading, title or table header says counts less than what the sentence says
QUIET = 0.6  # the same for a sentence that does not speak for its source
PASSAGE_SHARE = 0.2  # of the rating comes from the passage's rank
MEANING_SHARE = 0.3  # from the sentence's vector; the rest from the parts that the sentence meets

LIST_WORDS = 90  # of a list together with its lead-in; a longer one is cut after an item
SIBLING_MALUS = 0.05  # for each term of a kind asked that was not asked
_COMMON_DIMENSIONS = {"ratio", "count", "text", "date", "time"}  # of too many metrics to tell one by

# Whose word goes first when several say the same: those who made it or measured it.
_KIND_BONUS = {"datasheet": 0.05, "documentation": 0.05, "paper": 0.04, "benchmark": 0.03, "primer": 0.02}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer.

    `fit` orders, from 0 to a little over 1; `coverage` in [0, 1] is the share of
    the question that it meets; `cosine` its closeness in meaning; `about` tells
    which of the question's subjects;
    `figures` are the ones asked for, by subject (by 0 where the question has none);
    `terms` what it or what stands above it names.
    """

    hit: Hit
    sentence: Sentence
    fit: float
    coverage: float
    cosine: float
    about: frozenset[int]
    figures: dict[int, Figure]
    terms: frozenset[str]

    @property
    def passage(self) -> Passage:
        """The passage that it stands in."""
        return self.hit.stored.passage

    @property
    def figure(self) -> Figure | None:
        """The figure asked for, where the sentence states it."""
        return next(iter(self.figures.values()), None)

    @property
    def text(self) -> str:
        """The sentence, verbatim."""
        return self.passage.text[self.sentence.start : self.sentence.end]


def rate(question: Question, vector: Vector, hits: Sequence[Hit], store: Store, domain: Domain) -> list[Candidate]:
    """Every sentence of the passages found, best first. `vector` is the question's."""
    rater = _Rater(question, domain, _word_weights(question, store), _asked_stems(question, domain))
    sources = {name: store.find_source(name) for name in dict.fromkeys(hit.stored.passage.source for hit in hits)}
    found = [
        rater.rate(hit, unit, cosine, sources[hit.stored.passage.source])
        for hit in hits
        for unit, cosine in _units(hit, packed_cosines(hit.stored.meaning, vector))
    ]
    return sorted(found, key=lambda c: (-c.fit, c.hit.stored.row, c.sentence.start))


def _units(hit: Hit, cosines: Sequence[float]) -> Iterator[tuple[Sentence, float]]:
    """The passage's sentences, with each list joined to the line that leads into it, and their cosines.

    "Use TPUs if:" says nothing without its items, and an item little without it;
    only an item with a figure of its own stands alone as well.
    """
    sentences, text = hit.stored.sentences, hit.stored.passage.text
    at = 0
    while at < len(sentences):
        items = _items_led_by(sentences, text, at)
        if len(items) > 1:
            yield _joined(items), max(cosines[at : at + len(items)])
        for number, sentence in enumerate(items, start=at):
            if len(items) == 1 or sentence.figures:
                yield sentence, cosines[number]
        at += len(items)


def _items_led_by(sentences: Sequence[Sentence], text: str, at: int) -> Sequence[Sentence]:
    """The sentence at `at` with the list items that it introduces, as far as they fit an answer."""
    if not text[sentences[at].start : sentences[at].end].endswith(":"):
        return sentences[at : at + 1]
    end = at + 1
    while end < len(sentences) and ITEM_MARK.match(text, sentences[end].start):
        end += 1
    while end > at + 1 and len(text[sentences[at].start : sentences[end - 1].end].split()) > LIST_WORDS:
        end -= 1
    return sentences[at:end]


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    def together(field: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for s in sentences for name in getattr(s, field)))

    return Sentence(
        sentences[0].start,
        sentences[-1].end,
        together("entities"),
        together("carried"),
        together("metrics"),
        together("terms"),
        tuple(figure for s in sentences for figure in s.figures),
    )


def _word_weights(question: Question, store: Store) -> dict[str, float]:
    """By stem, how informative each remaining word of the question is: its inverse document frequency."""
    total = max(1, store.count_passages())
    stems = dict.fromkeys(stem(word) for word in question.free_words)
    return {s: math.log(1 + total / (1 + store.document_frequency(s))) for s in stems}


def _asked_stems(question: Question, domain: Domain) -> frozenset[str]:
    """The stems of everything that the question can be calling its subject: its words, and other names of them."""
    names = [*question.words]
    for term in question.terms:
        names += [domain.terms[term].name, *domain.terms[term].aliases]
    for metric in question.metrics:
        names += [domain.metrics[metric].name, *domain.metrics[metric].cues]
    for entity in (i for ids in question.subjects for i in ids):
        names += [domain.entities[entity].name, *domain.entities[entity].aliases]
    return frozenset(stem(word) for name in names for word in words(name))


@dataclass(frozen=True, slots=True)
class _Rater:
    question: Question
    domain: Domain
    word_weights: dict[str, float]
    asked_stems: frozenset[str]

    def rate(self, hit: Hit, sentence: Sentence, cosine: float, source: SourceInfo | None) -> Candidate:
        passage = hit.stored.passage
        text = passage.text[sentence.start : sentence.end]
        of_source = (source.publisher, source.title) if source else ()
        above = " / ".join(filter(None, (*of_source, *passage.heading, passage.context)))
        about = {n: share for n, share in enumerate(self._subjects(sentence, above)) if share}
        figures = self._figures(sentence, about)
        over = {i for m in self.domain.find_terms(above) for i in m.ids} if self.question.terms else set()
        terms = frozenset({*sentence.terms, *over})
        coverage = self._coverage(text, above, sentence, about, figures, terms)
        fit = PASSAGE_SHARE * hit.score + MEANING_SHARE * cosine + (1 - PASSAGE_SHARE - MEANING_SHARE) * coverage
        fit += self._form_bonus(text, sentence) + _KIND_BONUS.get(source.kind if source else "", 0.0)
        fit -= SIBLING_MALUS * min(2, self._siblings(sentence))
        fit *= 1.0 if passage.role.speaks_for_the_source else QUIET
        if text.endswith("?"):
            fit *= QUIET  # a question answers none
        return Candidate(hit, sentence, fit, coverage, cosine, frozenset(about), figures, terms)

    def _coverage(
        self,
        text: str,
        above: str,
        sentence: Sentence,
        about: dict[int, float],
        figures: dict[int, Figure],
        terms: frozenset[str],
    ) -> float:
        """Share of the question's weight that the sentence meets, in [0, 1]."""
        question = self.question
        parts = [(SUBJECT_WEIGHT, about.get(n, 0.0)) for n in range(len(question.subjects))]
        if question.kind is Kind.COMPARISON and about:
            # a sentence for each thing compared is nearly as good as one about all
            all_of_them = sum(about.values()) / len(question.subjects)
            parts = [(SUBJECT_WEIGHT, max(about.values())), (SUBJECT_WEIGHT / 3, all_of_them)]
        if question.metrics:
            parts.append((METRIC_WEIGHT, self._metric(sentence, figures)))
        parts += [(TERM_WEIGHT, 1.0 if t in sentence.terms else ABOVE if t in terms else 0.0) for t in question.terms]
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

    def _figures(self, sentence: Sentence, about: dict[int, float]) -> dict[int, Figure]:
        """The figure of a metric asked, for each subject that the sentence is about; the closest first."""
        if not self.question.subjects:
            found = next((f for f in sentence.figures if self._asked(f) == 1.0), None)
            return {0: found} if found is not None else {}
        chosen: dict[int, Figure] = {}
        for number in about:
            rated = [(self._asked(f) * self._belongs(f, number), f) for f in sentence.figures]
            best = max(rated, key=lambda pair: pair[0], default=None)
            if best is not None and best[0]:
                chosen[number] = best[1]
        return chosen

    def _asked(self, figure: Figure) -> float:
        """1 for a figure of a metric asked, less for one of its dimension whose metric the text leaves open."""
        if figure.metric in self.question.metrics:
            return 1.0
        dimensions = {self.domain.metrics[m].dimension for m in self.question.metrics} - _COMMON_DIMENSIONS
        return 0.7 if not figure.metric and figure.quantity.dimension in dimensions else 0.0

    def _belongs(self, figure: Figure, number: int) -> float:
        if not figure.subject:
            return 0.5
        return max(_closeness(self.domain, asked, figure.subject) for asked in self.question.subjects[number])

    def _metric(self, sentence: Sentence, figures: dict[int, Figure]) -> float:
        if figures:
            return max(
                self._asked(f) * (self._belongs(f, n) if self.question.subjects else 1.0) for n, f in figures.items()
            )
        mentioned = set(self.question.metrics) & set(sentence.metrics)
        if not mentioned:
            return 0.0
        numeric = any(self.domain.metrics[m].dimension not in ("text", "date") for m in mentioned)
        return 0.5 if numeric and self.question.wants_number else 1.0

    def _siblings(self, sentence: Sentence) -> int:
        """How many terms it names that the question leaves out though it names another of their kind.

        Asked for BF16, a sentence on BF16 alone is better than one on FP8 as well.
        """
        kinds = {self.domain.terms[t].kind for t in self.question.terms}
        return sum(t not in self.question.terms and self.domain.terms[t].kind in kinds for t in sentence.terms)

    def _spells_out(self, text: str) -> bool:
        """True for "NCCL (NVIDIA Collective Communications Library)" and the reverse."""
        return any(
            (stem(m["short"].lower()) in self.asked_stems) or (stem(m["inside"].lower()) in self.asked_stems)
            for m in _SPELT_OUT.finditer(text)
        )

    def _form_bonus(self, text: str, sentence: Sentence) -> float:
        """For sentences that have the form of the answer wanted: a definition, a reason, advice."""
        kind = self.question.kind
        if kind is Kind.DEFINITION and (match := _DEFINES.match(text)):
            head = {stem(w) for w in content_words(match["name"])}
            if head and head <= self.asked_stems:
                return 0.25
        if kind is Kind.DEFINITION and self._spells_out(text):
            return 0.15
        if (kind is Kind.WHY and _REASONS.search(text)) or (kind is Kind.ADVICE and _ADVISES.search(text)):
            return 0.06
        return 0.0 if sentence.figures or not self.question.wants_number else -0.05


def _closeness(domain: Domain, asked: str, said: str) -> float:
    """1 for the very entity, less for one that answers for it, 0 for any other."""
    if asked == said:
        return 1.0
    if domain.covers(asked, said):
        return 0.9
    # what is said of one chip says something of its line, and what is said of a node something of its chips
    return 0.5 if asked in domain.ancestors(said) else 0.0


_DEFINES = re.compile(
    r"^\W*(?:an?\s|the\s)?(?P<name>[^.;:,]{2,70}?)\s(?:\([^)]{1,60}\)\s)?"
    r"(?:is|are|means|stands for|measures|refers to|describes)\s(?!not\b)",
    re.I,
)
_SPELT_OUT = re.compile(r"(?P<short>[\w-]+)\s\((?P<inside>[A-Z][\w-]*)(?:\s[^)]{4,60})?\)")
_REASONS = re.compile(
    r"\b(?:because|since|due to|so that|therefore|reason|owing to|which is why|as a result|that is why|thanks to)\b",
    re.I,
)
_ADVISES = re.compile(
    r"\b(?:use|choose|pick|prefer|suit(?:s|ed)?|better|best|when|if|should|recommend\w*|ideal|fits?)\b", re.I
)
