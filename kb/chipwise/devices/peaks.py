"""How many operations a second a chip does at most, by the name that its driver prints.

    peak("NVIDIA H100 80GB HBM3", "bf16")  ->  989 TFLOPS, dense, on matrix units, with its source

A figure is never derived: no sparse one from a dense one, none of a variant from another whose figures differ.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from chipwise.devices.table import Chip, chip, table
from chipwise.errors import NameUnknown

_SAME = 1.02  # two variants' figures this close are one, rounded


class Source(NamedTuple):
    """Where a figure is from: our digest's id, the title and address of the page that it is of, and the digest's words."""

    id: str
    title: str
    origin: str
    quote: str


class Peak(NamedTuple):
    """A peak of one chip in FLOP/s or OP/s.

    `sparsity` is "dense", "2:4", "other" or "" where the source does not say; `engine` "matrix", "vector" or "".
    `notes` say what else to know: a clock that it holds for, or that it was only announced.
    """

    value: float
    unit: str
    dtype: str
    sparsity: str
    engine: str
    chip: Chip
    source: Source
    date: str
    notes: tuple[str, ...] = ()

    @property
    def tflops(self) -> float:
        """The same in units of 10^12."""
        return self.value / 1e12

    def __str__(self) -> str:
        density = {"2:4": "2:4 sparse", "other": "sparse", "": "density not stated"}.get(self.sparsity, "dense")
        terms = (self.dtype, "" if self.engine == "vector" else density, f"{self.engine} units" if self.engine else "")
        return f"{self.chip.name}: {self.tflops:,.10g} T{self.unit}, {', '.join(filter(None, terms))}"


def peak(device: str, dtype: str = "bf16", *, sparse: bool = False, engine: str = "") -> Peak:
    """The peak of one chip by its printed name, in one number format, dense unless `sparse`.

    `dtype` is a format as chipwise or a framework calls it: "bf16", "torch.bfloat16", "float8_e4m3fn". `engine` asks for
    "matrix" or "vector" units; without it, FP32 and FP64 are those of the vector units.
    Raises NameUnknown as `chip` does, and where no source gives the figure.
    """
    named = chip(device)
    name = dtype.lower().rpartition(".")[2].replace("-", "")
    wanted = " ".join(filter(None, (table()["dtypes"].get(name, name), "sparse" if sparse else "", engine)))
    if named.slice:
        raise NameUnknown(
            f"no source gives the peak of a slice, {named.slice}", hint=f"{named.name!r} is the whole GPU"
        )
    products, places = table()["products"], named.variants or (named.id,)
    known = {one: fact for one in places if (fact := products[one].get("peaks", {}).get(wanted))}
    if len(known) < len(places):
        raise _missing(named, wanted, known)
    values = {one: table()["figures"][fact][3] for one, fact in known.items()}
    if max(values.values()) > _SAME * min(values.values()):
        shown = tuple(f"{products[one]['name']} ({value / 1e12:,.5g} T)" for one, value in values.items())
        raise NameUnknown(f"variants differ: {', '.join(shown)}", shown, hint="give the name of one of them")
    return _made(named, products[named.id].get("peaks", {}).get(wanted) or next(iter(known.values())))


def _made(named: Chip, fact: str) -> Peak:
    dtype, sparsity, engine, value, unit, source, quote, date, notes = table()["figures"][fact]
    title, origin, published = table()["sources"][source]
    cited, date = Source(source, title, origin, quote), date or published
    return Peak(value, unit, dtype, sparsity, engine, named, cited, date, tuple(notes))


def _missing(named: Chip, wanted: str, known: dict[str, str]) -> NameUnknown:
    products = table()["products"]
    there = ", ".join(products[one]["name"] for one in known)
    others = dict.fromkeys(what for one in (named.id, *named.variants) for what in products[one].get("peaks", ()))
    hint = f"there is one of the {there}" if known else f"there are figures for {', '.join(others) or 'no format'}"
    return NameUnknown(f"no source gives the {wanted} peak of the {named.name}", hint=hint)


def export_peaks(form: str) -> str:
    """All peaks that are known, each with its source, as "python", "json" or "csv"."""
    records: list[dict[str, Any]] = []
    for product, record in table()["products"].items():
        for wanted, fact in record.get("peaks", {}).items():
            one = _made(Chip(product, record["name"], record["vendor"]), fact)
            head = {"chip": product, "name": record["name"], "peak": wanted, "value": one.value, "unit": one.unit}
            records.append(head | {"sparsity": one.sparsity, "date": one.date} | one.source._asdict())
    if form == "json":
        return json.dumps({"schema": "chipwise.peaks/1", "peaks": records}, ensure_ascii=False, indent=1)
    if form == "csv":
        import csv  # noqa: PLC0415 (a look-up writes no table)
        import io  # noqa: PLC0415

        writer = csv.writer(text := io.StringIO(), lineterminator="\n")
        writer.writerows([list(records[0]), *(list(each.values()) for each in records)])
        return text.getvalue()
    rows = (f"    ({r['chip']!r}, {r['peak']!r}): {r['value']:.6g},  # {r['title']}, {r['origin']}" for r in records)
    return "\n".join(("# FLOP/s or OP/s by chip and number format, dense unless sparse", "PEAKS = {", *rows, "}"))
