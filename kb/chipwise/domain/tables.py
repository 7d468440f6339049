"""The tables of the domain: each one's name, key and record.

    [[unit]]  id = "GB" ...   ->  Domain.units["GB"], a UnitForms

`files` reads and checks rows of TOML; here they come from JSON, as the index keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from chipwise.domain import formulas, records


class Table(NamedTuple):
    """A table: its attribute in a Domain, its record, the files that hold it, and the key of a record."""

    attribute: str
    record: Callable[..., Any]
    files: tuple[str, ...]
    key: Callable[[Any], Any] = attrgetter("id")


_UNITS, _AXES, _EQUATIONS = ("units.toml", "units_general.toml"), ("axes.toml",), ("equations.toml",)
TABLES = {
    "entity": Table("entities", records.Entity, ("entities.toml",)),
    "metric": Table("metrics", records.Metric, ("metrics.toml",)),
    "term": Table("terms", records.Term, ("terms.toml",)),
    "unit": Table("units", records.UnitForms, _UNITS),
    "ambiguous": Table("ambiguous", records.Ambiguous, ("entities.toml",), attrgetter("surface")),
    "dimension": Table("dimensions", records.Dimension, _UNITS),
    "axis": Table("axes", records.Axis, _AXES),
    # "measured" is a value of two axes
    "qualifier": Table("qualifiers", records.Qualifier, _AXES, attrgetter("axis", "id")),
    "needs": Table("needs", records.Needs, _AXES, attrgetter("of")),
    "explanation": Table("explanations", formulas.Explanation, _AXES),
    "relation": Table("relations", records.Relation, ("relations.toml",)),
    "value": Table("values", records.Value, ("relations.toml",)),
    "variable": Table("variables", formulas.Variable, _EQUATIONS),
    "equation": Table("equations", formulas.Equation, _EQUATIONS),
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
    """Return the records of rows from JSON, by key."""
    table = TABLES[name]
    made = (table.record(**{column: _tuples(value) for column, value in row.items()}) for row in rows)
    return {table.key(record): record for record in made}


def _tuples(value: Any) -> Any:
    """Tuples for the lists that JSON has in their place."""
    if not isinstance(value, list):
        return value
    return tuple(map(tuple, value)) if value and isinstance(value[0], list) else tuple(value)
