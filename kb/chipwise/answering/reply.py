"""From what somebody typed to one answer: each question of it by a query, else as a sum, else from passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from chipwise.answering.answer import answer, drafted
from chipwise.answering.base import Base
from chipwise.answering.context import Asked, asked_in, premise_in, readings_of
from chipwise.answering.derive import work_out
from chipwise.answering.model import SURE, Answer, Ruling
from chipwise.answering.overview import overview
from chipwise.answering.parse import parse
from chipwise.answering.query import Counted
from chipwise.answering.question import Kind, Question, understand, understand_last
from chipwise.answering.quoting import Cited, Told, together
from chipwise.answering.rendering import Draft, render
from chipwise.answering.spelling import Reading, check, read_misspelt
from chipwise.domain.model import Domain
from chipwise.knowledge import KnowledgeFolder
from chipwise.text import blanked, words
from chipwise.values import dataclass

_UNMEASURED = frozenset(("speedup", "workload_fit"))  # what "faster" and "better" ask for, which no chip has by itself
_BESIDE_ONE = (Kind.DEFINITION,)
_BESIDE_SEVERAL = (Kind.COMPARISON, Kind.ADVICE, Kind.WHY, Kind.OPEN)
_JUDGED = (Kind.WHY, Kind.ADVICE, Kind.YES_NO)
_IN_WORDS = (Kind.WHY, Kind.ADVICE, Kind.DEFINITION)  # what is asked so is no sum that lacks a figure


class Sources(Base, Protocol):
    """What questions are answered from."""

    @property
    def base(self) -> KnowledgeFolder: ...  # noqa: D102

    def read(self, question: Question, count: int | None, told: Collection[str]) -> Draft:
        """What the best `count` passages answer."""
        ...

    def is_word(self, word: str) -> bool:
        """True for a word of English, as far as the encoder knows it."""
        ...


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as it is read.

    To each of its questions `drafts` are what queries say, an answer or what is missing, and `known` what is answered
    without passages, or why a sum is not. `premise` denies what it takes for granted.
    """

    reading: Reading
    parts: list[Asked]
    drafts: list[Draft | None]
    known: list[Draft | None]
    premise: Draft | None


def reply(text: str, sources: Sources, passages: int | None = None) -> Answer:
    """The answer to all that `text` asks, from facts or the best `passages` passages. Raises QuestionInvalid."""
    typed = check(text)
    said = _read_as(typed, sources)
    return render(typed, _drafts(said, sources, passages), sources.names, said.reading.slips)


def _read_as(text: str, sources: Sources) -> _Said:
    """A text read, with what facts answer."""
    domain = sources.domain
    reading = read_misspelt(text, domain, sources.store, sources.is_word)
    said = reading.text
    parts = asked_in(said, domain)
    drafts = [answer(queries, sources) for queries in readings_of(said, parts, domain)]
    if all(draft is not None and draft.answered and draft.is_full for draft in drafts):
        return _Said(reading, parts, drafts, drafts, None)
    taken = premise_in(said, 0, domain)
    premise = _if_denied(said[slice(*taken)], sources) if taken is not None else None
    if taken is not None and premise is not None:  # and no figure of it goes into a sum
        said = blanked(said, [(q.start, q.end) for q in domain.unit_table.find_all(said[: taken[1]])])
    known = [_from_facts(said, part, draft, sources) for part, draft in zip(parts, drafts, strict=True)]
    return _Said(reading, parts, drafts, known, premise)


def _from_facts(text: str, part: Asked, draft: Draft | None, sources: Sources) -> Draft | None:
    """What facts and sums answer to one question, to which queries have a draft."""
    measured = _measured(text, part, sources)
    if measured is not None:
        return measured
    answered = draft if draft is not None and draft.answered else None
    known = answered if answered is not None and answered.is_full else _denied(text, part, sources)
    return known or _worked_out(text, part, sources) or answered


def _measured(text: str, part: Asked, sources: Sources) -> Draft | None:
    """The measured rates or times of a model on a chip; None for a question that asks for something else, a reason or a verdict."""
    question = understand_last(text[: part.end], part.begin, sources.domain)
    named = {*question.metrics, *(sources.domain.terms[term].kind for term in question.terms)}
    if question.kind in _JUDGED or not named & {"model", "mfu"}:
        return None
    from chipwise.measured import matching, rows  # noqa: PLC0415 # few questions name a model

    known = rows.read_measurements() if sources.base.read_contents().shipped else ()
    found = matching.matching(question.text, question.metrics, question.terms, known, sources.names, sources.domain)
    return drafted(question.text, Told.of(found[0], [Cited(quote) for quote in found[1]]), sources) if found else None


def _drafts(said: _Said, sources: Sources, passages: int | None) -> list[Draft]:
    """What is answered to each question, from passages where facts do not answer it."""
    text = said.reading.text
    found: list[Draft] = [said.premise] if said.premise is not None else []
    for part, draft, known in zip(said.parts, said.drafts, said.known, strict=True):
        quoted = {c.evidence.quote for each in found for c in each.told.cited}
        again = _with_rows_of(known, found) if known is not None else None
        whole = again is not None or (known is not None and known.answered and known.is_full)
        read = known if known is not None and whole else _from_passages(said, part, sources, passages, quoted)
        if known is not None and known.names_only:
            read = _in_words_too(known, text[part.begin : part.end], sources, passages, quoted)
        elif known is not None and not whole:
            read = _rather(known, read)
        if not read.answered:
            lacking = draft or read
            asked = text[part.begin : part.end].strip(" ,") if len(said.parts) > 1 else lacking.question
            read = replace(lacking, question=asked, consulted=read.consulted, nearest=read.nearest)
        again = again or _with_rows_of(read, found)
        if again is None:
            found.append(read)
        elif read.told.ruling is not None:  # "the cache for 4,096 tokens, is 2 GB right?" is one sum
            found[found.index(again)] = read
    return found


def _with_rows_of(draft: Draft, found: Sequence[Draft]) -> Draft | None:
    """What was answered before with the same values."""
    return next((each for each in found if each.told.rows and each.told.rows == draft.told.rows), None)


def _rather(known: Draft, read: Draft) -> Draft:
    """What facts answer in part, or why a sum is none, and what passages answer: these first where they are sure."""
    again = {c.evidence.quote for c in known.told.cited}.issuperset(c.evidence.quote for c in read.told.cited)
    sure = read.confidence >= SURE
    if not read.answered or again or not (known.answered or sure):
        return replace(known, consulted=read.consulted, nearest=read.nearest)
    each = (read.told, known.told) if sure else (known.told, read.told)
    return replace(read, told=together(each, "\n\n")) if known.answered else read


def _naming(question: Question, strange: tuple[str, ...]) -> Question:
    """With words that stand nowhere taken for names, where a metric of nothing known is asked for: "memory of a Zyxel"."""
    looked_up = question.metrics and not question.subjects and not question.terms
    plain = question.kind in (Kind.LOOKUP, Kind.OPEN, Kind.DEFINITION)
    return replace(question, names=(*question.names, *strange)) if looked_up and plain else question


def _denied(text: str, part: Asked, sources: Sources) -> Draft | None:
    """That what is asked a reason for is not so: "why does the L4 use NVLink"; None where facts do not deny it."""
    asked = text[part.begin : part.end]
    if words(asked)[:1] != ["why"]:
        return None
    return _if_denied(asked[asked.lower().index("why") + 3 :].strip(), sources)


def _if_denied(said: str, sources: Sources) -> Draft | None:
    """That what is taken for granted is not so; None where facts do not say that."""
    found = answer(parse(said, sources.domain), sources)
    return found if found is not None and found.told.ruling is Ruling.NO else None


def _worked_out(text: str, part: Asked, sources: Sources) -> Draft | None:
    """The sum that a question asks for with all that is said before it, or what it lacks for that."""
    question = understand_last(text[: part.end], part.begin, sources.domain)
    told = work_out(question, sources)
    if part.begin and not isinstance(told, Told):  # "..., fp8 cache. How much memory for 16 sequences?"
        whole = work_out(understand(text[: part.end], sources.domain), sources)
        told = whole if isinstance(whole, Told) else told
    asked = text[part.begin : part.end]
    if isinstance(told, str):
        derived = not sources.domain.word_group("derived").isdisjoint(question.words)
        is_sum = derived or sources.domain.unit_table.find_all(asked)
        return Draft(asked, reason=told) if is_sum and question.kind not in _IN_WORDS else None
    return drafted(asked, told, sources) if told is not None else None


def _from_passages(said: _Said, part: Asked, sources: Sources, passages: int | None, told: Collection[str]) -> Draft:
    """What passages answer to a question: by itself where it names something, and with all that is said before it."""
    text, domain = said.reading.text, sources.domain
    asked = understand(text[part.begin : part.end], domain)
    names_it = _is_specific(asked, domain)
    with_scene = understand(text[part.start if names_it else 0 : part.end], domain)
    questions = [asked, with_scene] if names_it and with_scene.text != asked.text else [with_scene]
    drafts: list[Draft] = []
    for question in questions:
        drafts.append(_read(_naming(question, said.reading.strange), sources, passages, told))
        if drafts[-1].answered and drafts[-1].confidence >= SURE:
            return drafts[-1]
    return max(drafts, key=lambda draft: draft.confidence if draft.answered else 0.0)


def _in_words_too(known: Draft, asked: str, sources: Sources, count: int | None, told: Collection[str]) -> Draft:
    """The main figures of things compared, and what passages say of them where they surely answer."""
    cited = {c.evidence.quote for c in known.told.cited}
    found = sources.read(understand(asked, sources.domain), count, {*told, *cited})
    if not found.answered or found.confidence < SURE:
        return known
    return replace(
        known,
        told=together([known.told, found.told], "\n\n"),
        consulted=(*known.consulted, *found.consulted),
        disagreements=(*known.disagreements, *found.disagreements),
    )


def _is_specific(question: Question, domain: Domain) -> bool:
    """True for a question that names something itself."""
    specific = any(not domain.is_many(i) for ids in question.subjects for i in ids)
    return bool(specific or question.terms or question.metrics)


def _read(question: Question, sources: Sources, count: int | None, told: Collection[str] = ()) -> Draft:
    """What the best `count` passages answer, less sentences that were told, with the main figures of what it is about."""
    found = sources.read(question, count, told)
    read = found.consulted and question.kind in (Kind.ADVICE, Kind.COMPARISON)  # passages were read, and none would do
    return _with_figures(question, found, sources) if found.answered or read else found


def _with_figures(question: Question, found: Draft, sources: Sources) -> Draft:
    """An answer in words with the main figures of what it is about, where those are known."""
    subjects = [ids[0] for ids in question.subjects if len(ids) == 1]
    kinds = _BESIDE_SEVERAL if len(subjects) > 1 else _BESIDE_ONE
    number = question.kind is not Kind.ADVICE and question.wants_number
    measured = not _UNMEASURED.issuperset(question.metrics)
    if not subjects or len(subjects) < len(question.subjects) or question.kind not in kinds or number:
        return found
    if measured and (found.answered or len(subjects) == 1):
        return found
    counts = {c.entity: c.count for c in question.of.entities}
    told = overview([Counted(s, counts.get(s)) for s in subjects], sources)
    if told is None or not (found.answered or len(question.subjects) > 1):
        return found
    if not found.answered:
        told = told.led("No passage answers that in words. ")
        return Draft(found.question, told, consulted=found.consulted)
    verdict_first = len(subjects) > 1 and question.kind in (Kind.COMPARISON, Kind.ADVICE)
    return replace(found, told=together([told, found.told] if verdict_first else [found.told, told], "\n\n"))
