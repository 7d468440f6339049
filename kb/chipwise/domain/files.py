"""Reads and checks the TOML files of the domain. Errors name the file and the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from chipwise.corpus import domain_folder
from chipwise.domain.columns import references, schema
from chipwise.domain.model import Domain, build_domain
from chipwise.domain.tables import FILES, TABLES
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
        for name in FILES:
            path = folder / name
            own: dict[tuple[str, str], str] = {}  # the line of each record in this file
            for table, record, place in _read_file(path) if path.is_file() else ():
                key = _key(record)
                if (first := own.setdefault((table, key), place)) != place:
                    raise DomainInvalid(f"{place}: {table} {key!r} is already at {first}", hint="keep one of the two")
                records.setdefault(table, {})[key] = (record, place)
    _check_references(records)
    _check_values(records)
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
    schemas = {name: _schema(name) for name, table in TABLES.items() if path.name in table.files}
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
                where, what = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
                raise DomainInvalid(f"{place}: {where}: {what}", hint="fix that entry") from None
    return read


@cache
def _schema(table: str) -> type[BaseModel]:
    return schema(TABLES[table].record)


def _lines_of(text: str, table: str) -> list[int]:
    """List the line numbers (from 1) of the `[[table]]` headers; arrays of tables keep their order."""
    header = re.compile(rf"[ \t]*\[+\s*{re.escape(table)}\b")
    return [number for number, line in enumerate(text.splitlines(), start=1) if header.match(line)]


_UNMEASURED = ("text", "date")  # dimensions without a unit, which no file defines


def _check_references(records: Records) -> None:
    """Check that every id in a column is one that another row defines."""
    rows = {table: [record for record, _ in by_id.values()] for table, by_id in records.items()}
    implied = {  # by what a message calls them
        "dimension": {*_UNMEASURED},
        "form factor": {q["id"] for q in rows.get("qualifier", ()) if q["axis"] == "form_factor"},
        "kind of term": {term["kind"] for term in rows.get("term", ())},
        "kind of entity": {entity["kind"] for entity in rows.get("entity", ())},
        "term or value": {term["kind"] for term in rows.get("term", ())},
    }
    for table, by_id in records.items():
        for column, (what, tables, prefix) in references(TABLES[table].record):
            defined = implied.get(what, set()).union(*(records.get(name, ()) for name in tables))
            for record, place in by_id.values():
                for name in _names_in(record[column], keys=what != "unit"):
                    if name.removeprefix(prefix) not in defined:
                        hint = f"name an existing {what}"
                        raise DomainInvalid(f"{place}: {column} {name!r} is not a known {what}", hint=hint)


def _names_in(value: Any, *, keys: bool) -> Iterable[str]:
    """The ids in a column; of a table in it, its keys, or what they stand for."""
    if isinstance(value, dict):
        return value.keys() if keys else value.values()
    return filter(None, value if isinstance(value, list) else [value])


def _check_values(records: Records) -> None:
    """Check that explanations name only values of their axes, and variables units such as "A per B" and "chip-A"."""
    defined = _values_of_axes(records)
    for axis, value, place in _values_named(records):
        if value and (axis, value) not in defined:
            raise DomainInvalid(f"{place}: {value!r} is not a value of {axis!r}", hint="name an existing value")
    for record, place in records.get("variable", {}).values():
        for unit in (part.removeprefix("chip-") for written in record["units"] for part in written.split(" per ")):
            if unit not in records.get("unit", {}):
                raise DomainInvalid(f"{place}: {unit!r} is not a known unit", hint="name an existing unit")


def _values_named(records: Records) -> Iterator[tuple[str, str, str]]:
    """Yield each axis, value and place where an explanation names one."""
    for rule, place in records.get("explanation", {}).values():
        yield from ((rule["axis"], rule["more"], place), (rule["axis"], rule["less"], place))
        yield from ((rule["where"], value, place) for value in rule["among"])
        yield from ((axis, value, place) for axis, value in rule["never"].items())


def _values_of_axes(records: Records) -> set[tuple[str, str]]:
    """Each axis with each of its values: its qualifiers, and the terms of its kinds."""
    kinds = {kind: axis for axis, (record, _) in records.get("axis", {}).items() for kind in record["terms"]}
    terms = {(kinds[t["kind"]], id_) for id_, (t, _) in records.get("term", {}).items() if t["kind"] in kinds}
    return terms | {(q["axis"], q["id"]) for q, _ in records.get("qualifier", {}).values()}
