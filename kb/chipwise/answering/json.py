"""The JSON contract of look-ups: facts, comparisons, what a number could be, and the claims of a source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chipwise.answering.compare import Comparison, ComparisonRow
    from chipwise.answering.facts import FactList
    from chipwise.answering.find import Match, Trace
    from chipwise.answering.listing import Listing
    from chipwise.claims.model import Claim, Fact
    from chipwise.domain.model import Domain
    from chipwise.numbers.quantity import Quantity

CLAIMS_SCHEMA = "chipwise.claims/1"
COMPARE_SCHEMA = "chipwise.compare/1"
FACTS_SCHEMA = "chipwise.facts/1"
FIND_SCHEMA = "chipwise.find/1"


def facts_value(found: FactList) -> dict[str, Any]:
    """`facts --json` with a subject or a metric."""
    return {
        "schema": FACTS_SCHEMA,
        "subjects": list(found.asked.subjects),
        "metrics": list(found.asked.metrics),
        "facts": [fact_value(fact) for fact in found.facts],
        "left_out": found.left_out,
    }


def fact_value(fact: Fact) -> dict[str, Any]:
    """One fact with all its slots; `value` as the table writes it, `low` and `high` in the dimension's base unit."""
    claim, cited = fact.claim, fact.citation
    return {
        "id": fact.id,
        "subject": claim.subject,
        "metric": claim.metric,
        "value": fact.value,
        "unit": fact.unit,
        **interval_value(claim.quantity),
        "qualifiers": dict(claim.qualifiers),
        "baseline": claim.baseline,
        "modality": claim.modality.value,
        "rank": fact.rank,
        "reason": fact.reason,
        "as_of": fact.as_of,
        "row": fact.place,
        "citation": {
            "source": claim.source,
            "line": cited.line,
            "title": cited.title,
            "publisher": cited.publisher,
            "published": cited.published,
            "origin": cited.origin,
            "quote": cited.quote,
            "start": claim.start,
            "end": claim.end,
        },
    }


def interval_value(quantity: Quantity | None) -> dict[str, Any]:
    """The ends of a figure in the dimension's base unit, null where one is open; of a category none."""
    if quantity is None:
        return {"dimension": "", "low": None, "high": None, "bound": "exact"}
    low, high = (value if math.isfinite(value) else None for value in (quantity.low, quantity.high))
    return {"dimension": quantity.dimension, "low": low, "high": high, "bound": quantity.bound}


def compare_value(found: Comparison) -> dict[str, Any]:
    """`compare --json`; the cells of a row are by subject, null where there is nothing like it."""
    return {
        "schema": COMPARE_SCHEMA,
        "subjects": list(found.subjects),
        "rows": [_row_value(found.subjects, row) for row in found.rows],
        "notes": list(found.notes),
        "left_out": found.single,
    }


def _row_value(subjects: Sequence[str], row: ComparisonRow) -> dict[str, Any]:
    cells = {
        subject: None if fact is None else {"value": number, "fact": fact_value(fact)}
        for subject, fact, number in zip(subjects, row.facts, row.numbers, strict=True)
    }
    return {
        "metric": row.metric,
        "qualifiers": row.words,
        "unit": row.unit,
        "cells": cells,
        "ratio": row.ratio,
        "notes": [{"subject": note.subject, "text": note.text} for note in row.notes],
    }


def find_value(found: Trace) -> dict[str, Any]:
    """`find --json`; the interval is what the number's writing implies, in its own unit."""
    return {
        "schema": FIND_SCHEMA,
        "number": found.number.text,
        "low": found.number.low,
        "high": found.number.high,
        "unit": found.number.unit or None,
        "facts": [_match_value(match) for match in found.stated],
        "derived": [_match_value(match) for match in found.derived],
        "claims": [
            {"subject": e.subject, "metric": e.metric, "claims": e.claims, "sources": list(e.sources)}
            for e in found.echoes
        ],
    }


def _match_value(match: Match) -> dict[str, Any]:
    return {"fact": fact_value(match.fact), "arithmetic": match.arithmetic, "counterpart": match.beside}


def claims_value(listing: Listing, domain: Domain) -> dict[str, Any]:
    """`claims --json`; spans point into the text that was read."""
    return {
        "schema": CLAIMS_SCHEMA,
        "source": listing.source,
        "title": listing.title,
        "origin": listing.origin,
        "claims": [claim_value(listing, claim, domain) for claim in listing.claims],
        "left_out": [_left_value(listing, claim) for claim in listing.left],
        "unknown": list(listing.unknown),
    }


def _left_value(listing: Listing, claim: Claim) -> dict[str, Any]:
    from chipwise.claims.leftover import why_left  # noqa: PLC0415

    quote = listing.quote(claim)
    return {
        "value": listing.written(claim),
        "subject": claim.subject,
        "metric": claim.metric,
        "why": why_left(claim),
        "line": listing.line(claim),
        "quote": quote,
    }


def claim_value(listing: Listing, claim: Claim, domain: Domain) -> dict[str, Any]:
    """One claim with all its slots; empty ones are not stated, `not_stated` are those without which it tells little."""
    from chipwise.claims.running import not_stated  # noqa: PLC0415

    q = claim.quantity
    return {
        "subject": claim.subject,
        "metric": claim.metric,
        "value": listing.written(claim),
        "unit": "" if q is None else q.unit,
        **interval_value(q),
        "form": "category" if q is None else q.form,
        "count": 1 if q is None else q.count,
        "object": claim.object,
        "polarity": claim.polarity,
        "qualifiers": dict(claim.qualifiers),
        "baseline": claim.baseline,
        "modality": claim.modality.value,
        "attribution": claim.attribution,
        "not_stated": list(not_stated(domain, claim)),
        "doubt": claim.doubt,
        "passage": f"{claim.source}#{claim.passage}",
        "line": listing.line(claim),
        "quote": listing.quote(claim),
        "start": claim.start,
        "end": claim.end,
        "value_start": claim.value_start,
        "value_end": claim.value_end,
    }
