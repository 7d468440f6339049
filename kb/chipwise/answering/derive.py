"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

from chipwise.answering.base import Base
from chipwise.answering.query import Query
from chipwise.asking.conversions import converted
from chipwise.asking.fitting import fits
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told
from chipwise.asking.sums import reason_why_not, reckon, reckon_each


def derive(query: Query, base: Base) -> Told | None:
    """The derivation that a query with given figures asks for; None where nothing follows."""
    if query.of.is_open:
        return None
    if any(m.metric == "" for m in query.what):
        (start, end), given = query.given[0].span, query.given[0].value
        return converted(query.text[start:end], given, [m.unit for m in query.what], base.domain)
    parts = (understand(query.text, base.domain), base.store, base.domain, base.names)
    return reckon_each(*parts) or reckon(*parts)


def work_out(question: Question, base: Base) -> Told | str | None:
    """What follows from the figures of a question, or what it lacks for that; None for a question that asks for no sum."""
    parts = (question, base.store, base.domain, base.names)
    return reckon_each(*parts) or fits(*parts) or reckon(*parts) or reason_why_not(*parts) or None
