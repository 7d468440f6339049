"""From what somebody typed to one answer: each question of it by a query, else as a sum, else from passages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from chipwise.answering.answer import answer, drafted, without
from chipwise.answering.base import Base
from chipwise.answering.clauses import Narrowed, narrowed
from chipwise.answering.context import Asked, asked_in, premise_in, readings_of
from chipwise.answering.derive import work_out
from chipwise.answering.model import Answer, Ruling
from chipwise.answering.overview import overview
from chipwise.answering.parse import parse
from chipwise.answering.query import Counted, Query
from chipwise.answering.question import Kind, Question, understand, understand_last
from chipwise.answering.quoting import Told, together
from chipwise.answering.rendering import Draft, render
from chipwise.answering.spelling import check, read_misspelt
from chipwise.domain.model import Domain
from chipwise.text import blanked, words

_UNMEASURED = frozenset(("speedup", "workload_fit"))  # what "faster" and "better" ask for, which no chip has by itself
_BESIDE_ONE = (Kind.DEFINITION,)
_BESIDE_SEVERAL = (Kind.COMPARISON, Kind.ADVICE, Kind.WHY, Kind.OPEN)
_IN_WORDS = (Kind.WHY, Kind.ADVICE, Kind.DEFINITION)  # what is asked so is no sum that lacks a figure


class Sources(Base, Protocol):
    """What questions are answered from."""

    def read(self, question: Question, count: int | None, told: Collection[str]) -> Draft:
        """What the best `count` passages answer."""
        ...


def reply(text: str, sources: Sources, passages: int | None = None) -> Answer:
    """The answer to all that `text` asks, from facts or the best `passages` passages. Raises QuestionInvalid."""
    typed = check(text)
    reading = read_misspelt(typed, sources.domain, sources.store)
    parts = asked_in(reading.text, sources.domain)
    drafts = _by_query(readings_of(reading.text, parts, sources.domain), sources)
    if all(draft is not None and draft.answered and draft.is_full for draft in drafts):
        return render(typed, [draft for draft in drafts if draft is not None], sources.names, reading.slips)
    said = reading.text
    taken = premise_in(said, 0, sources.domain)
    premise = _if_denied(said[slice(*taken)], sources) if taken is not None else None
    if taken is not None and premise is not None:  # and no figure of it goes into a sum
        said = blanked(said, [(q.start, q.end) for q in sources.domain.unit_table.find_all(said[: taken[1]])])
    found: list[Draft] = [premise] if premise is not None else []
    for part, draft in zip(parts, drafts, strict=True):
        quoted = {c.evidence.quote for each in found for c in each.told.cited}
        answered = draft if draft is not None and draft.answered else None
        known = answered if answered is not None and answered.is_full else _denied(said, part, sources)
        known = known or _worked_out(said, part, sources) or answered
        if known is None or not known.answered:
            less = narrowed(said[part.start : part.until], sources.domain)
            known = _without_context(less, sources) or known
        read = known or _surest(_wanted(said, part, less, reading.strange, sources.domain), sources, passages, quoted)
        if not read.answered:
            lacking = draft or read
            asked = said[part.begin : part.end].strip(" ,") if len(parts) > 1 else lacking.question
            read = replace(lacking, question=asked, consulted=read.consulted)
        if not read.answered:
            found += _compared(said[part.start : part.begin], sources, passages)
        again = next((each for each in found if each.told.rows and each.told.rows == read.told.rows), None)
        if again is None:
            found.append(read)
        elif read.told.ruling is not None:  # "the cache for 4,096 tokens, is 2 GB right?" is one sum
            found[found.index(again)] = read
    return render(typed, found, sources.names, reading.slips)


def _compared(scene: str, sources: Sources, passages: int | None) -> Iterator[Draft]:
    """Things that are set against one another before a question that has no answer: "A vs B for serving, does the newer one justify itself"."""
    if any(o.kind == "versus" for o in sources.domain.operators_in(scene)):
        yield _read(understand(scene, sources.domain), sources, passages)


def _by_query(understood: Sequence[Sequence[Query]], sources: Sources) -> list[Draft | None]:
    """What queries answer to each question of a text, None where they do not."""
    return [answer(readings, sources) for readings in understood]


def _naming(question: Question, strange: tuple[str, ...]) -> Question:
    """With words that stand nowhere taken for names, where a metric of nothing known is asked for: "memory of a Zyxel"."""
    looked_up = question.metrics and not question.subjects and not question.terms
    plain = question.kind in (Kind.LOOKUP, Kind.OPEN, Kind.DEFINITION)
    return replace(question, names=(*question.names, *strange)) if looked_up and plain else question


def _denied(text: str, part: Asked, sources: Sources) -> Draft | None:
    """That what is asked a reason for is not so: "why does the L4 use NVLink"; None where facts do not deny it."""
    asked = text[part.begin : part.end]
    first = words(asked)[:1]
    if first != ["why"]:
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


def _without_context(less: Sequence[Narrowed], sources: Sources) -> Draft | None:
    """What is answered if clauses that do not ask are left out, the fewest names and figures first; the answer says which."""
    for kept in less:
        read = parse(kept.text, sources.domain)
        measures = [m.metric for m in read[0].what] if read else []
        draft = answer(read, sources) if read and _asks_for_something(read[0]) else None
        if (draft is None or not draft.answered) and not kept.lacks_figures:
            told = work_out(understand(kept.text, sources.domain), sources)
            draft = drafted(kept.text, told, sources) if isinstance(told, Told) else draft
        if draft is not None and draft.answered and not _may_change(measures, kept, sources.domain):
            return replace(draft, told=without(draft.told, kept.unused))
    return None


def _asks_for_something(query: Query) -> bool:
    """False for one name and no more, which "which one is right?" leaves of what was said before it."""
    says = query.what or query.order or query.asserts or query.converts
    return bool(says or len(query.of.entities) > 1 or query.of.is_open)


def _may_change(metrics: Sequence[str], kept: Narrowed, domain: Domain) -> bool:
    """True where a figure that is given and not used would change what was measured or paid; what a chip is rated for stays."""
    return kept.lacks_figures and any(m in domain.metrics and domain.metrics[m].nature != "specified" for m in metrics)


def _wanted(
    text: str, part: Asked, less: Sequence[Narrowed], strange: tuple[str, ...], domain: Domain
) -> list[tuple[Question, tuple[str, ...]]]:
    """A question as passages are searched for it, and what it leaves out: with what is said before it where it names nothing itself, and the clause that asks with no more than gives it a name."""
    whole = understand(text[part.begin : part.end], domain)
    if part.begin and not _is_specific(whole, domain):
        whole = understand(text[: part.end], domain)
    found: list[tuple[Question, tuple[str, ...]]] = [(_naming(whole, strange), ())]
    for kept in reversed(less):
        asked = understand(kept.text, domain)
        says = asked.kind is Kind.COMPARISON or _is_specific(understand(kept.asked, domain), domain)
        if says and (asked.subjects or not whole.subjects) and not _may_change(asked.metrics, kept, domain):
            return [*found, (asked, kept.unused)] if asked.text != whole.text else found
    return found


def _surest(
    wanted: Sequence[tuple[Question, tuple[str, ...]]], sources: Sources, count: int | None, told: Collection[str]
) -> Draft:
    """What passages answer to a question, with all that is said where they can."""
    drafts: list[Draft] = []
    for question, unused in wanted:
        drafts.append(_read(question, sources, count, told))
        if drafts[-1].answered:
            return replace(drafts[-1], told=without(drafts[-1].told, unused))
    return drafts[0]


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
