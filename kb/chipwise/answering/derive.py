"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.conversions import converted
from chipwise.answering.evaluate import evaluate
from chipwise.answering.fitting import fits
from chipwise.answering.query import Condition, Measure, Query
from chipwise.answering.question import Question, understand
from chipwise.answering.quoting import Told, together
from chipwise.answering.render import render
from chipwise.answering.sums import reason_why_not, reckon, reckon_each
from chipwise.answering.table import Table
from chipwise.numbers.quantity import Quantity

_NEED, _ROOM = "need", "memory_capacity"


def derive(query: Query, base: Base) -> Told | None:
    """The derivation that a query with given figures asks for; None where nothing follows."""
    if query.of.is_open:
        return _with_room(query, base)
    if any(m.metric == "" for m in query.what):
        (start, end), given = query.given[0].span, query.given[0].value
        return converted(query.text[start:end], given, [m.unit for m in query.what], base.domain)
    parts = (understand(query.text, base.domain), base.store, base.domain, base.names)
    return reckon_each(*parts) or reckon(*parts)


def work_out(question: Question, base: Base) -> Told | str | None:
    """What follows from the figures of a question, or what it lacks for that; None for a question that asks for no sum."""
    parts = (question, base.store, base.domain, base.names)
    return reckon_each(*parts) or fits(*parts) or reckon(*parts) or reason_why_not(*parts) or None


def _with_room(query: Query, base: Base) -> Told | None:
    """Which chips have the memory that is needed, behind the sum that says how much that is; None where no chips are asked for."""
    picks = any(
        base.domain.operators[i].value == "which" for m in base.domain.find_operators(query.text) for i in m.ids
    )
    if not picks or query.what[0].metric != _NEED or query.order is not None or query.asserts is not None:
        return None
    told = reckon(understand(query.text, base.domain), base.store, base.domain, base.names)
    needed = (
        next((row.value for row in told.rows if isinstance(row.value, Quantity)), None) if told is not None else None
    )
    if told is None or needed is None:
        return None
    enough = Condition(Measure(_ROOM), replace(needed, high=math.inf, bound="at least"))
    having = replace(query.of, where=(*query.of.where, enough))
    table = evaluate(replace(query, of=having, what=(), given=(), at=()), base)
    return together([told, render(table, base)]) if isinstance(table, Table) else None
