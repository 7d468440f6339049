"""Bands of measured runs beside what a plan works out: the rate of a service, and the MFU of a training run.

A token takes the sum of five times, each as long as the coefficients of corpus/facts/measured/calibration.toml say, which
`evals/measured/calibrate.py` fits to the runs whose source states format, lengths and chips.
"""

from __future__ import annotations

from functools import cache
from math import inf, log2
from typing import Any, NamedTuple

from chipwise.corpus import facts_folder
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.llms import LanguageModel
from chipwise.figures.network import FACT
from chipwise.measured.rows import FOLDER, Measurement, is_like, mfu, read_measurements
from chipwise.numbers.intervals import Interval
from chipwise.sizing import footprint
from chipwise.sizing.worksheet import Worksheet

PCIE = 100e9  # bytes/s between chips without links of their own, both directions
_SIZES = ((1.01, "of models of its shape"), (2.0, "of a model near it in size"), (inf, "of another model"))  # by ratio
_FOR = {"memory": "memory", "compute": "compute", "links": "links", "layer": "each step", "token": "the token itself"}


class Load(NamedTuple):
    """So many chips with so many sequences at a time, each of `read` and `written` tokens; formats of weights and cache."""

    chips: int
    batch: float
    read: float
    written: float
    form: str
    kv_format: str


@cache
def calibration() -> dict[str, Any]:
    """The coefficients, the ends of the band, and the number of runs that they rest on."""
    import tomllib  # noqa: PLC0415

    return tomllib.loads((facts_folder() / FOLDER / "calibration.toml").read_text("utf-8"))


def token_times(model: LanguageModel, load: Load, bandwidth: float, peak: float, link: float) -> dict[str, float]:
    """Seconds that one written token takes on all chips at their full speed, prompts included.

    `bandwidth`, `peak` and `link` are those of one chip, in bytes and operations per second. "layer" and "token" are
    counts, of layers per sequence and of tokens, for what a step and a token take beside it.
    """
    cached = footprint.cached(model, int(load.read + load.written / 2), 1, load.kv_format).high
    weights = footprint.read_per_step(model, max(int(load.batch), 1), load.form).high
    computed = 1 + load.read / load.written  # tokens for each that is written
    exchanged = 4 * model.layers * model.hidden * computed * (1 - 1 / load.chips)  # two sums of 16-bit values a layer
    return {
        "memory": (weights / load.batch + cached) / (load.chips * bandwidth),
        "compute": 2 * model.active_parameters * computed / (load.chips * peak),
        "links": exchanged / link,
        "layer": model.layers / load.batch,
        "token": 1.0,
    }


def speed(sources: Sources, about: About, variable: str) -> float:
    """A chip's bandwidth or peak by its facts; 0 where no one figure is known."""
    return next((b.value.low for b in available(sources, about, variable) if b.source == FACT), 0.0)


def link_of(sources: Sources, chip: str) -> float:
    """Bytes per second between one chip and the others, both directions; what PCIe has where no source gives a link."""
    facts = sources.store.facts([chip, *sources.names.ancestors(chip)], ["interconnect_bandwidth"])
    known = (f for f in facts if f.rank == "preferred" and f.is_single and f.claim.qualifier("aggregation") == "chip")
    return max((f.amount for f in known), default=PCIE)


def note_rate(sheet: Worksheet, model: LanguageModel, load: Load) -> Interval | None:
    """Adds the rate that measured runs suggest for a load as a line, which it gives back, and the run that comes nearest to it."""
    known, sources, chip = calibration(), sheet.sources, sheet.about.chip
    native = About(chip=chip, stated={"dtype": "fp4"}) if load.form.endswith("fp4") else sheet.about
    peak = speed(sources, native, "peak") or speed(sources, sheet.about, "peak")
    if not peak or not (bandwidth := speed(sources, native, "bandwidth")):
        return None
    times = token_times(model, load, bandwidth, peak, link_of(sources, chip))
    terms = {name: known["times"][name] * seconds * 1e6 for name, seconds in times.items()}
    rate = Interval.of(1e6 / sum(terms.values()))
    shown = " + ".join(f"{micros:,.4g} µs for {_FOR[name]}" for name, micros in terms.items())
    low, high = known["band"]["low"], known["band"]["high"]
    sums = f"1 / ({shown}) = {sheet.amount('total_token_rate', rate)}, x {low} to {high}"
    band = rate * Interval(low, high)
    sheet.add("measured_rate", "token rate, in practice", sums, "total_token_rate", band)
    sheet.assume(f"in practice: from {known['runs']:,} measured runs; half of the context is prompt and half is output")
    rows = [row for row in _rows(sheet, training=False) if is_like(row, model) and row["input_length"]]
    for row in sorted(rows, key=lambda row: _distance(row, load))[:1]:
        said = f"{row.model} on {row.chips:,} x {sources.names.name(row.subject)}, {row['format'].upper()}"
        lengths = f"{row['input_length']} tokens in and {row['output_length']} out"
        lengths += ", both counted" if row["counts"] == "both" else ""
        told = f"{lengths}: {row.total:,g} tokens/s{sheet.cite(f'{row.source.file}.csv', row.citation)}"
        sheet.notes.append(f"the nearest of {len(rows)} measured runs: {said}, {told}")
    sheet.notes += [] if rows else [f"no measured run of {model.name} on that chip is known"]
    return band


def _distance(row: Measurement, load: Load) -> tuple[bool, float, str]:
    ratios = float(row["input_length"]) / load.read, float(row["output_length"]) / load.written, row.chips / load.chips
    return row["format"] != load.form, sum(abs(log2(ratio)) for ratio in ratios), row["origin"]


def note_mfu(sheet: Worksheet, model: LanguageModel) -> None:
    """Adds the MFU of known runs on that chip by format: of the model's shape, else of a size near it, else of any."""
    name = sheet.sources.names.name
    rows = [(row, found) for row in _rows(sheet, training=True) if (found := mfu(row, name(row.subject)))]
    ratio, of = next(((r, of) for r, of in _SIZES if any(is_like(row, model, r) for row, _ in rows)), (0.0, ""))
    near = sorted((pair for pair in rows if is_like(pair[0], model, ratio)), key=lambda pair: pair[1][0])
    for form in dict.fromkeys(row["format"] for row, _ in near):
        runs = [pair for pair in near if pair[0]["format"] == form]
        sums = []
        for row, (_, peak) in runs if len(runs) == 1 else (runs[0], runs[-1]):
            rate = f"{row.per_chip:,g} tokens/s{sheet.cite(f'{row.source.file}.csv', row.citation)}"
            sums.append(f"{rate} of {row.model} / {peak.tflops:,g} TFLOPS")
        says = f"MFU in {form.upper()}, {len(runs)} measured run{'s' * (len(runs) > 1)} {of}"
        value = Interval(runs[0][1][0], runs[-1][1][0])
        sheet.add(f"measured_mfu.{form}", says, f"6 x active parameters x {' to '.join(sums)}", "mfu", value)


def _rows(sheet: Worksheet, *, training: bool) -> list[Measurement]:
    """The token rates on the plan's chip, its variants, or what it is a variant of."""
    names, chip = sheet.sources.names, sheet.about.chip
    kin = {chip, *names.ancestors(chip), *names.members(chip)}
    return [r for r in read_measurements() if r.unit == "tokens/s" and r.is_training is training and r.subject in kin]
