"""The tables of the domain: how each is called, and what its rows become.

    [[unit]]  id = "GB" ...   ->  Domain.units["GB"], a UnitForms

Rows are plain dictionaries, from TOML or JSON, checked before they come here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from typing import Any

from chipwise.domain.formulas import Convention, Duration, Equation, Explanation, Variable, Words
from chipwise.domain.records import (
    Ambiguous,
    Axis,
    Dimension,
    Entity,
    Metric,
    Needs,
    Neutral,
    Numbered,
    Operator,
    Qualifier,
    Relation,
    Term,
    UnitForms,
    Value,
    Voice,
)

TABLES = {  # by table, its name in a Domain
    "entity": "entities",
    "metric": "metrics",
    "term": "terms",
    "unit": "units",
    "ambiguous": "ambiguous",
    "dimension": "dimensions",
    "axis": "axes",
    "qualifier": "qualifiers",
    "needs": "needs",
    "explanation": "explanations",
    "relation": "relations",
    "value": "values",
    "variable": "variables",
    "equation": "equations",
    "convention": "conventions",
    "duration": "durations",
    "words": "words",
    "voice": "voices",
    "neutral": "neutral",
    "numbered": "numbered",
    "operator": "operators",
}
_RECORDS: dict[str, tuple[str, Callable[..., Any]]] = {  # by table: its key, and what a row becomes
    "entity": ("id", Entity),
    "metric": ("id", Metric),
    "term": ("id", Term),
    "unit": ("id", UnitForms),
    "ambiguous": ("surface", Ambiguous),
    "dimension": ("id", Dimension),
    "axis": ("id", Axis),
    "qualifier": ("id", Qualifier),
    "needs": ("of", Needs),
    "explanation": ("id", lambda **record: Explanation(**_paired(record, "never"))),
    "relation": ("id", Relation),
    "value": ("id", Value),
    "variable": ("id", lambda **record: Variable(**_paired(record, "axes", "values"))),
    "equation": ("id", lambda **record: Equation(**_paired(record, "powers", "round", "in_units"))),
    "convention": ("id", Convention),
    "duration": ("id", Duration),
    "words": ("id", Words),
    "voice": ("id", Voice),
    "neutral": ("id", Neutral),
    "numbered": ("id", Numbered),
    "operator": ("id", Operator),
}


def read_table(table: str, rows: Iterable[dict[str, Any]]) -> dict[Any, Any]:
    """The records of checked rows, by key; a later row replaces an earlier one of the same key."""
    key, record = _RECORDS[table]
    # one value of two axes ("measured") is two qualifiers
    return {(r["axis"], r[key]) if table == "qualifier" else r[key]: record(**_tupled(r)) for r in rows}


def _paired(record: dict[str, Any], *fields: str) -> dict[str, Any]:
    """`record` with its tables, which are pairs in JSON, as tuples of pairs."""
    return record | {name: tuple(map(tuple, dict(record[name]).items())) for name in fields}


def _tupled(record: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in record.items()}


class LazyTable(Mapping[Any, Any]):
    """Records by key, parsed when first looked into: a question needs units and identities as seldom as not."""

    def __init__(self, table: str, rows: str) -> None:
        self._table, self._rows = table, rows

    @cached_property
    def _records(self) -> dict[Any, Any]:
        return read_table(self._table, json.loads(self._rows))

    def __getitem__(self, key: Any) -> Any:
        return self._records[key]

    def __contains__(self, key: object) -> bool:
        return key in self._records

    def __iter__(self) -> Iterator[Any]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    # Mapping's own would ask for the records key by key
    def get(self, key: Any, default: Any = None) -> Any:
        """As of a dict."""
        return self._records.get(key, default)

    def values(self) -> ValuesView[Any]:
        """As of a dict."""
        return self._records.values()

    def items(self) -> ItemsView[Any, Any]:
        """As of a dict."""
        return self._records.items()
