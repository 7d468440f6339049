"""Measured rates and times of known runs: the rows of corpus/facts/measured, each with its quote.

A row has the axes that its source states, each "" where it states none. Nothing here guesses one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chipwise.claims.model import Citation
from chipwise.corpus import facts_folder
from chipwise.devices.peaks import Peak, peak
from chipwise.errors import DomainInvalid, NameUnknown
from chipwise.figures.llms import LanguageModel, find_model

FOLDER = "measured"
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
    """One measured figure; `axes` are all columns of its row as texts, such as format, engine and input_length.

    `value` is in `unit`, of one chip where `scope` is "chip" and of all `chips` where it is "total".
    `text` is the row as the file has it, at `start` in the file and on `line`.
    """

    subject: str
    model: str
    metric: str
    value: float
    unit: str
    scope: str
    chips: int
    axes: Mapping[str, str]
    source: Origin
    text: str
    start: int
    line: int

    def __getitem__(self, axis: str) -> str:
        return self.axes[axis]

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
        return self["phase"] != "inference"

    @property
    def citation(self) -> Citation:
        """The row as a quote, with the address of the file that it was read from."""
        source = self.source
        address = f"{source.origin}/blob/{source.commit}/{self['origin'].partition('#')[0]}"
        return Citation(source.title, address, source.publisher, source.published, self.text, self.line)


@cache
def read_measurements(folder: Path | None = None) -> tuple[Measurement, ...]:
    """All rows of all files, in order; none where the folder is missing.

    Raises DomainInvalid with file and line for a row that does not fit its header.
    """
    import tomllib  # noqa: PLC0415

    folder = folder or facts_folder() / FOLDER
    if not folder.is_dir():
        return ()
    sources = tomllib.loads((folder / "sources.toml").read_text("utf-8"))["source"]
    return tuple(row for source in sources for row in _rows(folder / f"{source['file']}.csv", Origin(**source)))


def _rows(path: Path, source: Origin) -> Iterable[Measurement]:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    cells = csv.reader(lines, strict=True)  # no cell holds a line break
    columns = next(cells)
    at = len(lines[0])
    for line, (text, row) in enumerate(zip(lines[1:], cells, strict=True), start=2):
        if len(row) != len(columns):
            raise DomainInvalid(f"{path}:{line}: {len(row)} cells for {len(columns)} columns", hint="fix that row")
        axes = dict(zip(columns, row, strict=True))
        plain = {name: axes[name] for name in ("subject", "model", "metric", "unit", "scope")}
        numbers = {"value": float(axes["value"]), "chips": int(axes["chips"])}
        place = {"source": source, "text": text.rstrip(), "start": at, "line": line}
        yield Measurement(**plain, **numbers, axes=axes, **place)  # type: ignore[arg-type] # by the type of each, above
        at += len(text)


def is_like(row: Measurement, model: LanguageModel, ratio: float = 1.01) -> bool:
    """True for a model whose parameters, all and active, are within a ratio: by default of one shape."""
    other = find_model(row.model)
    if other is None:
        return False
    pairs = ((other.parameters, model.parameters), (other.active_parameters, model.active_parameters))
    return all(max(pair) <= ratio * min(pair) for pair in pairs)


def mfu(row: Measurement, name: str) -> tuple[float, Peak] | None:
    """The share of the dense peak of its format that a training run reaches, by 6 FLOP per active parameter and token.

    `name` is that of its chip. None where model, format or peak is not known.
    """
    model, form = find_model(row.model), row["format"].removeprefix("mx")
    if model is None or not form or not row.is_training or row.unit != "tokens/s":
        return None
    for chip in (name, f"{name} SXM"):  # what is said of the line, such as the H100's, was run on its modules
        try:
            found = peak(chip, form)
        except NameUnknown:
            continue
        return row.per_chip * 6 * model.active_parameters / found.value, found
    return None
