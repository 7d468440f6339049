"""Runs of consecutive sentences of one passage: what of a question they leave open, and how an answer quotes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.answer import Cited, Row, Told, together
from chipwise.answering.query import Kind, Query
from chipwise.answering.reader import LONGEST, Scores
from chipwise.answering.searching import Hit, stem
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Figure, Sentence
from chipwise.domain.model import Domain
from chipwise.figures.alike import ON_DEMAND
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.text import BULLET, ITEM_MARK, content_words, one_line, words
from chipwise.types import Evidence, Passage, Role
from chipwise.values import dataclass

LEAST = -6.0  # the logit of a neighbor that is quoted to make an explanation of one sentence two
ALIKE = 0.5  # share of common words from which two windows say the same
# A sentence that begins with one of these leans on the one before it
_LEANING = frozenset("it its this that these those they their both such he she there then so also however here".split())
_CONCLUDING = frozenset(("therefore", "thus", "hence"))
_SPOKEN_OF = frozenset("article author authors post page paper report faq same latter former other".split())
# Marks that a reader of the rendered page would not see; a bare "2**10" or "> 100 GB/s" is no mark.
_ITEM = re.compile(rf"^\s*{BULLET}\s+|^#{{1,6}}\s+")
_STRONG = re.compile(r"(?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])|`([^`]+)`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_SPEAKERS = {
    Role.COMMENT: "Only a reader comment says: ",
    Role.BOILERPLATE: "Only advertising says: ",
    Role.BIO: "Only an author's biography says: ",
    Role.CODE: "Only a listing shows: ",
}


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences `start` to `end` of a passage, with the scores of all its sentences.

    `signs` are those of the passage's rank and `told` those of each sentence; `order` is higher the likelier it answers.
    """

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
        return " / ".join((info.title if info else "", info.published if info else "", self._above, self.passage.text))

    @property
    def _above(self) -> str:
        return " / ".join((*self.passage.heading, self.passage.context))

    def names(self, asked: Sequence[str], domain: Domain) -> bool:
        """True where the window, or what stands above it, names one of the entities `asked`, or what answers for it."""
        return any(domain.covers(a, i) or a == i for a in asked for i in self._named(domain))

    def is_of_another(self, asked: Sequence[str], domain: Domain) -> bool:
        """True where products are named there and none is kin of those `asked`: a DGX B200 is another machine than a DGX H100."""
        named = {i for i in self._named(domain) if not domain.is_many(i)}  # all of a line say nothing of one
        return bool(named) and not any(domain.are_kin(a, i) for a in asked for i in named)

    def _named(self, domain: Domain) -> set[str]:
        above = domain.find_entities(self._above)
        return {i for s in self.sentences for i in s.subjects} | {i for m in above for i in m.ids}

    def terms(self, domain: Domain) -> set[str]:
        """The terms that the window names, or what stands above it."""
        return {t for s in self.sentences for t in s.terms} | {i for m in domain.find_terms(self._above) for i in m.ids}

    def figures(self, asked: Sequence[str], domain: Domain, *, stated: bool = True) -> Iterator[Figure]:
        """The figures of one of the entities `asked`; without `stated`, also those of nobody named."""
        for figure in (f for s in self.sentences for f in s.figures):
            own = any(a == figure.subject or domain.covers(a, figure.subject) for a in asked)
            if own or (not stated and not (figure.subject and asked)):
                yield figure

    def tells(self, question: Query, domain: Domain) -> bool:
        """True where the window has what is looked up: a figure of the metric or the unit, or its name, in the number format asked."""
        if question.unit:
            wanted = domain.units[question.unit]  # "how many TPUs" is answered in chips
            own = self.figures([i for ids in question.subjects for i in ids], domain, stated=False)
            units = [domain.units.get(f.quantity.unit) for f in own]
            return any(u is not None and (u.id == wanted.id or (wanted.of and u.of == wanted.of)) for u in units)
        formats = {t for t in question.terms if domain.terms[t].kind == "precision"}
        if formats and formats.isdisjoint(self.terms(domain)):
            return False
        figures = [f for s in self.sentences for f in s.figures]
        told = {f.metric for f in figures}
        if not is_price(question, domain):  # of a price a figure is wanted
            digits = [s for s in self.sentences if any(map(str.isdigit, self.passage.text[s.start : s.end]))]
            told |= {m for s in digits for m in s.metrics}
        units_only = {f.quantity.dimension for f in figures if not f.metric}
        asked = question.metrics
        return not asked or any(m in told or domain.metrics[m].dimension in units_only for m in asked)

    def unmet(self, question: Query, store: Store, domain: Domain) -> set[str]:
        """What the question binds its answer to and the window does not have.

        "thing": other products; "number": no digit; "offer": a price of another seller, on other terms or of another thing.
        """
        looked_up = specific(question, domain) if question.kind is Kind.LOOKUP else []
        open_ = {
            "thing": any(self.is_of_another(ids, domain) for ids in looked_up),
            "figure": bool(looked_up) and not self.tells(question, domain),
            "number": question.wants_number and not any(map(str.isdigit, self.text)),
            "year": bool(question.years) and any(year not in self.said(store) for year in question.years),
            "offer": is_price(question, domain) and not self._offers(question, domain),
        }
        return {name for name, lacks in open_.items() if lacks}

    def _offers(self, question: Query, domain: Domain) -> bool:
        """True for a price on the terms and of the seller asked for: of AWS a price at Oracle says nothing, of spot a list price."""
        clouds = {t for t in question.terms if domain.terms[t].kind == "cloud"}
        terms = {t for t in question.terms if domain.terms[t].kind == "price_term" and t != ON_DEMAND}
        own, others = self.terms(domain), {i for i, term in domain.terms.items() if term.kind == "cloud"} - clouds
        known = [f for s in self.sentences if clouds & {*s.terms} or not others & {*s.terms} for f in s.figures]
        told = ([f for f in self.figures(ids, domain) if f in known] for ids in question.subjects if clouds)
        priced = all(any(f.metric in question.metrics for f in figures) for figures in told)
        return priced and not any(asked and asked.isdisjoint(own) for asked in (clouds, terms))


def specific(question: Query, domain: Domain) -> list[tuple[str, ...]]:
    """The things that a question names, less whole lines of them."""
    return [ids for ids in question.subjects if not any(map(domain.is_many, ids))]


def is_price(question: Query, domain: Domain) -> bool:
    """True where nothing but a price is asked for."""
    return bool(question.metrics) and all(domain.metrics[m].nature == "priced" for m in question.metrics)


def dangles(text: str) -> bool:
    """True for what leans on a sentence before it: "That run", "It", "The article"."""
    first = words(text)[:2]
    if not _CONCLUDING.isdisjoint(words(text)[:4]):  # "Decode is therefore limited by"
        return True
    return bool(first) and (first[0] in _LEANING or (first[0] == "the" and first[-1] in _SPOKEN_OF))


def widened(stored: StoredPassage, scored: Scores, start: int, end: int, *, explains: bool) -> tuple[int, int]:
    """A window with the sentence that it leans on and, for an explanation, a second one where a neighbor is near enough."""
    text = stored.passage.text
    pieces = [text[s.start : s.end] for s in stored.sentences]
    start = _led(pieces, start, end)
    if explains and end - start == 1:
        after = scored.sentences[end] if end < len(pieces) else LEAST
        before = scored.sentences[start - 1] if start > 0 else LEAST
        if max(after, before) > LEAST:
            start, end = (start, end + 1) if after >= before else (start - 1, end)
    if pieces[end - 1].endswith(":") and end < len(pieces):  # what leads into a list says nothing without it
        while end < len(pieces) and end - start < LONGEST and ITEM_MARK.match(pieces[end]):
            end += 1
    return _led(pieces, start, end), end


def _led(pieces: Sequence[str], start: int, end: int) -> int:
    """The start of a window with all that its first sentence leans on."""
    while start > 0 and end - start < LONGEST:
        is_item, leads = ITEM_MARK.match(pieces[start]), pieces[start - 1].endswith(":")
        if not (dangles(ITEM_MARK.sub("", pieces[start], count=1)) or (is_item and leads)):
            break
        start -= 1
    return start


def overlaps(a: Window, b: Window) -> bool:
    """True where two say much the same, by their words."""
    one, other = ({stem(word) for word in content_words(w.text)} for w in (a, b))
    return not one or not other or len(one & other) / min(len(one), len(other)) >= ALIKE


def quote(chosen: Sequence[Window], metrics: Collection[str], store: Store) -> Told:
    """Each window followed by what it is cited by, with the values of `metrics` in it."""
    each = [(window, Cited(evidence(window, store))) for window in chosen]
    rows = (row for window in chosen for row in _rows(window, metrics, store))
    told = together(Told((f"{_shown(window)} ", cited), (cited,)) for window, cited in each)
    return replace(told, rows=tuple(dict.fromkeys(rows)))


def hesitant(told: Told, others: Sequence[Window], store: Store) -> Told:
    """What may not be what was asked, and other windows, each behind its heading, that may be."""
    each = [(window, Cited(evidence(window, store))) for window in others]
    parts = [
        Told((f"{' > '.join(filter(None, window.passage.heading))}: {_shown(window)} ", cited), (cited,))
        for window, cited in each
    ]
    first = told.led("This may not answer the question: ")
    return together([first, Told(("Other passages that may help:",)), *parts], "\n\n") if parts else first


def _rows(window: Window, metrics: Collection[str], store: Store) -> Iterator[Row]:
    """The claims of a window that have the figures asked for."""
    passage = window.passage
    wanted = {
        (passage.start + f.quantity.start, f.subject, f.metric)
        for sentence in window.sentences
        for f in sentence.figures
        if f.metric in metrics
    }
    for claim in store.claims(source=passage.source) if wanted else ():
        if claim.quantity is not None and (claim.value_start, claim.subject, claim.metric) in wanted:
            text = one_line(passage.text[claim.value_start - passage.start : claim.value_end - passage.start])
            unit = claim.quantity.unit
            yield Row(claim.subject, claim.key, claim.quantity, unit, text, claim, claim.doubt)


def evidence(window: Window, store: Store) -> Evidence:
    """The quote of a window, with its place."""
    passage, sentences = window.passage, window.sentences
    return span_evidence(passage, store.find_source(passage.source), sentences[0].start, sentences[-1].end)


def _shown(window: Window) -> str:
    """The sentences for reading: without Markdown marks, a table row with its header, and saying who speaks."""
    passage = window.passage
    speaker = _SPEAKERS.get(passage.role, "")
    pieces = [passage.text[s.start : s.end] for s in window.sentences]
    if passage.role is Role.TABLE:
        return speaker + "; ".join(one_line(_unmarked(_row(piece, passage.context))) for piece in pieces)
    lines = [one_line(_unmarked(_ITEM.sub("", line))) for piece in pieces for line in piece.splitlines()]
    if len(lines) > 1 and lines[0].endswith(":"):
        # a list with its lead-in reads as one sentence
        return speaker + lines[0] + " " + "; ".join(line.rstrip(".;,") for line in lines[1:] if line) + "."
    return speaker + " ".join(line for line in lines if line)


def _unmarked(text: str) -> str:
    return _STRONG.sub(lambda match: match[2] or match[3], _LINK.sub(r"\1", text))


def _row(row: str, header: str) -> str:
    """ "| H100 | 80 GB |" under "| GPU | Memory |" becomes "H100 (Memory: 80 GB)"."""
    if row.startswith("<"):
        from chipwise.reading.rawhtml import barred, is_tagged  # noqa: PLC0415

        row = barred(row) if is_tagged(row) else row
    cells, names = _cells(row), _cells(header)
    if len(cells) < 2:  # noqa: PLR2004
        return f"{header}: {row}" if header else row
    if len(cells) != len(names):
        return "; ".join(filter(None, cells))
    pairs = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    return f"{cells[0] or names[0]} ({'; '.join(pairs)})"


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
