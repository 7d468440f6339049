"""A cited answer out of passages, or a refusal with its reason.

Nothing is generated: an answer is sentences of the sources, chosen by what the
question asks about, each with its citation. The steps, in order:

    refuse early   a name that no source mentions
    candidates     sentences of the best passages, and how well each fits
    refuse         nothing about that subject, no figure for that metric, nothing close
    compose        one sentence for each thing compared; figures that differ, side by side
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chipwise.domain import Domain
from chipwise.figures import Figure, Sentence
from chipwise.question import Kind, Question
from chipwise.searching import Hit, search, stem
from chipwise.store import Store
from chipwise.text import content_words, one_line, words
from chipwise.types import Evidence, Role, SourceInfo
from chipwise.vectors import Vector

PASSAGES = 24  # read for an answer; the best sentence is hardly ever in a later one
MAX_SENTENCES = 5
FAR_BEHIND = 0.75  # a further sentence must fit at least this well, as a share of the best one
MIN_COVERAGE = 0.45  # share of the question's informative words that an answer must account for
MIN_COSINE = 0.35  # below it, no passage is about the question at all

# Whose word goes first when several say the same: those who made it or measured it.
_KIND_BONUS = {"datasheet": 0.05, "documentation": 0.05, "paper": 0.04, "benchmark": 0.03, "primer": 0.02}


@dataclass(frozen=True, slots=True)
class Citation:
    """Number `n` in the answer's text, and the evidence that it stands for."""

    n: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` with its citations, or, where `reason` is not empty, why there is none."""

    question: str
    text: str
    citations: tuple[Citation, ...]
    reason: str = ""
    consulted: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence that may answer: `fit` in [0, 1] and a little over, and what it rests on."""

    hit: Hit
    sentence: Sentence
    fit: float
    coverage: float
    about: frozenset[int]  # which of the question's subjects it is about
    figure: Figure | None  # the figure asked for, where the sentence states one

    @property
    def text(self) -> str:
        return self.hit.stored.passage.text[self.sentence.start : self.sentence.end]


def answer(question: Question, vector: Vector, store: Store, index: Any, domain: Domain, count: int = PASSAGES) -> Answer:
    """The answer to `question`, whose vector is `vector`, from the `count` best passages."""
    unknown = _unknown_names(question, store, domain)
    if unknown:
        return _refusal(question, f"no source mentions {_listed(unknown)}")
    hits = search(store, index, question.text, vector, count)
    if not hits:
        return _refusal(question, "the knowledge base holds nothing yet")
    candidates = _candidates(question, hits, store, domain)
    reason = _reason_to_refuse(question, hits, candidates, domain)
    consulted = tuple(dict.fromkeys(hit.stored.passage.source for hit in hits))
    if reason:
        return _refusal(question, reason, consulted)
    return _compose(question, _choose(question, candidates), store, domain, consulted)


def _refusal(question: Question, reason: str, consulted: tuple[str, ...] = ()) -> Answer:
    return Answer(question.text, "", (), reason, consulted)


def _unknown_names(question: Question, store: Store, domain: Domain) -> list[str]:
    """Names in the question that occur in no passage, as they were written."""
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", question.text)}
    return [written.get(n, n) for n in question.names if not store.document_frequency(stem(n))]


def _candidates(question: Question, hits: Sequence[Hit], store: Store, domain: Domain) -> list[_Candidate]:
    weights = _word_weights(question, store)
    sources = {hit.stored.passage.source: store.find_source(hit.stored.passage.source) for hit in hits}
    found = [
        _rate(question, hit, sentence, weights, sources[hit.stored.passage.source], domain)
        for hit in hits
        for sentence in hit.stored.sentences
    ]
    return sorted(found, key=lambda c: (-c.fit, c.hit.stored.row, c.sentence.start))


def _word_weights(question: Question, store: Store) -> dict[str, float]:
    """How informative each word of the question is: its inverse document frequency, by stem."""
    total = max(1, store.count_passages())
    stems = dict.fromkeys(stem(word) for word in question.words)
    return {s: math.log(1 + total / (1 + store.document_frequency(s))) for s in stems}


def _rate(
    question: Question, hit: Hit, sentence: Sentence, weights: dict[str, float], source: SourceInfo | None, domain: Domain
) -> _Candidate:
    passage = hit.stored.passage
    text = passage.text[sentence.start : sentence.end]
    inside = {stem(word) for word in content_words(text)}
    carried = " ".join(domain.entities[i].name for i in sentence.carried if i in domain.entities)
    title = source.title if source else ""
    beside = {stem(w) for w in words(" ".join((*passage.heading, passage.context, carried, title)))}
    coverage = _coverage(weights, inside, beside)
    about = frozenset(_subjects_met(question, sentence, f"{title} {' '.join(passage.heading)}", domain))
    figure = _figure_asked(question, sentence, domain)
    subject = len(about) / len(question.subjects) if question.subjects else 0.5
    fit = (
        0.40 * coverage
        + 0.20 * hit.score
        + 0.20 * (min(1.0, subject * 2) if question.kind is Kind.COMPARISON else subject)
        + 0.20 * _metric_met(question, sentence, figure)
        + _form_bonus(question, text, sentence)
        + _KIND_BONUS.get(source.kind if source else "", 0.0)
    )
    fit *= 1.0 if passage.role.speaks_for_the_source else 0.6
    return _Candidate(hit, sentence, fit, coverage, about, figure)


def _coverage(weights: dict[str, float], inside: set[str], beside: set[str]) -> float:
    """Share of the question's information that the sentence holds; what stands above it counts less."""
    total = sum(weights.values())
    if not total:
        return 0.0
    return sum(w * (1.0 if s in inside else 0.7 if s in beside else 0.0) for s, w in weights.items()) / total


def _subjects_met(question: Question, sentence: Sentence, above: str, domain: Domain) -> Iterable[int]:
    over = () if sentence.entities or sentence.carried else tuple(i for m in domain.find_entities(above) for i in m.ids)
    said = (*sentence.entities, *sentence.carried, *over)
    for number, asked in enumerate(question.subjects):
        if any(domain.covers(a, s) for a in asked for s in said):
            yield number


def _figure_asked(question: Question, sentence: Sentence, domain: Domain) -> Figure | None:
    """The figure of the metric asked, about a subject asked."""
    asked = [a for ids in question.subjects for a in ids]
    for figure in sentence.figures:
        if figure.metric in question.metrics and (
            not asked or not figure.subject or any(domain.covers(a, figure.subject) for a in asked)
        ):
            return figure
    return None


def _metric_met(question: Question, sentence: Sentence, figure: Figure | None) -> float:
    if not question.metrics:
        return 1.0 if not question.wants_number or sentence.figures else 0.3
    if figure is not None:
        return 1.0
    return 0.5 if set(question.metrics) & set(sentence.metrics) else 0.0


_DEFINES = re.compile(r"^\W*(?:an?\s|the\s)?(?P<name>[^.;:]{2,80}?)\s(?:\([^)]{1,60}\)\s)?(?:is|are|means|stands for|measures|refers to|describes)\s", re.I)
_REASONS = re.compile(r"\b(?:because|since|due to|so that|therefore|reason|owing to|which is why|as a result|that is why|thanks to)\b", re.I)
_ADVISES = re.compile(r"\b(?:use|choose|pick|prefer|suit(?:s|ed)?|better|best|when|if|should|recommend\w*|ideal|fits?)\b", re.I)


def _form_bonus(question: Question, text: str, sentence: Sentence) -> float:
    """For sentences that have the form of the answer wanted: a definition, a reason, advice."""
    if question.kind is Kind.DEFINITION:
        match = _DEFINES.match(text)
        if match and set(question.words) & set(words(match["name"])):
            return 0.2
    if question.kind is Kind.WHY and _REASONS.search(text):
        return 0.06
    if question.kind is Kind.ADVICE and _ADVISES.search(text):
        return 0.05
    return 0.0


def _reason_to_refuse(
    question: Question, hits: Sequence[Hit], candidates: Sequence[_Candidate], domain: Domain
) -> str:
    """Why there is no answer; empty when there is one."""
    if not candidates:
        return "no passage comes close to the question"
    best = candidates[0]
    missed = [ids for n, ids in enumerate(question.subjects) if not any(n in c.about for c in candidates)]
    specific = [ids for ids in missed if domain.entities[ids[0]].kind not in ("line", "family")]
    if specific:
        return f"no source says anything on this about {_listed(domain.entities[ids[0]].name for ids in specific)}"
    if question.kind is Kind.LOOKUP and _numeric(question, domain):
        if not any(c.figure is not None and c.about for c in candidates):
            subject = _listed(domain.entities[ids[0]].name for ids in question.subjects)
            metric = domain.metrics[question.metrics[0]].name
            return f"no source gives the {metric} of {subject}"
    if max(hit.cosine for hit in hits) < MIN_COSINE or best.coverage < MIN_COVERAGE:
        return "no passage comes close enough to the question"
    return ""


def _numeric(question: Question, domain: Domain) -> bool:
    return any(domain.metrics[m].dimension not in ("text", "date", "count", "ratio") for m in question.metrics)


def _choose(question: Question, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    if question.kind is Kind.COMPARISON and len(question.subjects) > 1:
        return _one_for_each_subject(question, candidates)
    best = candidates[0]
    if best.figure is not None:
        return _with_other_values(question, candidates)
    limit = 2 if question.kind in (Kind.DEFINITION, Kind.YES_NO, Kind.LOOKUP) else 4
    return _distinct([c for c in candidates if c.fit >= FAR_BEHIND * best.fit], limit)


def _one_for_each_subject(question: Question, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    needs_figure = any(c.figure for c in candidates) and bool(question.metrics)
    for number in range(len(question.subjects)):
        if any(number in c.about and (c.figure or not needs_figure) for c in chosen):
            continue
        about = [c for c in candidates if number in c.about]
        pick = next((c for c in about if c.figure), None) if needs_figure else None
        if pick or about:
            chosen.append(pick or about[0])
    return chosen[:MAX_SENTENCES]


def _with_other_values(question: Question, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The best sentence, then sentences of other sources that give another figure for the same thing."""
    chosen = [candidates[0]]
    for candidate in candidates[1:]:
        if len(chosen) == 3:  # noqa: PLR2004
            break
        figure = candidate.figure
        if figure is None or candidate.fit < 0.8 * chosen[0].fit or not candidate.hit.stored.passage.role.speaks_for_the_source:
            continue
        if all(_another_value(figure, c.figure) for c in chosen if c.figure):
            chosen.append(candidate)
    return chosen


def _another_value(a: Figure, b: Figure) -> bool:
    same_thing = a.metric == b.metric and a.quantity.dimension == b.quantity.dimension
    return same_thing and not a.quantity.agrees_with(b.quantity)


def _distinct(candidates: Sequence[_Candidate], limit: int) -> list[_Candidate]:
    """The first `limit` whose words are not those of one chosen before."""
    chosen: list[_Candidate] = []
    seen: list[set[str]] = []
    for candidate in candidates:
        own = {stem(w) for w in content_words(candidate.text)}
        if own and all(len(own & other) / len(own | other) < 0.5 for other in seen):  # noqa: PLR2004
            chosen.append(candidate)
            seen.append(own)
        if len(chosen) == limit:
            break
    return chosen


def _compose(
    question: Question, chosen: Sequence[_Candidate], store: Store, domain: Domain, consulted: tuple[str, ...]
) -> Answer:
    citations = []
    parts = []
    for n, candidate in enumerate(chosen, start=1):
        evidence = _evidence(candidate, store)
        citations.append(Citation(n, evidence))
        parts.append(f"{_displayed(candidate, evidence)} [{n}]")
    return Answer(question.text, " ".join(parts), tuple(citations), "", consulted)


def _evidence(candidate: _Candidate, store: Store) -> Evidence:
    passage = candidate.hit.stored.passage
    start, end = passage.start + candidate.sentence.start, passage.start + candidate.sentence.end
    info = store.find_source(passage.source)
    title, origin, publisher, published = (info.title, info.origin, info.publisher, info.published) if info else ("",) * 4
    line = passage.line + passage.text.count("\n", 0, candidate.sentence.start)
    return Evidence(
        passage.source, title, origin, publisher, published, passage.heading, passage.role,
        candidate.text, start, end, line, passage.page, passage.id,
    )  # fmt: skip


_MARKS = re.compile(r"^\s*(?:[-*•◦+]|\d{1,2}[.)])\s+|\*\*|__|`|^>+\s*|^#+\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_SPEAKERS = {
    Role.COMMENT: "Only a reader comment says: ",
    Role.BOILERPLATE: "Only advertising says: ",
    Role.BIO: "Only an author's biography says: ",
}


def _displayed(candidate: _Candidate, evidence: Evidence) -> str:
    """The sentence for reading: without Markdown marks, a table row with its header, and saying who speaks."""
    text = candidate.text
    passage = candidate.hit.stored.passage
    if passage.role is Role.TABLE:
        text = _row(text, passage.context)
    shown = one_line(_LINK.sub(r"\1", _MARKS.sub("", text)))
    return _SPEAKERS.get(evidence.role, "") + shown


def _row(row: str, header: str) -> str:
    cells, names = _cells(row), _cells(header)
    if len(cells) < 2 or len(cells) != len(names):  # noqa: PLR2004
        return f"{header}: {row}" if header else row
    pairs = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    return f"{cells[0]} ({'; '.join(pairs)})"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _listed(names: Iterable[str]) -> str:
    items = list(dict.fromkeys(names))
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
