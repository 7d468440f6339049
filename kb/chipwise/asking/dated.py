"""Which of several products came first, by dates of one kind.

    "Which came first, the H200 or the MI300X?"  ->  each with its date, and which is the earlier

A year says less than a day: "2024" is neither before nor after May 2024. Where no kind of date is
known of all, each is given with what is known of it, and nothing is said of the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chipwise.asking.answers import Ruling
from chipwise.asking.plain import is_plain
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, sentence
from chipwise.claims.model import Fact, Key
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.resolve import resolve
from chipwise.index.store import Store

_ORDER = re.compile(
    r"\b(?:first|earlier|later|sooner|newer|older|newest|oldest|latest|more recent|predates?|before|after)\b", re.I
)
_LATER = re.compile(r"\b(?:later|newer|newest|latest|more recent|after)\b", re.I)


def came_first(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The dates of two products and which is the earlier; None for any other question."""
    metric = domain.metrics[question.metrics[0]] if question.metrics else None
    subjects = [ids[0] for ids in question.subjects]
    if metric is None or metric.dimension != "date" or len(subjects) != 2 or not _ORDER.search(question.text):  # noqa: PLR2004
        return None
    left = tuple(w for w in question.free_words if not _ORDER.fullmatch(w))
    if not is_plain(replace(question, free_words=left), domain):
        return None
    dates = [metric.id, *(m.id for m in domain.metrics.values() if m.dimension == "date" and m.id != metric.id)]
    known = [[_dated(store, names, subject, date) for date in dates] for subject in subjects]
    both = next(([a, b] for a, b in zip(*known, strict=True) if a is not None and b is not None), None)
    facts = both or [f for row in known if (f := next(filter(None, row), None)) is not None]
    if len(facts) < len(subjects):
        return None
    said = " ".join(sentence(f, names, n) for n, f in enumerate(facts, start=1))
    lead = _lead(question, names, subjects, facts) if both else "No date of one kind is known of both. "
    return Told.of(said, cite(store, facts), facts, lead)


def _dated(store: Store, names: Names, subject: str, date: str) -> Fact | None:
    """The preferred date of a product, its own before one of a variant's."""
    best = resolve(store, names, Key(subject, date)).facts[:1]
    return next((f for f in best if f.rank == "preferred"), None)


def _lead(question: Question, names: Names, subjects: Sequence[str], facts: Sequence[Fact]) -> Ruling | str:
    first, second = (f.value for f in facts)
    precise = min(len(first), len(second))
    if first[:precise] == second[:precise]:
        return "The dates known do not tell them apart. "
    later = 0 if first > second else 1
    if question.wants_verdict:
        return Ruling.YES if (later == 0) == bool(_LATER.search(question.text)) else Ruling.NO
    wanted = later if _LATER.search(question.text) else 1 - later
    return f"{'Later' if wanted == later else 'Earlier'}: {names.name(subjects[wanted])} [{wanted + 1}]. "
