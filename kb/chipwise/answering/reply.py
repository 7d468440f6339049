"""From what somebody typed to one answer: each question of it by a query, else as a sum, else from passages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from chipwise.answering.answer import LIKELY, SURE, Answer, Cited, Draft, Told, render, together
from chipwise.answering.base import Base
from chipwise.answering.disagreeing import disputes, find_disagreements, find_rivals, keys_of_facts
from chipwise.answering.givens import givens
from chipwise.answering.parse import check, understand, understand_last
from chipwise.answering.query import Counted, Kind, Query
from chipwise.answering.sums import ceiling_told, token_rates, work_out
from chipwise.answering.table import FactTable, table
from chipwise.answering.tabletext import overview, write_table
from chipwise.answering.typed import Asked, asked_in, mended, readings_of, written_out
from chipwise.answering.verify import told_apart, verify
from chipwise.figures.format import listed
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import content_words, words

_BUILT_IN = ("precision", "interconnect")  # kinds of terms that a chip has or lacks, whatever else is asked
# what "faster" and "better" ask for, which no chip has by itself
_UNMEASURED = frozenset(("speedup", "workload_fit", "time_to_train"))
_COMPARED = (Kind.COMPARISON, Kind.ADVICE)
_JUDGED = (Kind.WHY, Kind.ADVICE, Kind.YES_NO)
_IN_WORDS = (Kind.WHY, Kind.ADVICE, Kind.DEFINITION)  # what is asked so is no sum that lacks a figure
UNLIKELY = 0.45  # below which a part of an answer is left out where another part is sure
_UNSURE = "nothing here clearly answers that"
_IN_NO_WORDS = "No passage answers that in words. "
_OF_PLANS = ("time", "price", "price_rate", "ratio")  # kinds of figures


class Sources(Base, Protocol):
    """What questions are answered from."""

    @property
    def base(self) -> KnowledgeFolder: ...  # noqa: D102
    @property
    def encoder(self) -> Any: ...  # noqa: D102

    def read(self, question: Query, count: int | None, told: Collection[str]) -> Draft:
        """What the best `count` passages answer."""
        ...


def reply(text: str, sources: Sources, passages: int | None = None) -> Answer:
    """The answer to all that `text` asks, from facts or the best `passages` passages. Raises QuestionInvalid."""
    typed = check(text)
    asked = written_out(typed, sources.domain)
    slips = mended(asked, sources.store, sources.domain, lambda: sources.encoder.tokenizer)
    asked = " ".join(slips.get(word, word) for word in asked.split(" "))
    parts = asked_in(asked, sources.domain)
    queried = [answer(queries, sources) for queries in readings_of(asked, parts, sources.domain)]
    told: list[Draft] = []
    for part, draft in zip(parts, queried, strict=True):
        _Part(asked, part, draft, sources, passages).answer_beside(told, alone=len(parts) == 1)
    if len(parts) > 1:
        told = _settled(told, lambda: sources.read(understand(asked, sources.domain), passages, ()))
    open_ = () if any(map(_is_whole, queried)) else understand(asked, sources.domain).subjects
    named = [i for ids in open_ for i in ids]
    is_one = len({sources.names.chip_of(i) or i for i in named}) == 1
    if is_one and (apart := told_apart(asked, named, sources)).facts:
        first = told[0] if told[0].answered else Draft(asked, confidence=LIKELY)
        told[0] = replace(first, told=together([apart, first.told], "\n\n"))
    read = listed(f'"{written}" as "{meant}"' for written, meant in slips.items())
    told[0] = replace(told[0], told=told[0].told.led(read and f"Reading {read}. "))
    return render(typed, told, sources.names)


def _settled(told: list[Draft], read: Callable[[], Draft]) -> list[Draft]:
    """Keep the parts that are sure; if none is, keep the likeliest part, or what is `read` for the whole text if that is likelier."""
    if not any(d.answered and d.confidence >= SURE for d in told):
        return [max((*told, read()), key=lambda d: (d.answered, d.confidence))]
    likely = [d for d in told if d.answered and d.confidence >= UNLIKELY]
    if any(SURE <= d.confidence < 1 for d in likely):  # passages are chosen by all that the text says
        return likely
    return [d if d in likely or not d.answered else Draft(d.question, reason=_UNSURE) for d in told]


def _is_whole(draft: Draft | None) -> bool:
    """True for an answer to all of a question."""
    return draft is not None and draft.answered and draft.is_full


@dataclass(frozen=True)
class _Part:
    """One question of the text `typed`; `queried` is what a query has."""

    typed: str
    at: Asked
    queried: Draft | None
    sources: Sources
    count: int | None

    @property
    def text(self) -> str:
        """The question alone."""
        return self.typed[self.at.begin : self.at.end]

    def answer_beside(self, told: list[Draft], *, alone: bool) -> None:
        """Adds the answer to what was `told` before, unless that has the same values."""
        known = self._disputed() or (self.queried if _is_whole(self.queried) else self._from_facts())
        quoted = {c.evidence.quote for each in told for c in each.told.cited}
        if known is None or known.names_only or not _is_whole(known):
            quoted |= {c.evidence.quote for c in known.told.cited} if known is not None and known.names_only else set()
            known = _rather(known, self._from_passages(quoted), self._figures)
        if not known.answered:
            lacking = self.queried or known
            question = lacking.question if alone else self.text.strip(" ,")
            known = replace(lacking, question=question, consulted=known.consulted, nearest=known.nearest)
        if not any(each.told.rows and each.told.rows == known.told.rows for each in told):
            told.append(known)

    def _disputed(self) -> Draft | None:
        """Where sources disagree, for a question that asks for that or puts two measured figures side by side."""
        domain, asked = self.sources.domain, understand(self.text, self.sources.domain)
        asks = not domain.word_group("disputes").isdisjoint(asked.words)
        rates = {m.id: m.dimension for m in domain.metrics.values() if m.nature == "measured"}
        measured = {rates[m] for m in asked.metrics or rates if m in rates}
        stated = {q.middle: q.dimension for q in domain.unit_table.find_all(self.text) if q.dimension in measured}
        if (several := len(stated) > 1) and not asked.metrics:  # "is it 3,450 or 3,540 tokens/s"
            asked = replace(asked, metrics=tuple(m for m, d in rates.items() if d in stated.values()))
        if not (asks or several) or not asked.subjects or asked.kind in _IN_WORDS:
            return None
        if isinstance(told := disputes(asked, self.sources), str):
            return Draft(self.text, reason=told) if asks else None
        return Draft(self.text, told, consulted=tuple(dict.fromkeys(c.evidence.source for c in told.cited)))

    def _from_facts(self) -> Draft | None:
        """Answer from measurements, facts and sums; answer a part if there is no whole."""
        partly = self.queried if self.queried is not None and self.queried.answered else None
        measured = self._measured()
        planned = any(g.kind in _OF_PLANS for g in givens(self.typed[: self.at.end], self.sources.domain) or ())
        if measured is not None and not (planned or self._asks_for_a_ceiling):
            return measured
        worked_out = self._worked_out() or self._ceiling()
        if measured is not None and self._asks_for_a_ceiling:
            both = [d.told for d in (worked_out, measured) if d is not None]
            return replace(measured, told=together(both, "\n\n"))
        return worked_out or measured or partly

    def _ceiling(self) -> Draft | None:
        """Work out the rate that bandwidth allows, if the question states a rate or asks for the maximum."""
        scene, domain = self.typed[: self.at.until], self.sources.domain
        rated = bool(token_rates(scene, domain))
        told = ceiling_told(understand(scene, domain), self.sources) if rated or self._asks_for_a_ceiling else None
        confidence = LIKELY if rated else 1.0
        draft = _drafted(self.text, told, self.sources) if told is not None else None
        return replace(draft, is_full=not rated, confidence=confidence) if draft is not None else None

    @property
    def _asks_for_a_ceiling(self) -> bool:
        """True where the most is asked for that is possible, beside which it helps to know what was measured."""
        domain = self.sources.domain
        peak = any("basis=peak" in mention.ids for mention in domain.find_qualifiers(self.text))
        return peak or not domain.word_group("ceiling").isdisjoint(words(self.text))

    def _measured(self) -> Draft | None:
        """The measured rates or times of a model on a chip; None for a question for something else, a reason or a verdict."""
        sources = self.sources
        question = understand_last(self.typed[: self.at.end], self.at.begin, sources.domain)
        named = {*question.metrics, *(sources.domain.terms[term].kind for term in question.terms)}
        counts = question.unit and sources.domain.counted(question.unit) == "chips"  # no run says how many are needed
        if counts or question.kind in _JUDGED or question.of.unknown or not named & {"model", "mfu"}:
            return None
        from chipwise.measured import matching, rows  # noqa: PLC0415 # few questions name a model

        known = rows.read_measurements() if sources.base.read_contents().shipped else ()
        found = matching.matching(question.text, question.metrics, question.terms, known, sources.names, sources.domain)
        return _drafted(question.text, Told.of(found[0], [*map(Cited, found[1])]), sources) if found else None

    def _worked_out(self) -> Draft | None:
        """The sum that a question asks for with all that is said before it."""
        sources, domain = self.sources, self.sources.domain
        told = work_out(understand_last(self.typed[: self.at.end], self.at.begin, domain), sources)
        if self.at.begin and told is None:  # "..., fp8 cache. How much memory for 16 sequences?"
            told = work_out(understand(self.typed[: self.at.end], domain), sources)
        return _drafted(self.text, told, sources) if told is not None else None

    def _from_passages(self, quoted: Collection[str]) -> Draft:
        """What passages answer: to the question by itself where it names something, and with all that is said before it."""
        domain = self.sources.domain
        asked = understand(self.text, domain)
        if not asked.subjects:  # "which one is better? A100 80GB or RTX 4090"
            asked = understand(self.typed[self.at.begin : self.at.until], domain)
        specific = any(not domain.is_many(i) for ids in asked.subjects for i in ids)
        whole = understand(self.typed[: self.at.end], domain)
        names_it = specific or bool(asked.terms) or bool(asked.metrics and not whole.subjects)
        scene = understand(self.typed[self.at.start : self.at.end], domain) if names_it else whole
        drafts: list[Draft] = []
        for question in [asked, scene] if names_it and scene.text != asked.text else [scene]:
            drafts.append(self.sources.read(question, self.count, quoted))
            if drafts[-1].answered and drafts[-1].confidence >= SURE:
                return drafts[-1]
        return max(drafts, key=lambda d: (bool(d.told.facts), d.confidence) if d.answered else (False, 0.0))

    def _figures(self, *, read: bool) -> Draft | None:
        """The main figures of things that are compared, or of one that is only named."""
        domain = self.sources.domain
        question = understand(self.text, domain)
        if not question.subjects:
            question = understand(self.typed[self.at.begin : self.at.until], domain)
        named = [ids for ids in question.subjects if not any(map(domain.is_many, ids))]
        named = named if len(named) > 1 else [*question.subjects]  # beside two chips a whole line has no figures
        only = set(question.words) <= set(question.stressed)
        supports = question.asserts is not None and isinstance(question.asserts.value, str)
        measured = question.wants_number or (read and not _UNMEASURED.issuperset(question.metrics))
        compared = len(named) > 1 and not supports and (question.kind is Kind.ADVICE or not measured)
        compared = compared and question.kind in _COMPARED
        bare = only and question.kind is Kind.DEFINITION
        if not named or any(len(ids) > 1 for ids in named) or not (compared or (bare and read)):
            return None
        counts = {c.entity: c.count for c in question.of.entities}
        precisions = (t for t in question.terms if domain.terms[t].kind == "precision")
        at = (*question.at, *(("dtype", t) for t in precisions))
        told = overview([Counted(ids[0], counts.get(ids[0])) for ids in named], self.sources, at)
        return None if told is None else Draft(self.text, told, confidence=LIKELY, is_full=False, names_only=only)


def _rather(known: Draft | None, read: Draft, figures: Callable[..., Draft | None]) -> Draft:
    """Put together what facts, else `figures` of what is compared, answer in part, and what passages answer, the surer first."""
    sure = behind = read.confidence >= SURE
    if known is None or not known.answered:
        beside = figures(read=sure) if known is None else None
        if beside is None:
            return known if known is not None and read.confidence < LIKELY else read
        behind = behind or not beside.names_only  # of a choice or a reason figures are not what was asked for
        known = beside if read.answered else replace(beside, told=beside.told.led(_IN_NO_WORDS))
    quoted = {c.evidence.quote for c in read.told.cited}
    again = bool(quoted) and quoted <= {c.evidence.quote for c in known.told.cited}
    whole = known.names_only and known.is_full
    if not read.answered or again or (whole and not sure):
        return replace(known, consulted=(*known.consulted, *read.consulted), nearest=read.nearest)
    each = (read.told, known.told) if behind and not whole and known.told.ruling is None else (known.told, read.told)
    return replace(read, told=together(each, "\n\n"), disagreements=(*read.disagreements, *known.disagreements))


def answer(readings: Sequence[Query], base: Base) -> Draft | None:
    """The answer to the first reading that has a whole one, or any; why none has, or None where no query can answer."""
    drafts = [(query, _tell(query, base)) for query in _meant(readings)]
    answered = [(query, draft) for query, draft in drafts if draft is not None and draft.answered]
    if not answered:
        return drafts[0][1] if drafts else None
    query, draft = min(answered, key=lambda pair: not pair[1].is_full)
    # what a name may mean as well is told too: of a "TPU v5" the v5e and the v5p
    others = [
        d.told for q, d in answered if d.is_full and q.of != query.of and (q.what, q.at) == (query.what, query.at)
    ]
    told = together([draft.told, *(others if draft.is_full and len(query.of.entities) == 1 else ())])
    whole = _drafted(query.text, _naming_unused(told, query.unused), base)
    aside = any(map(str.isdigit, "".join(query.unused)))  # a figure said in passing is left to passages
    is_most = 2 * len(content_words(" ".join(query.unused))) > len(content_words(query.text))
    is_full, surely = draft.is_full and not is_most, LIKELY if is_most else whole.confidence
    return replace(whole, is_full=is_full, names_only=draft.names_only or aside, confidence=surely)


def _is_built_in(query: Query, base: Base) -> bool:
    """True where a format or a link is put forward, which a chip has or lacks wherever it is rented and whatever runs on it."""
    said = query.asserts.value if query.asserts is not None else None
    term = base.domain.terms.get(said) if isinstance(said, str) else None
    return term is not None and term.kind in _BUILT_IN


def _naming_unused(told: Told, unused: Sequence[str]) -> Told:
    """What was told, and what of the question it does not use."""
    said = (f' Words not used: "{", ".join(dict.fromkeys(unused))}".',) if unused else ()
    return replace(told, parts=(*told.parts, *said))


def _meant(readings: Sequence[Query]) -> list[Query]:
    """The first reading, and what it may mean as well (another of two names or metrics); none where it leaves words over."""
    whole = [query for query in readings if not query.left]
    if not whole or whole[0] is not readings[0]:
        return []
    alike = [q for q in whole if (q.of, q.what, q.asserts) == (whole[0].of, whole[0].what, whole[0].asserts)]
    fullest = max(alike, key=lambda q: len(q.at))
    return [fullest, *(q for q in whole if q is not fullest and fullest.assumed and q.assumed)]


def _tell(query: Query, base: Base) -> Draft | None:
    """What a query comes to, or what is missing for it, judged where it asserts something; None where no fact decides it."""
    query = replace(query, at=()) if _is_built_in(query, base) else query
    things = query.of.entities
    if not query.what and things and not query.of.unknown:
        told = _overview(query, base)
        return Draft(query.text, told, names_only=len(things) > 1) if told is not None else None
    rows = table(query, base)
    if not isinstance(rows, FactTable):
        return Draft(query.text, reason=rows) if rows is not None else None
    told = verify(rows, query.asserts, base) if query.asserts is not None else write_table(rows, base)
    if told is None or not told.parts:
        return None
    # of a format or a link, passages tell what else has it, and why not
    judged = query.asserts is not None and isinstance(query.asserts.value, str)
    return Draft(query.text, told, is_full=rows.is_full or judged, names_only=judged)


def _overview(query: Query, base: Base) -> Told | None:
    """The main figures, where the question says no more than names; of machines of which none are known those of their chips."""
    asserted, things = query.asserts, query.of.entities
    compares = asserted is not None and asserted.value is None and (query.order is not None or query.relate == "same")
    at = [axis for axis, _ in query.at if not (compares and axis == "workload")]
    alone = len(things) == 1 and (things[0].count or 1) > 1  # of several of one a sum is meant
    if at or (asserted and not compares) or alone or any(c.unit for c in things):
        return None
    chips = {Counted(base.domain.nearest_chip(c.entity)): c for c in things if base.domain.is_machine(c.entity)}
    return overview(things, base, query.at) or (overview(list(chips), base, query.at) if len(chips) > 1 else None)


def _drafted(text: str, told: Told, base: Base) -> Draft:
    """What was told to a question with what speaks against it."""
    cited = [c.evidence for c in told.cited]
    sources = tuple(dict.fromkeys(evidence.source for evidence in cited))
    against = find_rivals(base.store, base.domain, told.facts)
    against = against or find_disagreements(base.store, base.domain, keys_of_facts(base.domain, told.facts), cited)
    return Draft(text, told, consulted=sources, disagreements=against)
