"""From what somebody typed to one answer: by queries where these answer all of it, else from what is left of facts and from passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.answering.answer import answer
from chipwise.answering.context import questions
from chipwise.answering.overview import overview
from chipwise.answering.query import Counted, Query
from chipwise.asking import replying
from chipwise.asking.answers import Answer
from chipwise.asking.question import Question, check
from chipwise.asking.quoting import Told
from chipwise.asking.rendering import Draft, render
from chipwise.asking.replying import Sources


def reply(text: str, sources: Sources, passages: int | None = None) -> Answer:
    """The answer to all that `text` asks, from facts or the best `passages` passages. Raises QuestionInvalid."""
    typed = check(text)
    asked = questions(typed, sources.domain)
    drafts = _by_query(asked, sources)
    answered = [draft for draft in drafts if draft is not None and draft.answered]
    if drafts and len(answered) == len(drafts):
        return render(typed, answered, sources.names)
    found = replying.reply(typed, sources, passages, _beside)
    if not found.answered and len(asked) == 1 and (figures := _set_beside(asked[0], sources)) is not None:
        return replace(render(typed, [figures], sources.names), consulted=found.consulted)
    missing = [draft for draft in drafts if draft is not None and not draft.answered]
    if found.answered or not missing:
        return found
    return replace(render(typed, missing, sources.names), consulted=found.consulted)


def answer_query(question: Question, sources: Sources, passages: int | None = None) -> Answer:
    """The answer to one question that is understood already."""
    drafts = _by_query(questions(question.text, sources.domain), sources)
    if len(drafts) == 1 and drafts[0] is not None and drafts[0].answered:
        return render(question.text, [drafts[0]], sources.names)
    return replying.answer_query(question, sources, passages, _beside)


def _by_query(asked: Sequence[list[Query]], sources: Sources) -> list[Draft | None]:
    """What queries answer to each question in a text, None where they do not."""
    return [answer(readings, sources, alone=len(asked) == 1) for readings in asked]


def _set_beside(readings: Sequence[Query], sources: Sources) -> Draft | None:
    """The main figures of things that are compared for a purpose of which no passage speaks."""
    query = next(iter(readings), None)
    if query is None or len(query.of.entities) < 2 or query.what or query.of.unknown:  # noqa: PLR2004
        return None
    told = overview(query.of.entities, sources)
    return Draft(query.text, told.led("No passage answers that in words. ")) if told is not None else None


def _beside(entities: Sequence[str], sources: Sources) -> Told | None:
    """The main figures of what an answer in words is about."""
    return overview([Counted(e) for e in entities], sources)
