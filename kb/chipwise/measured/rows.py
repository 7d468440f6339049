"""Measured rates and times of known runs: the rows of corpus/facts/measured, and those that match what is asked.

    select(Wanted(chips={"nvidia-h200-sxm"}, model="Llama 2 70B"))  ->  rows, those that state most of it first

A row has the axes that its source states, each "" where it states none. Nothing here guesses one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from chipwise.corpus import facts_folder
from chipwise.errors import DomainInvalid

FOLDER = "measured"
SOURCES = "sources.toml"
RATES = ("throughput", "samples_per_second", "achieved_compute")  # of one chip, or of all together


@dataclass(frozen=True, slots=True)
class Origin:
    """The publication that rows of one file come from; `origin` is the address of a repository, read at `commit`."""

    file: str
    title: str
    publisher: str
    origin: str
    commit: str
    license: str
    published: str
    importer: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured figure with the axes of its run, as texts of the row.

    `value` is in `unit`, of one chip where `scope` is "chip" and of all `chips` where it is "total".
    `text` is the row as the file has it, at `start` in the file and on `line`.
    """

    subject: str
    system: str
    metric: str
    value: float
    unit: str
    scope: str
    chips: int
    nodes: str
    model: str
    format: str
    phase: str
    origin: str
    counts: str
    input_length: str
    output_length: str
    batch: str
    parallelism: str
    engine: str
    engine_version: str
    benchmark: str
    benchmark_version: str
    scenario: str
    quality: str
    submitter: str
    status: str
    date: str
    note: str
    source: Origin
    text: str
    start: int
    line: int

    @property
    def per_chip(self) -> float:
        """The rate of one chip."""
        return self.value if self.scope == "chip" else self.value / self.chips

    @property
    def total(self) -> float:
        """The rate of all its chips."""
        return self.value * self.chips if self.scope == "chip" else self.value

    @property
    def is_training(self) -> bool:
        """True for a training run of any kind."""
        return self.phase != "inference"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What rows are asked for. `chips` are ids of chips, `axes` wanted values of fields of a Measurement, such as chips or engine."""

    metrics: tuple[str, ...]
    models: tuple[str, ...] = ()
    chips: frozenset[str] = frozenset()
    training: bool | None = None
    axes: dict[str, str] = field(default_factory=dict)


@cache
def read_measurements(folder: Path | None = None) -> tuple[Measurement, ...]:
    """All rows of all files, in order; none where the folder is missing.

    Raises DomainInvalid with file and line for a row that does not fit its header.
    """
    import tomllib  # noqa: PLC0415

    folder = folder or facts_folder() / FOLDER
    if not folder.is_dir():
        return ()
    sources = tomllib.loads((folder / SOURCES).read_text("utf-8"))["source"]
    return tuple(row for source in sources for row in _rows(folder / f"{source['file']}.csv", Origin(**source)))


def _rows(path: Path, source: Origin) -> Iterable[Measurement]:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    cells = csv.reader(lines, strict=True)  # no cell holds a line break
    columns = next(cells)
    at = len(lines[0])
    for line, (text, row) in enumerate(zip(lines[1:], cells, strict=True), start=2):
        if len(row) != len(columns):
            raise DomainInvalid(f"{path}:{line}: {len(row)} cells for {len(columns)} columns", hint="mend that row")
        values = dict(zip(columns, row, strict=True))
        value, chips = float(values.pop("value")), int(values.pop("chips"))
        yield Measurement(value=value, chips=chips, source=source, text=text.rstrip(), start=at, line=line, **values)
        at += len(text)


def select(rows: Sequence[Measurement], wanted: Wanted) -> list[Measurement]:
    """The rows of the model and the chips that are wanted, of those the ones that state most of the wanted axes, newest first.

    A row of another model, chip or metric is never among them; one that states another value on a wanted axis
    only where no row has the wanted one.
    """
    found = [
        row
        for row in rows
        if row.metric in wanted.metrics
        and (not wanted.models or row.model in wanted.models)
        and (not wanted.chips or row.subject in wanted.chips)
        and (wanted.training is None or row.is_training is wanted.training)
    ]
    for axis, value in wanted.axes.items():
        found = [row for row in found if str(getattr(row, axis)).lower() == value.lower()] or found
    return sorted(found, key=lambda row: row.date, reverse=True)


def unmet(rows: Sequence[Measurement], wanted: Wanted) -> dict[str, str]:
    """The wanted axes that no row has the wanted value on."""
    return {
        axis: value
        for axis, value in wanted.axes.items()
        if not any(str(getattr(row, axis)).lower() == value.lower() for row in rows)
    }


def band(rows: Sequence[Measurement]) -> tuple[float, float, float]:
    """Least, median and greatest rate of one chip. Raises ValueError where there are no rows."""
    rates = sorted(row.per_chip for row in rows)
    middle = len(rates) // 2
    median = rates[middle] if len(rates) % 2 else (rates[middle - 1] + rates[middle]) / 2
    return rates[0], median, rates[-1]
