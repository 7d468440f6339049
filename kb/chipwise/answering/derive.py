"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

from chipwise.answering.base import Base
from chipwise.answering.query import Query
from chipwise.asking.conversions import converted
from chipwise.asking.question import understand
from chipwise.asking.quoting import Told
from chipwise.asking.sums import reckon, reckon_each


def derive(query: Query, base: Base) -> Told | None:
    """The derivation that a query with given figures asks for; None where nothing follows."""
    if query.of.is_open:
        return None
    question = understand(query.text, base.domain)
    parts = (question, base.store, base.domain, base.names)
    if any(m.metric == "" for m in query.what):
        return converted(*parts)
    return reckon_each(*parts) or reckon(*parts)
