"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.fitting import NEED, chips_for, fits
from chipwise.answering.query import Condition, Measure, Query
from chipwise.answering.quoting import Told, together
from chipwise.answering.sums import open_sums, reason_why_not, reckon, reckon_each
from chipwise.answering.table import FactTable, table
from chipwise.answering.tabletext import render
from chipwise.numbers.quantity import Quantity


def work_out(question: Query, base: Base) -> Told | str | None:
    """What follows from the figures of a question, or what it lacks for that; None for a question that asks for no sum."""
    ways = (reckon_each, fits, chips_for, _with_room, reckon, reason_why_not)
    return next((told for way in ways if (told := way(question, base))), None)


def _with_room(question: Query, base: Base) -> Told | None:
    """Which chips have the memory that is needed, behind the sum that says how much that is; None where no chips are asked for."""
    sums = open_sums(question, base) if question.of.is_open and not (question.side or question.wants_verdict) else None
    told = reckon(question, base) if sums is not None and sums.asks_for(NEED) else None
    needed = next((r.value for r in told.rows if isinstance(r.value, Quantity)), None) if told is not None else None
    if told is None or needed is None:
        return None
    enough = Condition(Measure("memory_capacity"), replace(needed, high=math.inf, bound="at least"))
    rows = table(Query(question.text, replace(question.of, where=(enough,))), base)
    return together([told, render(rows, base)]) if isinstance(rows, FactTable) else None
