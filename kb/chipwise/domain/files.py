"""Reads and checks the TOML files of the domain. Errors name the file and the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chipwise.corpus import domain_folder
from chipwise.domain import cues
from chipwise.domain.model import Domain, build_domain
from chipwise.domain.schemas import SCHEMAS
from chipwise.domain.tables import TABLES
from chipwise.errors import DomainInvalid
from chipwise.files import read_text

Records = dict[str, dict[str, tuple[dict[str, Any], str]]]  # by table and key: the row, and its file and line


@cache
def shipped_domain() -> Domain:
    """The shipped domain, read once per process."""
    return read_domain(domain_folder())


def read_domain(*folders: Path) -> Domain:
    """Read the domain of all folders together; a record of a later folder replaces one with the same id.

    Raises DomainInvalid with file and line for invalid TOML, an unknown or missing key, an id
    used twice in one file, or a reference to an id that nothing defines.
    """
    records: Records = {}
    for folder in folders:
        for name in SCHEMAS:
            path = folder / name
            own: dict[tuple[str, str], str] = {}  # the line of each record in this file
            for table, record, place in _read_file(path) if path.is_file() else ():
                key = _key(record)
                if (first := own.setdefault((table, key), place)) != place:
                    raise DomainInvalid(f"{place}: {table} {key!r} is already at {first}", hint="keep one of the two")
                records.setdefault(table, {})[key] = (record, place)
    _check_references(records)
    _check_values(records)
    _check_relations(records)
    _check_equations(records)
    _check_cues(records)
    rows = {table: [record for record, _ in by_id.values()] for table, by_id in records.items()}
    return build_domain({table: rows.get(table, []) for table in TABLES})


def _key(record: dict[str, Any]) -> str:
    """The key of a record within its table. A qualifier's includes its axis: "measured" is a value of two axes."""
    return f"{record.get('axis', '')} {record.get('id', '')}".strip() or str(record.get("surface") or record["of"])


def _read_file(path: Path) -> list[tuple[str, dict[str, Any], str]]:
    try:
        text = read_text(path)
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DomainInvalid(f"{path}: {error}", hint="fix the TOML syntax there") from None
    except (OSError, RecursionError) as error:
        raise DomainInvalid(f"{path} cannot be read: {error}", hint="fix or remove that file") from None
    schemas = SCHEMAS[path.name]
    read: list[tuple[str, dict[str, Any], str]] = []
    for table, rows in tables.items():
        lines = _lines_of(text, table)
        if table not in schemas or not isinstance(rows, list):
            raise DomainInvalid(
                f"{path}:{lines[0] if lines else 1}: unknown table {table!r}",
                hint=f"this file holds {' and '.join(f'[[{name}]]' for name in schemas)}",
            )
        for number, row in enumerate(rows):
            place = f"{path}:{lines[number] if number < len(lines) else 1}"
            try:
                read.append((table, schemas[table].model_validate(row).model_dump(), place))
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise DomainInvalid(f"{place}: {where}: {first['msg']}", hint="fix that entry") from None
    return read


def _lines_of(text: str, table: str) -> list[int]:
    """List the line numbers (from 1) of the `[[table]]` headers; arrays of tables keep their order."""
    header = re.compile(rf"[ \t]*\[+\s*{re.escape(table)}\b")
    return [number for number, line in enumerate(text.splitlines(), start=1) if header.match(line)]


# references between tables: (table, field, the table or axis that must define it, what to call that)
_REFERENCES = (
    ("entity", "parent", "entity", "entity"),
    ("entity", "within", "entity", "entity"),
    ("entity", "predecessor", "entity", "entity"),
    ("entity", "form_factor", "form_factor", "form factor"),
    ("ambiguous", "entities", "entity", "entity"),
    ("metric", "dimension", "dimension", "dimension"),
    ("metric", "unit", "unit", "unit"),
    ("metric", "implied_by", "dimension", "dimension"),
    ("metric", "qualifiers", "axis", "axis"),
    ("metric", "measured_as", "metric", "metric"),
    ("metric", "times_as", "metric", "metric"),
    ("operator", "metrics", "metric", "metric"),
    ("metric", "exclusive", "term", "term"),
    ("unit", "dimension", "dimension", "dimension"),
    ("qualifier", "axis", "axis", "axis"),
    ("axis", "terms", "kind", "kind of term"),
    ("axis", "deeds", "term", "term"),
    ("axis", "vague", "term", "term"),
    ("relation", "id", "metric", "metric"),
    ("term", "part_of", "term", "term"),
    ("explanation", "axis", "axis", "axis"),
    ("needs", "axes", "axis", "axis"),
    ("explanation", "where", "axis", "axis"),
    ("metric", "of_machines", "metric", "metric"),
    ("explanation", "dimensions", "dimension", "dimension"),
    ("variable", "claims", "metric", "metric"),
)

_UNMEASURED = ("text", "date")  # dimensions without a unit, which no file defines


def _check_references(records: Records) -> None:
    forms = {q["id"] for q, _ in records.get("qualifier", {}).values() if q["axis"] == "form_factor"}
    kinds = {term["kind"] for term, _ in records.get("term", {}).values()}
    besides = {"dimension": _UNMEASURED, "form_factor": forms, "kind": kinds}
    for table, field, target, what in _REFERENCES:
        defined = {*records.get(target, {}), *besides.get(target, ())}
        for record, place in records.get(table, {}).values():
            value = record[field]
            for name in value if isinstance(value, list) else [value]:
                if name and name not in defined:
                    raise DomainInvalid(
                        f"{place}: {field} {name!r} is not a known {what}", hint=f"name an existing {what}"
                    )


def _check_values(records: Records) -> None:
    """Check that explanations name only values of their axes."""
    references: list[tuple[str, str, str]] = []  # axis, value, and the file and line
    for rule, place in records.get("explanation", {}).values():
        references += [(rule["axis"], rule["more"], place), (rule["axis"], rule["less"], place)]
        references += [(rule["where"], value, place) for value in rule["among"]]
        references += [(axis, value, place) for axis, value in rule["never"].items()]
    defined = _values_of_axes(records)
    for axis, value, place in references:
        if value and (axis, value) not in defined:
            raise DomainInvalid(f"{place}: {value!r} is not a value of {axis!r}", hint="name an existing value")


def _values_of_axes(records: Records) -> set[tuple[str, str]]:
    """Each axis with each of its values: its qualifiers, and the terms of its kinds."""
    kinds = {kind: axis for axis, (record, _) in records.get("axis", {}).items() for kind in record["terms"]}
    terms = {(kinds[t["kind"]], id_) for id_, (t, _) in records.get("term", {}).items() if t["kind"] in kinds}
    return terms | {(q["axis"], q["id"]) for q, _ in records.get("qualifier", {}).values()}


def _check_relations(records: Records) -> None:
    """Check relations: objects are kinds or ids of terms or ids of values, subjects are kinds of entities."""
    terms, entities = records.get("term", {}), records.get("entity", {})
    objects = {*terms, *records.get("value", {}), *(record["kind"] for record, _ in terms.values())}
    subjects = {record["kind"] for record, _ in entities.values()}
    for relation, place in records.get("relation", {}).values():
        for field, defined, what in (("objects", objects, "term or value"), ("subjects", subjects, "kind of entity")):
            for name in relation[field]:
                if name not in defined:
                    raise DomainInvalid(
                        f"{place}: {field} {name!r} is not a known {what}", hint=f"name an existing {what}"
                    )


def _check_equations(records: Records) -> None:
    """Check that variables, equations and conventions refer to existing names. Units may be "A per B" or "chip-A"."""
    variables, units = records.get("variable", {}), records.get("unit", {})

    def check(references: Iterable[str], defined: Container[str], what: str, place: str) -> None:
        for name in references:
            if name not in defined:
                raise DomainInvalid(f"{place}: {name!r} is not a known {what}", hint=f"name an existing {what}")

    for record, place in variables.values():
        parts = [p.removeprefix("chip-") for unit in record["units"] for p in unit.split(" per ")]
        check(parts, units, "unit", place)
        check(filter(None, [record["metric"]]), records.get("metric", {}), "metric", place)
        check(record["axes"], records.get("axis", {}), "axis", place)
        check(filter(None, [record["total"]]), variables, "variable", place)
    for record, place in records.get("equation", {}).values():
        check((record["left"], *record["powers"], *record["round"], *record["in_units"]), variables, "variable", place)
        check((u.removeprefix("chip-") for u in record["in_units"].values()), units, "unit", place)
    for record, place in records.get("convention", {}).values():
        check([record["variable"]], variables, "variable", place)


def _check_cues(records: Records) -> None:
    """Check that all cues are written the way `cues` reads them."""
    fields = (("metric", "dated"), ("voice", "cues"), ("relation", "cues"), ("relation", "denied"))
    for table, field in fields:
        for record, place in records.get(table, {}).values():
            wrong = next((f"{field}: {cue!r}: {what}" for cue in record[field] if (what := cues.check(cue))), "")
            if wrong:
                raise DomainInvalid(f"{place}: {wrong}", hint="fix that entry")
