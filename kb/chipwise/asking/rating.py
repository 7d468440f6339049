"""How well a sentence answers a question: which of the question's parts it meets.

A question's parts are what it is about (subjects), what it wants to know
(metrics, terms) and its remaining words, each with a weight. A sentence is rated
by the share of the weight that it meets, by its closeness in meaning, by its
passage's rank, and by whether it has the form of the answer wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chipwise.asking.candidates import LOOSE_DIMENSIONS, Above, Candidate, units
from chipwise.asking.forms import advises, defines, doubts, gives_reason, opens_with, spells_out
from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question
from chipwise.asking.searching import Hit, stem
from chipwise.claims.model import Figure, Sentence
from chipwise.domain.model import Domain
from chipwise.domain.records import Term
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, packed_cosines
from chipwise.text import asks, content_words, words

PASSAGE_SHARE = 0.2  # of the rating comes from the passage's rank
MEANING_SHARE = 0.3  # from the sentence's vector; the rest from the parts that the sentence meets
SUBJECT_WEIGHT = 6.0  # in the unit of inverse document frequencies, where a rare word has about 6
LINE_WEIGHT = 3.0  # "GPU" or "TPU" stands in most passages
METRIC_WEIGHT = 4.0
TERM_WEIGHT = 4.0
ABOVE = 0.7  # what a heading, title or table header says counts less than what the sentence says
QUIET = 0.6  # factor for a sentence that does not speak for its source, or that asks
SIBLING_MALUS = 0.05  # for each term of a kind asked that was not asked
CROWD_MALUS = 0.02  # for each figure beyond the ones asked: a plain statement is the better quote
DOUBT_MALUS = 0.12  # for a sentence that quotes a figure in order to doubt it, where a plain one is wanted

# Whose word goes first when several say the same: those who made it or measured it, and articles last.
_KIND_BONUS = {
    "datasheet": 0.05,
    "documentation": 0.05,
    "paper": 0.04,
    "benchmark": 0.03,
    "primer": 0.02,
    "article": -0.03,
}


def rate(question: Question, vector: Vector, hits: Sequence[Hit], store: Store, domain: Domain) -> list[Candidate]:
    """Every sentence of the passages found, best first. `vector` is the question's."""
    rater = _Rater(
        question, domain, _word_weights(question, store), _asked_stems(question, domain), _own_stems(question)
    )
    found: list[Candidate] = []
    for hit in hits:
        passage = hit.stored.passage
        above = Above.of(passage, store.find_source(passage.source), domain)
        for unit, cosine in units(
            hit, packed_cosines(hit.stored.meaning, vector), headed=question.kind is not Kind.LIST
        ):
            found.append(rater.rate(hit, unit, cosine, above))
    return sorted(found, key=lambda c: (-c.fit, c.hit.stored.row, c.sentence.start))


def _word_weights(question: Question, store: Store) -> dict[str, float]:
    """By stem, how informative each remaining word of the question is: its inverse document frequency."""
    total = max(1, store.count_passages())
    found = store.document_frequencies(question.free_words)
    return {stem(word): math.log(1 + total / (1 + count)) for word, count in found.items()}


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


def _own_stems(question: Question) -> frozenset[str]:
    return frozenset(stem(word) for word in question.words)


@dataclass(frozen=True, slots=True)
class _Rater:
    question: Question
    domain: Domain
    word_weights: dict[str, float]
    asked_stems: frozenset[str]
    own_stems: frozenset[str]  # of the question's own words

    def rate(self, hit: Hit, sentence: Sentence, cosine: float, above: Above) -> Candidate:
        passage = hit.stored.passage
        text = passage.text[sentence.start : sentence.end]
        about = {n: share for n, share in enumerate(self._subjects(sentence, above)) if share}
        figures = self._figures(sentence, about)
        own = self._terms_met(sentence.terms)
        terms = frozenset(own | self._terms_met(above.terms))
        coverage = _share(
            [
                *self._subject_parts(about),
                *self._metric_part(sentence, figures),
                *((self._term_weight, 1.0 if t in own else ABOVE if t in terms else 0.0) for t in self.question.terms),
                *self._word_parts(text, above),
            ]
        )
        fit = PASSAGE_SHARE * hit.score + MEANING_SHARE * cosine + (1 - PASSAGE_SHARE - MEANING_SHARE) * coverage
        fit += self._form_bonus(text) + _KIND_BONUS.get(above.kind, 0.0) - self._malus(text, sentence, figures)
        if asks(text) or not passage.role.speaks_for_the_source:
            fit *= QUIET
        return Candidate(hit, sentence, fit, coverage, cosine, frozenset(about), figures, terms)

    @property
    def _term_weight(self) -> float:
        """What a term weighs: where the question has no subject, its terms are what it is about."""
        return TERM_WEIGHT if self.question.subjects else SUBJECT_WEIGHT

    def _subject_parts(self, about: dict[int, float]) -> list[tuple[float, float]]:
        subjects = range(len(self.question.subjects))
        if self.question.kind is Kind.COMPARISON and about:
            # a sentence for each thing compared is nearly as good as one about all
            all_of_them = sum(about.values()) / len(subjects)
            return [(SUBJECT_WEIGHT, max(about.values())), (SUBJECT_WEIGHT / 3, all_of_them)]
        return [(self._subject_weight(n), about.get(n, 0.0)) for n in subjects]

    def _subject_weight(self, number: int) -> float:
        kinds = {self.domain.kind(i) for i in self.question.subjects[number]}
        return LINE_WEIGHT if kinds == {"line"} else SUBJECT_WEIGHT

    def _metric_part(self, sentence: Sentence, figures: dict[int, Figure]) -> list[tuple[float, float]]:
        asked = self.question.metrics
        if not asked and not self.question.unit:
            return []
        if figures:
            met = max(
                self._asked(f) * (self._belongs(f, n) if self.question.subjects else 1.0) for n, f in figures.items()
            )
            return [(METRIC_WEIGHT, met)]
        mentioned = set(asked) & set(sentence.metrics)
        numeric = any(self.domain.metrics[m].dimension not in ("text", "date") for m in mentioned)
        return [(METRIC_WEIGHT, 0.0 if not mentioned else 0.5 if numeric and self.question.wants_number else 1.0)]

    def _word_parts(self, text: str, above: Above) -> list[tuple[float, float]]:
        inside = {stem(word) for word in content_words(text)}
        return [
            (weight, 1.0 if s in inside else ABOVE if s in above.stems else 0.0)
            for s, weight in self.word_weights.items()
        ]

    def _subjects(self, sentence: Sentence, above: Above) -> Iterator[float]:
        """For each subject of the question, how surely the sentence is about it, in [0, 1]."""
        for asked in self.question.subjects:
            headed = 0.0 if sentence.subjects else self._closest(asked, above.entities)
            yield max(
                self._closest(asked, sentence.entities), 0.9 * self._closest(asked, sentence.carried), ABOVE * headed
            )

    def _closest(self, asked: Iterable[str], said: Iterable[str]) -> float:
        return max((_closeness(self.domain, a, s) for a in asked for s in said), default=0.0)

    def _figures(self, sentence: Sentence, about: dict[int, float]) -> dict[int, Figure]:
        """The figure of a metric asked, for each subject that the sentence is about; the closest first."""
        stated = [f for f in sentence.figures if not self._is_of_another_format(f, sentence)]
        if not self.question.subjects:
            found = next((f for f in stated if self._asked(f) == 1.0), None)
            return {0: found} if found is not None else {}
        chosen: dict[int, Figure] = {}
        for number in about:
            rated = [(self._asked(f) * self._belongs(f, number), f) for f in stated]
            best = max(rated, key=lambda pair: pair[0], default=None)
            if best is not None and best[0]:
                chosen[number] = best[1]
        return chosen

    def _asked(self, figure: Figure) -> float:
        """1 for a figure of a metric asked, less for one of its dimension whose metric the text leaves open."""
        if figure.quantity.unit == self.question.unit:
            return 1.0
        if self._counts and figure.quantity.dimension != "count":
            return 0.0  # "how many HBM stacks" is not answered by their bytes
        if figure.metric in self.question.metrics:
            return 1.0
        if any(figure.metric in self.domain.metrics[m].also for m in self.question.metrics):
            return 0.8
        dimensions = {self.domain.metrics[m].dimension for m in self.question.metrics} - LOOSE_DIMENSIONS
        dimensions -= {"price"}  # so many dollars may be for anything
        return 0.7 if not figure.metric and figure.quantity.dimension in dimensions else 0.0

    @property
    def _counts(self) -> bool:
        """True when the question is for how many there are of something."""
        return bool(self.question.unit) and self.domain.units[self.question.unit].dimension == "count"

    def _is_of_another_format(self, figure: Figure, sentence: Sentence) -> bool:
        """True for a TF32 peak where the FP64 peak is asked for: the sentence names other number formats alone."""
        metric, terms = self.domain.metrics.get(figure.metric), self.domain.terms
        asked, said = (
            {t for t in named if terms[t].kind == "precision"} for named in (self.question.terms, sentence.terms)
        )
        differs = bool(asked and said) and not asked & self._terms_met(said)
        return differs and metric is not None and "dtype" in metric.qualifiers

    def _belongs(self, figure: Figure, number: int) -> float:
        return self._closest(self.question.subjects[number], (figure.subject,)) if figure.subject else 0.5

    def _terms_met(self, said: Iterable[str]) -> set[str]:
        """Terms said, and the terms asked that they are a kind of: HBM3e is HBM, NVLink 5 is NVLink."""
        return {a for term in said for a in self._answers_for(term)}

    def _answers_for(self, said: str) -> tuple[str, ...]:
        return (
            said,
            *(asked for asked in self.question.terms if _is_kind_of(self.domain.terms[said], self.domain.terms[asked])),
        )

    def _malus(self, text: str, sentence: Sentence, figures: dict[int, Figure]) -> float:
        asked, terms = set(self.question.terms), self.domain.terms
        kinds = {terms[t].kind for t in asked}
        # asked for BF16, a sentence on BF16 alone is better than one on FP8 as well
        siblings = sum(terms[t].kind in kinds and not asked & set(self._answers_for(t)) for t in sentence.terms)
        malus = SIBLING_MALUS * min(2, siblings)
        if self.question.wants_number:
            crowd = len(sentence.figures) - max(1, len(self.question.subjects))
            malus += CROWD_MALUS * min(4, max(0, crowd))
            malus += DOUBT_MALUS * (doubts(text) or _sets_against_each_other(sentence, figures))
        return malus

    def _form_bonus(self, text: str) -> float:
        kind = self.question.kind
        if kind is Kind.DEFINITION:
            opens = opens_with(text, self.own_stems)
            if defines(text, self.asked_stems):
                return 0.25 + 0.05 * opens
            return 0.15 if opens or spells_out(text, self.asked_stems) else 0.0
        return 0.06 if (kind is Kind.WHY and gives_reason(text)) or (kind is Kind.ADVICE and advises(text)) else 0.0


def _share(parts: Sequence[tuple[float, float]]) -> float:
    """Of the weight of all parts the share that is met, in [0, 1]; 0 without parts."""
    total = sum(weight for weight, _ in parts)
    return sum(weight * met for weight, met in parts) / total if total else 0.0


def _sets_against_each_other(sentence: Sentence, figures: dict[int, Figure]) -> bool:
    """True when the sentence gives two values of one metric of one thing."""
    return any(
        other.subject == f.subject and other.metric == f.metric and not other.quantity.agrees_with(f.quantity)
        for f in figures.values()
        for other in sentence.figures
    )


def _is_kind_of(said: Term, asked: Term) -> bool:
    """True for HBM3e of HBM and NVLink 5 of NVLink: the same name with a version behind it. FP64 is no FP6."""
    rest = said.name.lower().removeprefix(asked.name.lower())
    if said.kind != asked.kind or rest == said.name.lower():
        return False
    return not rest[:1].isalpha() and not (rest[:1].isdigit() and asked.name[-1:].isdigit())


def _closeness(domain: Domain, asked: str, said: str) -> float:
    """1 for the very entity, less for one that answers for it, 0 for any other."""
    if asked == said:
        return 1.0
    if domain.covers(asked, said):
        return 0.97  # a statement on a variant is what sources say of a chip
    # what is said of one chip says something of its line, and what is said of a node something of its chips
    return 0.5 if asked in domain.ancestors(said) else 0.0
