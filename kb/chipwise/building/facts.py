"""The curated facts table: CSV rows, each with its qualifiers, its rank and a quote of the digest that carries it.

    h100-sxm-memory,nvidia-h100-sxm,memory_capacity,80,GB,...,preferred,,stas00-accelerators,"The H100 SXM has 80 GB ..."

A row that cites nothing, or a quote that does not stand in its digest, is an error
with file and line, never a fact.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from chipwise.claims.model import Citation, Claim, Fact, Modality
from chipwise.domain.model import Domain
from chipwise.errors import DomainInvalid
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantities import ABOUT, Quantity
from chipwise.reading import read_file
from chipwise.types import Document

AXES = "dtype sparsity engine direction aggregation count form_factor basis memory_kind workload benchmark".split()
AXES += ["price_terms", "provider", "power_basis", "capacity"]
_FiguresIn = Callable[[str], Sequence[Quantity]]


class _Columns(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    subject: str
    metric: str
    value: str = Field(min_length=1)
    unit: str = ""
    bound: Literal["", "exact", "about", "at most", "at least"] = ""
    baseline: str = ""
    modality: Modality = Modality.SPECIFIED
    as_of: str = Field(default="", pattern=r"^(\d{4}(-\d{2}){0,2})?$")
    rank: Literal["preferred", "normal", "deprecated"]
    reason: str = ""
    source: str = Field(min_length=1)
    quote: str = Field(min_length=1)


_axes: dict[str, Any] = {axis: (str, Field(default="", pattern=r"^\d*$" if axis == "count" else None)) for axis in AXES}
_Row = create_model("_Row", __base__=_Columns, **_axes)


def read_facts(folder: Path, digests: Path, domain: Domain) -> list[Fact]:
    """All rows of `folder`'s CSV files, in order, with their quotes found in `digests`.

    Raises DomainInvalid with file and line for a row that is malformed, names what
    the domain does not know, or quotes what its digest does not say.
    """
    find = cache(lambda source: read_file(path) if (path := digests / f"{source}.md").is_file() else None)
    figures_in = cache(domain.unit_table.find)  # many facts cite one quote
    facts: list[Fact] = []
    places: dict[str, str] = {}
    for path in sorted(folder.glob("*.csv")):
        for place, row in _rows(path):
            if row.id in places:
                raise DomainInvalid(
                    f"{place}: {row.id!r} is already at {places[row.id]}", hint="give each fact its own id"
                )
            places[row.id] = place
            facts.append(_fact(domain, row, place, find(row.source), figures_in))
    return facts


def _rows(path: Path) -> Iterator[tuple[str, _Columns]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for values in reader:
                place = f"{path}:{reader.line_num}"
                yield place, _checked(values, place)
        except (csv.Error, UnicodeDecodeError) as error:
            raise DomainInvalid(f"{path}:{reader.line_num}: {error}", hint="fix the CSV there") from None


def _checked(values: Mapping[str, str], place: str) -> _Columns:
    try:
        return _Row.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise DomainInvalid(f"{place}: {where}: {first['msg']}", hint="fix that row") from None


def _fact(domain: Domain, row: _Columns, place: str, digest: Document | None, figures_in: _FiguresIn) -> Fact:
    _check_names(domain, row, place)
    if digest is None:
        raise DomainInvalid(
            f"{place}: no digest is called {row.source!r}", hint="name a file of corpus/sources, without .md"
        )
    start = digest.text.find(row.quote)
    if start < 0:
        raise DomainInvalid(f"{place}: the quote is not in {row.source}", hint="quote the digest word for word")
    quantity = _quantity(domain, row, place)
    if row.rank == "deprecated" and not row.reason:
        raise DomainInvalid(f"{place}: a deprecated fact has no reason", hint="say in `reason` what is wrong with it")
    at = _figure_span(figures_in(row.quote), row.quote, quantity)
    qualifiers = tuple(sorted((axis, value) for axis in AXES if (value := getattr(row, axis))))
    info = digest.info
    claim = Claim(
        source=row.source,
        passage=0,
        start=start,
        end=start + len(row.quote),
        value_start=start + at[0],
        value_end=start + at[1],
        subject=row.subject,
        metric=row.metric,
        quantity=quantity,
        object="" if quantity is not None else row.value,
        baseline=row.baseline,
        qualifiers=qualifiers,
        modality=row.modality,
    )
    line = digest.text.count("\n", 0, start) + 1
    citation = Citation(info.title, info.origin, info.publisher, info.published, row.quote, line)
    short = Path(place.rpartition(":")[0]).name + ":" + place.rpartition(":")[2]
    return Fact(row.id, claim, row.value, row.unit, row.rank, row.reason, row.as_of, short, citation)


def _check_names(domain: Domain, row: _Columns, place: str) -> None:
    known: dict[str, tuple[str, Mapping[str, object]]] = {
        row.subject: ("entity or model", {**domain.entities, **domain.terms}),
        row.metric: ("metric", domain.metrics),
        row.baseline: ("entity", domain.entities),
        row.unit: ("unit", domain.units),
    }
    for value, (what, table) in known.items():
        if value and value not in table:
            raise DomainInvalid(f"{place}: {value!r} is not a known {what}", hint="use an id of the domain files")
    for axis in AXES:
        value = getattr(row, axis)
        if value and axis not in ("count", "workload") and not _is_value(domain, axis, value):
            raise DomainInvalid(f"{place}: {value!r} is not a value of {axis}", hint="see axes.toml and terms.toml")


def _is_value(domain: Domain, axis: str, value: str) -> bool:
    term = domain.terms.get(value)
    return (axis, value) in domain.qualifiers or (term is not None and term.kind in domain.axes[axis].terms)


def _quantity(domain: Domain, row: _Columns, place: str) -> Quantity | None:
    """The figure in its dimension's base unit, with the precision of its writing; None for a category."""
    metric = domain.metrics[row.metric]
    if metric.dimension in ("text", "date"):
        return None
    written = row.value.split("..")
    numbers = [numeral for part in written if (numeral := numeral_at(part, 0)) and numeral.end == len(part)]
    if len(numbers) != len(written) or len(numbers) > 2 or not all(numeral.in_digits for numeral in numbers):  # noqa: PLR2004
        raise DomainInvalid(f"{place}: {row.value!r} is not a number", hint="write 80, 3.35 or 12..15")
    unit = domain.units.get(row.unit)
    if unit is None or unit.dimension != metric.dimension:
        raise DomainInvalid(f"{place}: {row.unit!r} is not for {row.metric}", hint=f"use a unit of {metric.dimension}")
    bottom, top = numbers[0].value * unit.scale, numbers[-1].value * unit.scale
    half = numbers[0].half * unit.scale if len(numbers) == 1 else 0.0  # a single figure means whatever rounds to it
    inf = float("inf")
    about = (1 - ABOUT) * bottom, (1 + ABOUT) * top
    bounds = {"at most": (-inf, top), "at least": (bottom, inf), "about": about}
    low, high = bounds.get(row.bound, (bottom - half, top + half))
    form = "range" if len(numbers) > 1 else "value"
    return Quantity(0, 0, unit.dimension, unit.id, low, high, row.bound or "exact", form)


def _figure_span(figures: Sequence[Quantity], quote: str, quantity: Quantity | None) -> tuple[int, int]:
    """Where the figure stands in its quote; the whole quote where it is written in some other way."""
    if quantity is not None:
        for found in figures:
            if found.agrees_with(quantity):
                return found.start, found.end
    return 0, len(quote)
