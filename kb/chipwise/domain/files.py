"""Reads and checks the TOML files of the domain. Errors name the file and the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chipwise.corpus import domain_folder
from chipwise.domain.catalogue import FILES, TABLES
from chipwise.domain.columns import checker, references
from chipwise.domain.model import Domain
from chipwise.errors import DomainInvalid
from chipwise.files import read_text

Records = dict[str, dict[Any, tuple[Any, str]]]  # by table and key: the record, and its file and line


@cache
def shipped_domain() -> Domain:
    """The shipped domain, read once per process."""
    return read_domain(domain_folder())


def read_domain(*folders: Path) -> Domain:
    """Read the domain of all folders together; a record of a later folder replaces one with the same id.

    Raises DomainInvalid with file and line for invalid TOML, an unknown or missing key, an id
    used twice in one file, or a reference to an id that nothing defines.
    """
    records: Records = {name: {} for name in TABLES}
    for folder in folders:
        for name in FILES:
            path = folder / name
            own: dict[tuple[str, Any], str] = {}  # the line of each record in this file
            for table, record, place in _read_file(path) if path.is_file() else ():
                key = TABLES[table].key(record)
                if (first := own.setdefault((table, key), place)) != place:
                    raise DomainInvalid(f"{place}: {table} {key!r} is already at {first}", hint="keep one of the two")
                records[table][key] = (record, place)
    _check_references(records)
    _check_values(records)
    rows = {name: {key: record for key, (record, _) in by_key.items()} for name, by_key in records.items()}
    return Domain(**{table.attribute: rows[name] for name, table in TABLES.items()})


def _read_file(path: Path) -> list[tuple[str, Any, str]]:
    try:
        text = read_text(path)
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DomainInvalid(f"{path}: {error}", hint="fix the TOML syntax there") from None
    except (OSError, RecursionError) as error:
        raise DomainInvalid(f"{path} cannot be read: {error}", hint="fix or remove that file") from None
    checkers = {name: _checker(name) for name, table in TABLES.items() if path.name in table.files}
    read: list[tuple[str, Any, str]] = []
    for table, rows in tables.items():
        lines = _lines_of(text, table)
        if table not in checkers or not isinstance(rows, list):
            raise DomainInvalid(
                f"{path}:{lines[0] if lines else 1}: unknown table {table!r}",
                hint=f"this file holds {' and '.join(f'[[{name}]]' for name in checkers)}",
            )
        for number, row in enumerate(rows):
            place = f"{path}:{lines[number] if number < len(lines) else 1}"
            try:
                read.append((table, checkers[table].validate_python(row), place))
            except ValidationError as error:
                first = error.errors()[0]
                where, what = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
                raise DomainInvalid(f"{place}: {where}: {what}", hint="fix that entry") from None
    return read


@cache
def _checker(table: str) -> TypeAdapter[Any]:
    return checker(TABLES[table].record)


def _lines_of(text: str, table: str) -> list[int]:
    """List the line numbers (from 1) of the `[[table]]` headers; arrays of tables keep their order."""
    header = re.compile(rf"[ \t]*\[+\s*{re.escape(table)}\b")
    return [number for number, line in enumerate(text.splitlines(), start=1) if header.match(line)]


_UNMEASURED = ("text", "date")  # dimensions without a unit, which no file defines


def _check_references(records: Records) -> None:
    """Check that every id in a column is one that another row defines."""
    implied = {  # by what a message calls them
        "dimension": {*_UNMEASURED},
        "form factor": {value for axis, value in records["qualifier"] if axis == "form_factor"},
        "kind of term": {term.kind for term, _ in records["term"].values()},
        "kind of entity": {entity.kind for entity, _ in records["entity"].values()},
        "term or value": {term.kind for term, _ in records["term"].values()},
    }
    for table, by_key in records.items():
        for column, (what, tables, prefix) in references(TABLES[table].record):
            defined = implied.get(what, set()).union(*(records[name] for name in tables))
            for record, place in by_key.values():
                for name in _names_in(getattr(record, column), part=what == "unit"):
                    if name.removeprefix(prefix) not in defined:
                        hint = f"name an existing {what}"
                        raise DomainInvalid(f"{place}: {column} {name!r} is not a known {what}", hint=hint)


def _names_in(value: Any, *, part: int) -> Iterable[str]:
    """The ids in a column; of pairs in it, this part."""
    each = value if isinstance(value, tuple) else (value,)
    return filter(None, (name if isinstance(name, str) else name[part] for name in each))


def _check_values(records: Records) -> None:
    """Check that explanations name only values of their axes, and variables units such as "A per B" and "chip-A"."""
    kinds = {kind: axis for axis, (record, _) in records["axis"].items() for kind in record.terms}
    terms = {(kinds[term.kind], id_) for id_, (term, _) in records["term"].items() if term.kind in kinds}
    defined = terms | records["qualifier"].keys()
    for axis, value, place in _values_named(records):
        if value and (axis, value) not in defined:
            raise DomainInvalid(f"{place}: {value!r} is not a value of {axis!r}", hint="name an existing value")
    for record, place in records["variable"].values():
        for unit in (part.removeprefix("chip-") for written in record.units for part in written.split(" per ")):
            if unit not in records["unit"]:
                raise DomainInvalid(f"{place}: {unit!r} is not a known unit", hint="name an existing unit")


def _values_named(records: Records) -> Iterator[tuple[str, str, str]]:
    """Yield each axis, value and place where an explanation names one."""
    for rule, place in records["explanation"].values():
        yield from ((rule.axis, rule.more, place), (rule.axis, rule.less, place))
        yield from ((rule.where, value, place) for value in rule.among)
        yield from ((axis, value, place) for axis, value in rule.never)
