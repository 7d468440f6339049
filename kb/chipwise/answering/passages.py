"""An answer in the words of the sources: passages are searched and read, and runs of their sentences are quoted, or none.

Passages are found by words, meaning and known questions; the learned reader scores the runs of sentences; none may be likely enough.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from chipwise.answering.answer import SURE, Draft
from chipwise.answering.base import Base
from chipwise.answering.disagreeing import find_disagreements, keys_of_figures, kin_of
from chipwise.answering.precedents import Aim, Precedents, passages_of
from chipwise.answering.query import Kind, Query
from chipwise.answering.reader import LONGEST, Reader, Reading, Scores
from chipwise.answering.searching import Hit, frequencies, search, stem
from chipwise.answering.windows import Window, dangles, evidence, hesitant, is_price, overlaps, quote, specific, widened
from chipwise.figures.format import listed
from chipwise.figures.llms import find_in
from chipwise.index.rows import StoredPassage
from chipwise.index.vectors import Vector, packed_cosines
from chipwise.splitting import above
from chipwise.text import blanked, one_line, words
from chipwise.types import Role
from chipwise.values import dataclass

PASSAGES = 6  # read for an answer: of public questions nine in ten have theirs among them
AMONG = 6  # times as many are found, for a primer to be among them
SEARCH_LEAD = 0.2  # of a primer, in scores of the search, which lie in [0, 1]
UTMOST = 3.0  # logits; seldom is a sentence an answer as surely: what cannot come first then is not read, and of 40 questions none lost by it
LEAST_READ = 3
SAME = 0.6  # how `alike` a known question is whose answers are read however few words they share
QUOTED, SHORT = 3, 2  # windows, and sentences of all but the first
SECOND = 2.5  # in logits, how near to the best window others come that are quoted as well
MISSES = 4.0  # logits that a window loses for each thing that it leaves open
STATING = 8  # claims of a figure looked up whose passages are read
BESIDE = 2  # other windows behind an answer that is not sure
THRESHOLD = 0.29  # least probability to show a passage: of public questions a third of those just above are answered, a tenth of those below
NEAREST = 0.005  # and below which no passage is shown with a refusal as what comes closest; it also shares a word with the question
_EXPLAINED = (Kind.WHY, Kind.ADVICE, Kind.YES_NO, Kind.COMPARISON, Kind.OPEN)  # kinds that one sentence seldom answers
# kinds of terms that are names, of which another one is no answer
_NAMED = ("model", "benchmark", "technique", "library", "framework")


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
    """What was read: the best window of each passage, the likeliest answer first."""

    hits: tuple[Hit, ...]
    windows: tuple[Window, ...]


def answer(
    question: Query, vector: Vector, sources: Sources, *, count: int = PASSAGES, told: Collection[str] = ()
) -> Draft:
    """The answer to `question`, whose vector is `vector`, from the `count` best passages, less quotes that were `told`.

    Where it is not sure, windows of other passages that may answer as well stand behind it.
    """
    store, domain = sources.store, sources.domain
    # what was told is passed over, and a price is looked for among all offers
    found = read(question, vector, sources, count, whole=bool(told) or is_price(question, domain))
    consulted = tuple(dict.fromkeys(hit.stored.passage.source for hit in found.hits))
    windows = [w for w in (_untold(w, told) for w in found.windows) if w.start < w.end] or list(found.windows)
    unmet = {id(w): w.unmet(question, store, domain) for w in windows}
    windows.sort(key=lambda w: MISSES * len(unmet[id(w)]) - w.order)
    signs = signs_of(question, windows, sources)
    sure = sources.reader.calibration.probability(signs) if windows else 0.0
    is_sure = sure >= SURE
    decisive = {"thing", "offer", "year", *(() if is_sure else ("figure",))}  # without these a figure is another's
    if sure < THRESHOLD or (question.kind is Kind.LOOKUP and decisive & unmet[id(windows[0])]):
        why = _reason(question, found.windows, sources)
        nearest = evidence(windows[0], store) if sure >= NEAREST and signs["covers"] > 0 else None
        return Draft(question.text, reason=why, consulted=consulted, confidence=sure, nearest=nearest)
    fitting = [w for w in windows if w is windows[0] or not unmet[id(w)]]
    chosen = _chosen(question, fitting) if is_sure else [_entire(question, windows[0])]
    figures = (f for w in chosen for s in w.sentences for f in s.figures if f.metric in question.metrics)
    keys = keys_of_figures(domain, figures)
    quoted = quote(chosen, question.metrics, store)
    said = {word for cited in quoted.cited for word in words(cited.evidence.quote)}
    names = (name for name in _unknown_names(question, sources) if name.lower() != name)
    strange = [name for name in names if not said.issuperset(words(name))]
    quoted = quoted.led(f"No source mentions {listed(strange)}. ") if strange else quoted
    return Draft(
        question.text,
        quoted if is_sure else hesitant(quoted, _others(windows, chosen), store),
        consulted=consulted,
        disagreements=find_disagreements(store, domain, keys, [c.evidence for c in quoted.cited]),
        confidence=sure,
    )


def _untold(window: Window, told: Collection[str]) -> Window:
    """A window without the sentences at its ends that were told before."""
    text, (start, end) = window.passage.text, (window.start, window.end)
    known = [any(text[s.start : s.end] in t for t in told) for s in window.sentences]
    start += next((n for n, is_told in enumerate(known) if not is_told), len(known))
    end -= next((n for n, is_told in enumerate(reversed(known)) if not is_told), 0)
    return replace(window, start=start, end=end)


def _chosen(question: Query, windows: Sequence[Window]) -> list[Window]:
    """The best window and, where more than one figure is asked for, the best sentences of others nearly as good that say something else."""
    chosen = [_entire(question, windows[0])]
    for window in windows[1:]:
        if question.kind is Kind.LOOKUP or len(chosen) == QUOTED or window.order < windows[0].order - SECOND:
            break
        start, end = Scores(window.scores.sentences[window.start : window.end], 0.0).window(longest=SHORT)
        cut = replace(window, start=window.start + start, end=window.start + end)
        if not dangles(cut.text) and not any(overlaps(cut, other) for other in chosen):
            chosen.append(cut)
    return chosen


def _entire(question: Query, window: Window) -> Window:
    """All of a passage that explains, as reasons stand beside what they are reasons for; of a table its rows as they were chosen."""
    explains = question.kind in _EXPLAINED and window.passage.role is not Role.TABLE
    return replace(window, start=0, end=len(window.hit.stored.sentences)) if explains else window


def _others(windows: Sequence[Window], chosen: Sequence[Window]) -> list[Window]:
    """The best windows that say something else than those chosen."""
    others: list[Window] = []
    for window in windows:
        if not any(w.passage.id == window.passage.id or overlaps(w, window) for w in (*chosen, *others)):
            others.append(window)
    return others[:BESIDE]


def read(question: Query, vector: Vector, sources: Sources, count: int = PASSAGES, *, whole: bool = False) -> Found:
    """The passages found for a question, read: all where `whole`, else until what is left can hardly answer better."""
    inquiry = Inquiry(question, vector, sources)
    hits = inquiry.hits(count)
    unread = [inquiry.unread(hit) for hit in hits if hit.stored.sentences]
    windows: list[Window] = []
    for most, one in sorted(((inquiry.at_most(u), u) for u in unread), key=lambda pair: -pair[0]):
        if not whole and len(windows) >= LEAST_READ and max(w.order for w in windows) >= most:
            break
        windows.append(inquiry.window(one))
    windows.sort(key=lambda w: (-w.order, w.hit.stored.row))
    return Found(tuple(hits), tuple(windows))


@dataclass(frozen=True, slots=True)
class Unread:
    """A passage to be read, with the signs of its rank, and for each sentence how like this one a known question is that it answers."""

    hit: Hit
    reading: Reading
    signs: dict[str, float]
    alike: tuple[float, ...]


class Inquiry:
    """A question put to the passages of a knowledge base, with all that speaks for one of them before and after it is read."""

    def __init__(self, question: Query, vector: Vector, sources: Sources) -> None:
        store = sources.store
        self.question, self._sources, self._calibration = question, sources, sources.reader.calibration
        self._aimed = sources.aim.at(vector)
        self._alike = {stored.row: told for stored, told in passages_of(sources.precedents.nearest(vector), store)}
        self._stating = set(_stating(question, sources))
        self._weights = word_weights(heard(question.words, sources), sources.vectors.ntotal)

    def hits(self, count: int) -> list[Hit]:
        """The passages to read: the `count` best, those that state the figure, and those that answer nearly the same question.

        What answers a known question that shares words with this one has the words of both.
        """
        store, explains = self._sources.store, self.question.kind not in (Kind.LOOKUP, Kind.LIST)
        worded = passages_of(self._sources.precedents.worded(self.question.words), store)
        also = dict.fromkeys((*self._alike, *self._stating), 0.0)
        also |= {stored.row: max(told) for stored, told in worded}
        most, text, stressed = count * AMONG if explains else count, self.question.text, self.question.stressed
        found = search(store, self._sources.vectors, text, self._aimed, most, stressed=stressed, also=also)
        if explains:  # primers are written to explain, and few beside all digests
            primers = {info.id for info in store.sources() if info.kind == "primer"}
            led = ((h.score + SEARCH_LEAD * (h.stored.passage.source in primers), h) for h in found)
            found = [replace(h, score=score) for score, h in sorted(led, key=lambda p: (-p[0], p[1].stored.row))]
        wanted = {*self._stating, *(row for row, told in self._alike.items() if max(told) >= SAME)}
        return [hit for n, hit in enumerate(found) if n < count or hit.stored.row in wanted]

    def unread(self, hit: Hit) -> Unread:
        """A passage with what tells of its rank before it is read."""
        passage = hit.stored.passage
        info = self._sources.store.find_source(passage.source)
        reading = reading_of(hit.stored, info.title if info else "")
        alike = self._alike.get(hit.stored.row) or (0.0,) * len(reading.sentences)
        texts = (reading.above, info.published if info else "", *reading.sentences)
        signs = {
            "search": hit.score,
            "cosine": hit.cosine,
            "covers": share_covered(self._weights, texts),
            "precedent": max(alike, default=0.0),
            "states": float(hit.stored.row in self._stating),
            passage.role.value: 1.0,
        }
        return Unread(hit, reading, signs, alike)

    def at_most(self, unread: Unread) -> float:
        """How likely a passage answers, if it is read as surely as hardly any is."""
        best = UTMOST + self._calibration.sentence.get("precedent", 0.0) * unread.signs["precedent"]
        return self._calibration.rank({**unread.signs, "passage": UTMOST, "sentence": best})

    def window(self, unread: Unread) -> Window:
        """A passage, read: the run of its sentences that answers best."""
        (raw,) = self._sources.reader.read(one_line(self.question.text), [unread.reading])
        told = self._sentence_signs(unread, raw)
        scored = replace(raw, sentences=self._calibration.sentences(told))
        signs = {**unread.signs, "passage": scored.passage, "sentence": scored.best}
        start, end = _stretch(self.question, unread.hit.stored, scored)
        return Window(unread.hit, start, end, scored, signs, told, self._calibration.rank(signs))

    def _sentence_signs(self, unread: Unread, read: Scores) -> tuple[dict[str, float], ...]:
        """What tells of each sentence that it belongs to an answer: what the reader says, the words in common, what it means."""
        stored = unread.hit.stored
        cosines = packed_cosines(stored.meaning, self._aimed)
        each = zip(unread.reading.sentences, read.sentences, cosines, unread.alike, strict=True)
        return tuple(
            {
                "reader": logit,
                "precedent": alike,
                "covers with heading": share_covered(self._weights, (unread.reading.above, text)),
                "cosine": cosine,
            }
            for text, logit, cosine, alike in each
        )


def reading_of(stored: StoredPassage, title: str) -> Reading:
    """A passage as the reader gets it: `title` and headings above its sentences, each on one line."""
    passage = stored.passage
    return Reading(above(title, passage), tuple(one_line(passage.text[s.start : s.end]) for s in stored.sentences))


def _stating(question: Query, sources: Sources) -> Iterator[int]:
    """The rows of passages that state a figure looked up of the thing named, as far as it was read."""
    store, domain = sources.store, sources.domain
    asked = specific(question, domain)
    if question.kind in (Kind.WHY, Kind.ADVICE) or not asked or not question.metrics:
        return
    claims = sorted(
        store.claims_about(kin_of(asked, domain), question.metrics), key=lambda c: (bool(c.doubt), -c.confidence)
    )
    places = {(c.source, c.passage) for c in claims[:STATING]}
    for source in dict.fromkeys(source for source, _ in places):
        yield from (s.row for s in store.source_passages(source) if (source, s.passage.ordinal) in places)


def heard(asked: Iterable[str], sources: Sources) -> dict[str, int]:
    """Count the passages that hold each word or, where none does, the answered questions; leave out a number that stands in neither."""
    found = frequencies(sources.store, asked)
    found |= sources.precedents.counted(word for word, count in found.items() if not count)
    return {word: count for word, count in found.items() if count or not word.isdigit()}


def word_weights(found: Mapping[str, int], passages: int) -> dict[str, float]:
    """Weigh each word by its inverse document frequency among so many passages; the keys are stems."""
    return {stem(word): math.log(1 + max(1, passages) / (1 + count)) for word, count in found.items()}


def share_covered(weights: Mapping[str, float], texts: Iterable[str]) -> float:
    """How much of what a question's words tell stands in the texts, in [0, 1]."""
    said = {stem(word) for text in texts for word in words(text)}
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in said) / whole if whole else 1.0


def _stretch(question: Query, stored: StoredPassage, scored: Scores) -> tuple[int, int]:
    """The sentences of a passage to quote: for a figure two at most, for an explanation two at least, and none from the middle of a thought."""
    start, end = scored.window(longest=2 if question.kind is Kind.LOOKUP and question.metrics else LONGEST)
    if stored.passage.role is Role.TABLE:
        return start, end
    return widened(stored, scored, start, end, explains=question.kind in _EXPLAINED)


def signs_of(question: Query, windows: Sequence[Window], sources: Sources) -> dict[str, float]:
    """What tells whether the best window answers; the calibration weighs it."""
    if not windows:
        return {}
    store, domain = sources.store, sources.domain
    best, info = windows[0], store.find_source(windows[0].passage.source)
    strange, known = len(_unknown_names(question, sources)), len(question.subjects) + len(question.terms)
    of_names = strange / (strange + known) if strange else 0.0
    found = heard((word for word in question.words if not word.isdigit()), sources)
    return {
        "own": float(info is None or not info.verified),
        "passage": best.scores.passage,
        "sentence": best.scores.best,
        "cosine": best.hit.cosine,
        "search": best.hit.score,
        "covers": best.signs["covers"],
        "precedent": max((told["precedent"] for told in best.told[best.start : best.end]), default=0.0),
        "lead": max(0.0, best.order - windows[1].order) if len(windows) > 1 else 0.0,
        "unheard": _share(not count for count in found.values()),
        "nameless": of_names if question.wants_number or question.kind in (Kind.LOOKUP, Kind.DEFINITION) else 0.0,
        "opinion": float(question.wants_opinion),
        "foreign": _share(not best.names(ids, domain) for ids in specific(question, domain)),
        **dict.fromkeys(best.unmet(question, store, domain), 1.0),
    }


def _share(held: Iterable[bool]) -> float:
    """How many of some things are so, in [0, 1]; 0 where there are none."""
    each = list(held)
    return sum(each) / len(each) if each else 0.0


def _unknown_names(question: Query, sources: Sources) -> list[str]:
    """Names and years in the question that nothing mentions, as they were written; not a model whose shape is known."""
    store, domain = sources.store, sources.domain
    model = find_in(question.text)
    text = blanked(question.text, [model[1]]) if model is not None else question.text
    written = {w.lower(): w for w in re.findall(r"[^\W_]+", text)}
    found = heard(question.names, sources) | store.document_frequencies(question.years)
    strange = [name for name in question.unknown if not store.match([name], 1)]
    said = {word for name in strange for word in words(name)}
    missing = (
        written.get(name, name)
        for name, count in found.items()
        if not count and name not in said and not name[0].isdigit() and (model is None or name in written)
    )
    kinds = _NAMED if model is None else _NAMED[1:]  # without models
    named = [term for t in question.terms if (term := domain.terms[t]).kind in kinds]
    absent = [t.name for t in named if not any(store.match([name], 1) for name in (t.name, *t.aliases))]
    return [*strange, *absent, *missing]


def _reason(question: Query, windows: Sequence[Window], sources: Sources) -> str:
    """What no source says."""
    store, domain = sources.store, sources.domain
    if question.wants_opinion:
        return "it asks about opinions, stocks or people, and the sources here are about hardware"
    found = heard(question.words, sources)
    unheard = [word for word, count in found.items() if not count]
    mostly = not (question.subjects or question.terms) and 2 * len(unheard) > len(found) > 1
    strange = _unknown_names(question, sources) or (unheard if mostly else [])
    if strange:
        return f"no source mentions {listed(strange)}"
    if not windows:
        return "the knowledge base has nothing to search"
    things = [domain.entities[i].name for i, *_ in question.subjects]
    about = listed(things or [domain.terms[t].name for t in question.terms])
    metrics = [domain.metrics[m].name for m in question.metrics[:2]]  # of those that one word may mean
    asked = (kin_of(question.subjects, domain), question.metrics)
    # a figure that a source gives is there, whatever else is asked of it
    if metrics and question.kind is Kind.LOOKUP and not (store.claims_about(*asked) or store.facts(*asked)):
        return f"no source gives the {' or the '.join(metrics)}" + (f" of {about}" if about else "")
    return "nothing here clearly answers that" + (f" about {about}" if about else "")
