"""The tables of the domain: each one's name, key and record.

    [[unit]]  id = "GB" ...   ->  Domain.units["GB"], a UnitForms

Rows are plain dictionaries from TOML or JSON, already checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from chipwise.domain import formulas, records


class Table(NamedTuple):
    """A table: its attribute in a Domain, its record, the files that hold it, its key, and the columns that hold tables of their own."""

    attribute: str
    record: type
    files: tuple[str, ...]
    key: str = "id"
    nested: tuple[str, ...] = ()


_UNITS, _AXES, _EQUATIONS = ("units.toml", "units_general.toml"), ("axes.toml",), ("equations.toml",)
TABLES = {
    "entity": Table("entities", records.Entity, ("entities.toml",)),
    "metric": Table("metrics", records.Metric, ("metrics.toml",)),
    "term": Table("terms", records.Term, ("terms.toml",)),
    "unit": Table("units", records.UnitForms, _UNITS),
    "ambiguous": Table("ambiguous", records.Ambiguous, ("entities.toml",), "surface"),
    "dimension": Table("dimensions", records.Dimension, _UNITS),
    "axis": Table("axes", records.Axis, _AXES),
    "qualifier": Table("qualifiers", records.Qualifier, _AXES),
    "needs": Table("needs", records.Needs, _AXES, "of"),
    "explanation": Table("explanations", formulas.Explanation, _AXES, nested=("never",)),
    "relation": Table("relations", records.Relation, ("relations.toml",)),
    "value": Table("values", records.Value, ("relations.toml",)),
    "variable": Table("variables", formulas.Variable, _EQUATIONS, nested=("axes", "values")),
    "equation": Table("equations", formulas.Equation, _EQUATIONS, nested=("powers", "round", "in_units")),
    "convention": Table("conventions", formulas.Convention, _EQUATIONS),
    "duration": Table("durations", formulas.Duration, _EQUATIONS),
    "words": Table("words", formulas.Words, (*_EQUATIONS, "phrases.toml")),
    "voice": Table("voices", records.Voice, ("voice.toml",)),
    "neutral": Table("neutral", records.Neutral, ("neutral.toml",)),
    "numbered": Table("numbered", records.Numbered, _EQUATIONS),
    "operator": Table("operators", records.Operator, ("operators.toml",)),
}
FILES = tuple(dict.fromkeys(file for table in TABLES.values() for file in table.files))


def read_table(name: str, rows: Iterable[dict[str, Any]]) -> dict[Any, Any]:
    """Return the records of checked rows by key; a later row replaces an earlier one with the same key."""
    table = TABLES[name]
    # a qualifier's key includes its axis: "measured" is a value of two axes
    return {
        (row["axis"], row[table.key]) if name == "qualifier" else row[table.key]: table.record(**_frozen(row, table))
        for row in rows
    }


def _frozen(row: dict[str, Any], table: Table) -> dict[str, Any]:
    """A copy of the row with tuples for lists, and tuples of pairs for tables (which JSON stores as pairs)."""
    frozen = {column: tuple(value) if isinstance(value, list) else value for column, value in row.items()}
    return frozen | {column: tuple(map(tuple, dict(row[column]).items())) for column in table.nested}
