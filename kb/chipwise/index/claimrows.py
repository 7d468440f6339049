"""Claims and facts as rows of the store, and back."""

from __future__ import annotations

import json
import math
from typing import Any

from chipwise.claims.model import Citation, Claim, Fact, Modality
from chipwise.numbers.quantity import Quantity


def dump_claim(claim: Claim) -> str:
    """A claim as compact JSON: lists rather than objects, as an audit parses all of them."""
    q = claim.quantity
    quantity = (
        None
        if q is None
        else [q.start, q.end, q.dimension, q.unit, _finite(q.low), _finite(q.high), q.bound, q.form, q.count]
    )
    row = [
        claim.source,
        claim.passage,
        claim.start,
        claim.end,
        claim.value_start,
        claim.value_end,
        claim.subject,
        claim.metric,
        quantity,
        claim.object,
        claim.baseline,
        claim.qualifiers,
        claim.modality.value,
        claim.attribution,
        claim.polarity,
        claim.doubt,
        claim.confidence,
        claim.rivals,
    ]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def load_claim(value: str) -> Claim:
    """What `dump_claim` wrote."""
    row = json.loads(value)
    if row[8] is not None:
        low, high = row[8][4], row[8][5]
        row[8][4] = -math.inf if low is None else low
        row[8][5] = math.inf if high is None else high
        row[8] = Quantity(*row[8])
    row[11] = tuple((axis, stated) for axis, stated in row[11])
    row[12] = Modality(row[12])
    row[17] = tuple((subject, metric, scope, chance) for subject, metric, scope, chance in row[17])
    return Claim(*row)


def claim_row(claim: Claim, fact: Fact | None = None) -> dict[str, Any]:
    """The parameters of INSERT_CLAIM."""
    q = claim.quantity
    return {
        "source": claim.source,
        "passage": claim.passage,
        "subject": claim.subject,
        "metric": claim.metric,
        "dimension": q.dimension if q is not None else "",
        "low": _finite(q.low) if q is not None else None,
        "high": _finite(q.high) if q is not None else None,
        "value": dump_claim(claim),
        "fact": None if fact is None else _dump_fact(fact),
    }


def _dump_fact(fact: Fact) -> str:
    c = fact.citation
    row = [fact.id, fact.value, fact.unit, fact.rank, fact.reason, fact.as_of, fact.place]
    return json.dumps([row, [c.title, c.origin, c.publisher, c.published, c.quote, c.line]], ensure_ascii=False)


def load_fact(value: str, fact: str) -> Fact:
    """A row of SELECT_CLAIMS whose second column is not NULL."""
    (id_, written, unit, rank, reason, as_of, place), citation = json.loads(fact)
    return Fact(id_, load_claim(value), written, unit, rank, reason, as_of, place, Citation(*citation))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
