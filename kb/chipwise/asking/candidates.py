"""What may answer: sentences, and lists joined to the line that leads into them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise.asking.forms import directions, doubts, speaks_of_many
from chipwise.asking.searching import Hit, stem
from chipwise.claims.model import Figure, Sentence
from chipwise.domain.model import Domain
from chipwise.text import ITEM_MARK, words
from chipwise.types import Passage, SourceInfo

# of metrics whose figures are often written without a unit, and of which one thing has many
LOOSE_DIMENSIONS = frozenset(("count", "ratio", "text", "date", "time"))
_CONDITIONS = ("precision", "density", "price_term", "model", "benchmark")  # kinds of terms
TITLE_WORDS = 14  # a longer one is a sentence, and names what its sentence names
_LEADS = re.compile(
    r"(?:why|when|how|what|where|reasons?|causes?|ways|steps|rules)\b", re.I
)  # a heading that its list answers
LIST_WORDS = 150  # of a list together with its lead-in; a longer one is cut after an item


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer.

    `fit` orders, from 0 to a little over 1; `coverage` in [0, 1] is the share of
    the question that it meets; `cosine` its closeness in meaning; `about` tells
    which of the question's subjects; `figures` are the ones asked for, by subject
    (by 0 where the question has none); `terms` what it or what stands above it names. `set_aside`
    is one whose figure the facts table does not stand behind.
    """

    hit: Hit
    sentence: Sentence
    fit: float
    coverage: float
    cosine: float
    about: frozenset[int]
    figures: dict[int, Figure]
    terms: frozenset[str]
    set_aside: bool = False

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


@dataclass(frozen=True, slots=True)
class Above:
    """What stands over a passage: publisher, title, headings, table header. Looked through once a passage."""

    stems: frozenset[str]
    entities: tuple[str, ...]
    terms: tuple[str, ...]
    kind: str

    @classmethod
    def of(cls, passage: Passage, source: SourceInfo | None, domain: Domain) -> Above:
        """What stands over `passage`."""
        title = source.title if source else ""
        if len(title.split()) > TITLE_WORDS:
            title = ""  # a document without a title goes by its first sentence
        publisher = source.publisher if source else ""
        text = " / ".join(filter(None, (publisher, title, *passage.heading, passage.context)))
        return cls(
            frozenset(stem(word) for word in words(text)),
            tuple(i for m in domain.find_entities(text) for i in m.ids),
            tuple(i for m in domain.find_terms(text) for i in m.ids),
            source.kind if source else "",
        )


def units(hit: Hit, cosines: Sequence[float], *, headed: bool = True) -> Iterator[tuple[Sentence, float]]:
    """The passage's sentences, with each list joined to the line that leads into it, and their cosines.

    "Use TPUs if:" says nothing without its items, and an item little without it;
    only an item with a figure of its own stands alone as well. Of a list that its
    heading leads into ("Why 989 TFLOPS is not reached") each item stands alone, too,
    and all together only where `headed` lists are wanted.
    """
    sentences, text = hit.stored.sentences, hit.stored.passage.text
    at = 0
    heading = hit.stored.passage.heading
    items = _items(sentences, text, 0) if headed and heading and _LEADS.match(heading[-1]) else 0
    if items > 1:
        together = _fitting(sentences[:items], text)
        yield _joined(together), max(cosines[: len(together)])
    while at < len(sentences):
        led = _items_led_by(sentences, text, at)
        if len(led) > 1:
            yield _joined(led), max(cosines[at : at + len(led)])
        for number, sentence in enumerate(led, start=at):
            if len(led) == 1 or sentence.figures:
                yield sentence, cosines[number]
        at += len(led)


def _items_led_by(sentences: Sequence[Sentence], text: str, at: int) -> Sequence[Sentence]:
    """The sentence at `at` with the list items that it introduces, as far as they fit an answer."""
    if not text[sentences[at].start : sentences[at].end].endswith(":"):
        return sentences[at : at + 1]
    return _fitting(sentences[at : _items(sentences, text, at + 1)], text)


def _items(sentences: Sequence[Sentence], text: str, at: int) -> int:
    """Behind the last of the list items that follow each other from `at` on."""
    while at < len(sentences) and ITEM_MARK.match(text, sentences[at].start):
        at += 1
    return at


def _fitting(sentences: Sequence[Sentence], text: str) -> Sequence[Sentence]:
    """As many as an answer has room for."""
    end = len(sentences)
    while end > 1 and len(text[sentences[0].start : sentences[end - 1].end].split()) > LIST_WORDS:
        end -= 1
    return sentences[:end]


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


def conditions(candidate: Candidate, domain: Domain) -> set[str]:
    """What a figure of the sentence holds under: the number formats, price terms, models and the like that it names."""
    return {t for t in candidate.sentence.terms if domain.terms[t].kind in _CONDITIONS}


def comparable(a: Candidate, x: Figure, b: Candidate, y: Figure, domain: Domain) -> bool:
    """True when two figures are of one metric, in one dimension and scope, stated under the same conditions.

    A price for eight GPUs and one for each are not; nor are a dense peak and a sparse one.
    """
    return (
        bool(x.metric)
        and (x.metric, x.quantity.dimension) == (y.metric, y.quantity.dimension)
        and domain.units[x.quantity.unit].per == domain.units[y.quantity.unit].per
        and speaks_of_many(a.text) == speaks_of_many(b.text)
        and conditions(a, domain) == conditions(b, domain)
    )


def parts_from(a: Candidate, x: Figure, b: Candidate, y: Figure, domain: Domain) -> bool:
    """True when two sentences assert figures for one thing that cannot both hold as they are written.

    Counts and ratios are left out: which count of a chip's, or under which workload,
    takes more than a sentence to tell. A sentence that quotes a figure in order to
    doubt it asserts none, and a bound or an estimate parts from nothing.
    """
    return (
        bool(x.subject)
        and x.subject == y.subject
        and comparable(a, x, b, y, domain)
        and x.quantity.dimension not in LOOSE_DIMENSIONS
        and x.quantity.bound == y.quantity.bound == "exact"
        and not x.quantity.agrees_with(y.quantity)
        and directions(a.text) == directions(b.text)
        and not (doubts(a.text) or doubts(b.text))
        and not _of_other_variants(a, x, b)
    )


def _of_other_variants(a: Candidate, x: Figure, b: Candidate) -> bool:
    """True when another metric that both sentences give parts as well: the 40 GB and the 80 GB version."""
    return any(
        f.metric == g.metric and f.metric != x.metric and not f.quantity.agrees_with(g.quantity)
        for f in a.sentence.figures
        for g in b.sentence.figures
    )
