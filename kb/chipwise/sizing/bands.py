"""Bands of measured runs beside what a plan works out: the rate of a service, and the MFU of a training run."""

from __future__ import annotations

from math import inf, log2

from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.derivation import FACT
from chipwise.figures.llms import LanguageModel
from chipwise.figures.worksheet import Draft
from chipwise.measured.estimate import Load, calibration, is_like, mfu, token_times
from chipwise.measured.rows import Measurement, read_measurements
from chipwise.numbers.intervals import Interval

PCIE = 100e9  # bytes/s between chips without links of their own, both directions
_SIZES = ((1.01, "of its shape"), (2.0, "of a model near it in size"), (inf, "of another model"))  # by ratio
_FOR = {"memory": "memory", "compute": "compute", "links": "links", "layer": "each step", "token": "the token itself"}


def speed(sources: Sources, about: About, variable: str) -> float:
    """A chip's bandwidth or peak by its facts; 0 where no one figure is known."""
    return next((b.value.low for b in available(sources, about, variable) if b.source == FACT), 0.0)


def link_of(sources: Sources, chip: str) -> float:
    """Bytes per second between one chip and the others, both directions; what PCIe has where no source gives a link."""
    facts = sources.store.facts([chip, *sources.names.ancestors(chip)], ["interconnect_bandwidth"])
    known = (f for f in facts if f.rank == "preferred" and f.is_single and f.claim.qualifier("aggregation") == "chip")
    return max((f.amount for f in known), default=PCIE)


def note_rate(draft: Draft, model: LanguageModel, load: Load) -> None:
    """Adds the rate that measured runs suggest for a load as a line, and the run that comes nearest to it."""
    known, sources, chip = calibration(), draft.sources, draft.about.chip
    native = About(chip=chip, stated={"dtype": "fp4"}) if load.form.endswith("fp4") else draft.about
    peak = speed(sources, native, "peak") or speed(sources, draft.about, "peak")
    if not peak or not (bandwidth := speed(sources, native, "bandwidth")):
        return
    times = token_times(model, load, bandwidth, peak, link_of(sources, chip))
    terms = {name: known["times"][name] * seconds * 1e6 for name, seconds in times.items()}
    rate = Interval.of(1e6 / sum(terms.values()))
    shown = " + ".join(f"{micros:,.4g} µs for {_FOR[name]}" for name, micros in terms.items())
    low, high = known["band"]["low"], known["band"]["high"]
    sums = f"1 / ({shown}) = {draft.amount('total_token_rate', rate)}, x {low} to {high}"
    draft.add("measured_rate", "token rate in practice", sums, "total_token_rate", rate * Interval(low, high))
    draft.assume(f"in practice: as {known['runs']:,} measured runs went; half of the context is read, half written")
    rows = [row for row in _rows(draft, training=False) if is_like(row, model) and row["input_length"]]
    for row in sorted(rows, key=lambda row: _distance(row, load))[:1]:
        said = f"{row.model} on {row.chips:,} x {sources.names.name(row.subject)}, {row['format'].upper()}"
        lengths = f"{row['input_length']} tokens in and {row['output_length']} out"
        lengths += ", both counted" if row["counts"] == "both" else ""
        told = f"{lengths}: {row.total:,g} tokens/s{draft.cite(f'{row.source.file}.csv', row.citation)}"
        draft.notes.append(f"the nearest of {len(rows)} measured runs: {said}, {told}")
    draft.notes += [] if rows else [f"no measured run of {model.name} on that chip is known"]


def _distance(row: Measurement, load: Load) -> tuple[bool, float, str]:
    ratios = float(row["input_length"]) / load.read, float(row["output_length"]) / load.written, row.chips / load.chips
    return row["format"] != load.form, sum(abs(log2(ratio)) for ratio in ratios), row["origin"]


def note_mfu(draft: Draft, model: LanguageModel) -> None:
    """Adds the MFU of known runs on that chip by format: of the model's shape, else of a size near it, else of any."""
    name = draft.sources.names.name
    rows = [(row, found) for row in _rows(draft, training=True) if (found := mfu(row, name(row.subject)))]
    ratio, of = next(((r, of) for r, of in _SIZES if any(is_like(row, model, r) for row, _ in rows)), (0.0, ""))
    near = sorted((pair for pair in rows if is_like(pair[0], model, ratio)), key=lambda pair: pair[1][0])
    for form in dict.fromkeys(row["format"] for row, _ in near):
        runs = [pair for pair in near if pair[0]["format"] == form]
        sums = []
        for row, (_, peak) in runs if len(runs) == 1 else (runs[0], runs[-1]):
            rate = f"{row.per_chip:,g} tokens/s{draft.cite(f'{row.source.file}.csv', row.citation)}"
            sums.append(f"{rate} of {row.model} / {peak.tflops:,g} TFLOPS")
        says = f"MFU in {form.upper()}, {len(runs)} measured run{'s' * (len(runs) > 1)} {of}"
        value = Interval(runs[0][1][0], runs[-1][1][0])
        draft.add(f"measured_mfu.{form}", says, f"6 x active parameters x {' to '.join(sums)}", "mfu", value)


def _rows(draft: Draft, *, training: bool) -> list[Measurement]:
    """The token rates on the plan's chip, its variants, or what it is a variant of."""
    names, chip = draft.sources.names, draft.about.chip
    kin = {chip, *names.ancestors(chip), *names.members(chip)}
    return [r for r in read_measurements() if r.unit == "tokens/s" and r.is_training is training and r.subject in kin]
