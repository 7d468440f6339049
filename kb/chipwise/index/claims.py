"""The part of a store that keeps claims and facts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from chipwise.claims.model import Claim, Fact
from chipwise.index import schema
from chipwise.index.rows import claim_row, ids, load_claim, load_fact


class StoredClaims:
    """What documents say and what the curated table says, in the store's file."""

    _db: sqlite3.Connection

    def claims(self, *, source: str | None = None) -> list[Claim]:
        """What documents say, in order: all, or of one source."""
        values = {"facts": 0, "source": source, "metrics": None}
        return [load_claim(value) for value, _ in self._db.execute(schema.SELECT_CLAIMS, values)]

    def claims_about(self, subjects: Iterable[str], metrics: Iterable[str]) -> list[Claim]:
        """What documents say about some subjects, of some metrics, in order."""
        values = {"facts": 0, "subjects": _list(subjects), "metrics": _list(metrics)}
        return [load_claim(value) for value, _ in self._db.execute(schema.SELECT_CLAIMS_ABOUT, values)]

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        """Rows of the curated table, in its order: all, or those about some subjects, of some metrics."""
        select = schema.SELECT_CLAIMS if about is None else schema.SELECT_CLAIMS_ABOUT
        values = {"facts": 1, "source": None, "subjects": _list(about), "metrics": _list(metrics)}
        return [load_fact(value, fact) for value, fact in self._db.execute(select, values)]

    def count_facts(self) -> dict[str, int]:
        """How many facts there are about each subject, in the table's order."""
        return dict(self._db.execute(schema.COUNT_FACTS))

    def fact_figures(self) -> list[tuple[Any, ...]]:
        """Every figure of the curated table, light: the columns of `figure`."""
        return self._db.execute(schema.SELECT_FIGURES).fetchall()

    def facts_of_rows(self, rows: Iterable[int]) -> dict[int, Fact]:
        """Facts by row id, the first of `fact_figures`."""
        found = self._db.execute(schema.SELECT_FACTS, ids(rows))
        return {row: load_fact(value, fact) for row, value, fact in found}

    def claims_at(self, wanted: Iterable[tuple[str, float, float]]) -> list[Claim]:
        """Claims of documents with about one of the values `wanted`: (dimension, low, high), in the base unit."""
        found = self._db.execute(schema.SELECT_CLAIMS_AT, {"wanted": json.dumps(list(wanted))})
        return [load_claim(value) for (value,) in found]

    def write_claims(self, claims: Iterable[Claim]) -> None:
        """Adds what a document says."""
        self._db.executemany(schema.INSERT_CLAIM, (claim_row(claim) for claim in claims))

    def replace_facts(self, facts: Iterable[Fact]) -> None:
        """Puts the curated table in place of the one there was."""
        self._db.execute("DELETE FROM figure")
        self._db.execute("DELETE FROM claim WHERE fact IS NOT NULL")
        self._db.executemany(schema.INSERT_CLAIM, (claim_row(fact.claim, fact) for fact in facts))
        self._db.execute(schema.INSERT_FIGURES)


def _list(values: Iterable[str] | None) -> str | None:
    return None if values is None else json.dumps(list(values))
