"""From what somebody typed to one answer: each question of it by a query, else as a sum, else from passages."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Protocol

from chipwise.answering.answer import answer, drafted
from chipwise.answering.base import Base
from chipwise.answering.context import Asked, asked_in, readings_of
from chipwise.answering.disagreeing import disputes
from chipwise.answering.givens import givens
from chipwise.answering.model import SURE, Answer, Ruling
from chipwise.answering.overview import overview
from chipwise.answering.parse import parse, understand, understand_last
from chipwise.answering.query import Counted, Kind, Query
from chipwise.answering.quoting import Cited, Told, together
from chipwise.answering.rendering import Draft, render
from chipwise.answering.spelling import check, mended, written_out
from chipwise.answering.sums import ceiling_told, token_rates, work_out
from chipwise.figures.format import listed
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import words

# what "faster" and "better" ask for, which no chip has by itself
_UNMEASURED = frozenset(("speedup", "workload_fit", "time_to_train"))
_COMPARED = (Kind.COMPARISON, Kind.ADVICE)
_JUDGED = (Kind.WHY, Kind.ADVICE, Kind.YES_NO)
_IN_WORDS = (Kind.WHY, Kind.ADVICE, Kind.DEFINITION)  # what is asked so is no sum that lacks a figure
_SPECIFIED = frozenset(("information", "information_rate", "compute_rate", "power"))  # dimensions of what a sheet lists
LIKELY = 0.5  # how surely figures answer that are told where nothing else is found
UNLIKELY = 0.35  # below which a part of an answer is left out where another part is sure
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
    if any(
        draft.answered and draft.confidence >= SURE for draft in told
    ):  # a part that is guessed makes no other doubtful
        told = [_refused(draft) if draft.confidence < UNLIKELY else draft for draft in told]
    read = listed(f'"{written}" as "{meant}"' for written, meant in slips.items())
    told[0] = replace(told[0], told=told[0].told.led(read and f"Reading {read}. "))
    return render(typed, told, sources.names)


def _refused(draft: Draft) -> Draft:
    """Return a refusal in place of an answer that is not likely one."""
    return Draft(draft.question, reason="nothing here surely answers that", consulted=draft.consulted)


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
            cited = {c.evidence.quote for c in known.told.cited} if known is not None and known.names_only else set()
            known = _rather(known, self._from_passages({*quoted, *cited}), self._figures)
        if not known.answered:
            lacking = self.queried or known
            question = lacking.question if alone else self.text.strip(" ,")
            known = replace(lacking, question=question, consulted=known.consulted, nearest=known.nearest)
        if not any(each.told.rows and each.told.rows == known.told.rows for each in told):
            told.append(known)

    def _disputed(self) -> Draft | None:
        """Where sources disagree, for a question that asks for that."""
        asked = understand(self.text, self.sources.domain)
        if not asked.subjects or asked.kind in _IN_WORDS:
            return None
        if self.sources.domain.word_group("disputes").isdisjoint(asked.words):
            return None
        told = disputes(asked, self.sources)
        if isinstance(told, str):
            return Draft(self.text, reason=told)
        return Draft(self.text, told, consulted=tuple(dict.fromkeys(c.evidence.source for c in told.cited)))

    def _from_facts(self) -> Draft | None:
        """What measurements, facts and sums answer, or why a sum is none; an answer to a part of it where there is no other."""
        partly = self.queried if self.queried is not None and self.queried.answered else None
        measured = self._measured()
        planned = any(g.kind in _OF_PLANS for g in givens(self.typed[: self.at.end], self.sources.domain) or ())
        if measured is not None and not (planned or self._asks_for_a_ceiling):
            return measured
        worked_out = self._denied() or self._worked_out()
        if worked_out is None or not worked_out.answered:
            worked_out = self._ceiling() or worked_out
        if measured is not None and self._asks_for_a_ceiling:
            both = [d.told for d in (worked_out, measured) if d is not None and d.answered]
            return replace(measured, told=together(both, "\n\n"))
        return worked_out if worked_out is not None and worked_out.answered else measured or worked_out or partly

    def _ceiling(self) -> Draft | None:
        """Work out the rate that bandwidth allows, if the question states a rate or asks for the maximum."""
        scene, domain = self.typed[: self.at.until], self.sources.domain
        rated = bool(token_rates(scene, domain))
        told = ceiling_told(understand(scene, domain), self.sources) if rated or self._asks_for_a_ceiling else None
        confidence = LIKELY if rated else 1.0
        draft = drafted(self.text, told, self.sources) if told is not None else None
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
        if question.kind in _JUDGED or question.of.unknown or not named & {"model", "mfu"}:
            return None
        from chipwise.measured import matching, rows  # noqa: PLC0415 # few questions name a model

        known = rows.read_measurements() if sources.base.read_contents().shipped else ()
        found = matching.matching(question.text, question.metrics, question.terms, known, sources.names, sources.domain)
        told = Told.of(found[0], [Cited(quote) for quote in found[1]]) if found else None
        return drafted(question.text, told, sources) if told else None

    def _denied(self) -> Draft | None:
        """That what is asked a reason for is not so: "why does the L4 use NVLink"."""
        why, _, said = self.text.strip().partition(" ")
        if not said or words(why) != ["why"]:
            return None
        found = answer(parse(said, self.sources.domain), self.sources)
        return found if found is not None and found.told.ruling is Ruling.NO else None

    def _worked_out(self) -> Draft | None:
        """The sum that a question asks for with all that is said before it, or what it lacks for that."""
        sources, domain = self.sources, self.sources.domain
        question = understand_last(self.typed[: self.at.end], self.at.begin, domain)
        told = work_out(question, sources)
        if self.at.begin and not isinstance(told, Told):  # "..., fp8 cache. How much memory for 16 sequences?"
            whole = work_out(understand(self.typed[: self.at.end], domain), sources)
            told = whole if isinstance(whole, Told) else told
        if not isinstance(told, str):
            return drafted(self.text, told, sources) if told is not None else None
        is_sum = not domain.word_group("derived").isdisjoint(question.words) or domain.unit_table.find_all(self.text)
        return Draft(self.text, reason=told) if is_sum and question.kind not in _IN_WORDS else None

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
        """The main figures of things that are compared, or of one that is only named; of one that is judged those of the kind stated."""
        domain = self.sources.domain
        question = understand(self.text, domain)
        if not question.subjects:
            question = understand(self.typed[self.at.begin : self.at.until], domain)
        named = [ids for ids in question.subjects if not any(map(domain.is_many, ids))]
        named = named if len(named) > 1 else [*question.subjects]  # beside two chips a whole line has no figures
        several = len(named) > 1
        bare = question.kind is Kind.DEFINITION and set(question.words) <= set(question.stressed)
        stated = {q.dimension for q in domain.unit_table.find(question.text)} & _SPECIFIED
        measured = not _UNMEASURED.issuperset(question.metrics) and (read or not several)
        compared = several and question.kind in _COMPARED and not measured
        compared = compared and (question.kind is Kind.ADVICE or not question.wants_number)
        judged = not read and bool(stated) and question.wants_verdict and not question.names
        if not named or any(len(ids) > 1 for ids in named) or not (compared or judged or (bare and read)):
            return None
        counts = {c.entity: c.count for c in question.of.entities}
        precisions = (t for t in question.terms if domain.terms[t].kind == "precision")
        at = (*question.at, *(("dtype", t) for t in precisions))
        of = stated if judged and not compared else ()
        told = overview([Counted(ids[0], counts.get(ids[0])) for ids in named], self.sources, at, of)
        return Draft(self.text, told, confidence=LIKELY, is_full=False) if told is not None else None


def _rather(known: Draft | None, read: Draft, figures: Callable[..., Draft | None]) -> Draft:
    """Put together what facts answer in part, or why a sum is none, and what passages answer, the surer first.

    Where facts have nothing, `figures` of what is compared stand in for them.
    """
    sure = read.confidence >= SURE
    if known is None or not known.answered:
        if known is not None and (not read.answered or read.confidence < LIKELY):
            return replace(known, consulted=read.consulted, nearest=read.nearest)
        beside = figures(read=sure)
        if beside is None:
            return read
        known = beside if read.answered else replace(beside, told=beside.told.led(_IN_NO_WORDS))
    quoted = {c.evidence.quote for c in read.told.cited}
    again = bool(quoted) and quoted <= {c.evidence.quote for c in known.told.cited}
    whole = known.names_only and known.is_full
    if not read.answered or again or (whole and not sure):
        return replace(known, consulted=(*known.consulted, *read.consulted), nearest=read.nearest)
    each = (known.told, read.told) if whole or not sure or known.told.ruling is not None else (read.told, known.told)
    return replace(read, told=together(each, "\n\n"), disagreements=(*read.disagreements, *known.disagreements))
