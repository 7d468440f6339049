"""Peak operations per second of a chip, by the name that its driver prints, and the utilization of that peak (MFU).

    peak("NVIDIA H100 80GB HBM3", "bf16")  ->  989 TFLOPS, dense, on matrix units, with its source

A figure is never derived: no sparse peak from a dense one, and none from a variant with other figures.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from chipwise.devices.table import Chip, chip, table
from chipwise.errors import NameUnknown, QuestionInvalid

_SAME = 1.02  # ratio up to which figures of two variants are the same, rounded


class Source(NamedTuple):
    """The source of a figure: the digest's id, title and address of the original page, and the digest's words."""

    id: str
    title: str
    origin: str
    quote: str


class Peak(NamedTuple):
    """A peak of one chip in FLOP/s or OP/s.

    `sparsity` is "dense", "2:4", "other", or "" if the source doesn't say; `engine` is "matrix", "vector" or "".
    `notes` add conditions: the clock that it applies to, or that it was only announced.
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
        """The value in units of 10^12."""
        return self.value / 1e12

    def __str__(self) -> str:
        density = {"2:4": "2:4 sparse", "other": "sparse", "": "density not stated"}.get(self.sparsity, "dense")
        terms = (self.dtype, "" if self.engine == "vector" else density, f"{self.engine} units" if self.engine else "")
        return f"{self.chip.name}: {self.tflops:,.10g} T{self.unit}, {', '.join(filter(None, terms))}"


def peak(device: str, dtype: str = "bf16", *, sparse: bool = False, engine: str = "") -> Peak:
    """Return the peak of a chip by its printed name, in one number format, dense unless `sparse`.

    `dtype` is a format as chipwise or a framework spells it: "bf16", "torch.bfloat16", "float8_e4m3fn". `engine`
    selects "matrix" or "vector" units; without it, FP32 and FP64 are those of the vector units.
    Raises NameUnknown for an unknown device, and if no source gives the figure.
    """
    product = chip(device)
    name = dtype.lower().rpartition(".")[2].replace("-", "")
    wanted = " ".join(filter(None, (table()["dtypes"].get(name, name), "sparse" if sparse else "", engine)))
    if product.slice:
        raise NameUnknown(
            f"no source gives the peak of the slice {product.slice}", hint=f"use {product.name!r} for the whole GPU"
        )
    products, places = table()["products"], product.variants or (product.id,)
    facts = {one: fact for one in places if (fact := products[one].get("peaks", {}).get(wanted))}
    if len(facts) < len(places):
        raise _missing(product, wanted, facts)
    values = {one: table()["figures"][fact][3] for one, fact in facts.items()}
    if max(values.values()) > _SAME * min(values.values()):
        shown = tuple(f"{products[one]['name']} ({value / 1e12:,.5g} T)" for one, value in values.items())
        raise NameUnknown(f"the variants differ: {', '.join(shown)}", shown, hint="name one of them")
    return _made(product, products[product.id].get("peaks", {}).get(wanted) or next(iter(facts.values())))


def _made(product: Chip, fact: str) -> Peak:
    dtype, sparsity, engine, value, unit, source, quote, date, notes = table()["figures"][fact]
    title, origin, published = table()["sources"][source]
    cited, date = Source(source, title, origin, quote), date or published
    return Peak(value, unit, dtype, sparsity, engine, product, cited, date, tuple(notes))


def _missing(product: Chip, wanted: str, facts: dict[str, str]) -> NameUnknown:
    products = table()["products"]
    there = ", ".join(products[one]["name"] for one in facts)
    others = dict.fromkeys(what for one in (product.id, *product.variants) for what in products[one].get("peaks", ()))
    hint = f"use the {there}" if facts else f"sources give {', '.join(others) or 'no peak at all'}"
    return NameUnknown(f"no source gives the {wanted} peak of the {product.name}", hint=hint)


def export_peaks(form: str) -> str:
    """Return all known peaks with their sources, as "python", "json" or "csv"."""
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


class Utilization(NamedTuple):
    """An MFU as a fraction; `text` shows formula, arithmetic, assumptions and source."""

    value: float
    peak: Peak
    text: str


def mfu(
    *,
    tokens_per_second: float,
    parameters: float,
    device: str,
    dtype: str = "bf16",
    chips: int | None = None,
    layers: int | None = None,
    hidden: int | None = None,
    seq_len: int | None = None,
) -> Utilization:
    """Return the model FLOPs utilization of a training run: the share of the chips' dense peak that it reaches.

    After Chowdhery et al., "PaLM" (2022), appendix B. Recomputation isn't counted; with it, the result would be HFU.

    `tokens_per_second` is the rate of all `chips` together (by default as many as `device` names: 8 for
    "p5.48xlarge"). `parameters` are those that a token passes: for a mixture of experts, the active ones.
    `layers`, `hidden` (heads x head size) and `seq_len` add attention. Raises the errors of `peak`, and
    QuestionInvalid for a value that isn't positive.
    """
    figure = peak(device, dtype)
    number = figure.chip.chips if chips is None else chips
    shape = [size for size in (layers, hidden, seq_len) if size is not None]
    if min(tokens_per_second, parameters, number, *shape) <= 0 or len(shape) in (1, 2):
        message = "a number is not positive, or part of the model's shape is missing"
        raise QuestionInvalid(
            message, hint="give numbers above 0, and either all of layers, hidden and seq_len or none"
        )
    terms, needed = f"6 x {parameters:.6g}", 6.0 * parameters
    attention = "left out; give layers, hidden and seq_len to count it"
    if layers and hidden and seq_len:
        needed += 12 * layers * hidden * seq_len
        terms += f" + 12 x {layers} x {hidden} x {seq_len}"
        attention = "over the whole sequence, not halved for a causal mask"
    value = tokens_per_second * needed / (number * figure.value)
    lines = (
        f"MFU = tokens/s x FLOP/token / (chips x peak) = {value:.1%}",
        f"FLOP/token = {terms} = {needed:.4g}",
        f"{tokens_per_second:,.6g} x {needed:.4g} / ({number} x {figure.value:.4g}) = {value:.4f}",
        "- forward and backward pass, no recomputation; parameters: those active for each token",
        f"- attention: {attention}; tokens/s: all {number} chips together",
        *(["- above 100%: check that tokens/s is for all chips, and the number format"] if value > 1 else []),
        f"- peak: {figure}; {figure.source.title}, {figure.source.origin}",
    )
    return Utilization(value, figure, "\n".join(lines))
