"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

from chipwise.answering.base import Base
from chipwise.answering.fitting import chips_for, fits
from chipwise.answering.question import Question
from chipwise.answering.quoting import Told
from chipwise.answering.sums import reason_why_not, reckon, reckon_each


def work_out(question: Question, base: Base) -> Told | str | None:
    """What follows from the figures of a question, or what it lacks for that; None for a question that asks for no sum."""
    ways = (reckon_each, fits, chips_for, reckon, reason_why_not)
    return next((told for way in ways if (told := way(question, base))), None)
