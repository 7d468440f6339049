"""An answer in the words of the sources: some passages are searched and read, and one stretch of sentences is quoted, or none.

search      a dozen passages
read        every sentence of each, by the learned reader
choose      the run of sentences that answers best, and one of another source where that adds something
refuse      where the reader, by its calibration, takes none for an answer; the reason names what is missing and what is near
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from chipwise.answering.aim import Aim
from chipwise.answering.base import Base
from chipwise.answering.disagreeing import find_disagreements, keys_of_figures
from chipwise.answering.model import SURE
from chipwise.answering.precedents import Precedents, passages_of
from chipwise.answering.question import Kind, Question
from chipwise.answering.quotation import evidence, hesitant, quote, said_of
from chipwise.answering.quoting import together
from chipwise.answering.reader import LONGEST, Calibration, Reader, Reading, Scores
from chipwise.answering.refusal import beyond_doubt, beyond_sources, reason, unknown_names
from chipwise.answering.rendering import Draft
from chipwise.answering.searching import Hit, search, stem
from chipwise.answering.windows import Window, dangles, overlaps, widened
from chipwise.claims.model import Sentence
from chipwise.domain.model import Domain
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.format import listed
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, packed_cosines
from chipwise.splitting import above
from chipwise.text import one_line, words
from chipwise.types import Role, SourceInfo
from chipwise.values import dataclass

PASSAGES = 6  # read for an answer: of public questions nine in ten have theirs among them
AMONG = 6  # times as many are found, for a primer to be among them
SEARCH_LEAD = 0.2  # of a primer, in scores of the search, which lie in [0, 1]
PRIMER_LEAD = 0.5  # in logits: a primer explains, a digest reports
UTMOST = 3.0  # logits; seldom is a sentence an answer as surely: what cannot come first then is not read, and of 40 questions none lost by it
LEAST_READ = 3
SAME = 0.6  # how `alike` a known question is whose answers are read however few words they share
QUOTED, SHORT = 3, 2  # windows, and sentences of all but the first
SECOND = 1.5  # in logits, how near to the best window others come that are quoted as well
MISSES = 2.0  # logits that a window loses that does not tell the figure looked up
STATES = 1.0  # logits that a passage gets that states the figure looked up, as far as it was read
STATING = 8  # claims of a figure looked up whose passages are read
BESIDE = 2  # whole passages behind an answer that is not sure
THRESHOLD = 0.2  # of probability, below which nothing is told: one in ten of those is an answer
NEAREST = 0.02  # how surely it has to, to be shown with a refusal as what comes closest
_EXPLAINED = (Kind.WHY, Kind.ADVICE, Kind.OPEN, Kind.YES_NO, Kind.COMPARISON)  # kinds that one sentence seldom answers
_UTMOST = Scores((UTMOST,), UTMOST)
# what does not speak for the source is quoted where nothing else answers
_ROLE_LEAD = {Role.COMMENT: -2.0, Role.BIO: -3.0, Role.BOILERPLATE: -3.0, Role.CODE: -1.0}


class Sources(Base, Protocol):
    """What passages are read from."""

    @property
    def vectors(self) -> Any: ...  # noqa: D102
    @property
    def reader(self) -> Reader: ...  # noqa: D102
    @property
    def aim(self) -> Aim: ...  # noqa: D102
    @property
    def precedents(self) -> Precedents: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Found:
    """What was read: the best window of each passage, the likeliest answer first, and how surely there is an answer."""

    hits: tuple[Hit, ...]
    windows: tuple[Window, ...]
    signs: dict[str, float]
    probability: float


def answer(
    question: Question, vector: Vector, sources: Sources, *, count: int = PASSAGES, told: Collection[str] = ()
) -> Draft:
    """The answer to `question`, whose vector is `vector`, from the `count` best passages, less quotes that were `told`.

    Where it is not sure, whole passages that may answer as well stand behind it.
    """
    store, domain = sources.store, sources.domain
    beyond = beyond_sources(question, store, domain)
    if beyond and (question.wants_opinion or not (question.subjects or question.terms)):
        return Draft(question.text, reason=beyond)
    # what was told is passed over, and of a price is looked for who asks it
    whole = bool(told) or any(domain.terms[t].kind == "cloud" for t in question.terms)
    found = read(question, vector, sources, count, whole=whole)
    consulted = tuple(dict.fromkeys(hit.stored.passage.source for hit in found.hits))
    fresh = [w for w in found.windows if w.text not in told] or list(found.windows)
    fresh = _fitting_first(question, _of_stated(question, fresh, store, domain), domain)
    signs = signs_of(question, fresh, store, domain)
    sure = sources.reader.calibration.probability(signs) if fresh else 0.0
    beyond = beyond or (beyond_doubt(question) if sure < SURE else "")
    if beyond or sure < THRESHOLD or _misses(question, fresh[0], domain):
        why = beyond or reason(question, found.windows, store, domain)
        near = fresh and (sure >= NEAREST or (beyond and not signs["foreign"]))
        nearest = evidence(fresh[0], store) if near else None
        return Draft(question.text, reason=why, consulted=consulted, confidence=sure, nearest=nearest)
    chosen = _chosen(question, fresh)
    figures = (f for w in chosen for s in w.sentences for f in s.figures if f.metric in question.metrics)
    keys = keys_of_figures(domain, figures)
    quoted = quote(chosen, question.metrics, store)
    strange = [name for name in unknown_names(question, store, domain) if name.lower() != name]
    quoted = quoted.led(f"No source mentions {listed(strange)}. ") if strange else quoted
    contested = said_of(chosen, question.metrics, question.text, sources)
    quoted = together([quoted, *contested], "\n\n") if contested else quoted
    return Draft(
        question.text,
        quoted if sure >= SURE else hesitant(quoted, _others(fresh, chosen), store),
        consulted=consulted,
        disagreements=find_disagreements(store, domain, keys, [c.evidence for c in quoted.cited]),
        confidence=sure,
    )


def _specific(question: Question, domain: Domain) -> list[tuple[str, ...]]:
    """The things that a question names, less whole lines of them."""
    return [ids for ids in question.subjects if not any(map(domain.is_many, ids))]


def _misses(question: Question, window: Window, domain: Domain) -> bool:
    """True for a look-up that the window would answer with another product's figure, or with another figure."""
    looked_up = _specific(question, domain) if question.kind is Kind.LOOKUP else []
    if any(window.is_of_another(ids, domain) for ids in looked_up):
        return True
    return bool(looked_up and question.metrics) and not window.tells(question, domain)


def _fitting_first(question: Question, windows: Sequence[Window], domain: Domain) -> list[Window]:
    """The likeliest answer first; for a figure looked up, windows that tell it of the thing named get a lead."""
    return sorted(
        windows, key=lambda w: MISSES * (_misses(question, w, domain) or _lacks_number(question, w)) - w.order
    )


def _lacks_number(question: Question, window: Window) -> bool:
    return question.wants_number and not any(map(str.isdigit, window.text))


def _others(windows: Sequence[Window], chosen: Sequence[Window]) -> list[Window]:
    """The best passages that say something else than those chosen; whole, but of a table the rows that were found."""
    others: list[Window] = []
    for window in windows:
        whole = replace(window, start=0, end=len(window.hit.stored.sentences))
        if not any(w.passage.id == window.passage.id or overlaps(w, window) for w in (*chosen, *others)):
            others.append(window if window.passage.role is Role.TABLE else whole)
    return others[:BESIDE]


def _of_stated(question: Question, windows: list[Window], store: Store, domain: Domain) -> list[Window]:
    """Those that name what a price is bound to: of AWS a price at Oracle says nothing, nor one of another thing there, of spot a list price, of 2030 one of today."""
    if not question.metrics or any(domain.metrics[m].nature != "priced" for m in question.metrics):
        return windows
    clouds = {t for t in question.terms if domain.terms[t].kind == "cloud"}
    terms = {t for t in question.terms if domain.terms[t].kind == "price_term" and t != ON_DEMAND}
    windows = [w for w in windows if all(year in w.said(store) for year in question.years)]
    for stated in filter(None, (clouds, terms)):
        windows = [w for w in windows if not stated.isdisjoint(w.terms(domain))]
    if clouds:
        windows = [w for w in windows if all(w.prices(ids, question.metrics, domain) for ids in question.subjects)]
    return windows


def read(question: Question, vector: Vector, sources: Sources, count: int = PASSAGES, *, whole: bool = False) -> Found:
    """The passages found for a question, read: all where `whole`, else until what is left can hardly answer better."""
    store, domain, calibration = sources.store, sources.domain, sources.reader.calibration
    aimed = sources.aim.at(vector)
    alike, stating = _alike(vector, sources), {*_stating(question, sources)}
    hits = _find(question, aimed, sources, count, alike, stating)
    infos = {source: store.find_source(source) for source in {hit.stored.passage.source for hit in hits}}
    weighed = word_weights(question, store, sources.vectors.ntotal)
    unread = [
        _unread(
            question,
            hit,
            infos[hit.stored.passage.source],
            weighed,
            alike.get(hit.stored.row, ()),
            domain,
            STATES * (hit.stored.row in stating),
        )
        for hit in hits
        if hit.stored.sentences
    ]
    windows: list[Window] = []
    for most, one in sorted(((u.at_most(calibration), u) for u in unread), key=lambda pair: -pair[0]):
        if not whole and len(windows) >= LEAST_READ and max(w.order for w in windows) >= most:
            break
        (raw,) = sources.reader.read(one_line(question.text), [one.reading])
        told = sentence_signs(question, aimed, one, raw, weighed, domain)
        scored = replace(raw, sentences=calibration.sentences(told))
        start, end = _stretch(question, one.hit, scored)
        windows.append(Window(one.hit, start, end, scored, one.read_as(scored), told, one.order(calibration, scored)))
    windows.sort(key=lambda w: (-w.order, w.hit.stored.row))
    signs = signs_of(question, windows, store, domain)
    return Found(tuple(hits), tuple(windows), signs, calibration.probability(signs))


def find(question: Question, vector: Vector, sources: Sources, count: int = PASSAGES) -> list[Hit]:
    """The passages to look at for a question, the best first."""
    hits = _find(question, sources.aim.at(vector), sources, count, _alike(vector, sources))
    return sorted(hits, key=lambda hit: (-hit.score, hit.stored.row))


def _alike(vector: Vector, sources: Sources) -> dict[int, tuple[float, ...]]:
    """By row, passages that answer a known question: how like it each sentence's is."""
    return {stored.row: told for stored, told in passages_of(sources.precedents.nearest(vector), sources.store)}


@dataclass(frozen=True, slots=True)
class _Unread:
    """A passage to be read: what tells of its rank before it is, for each sentence how like a question is that it answers, and its lead in logits.

    A primer `explains`: it leads others, unless the reader speaks against it.
    """

    hit: Hit
    reading: Reading
    signs: dict[str, float]
    alike: tuple[float, ...]
    lead: float
    explains: bool

    def read_as(self, scores: Scores) -> dict[str, float]:
        """What tells that this passage answers rather than another, if it is read so."""
        return {**self.signs, "passage": scores.passage, "sentence": scores.best}

    def order(self, calibration: Calibration, scores: Scores) -> float:
        """How likely it answers, if it is read so."""
        lead = self.lead + PRIMER_LEAD * (self.explains and scores.passage > 0)
        return calibration.rank(self.read_as(scores)) + lead

    def at_most(self, calibration: Calibration) -> float:
        """The same, if it is read as surely as hardly any is."""
        best = UTMOST + calibration.sentence.get("precedent", 0.0) * self.signs["precedent"]
        return self.order(calibration, Scores((best,), UTMOST))


def _unread(
    question: Question,
    hit: Hit,
    info: SourceInfo | None,
    weighed: Mapping[str, float],
    alike: tuple[float, ...],
    domain: Domain,
    lead: float,
) -> _Unread:
    passage = hit.stored.passage
    reading = reading_of(hit.stored, info.title if info else "")
    own = reading.sentences
    whole = Window(hit, 0, len(own), _UTMOST, {}, (), 0.0)
    said = whole.terms(domain)
    signs = {
        "search": hit.score,
        "cosine": hit.cosine,
        "covers": share_covered(weighed, (reading.above, info.published if info else "", *own)),
        "precedent": max(alike, default=0.0),
        "named": _share(whole.names(ids, domain) for ids in _specific(question, domain)),
        "termed": _share(term in said for term in question.terms),
    }
    lead += _ROLE_LEAD.get(passage.role, 0.0)
    explains = info is not None and info.kind == "primer"
    return _Unread(hit, reading, signs, alike or (0.0,) * len(own), lead, explains)


def reading_of(stored: StoredPassage, title: str) -> Reading:
    """A passage as the reader gets it: `title` and headings above its sentences, each on one line."""
    passage = stored.passage
    own = tuple(" ".join(passage.text[s.start : s.end].split()) for s in stored.sentences)
    return Reading(above(title, passage), own)


def sentence_signs(
    question: Question,
    vector: Vector,
    unread: _Unread,
    read_as: Scores,
    weighed: Mapping[str, float],
    domain: Domain,
) -> tuple[dict[str, float], ...]:
    """What tells of each sentence that it belongs to an answer: what the reader says, the words in common, what it is about."""
    asked = {i for ids in question.subjects for i in ids}

    def gives(sentence: Sentence) -> bool:
        """True for a figure of the metric that is asked for, of the very thing."""
        figures = (f for f in sentence.figures if f.metric in question.metrics)
        return any(a == f.subject or domain.covers(a, f.subject) for f in figures for a in asked)

    cosines = packed_cosines(unread.hit.stored.meaning, vector)
    return tuple(
        {
            "reader": logit,
            "precedent": alike,
            "covers with heading": share_covered(weighed, (unread.reading.above, text)),
            "cosine": cosine,
            "figure": float(gives(sentence)),
        }
        for sentence, text, logit, cosine, alike in zip(
            unread.hit.stored.sentences,
            unread.reading.sentences,
            read_as.sentences,
            cosines,
            unread.alike,
            strict=True,
        )
    )


def word_weights(question: Question, store: Store, passages: int) -> dict[str, float]:
    """By stem, how much each content word of a question tells: its inverse document frequency, of so many passages."""
    found = store.document_frequencies(question.words)
    return {stem(word): math.log(1 + max(1, passages) / (1 + count)) for word, count in found.items()}


def share_unheard(question: Question, store: Store) -> float:
    """How many of a question's content words stand in no passage at all, in [0, 1]."""
    found = store.document_frequencies(question.words)
    return sum(not count for count in found.values()) / len(found) if found else 0.0


def share_covered(weights: Mapping[str, float], texts: Iterable[str]) -> float:
    """How much of what a question's words tell stands in the texts, in [0, 1]."""
    said = {stem(word) for text in texts for word in words(text)}
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in said) / whole if whole else 1.0


def _stretch(question: Question, hit: Hit, scored: Scores) -> tuple[int, int]:
    """The sentences of a passage to quote: for a figure two at most, for an explanation two at least, and none from the middle of a thought."""
    rows = hit.stored.passage.role is Role.TABLE
    explains = question.kind in _EXPLAINED and not rows
    start, end = scored.window(longest=2 if question.kind is Kind.LOOKUP and question.metrics else LONGEST)
    return widened(hit.stored, scored, start, end, explains=explains) if not rows else (start, end)


def signs_of(question: Question, windows: Sequence[Window], store: Store, domain: Domain) -> dict[str, float]:
    """What tells whether the best window answers; the calibration weighs it."""
    if not windows:
        return {}
    best = windows[0]
    specific = _specific(question, domain)
    return {
        "passage": best.scores.passage,
        "sentence": best.scores.best,
        "cosine": best.hit.cosine,
        "search": best.hit.score,
        "covers": best.signs["covers"],
        "precedent": max((told["precedent"] for told in best.told[best.start : best.end]), default=0.0),
        "lead": max(0.0, best.order - windows[1].order) if len(windows) > 1 else 0.0,
        "unheard": share_unheard(question, store),
        "dated": float(not all(year in best.said(store) for year in question.years)),
        "strange": float(bool(question.unknown)),
        "foreign": _share(not best.names(ids, domain) for ids in specific),
        "unmet": float(question.kind is Kind.LOOKUP and bool(specific) and not best.tells(question, domain)),
    }


def _share(held: Iterable[bool]) -> float:
    """How many of some things are so, in [0, 1]; 0 where there are none."""
    each = list(held)
    return sum(each) / len(each) if each else 0.0


def _chosen(question: Question, windows: Sequence[Window]) -> list[Window]:
    """The best window and, where more than one figure is asked for, the best sentences of others nearly as good that say something else."""
    chosen = [windows[0]]
    for window in windows[1:]:
        if question.kind is Kind.LOOKUP or len(chosen) == QUOTED or window.order < windows[0].order - SECOND:
            break
        start, end = Scores(window.scores.sentences[window.start : window.end], 0.0).window(longest=SHORT)
        cut = replace(window, start=window.start + start, end=window.start + end)
        if not dangles(cut.text) and not any(overlaps(cut, other) for other in chosen):
            chosen.append(cut)
    return chosen


def _find(
    question: Question,
    vector: Vector,
    sources: Sources,
    count: int,
    alike: Mapping[int, Sequence[float]],
    stating: Collection[int] = (),
) -> list[Hit]:
    """The passages to read: the best, those `stating` the figure, and those that answer nearly the same question.

    What answers a known question that shares words with this one has the words of both.
    """
    store, index = sources.store, sources.vectors
    explains = question.kind not in (Kind.LOOKUP, Kind.LIST)
    most = count * AMONG if explains else count
    worded = passages_of(sources.precedents.worded(question.words), store)
    also = {**dict.fromkeys((*alike, *stating), 0.0), **{stored.row: max(told) for stored, told in worded}}
    found = search(store, index, question.text, vector, most, stressed=question.stressed, also=also)
    order = _primers_first(found, store) if explains else found
    wanted = {*stating, *(row for row, told in alike.items() if max(told) >= SAME)}
    return [hit for n, hit in enumerate(order) if n < count or hit.stored.row in wanted]


def _stating(question: Question, sources: Sources) -> Iterator[int]:
    """The rows of passages that state a figure looked up of the thing named, as far as it was read."""
    store, domain = sources.store, sources.domain
    asked = {i for ids in _specific(question, domain) for i in ids}
    if question.kind in (Kind.WHY, Kind.ADVICE) or not asked or not question.metrics:
        return
    about = [entity for entity in domain.entities if not asked.isdisjoint((entity, *domain.ancestors(entity)))]
    claims = sorted(store.claims_about(about, question.metrics), key=lambda c: (bool(c.doubt), -c.confidence))
    places = {(c.source, c.passage) for c in claims[:STATING]}
    for source in dict.fromkeys(source for source, _ in places):
        yield from (s.row for s in store.source_passages(source) if (source, s.passage.ordinal) in places)


def _primers_first(hits: Sequence[Hit], store: Store) -> list[Hit]:
    """Passages in order, those of primers with a lead: they are written to explain, and few beside all digests."""
    sources = {hit.stored.passage.source for hit in hits}
    primers = {s for s in sources if (info := store.find_source(s)) is not None and info.kind == "primer"}
    led = [replace(h, score=h.score + SEARCH_LEAD) if h.stored.passage.source in primers else h for h in hits]
    return sorted(led, key=lambda h: (-h.score, h.stored.row))
