"""Questions for a sum: figures that are given, facts, and the network of equations that leads to what is wanted."""

from __future__ import annotations

from chipwise.answering.base import Base
from chipwise.answering.query import Query
from chipwise.asking.conversions import converted
from chipwise.asking.question import understand
from chipwise.asking.quoting import Told
from chipwise.asking.sums import reckon, reckon_each

_ENOUGH = 2  # figures that a sum is worked out from


def derive(query: Query, base: Base) -> Told | None:
    """The derivation that a query with given figures asks for; None where nothing follows."""
    if query.of.is_open and (query.of.lines or len(query.given) < _ENOUGH):
        return None  # the "model" of "a 16 GB model at 1,008 GB/s" is no chip to look for
    question = understand(query.text, base.domain)
    parts = (question, base.store, base.domain, base.names)
    if any(m.metric == "" for m in query.what):
        return converted(*parts)
    return reckon_each(*parts) or reckon(*parts)
