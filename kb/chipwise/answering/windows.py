"""Runs of consecutive sentences of one passage, as an answer quotes them."""

from __future__ import annotations

from collections.abc import Sequence

from chipwise.answering.question import Question
from chipwise.answering.reader import LONGEST, Scores
from chipwise.answering.searching import Hit, stem
from chipwise.claims.model import Sentence
from chipwise.domain.model import Domain
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.text import ITEM_MARK, content_words, words
from chipwise.types import Passage
from chipwise.values import dataclass

LEAST = -6.0  # the logit of a neighbour that is quoted to make an explanation of one sentence two
ALIKE = 0.5  # share of common words from which two windows say the same
# A sentence that begins with one of these leans on the one before it
_LEANING = frozenset("it its this that these those they their both such he she there then so also however here".split())
_CONCLUDING = frozenset(("therefore", "thus", "hence"))
_SPOKEN_OF = frozenset(
    "article author authors post page paper report faq same latter former other".split()
)  # "the article"


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences `start` to `end` of a passage, with the scores of all of it `signs` of its rank and what was `told` by signs of each sentence; `order` is higher the likelier it answers."""

    hit: Hit
    start: int
    end: int
    scores: Scores
    signs: dict[str, float]
    told: tuple[dict[str, float], ...]
    order: float

    @property
    def passage(self) -> Passage:
        """The passage that they stand in."""
        return self.hit.stored.passage

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Each with what it names."""
        return self.hit.stored.sentences[self.start : self.end]

    @property
    def text(self) -> str:
        """All of them, verbatim."""
        return self.passage.text[self.sentences[0].start : self.sentences[-1].end]

    def said(self, store: Store) -> str:
        """The whole passage with what stands above it, its source's title and date among that."""
        info = store.find_source(self.passage.source)
        above = (info.title, info.published) if info else ()
        return " / ".join((*above, *self.passage.heading, self.passage.context, self.passage.text))

    def names(self, asked: Sequence[str], domain: Domain) -> bool:
        """True where the window, or what stands above it, names one of the entities `asked`, or what answers for it."""
        return any(domain.covers(a, i) or a == i for a in asked for i in self._named(domain))

    def is_of_another(self, asked: Sequence[str], domain: Domain) -> bool:
        """True where products are named there and none is kin of those `asked`: a DGX B200 is another machine than a DGX H100."""
        named = {i for i in self._named(domain) if not domain.is_many(i)}  # all of a line say nothing of one
        return bool(named) and not any(domain.are_kin(a, i) for a in asked for i in named)

    def _named(self, domain: Domain) -> set[str]:
        above = domain.find_entities(" / ".join((*self.passage.heading, self.passage.context)))
        return {i for s in self.sentences for i in s.subjects} | {i for m in above for i in m.ids}

    def tells(self, question: Question, domain: Domain) -> bool:
        """True where the window has what is looked up: a figure of the metric or the unit, or its name, in the number format asked."""
        figures = [f for s in self.sentences for f in s.figures]
        if question.unit:
            wanted = domain.units[question.unit]  # "how many TPUs" is answered in chips
            about = {i for ids in question.subjects for i in ids}
            own = (f for f in figures if not f.subject or not about or any(domain.covers(a, f.subject) for a in about))
            said = [domain.units.get(f.quantity.unit) for f in own]
            return any(u is not None and (u.id == wanted.id or (wanted.of and u.of == wanted.of)) for u in said)
        formats = {t for t in question.terms if domain.terms[t].kind == "precision"}
        if formats and formats.isdisjoint({t for s in self.sentences for t in s.terms} | self._terms_above(domain)):
            return False
        asked = question.metrics
        told = {f.metric for f in figures}
        if not all(domain.metrics[m].nature == "priced" for m in asked):  # of a price a figure is wanted
            told |= {m for s in self.sentences for m in s.metrics}
        units = {f.quantity.dimension for f in figures if not f.metric}
        return not asked or any(m in told or domain.metrics[m].dimension in units for m in asked)

    def prices(self, asked: Sequence[str], metrics: Sequence[str], domain: Domain) -> bool:
        """True where the window has a figure of one of `metrics` for one of the entities `asked`."""
        figures = (f for s in self.sentences for f in s.figures if f.metric in metrics)
        return any(a == f.subject or domain.covers(a, f.subject) for f in figures for a in asked)

    def terms(self, domain: Domain) -> set[str]:
        """The terms that the window names, or what stands above it."""
        return {t for s in self.sentences for t in s.terms} | self._terms_above(domain)

    def _terms_above(self, domain: Domain) -> set[str]:
        above = " / ".join((*self.passage.heading, self.passage.context))
        return {i for m in domain.find_terms(above) for i in m.ids}


def dangles(text: str) -> bool:
    """True for what leans on a sentence before it: "That run", "It", "The article"."""
    first = words(text)[:2]
    if not _CONCLUDING.isdisjoint(words(text)[:4]):  # "Decode is therefore limited by"
        return True
    return bool(first) and (first[0] in _LEANING or (first[0] == "the" and first[-1] in _SPOKEN_OF))


def widened(stored: StoredPassage, scored: Scores, start: int, end: int, *, explains: bool) -> tuple[int, int]:
    """A window with the sentence that it leans on and, for an explanation, a second one where a neighbour is near enough."""
    text = stored.passage.text
    pieces = [text[s.start : s.end] for s in stored.sentences]
    while start > 0 and end - start < LONGEST and _leans(pieces, start):
        start -= 1
    if explains and end - start == 1:
        after = scored.sentences[end] if end < len(pieces) else LEAST
        before = scored.sentences[start - 1] if start > 0 else LEAST
        if max(after, before) > LEAST:
            start, end = (start, end + 1) if after >= before else (start - 1, end)
    if pieces[end - 1].endswith(":") and end < len(pieces):  # what leads into a list says nothing without it
        while end < len(pieces) and end - start < LONGEST and ITEM_MARK.match(pieces[end]):
            end += 1
    while start > 0 and end - start < LONGEST and _leans(pieces, start):
        start -= 1
    return start, end


def _leans(pieces: Sequence[str], at: int) -> bool:
    return dangles(ITEM_MARK.sub("", pieces[at], count=1)) or (
        bool(ITEM_MARK.match(pieces[at])) and pieces[at - 1].endswith(":")
    )


def overlaps(a: Window, b: Window) -> bool:
    """True where two say much the same, by their words."""
    one, other = ({stem(word) for word in content_words(w.text)} for w in (a, b))
    return not one or not other or len(one & other) / min(len(one), len(other)) >= ALIKE
