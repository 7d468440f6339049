"""The JSON contract of look-ups: facts, comparisons, what a number could be, and the claims of a source."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chipwise.claims.model import Claim, Fact
    from chipwise.domain.model import Domain
    from chipwise.lookups.compare import Comparison, ComparisonRow
    from chipwise.lookups.facts import FactList
    from chipwise.lookups.find import Match, Trace
    from chipwise.lookups.listing import Listing
    from chipwise.numbers.quantity import Quantity

_FACT = ("id", "value", "unit", "rank", "reason", "as_of")
_CITATION = ("line", "title", "publisher", "published", "origin", "quote")
_KEY = ("subject", "metric", "baseline")
_CLAIM = ("object", "polarity", "attribution", "doubt", "start", "end", "value_start", "value_end")


def _picked(record: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def facts_value(found: FactList) -> dict[str, Any]:
    """`facts --json` with a subject or a metric."""
    named = {"subjects": list(found.asked.subjects), "metrics": list(found.asked.metrics)}
    return {
        "schema": "chipwise.facts/1",
        **named,
        "facts": [fact_value(fact) for fact in found.facts],
        "left_out": found.left_out,
    }


def fact_value(fact: Fact) -> dict[str, Any]:
    """One fact with all its slots; `value` as the table writes it, `low` and `high` in the dimension's base unit."""
    claim = fact.claim
    return {
        **_picked(claim, _KEY),
        **_picked(fact, _FACT),
        **interval_value(claim.quantity),
        "qualifiers": dict(claim.qualifiers),
        "modality": claim.modality.value,
        "row": fact.place,
        "citation": _picked(fact.citation, _CITATION) | _picked(claim, ("source", "start", "end")),
    }


def interval_value(quantity: Quantity | None) -> dict[str, Any]:
    """The ends of a figure in the dimension's base unit, null where one is open; of a category none."""
    if quantity is None:
        return {"dimension": "", "low": None, "high": None, "bound": "exact"}
    low, high = (value if math.isfinite(value) else None for value in (quantity.low, quantity.high))
    return {"dimension": quantity.dimension, "low": low, "high": high, "bound": quantity.bound}


def compare_value(found: Comparison) -> dict[str, Any]:
    """`compare --json`; the cells of a row are by subject, null where there is nothing like it."""

    def row_value(row: ComparisonRow) -> dict[str, Any]:
        cells = zip(found.subjects, row.facts, row.numbers, strict=True)
        return {
            **_picked(row, ("metric", "unit", "ratio")),
            "qualifiers": row.words,
            "cells": {s: f and {"value": number, "fact": fact_value(f)} for s, f, number in cells},
            "notes": [{"subject": note.subject, "text": note.text} for note in row.notes],
        }

    return {
        "schema": "chipwise.compare/1",
        "subjects": list(found.subjects),
        "rows": [row_value(row) for row in found.rows],
        "notes": list(found.notes),
        "left_out": found.single,
    }


def find_value(found: Trace) -> dict[str, Any]:
    """`find --json`; the interval is what the number's writing implies, in its own unit."""

    def match_value(match: Match) -> dict[str, Any]:
        return {"fact": fact_value(match.fact), "arithmetic": match.arithmetic, "counterpart": match.beside}

    return {
        "schema": "chipwise.find/1",
        "number": found.number.text,
        "low": found.number.low,
        "high": found.number.high,
        "unit": found.number.unit or None,
        "facts": [match_value(match) for match in found.stated],
        "derived": [match_value(match) for match in found.derived],
        "claims": [_picked(e, ("subject", "metric", "claims")) | {"sources": list(e.sources)} for e in found.echoes],
    }


def claims_value(listing: Listing, domain: Domain) -> dict[str, Any]:
    """`claims --json`; spans point into the text that was read."""
    from chipwise.claims.leftover import why_left  # noqa: PLC0415

    return {
        "schema": "chipwise.claims/1",
        **_picked(listing, ("source", "title", "origin")),
        "claims": [claim_value(listing, claim, domain) for claim in listing.claims],
        "left_out": [
            _picked(claim, ("subject", "metric")) | _place(listing, claim) | {"why": why_left(claim)}
            for claim in listing.left
        ],
        "unknown": list(listing.unknown),
    }


def _place(listing: Listing, claim: Claim) -> dict[str, Any]:
    return {"value": listing.written(claim), "line": listing.line(claim), "quote": listing.quote(claim)}


def claim_value(listing: Listing, claim: Claim, domain: Domain) -> dict[str, Any]:
    """One claim with all its slots; empty ones are not stated, `not_stated` are those without which it tells little."""
    from chipwise.claims.running import not_stated  # noqa: PLC0415

    q = claim.quantity
    return {
        **_picked(claim, _KEY),
        **_picked(claim, _CLAIM),
        **_place(listing, claim),
        **interval_value(q),
        "unit": "" if q is None else q.unit,
        "form": "category" if q is None else q.form,
        "count": 1 if q is None else q.count,
        "qualifiers": dict(claim.qualifiers),
        "modality": claim.modality.value,
        "not_stated": list(not_stated(domain, claim)),
        "passage": f"{claim.source}#{claim.passage}",
    }
