"""What measured runs suggest for a service: fits the times of chipwise.sizing.bands to them, and tests the fit on years left out.

    python -m evals.measured.calibrate [--write]     prints the figures; the second also writes calibration.toml

A run counts when its source states lengths, chips and format, and the table of models has its shape. Coefficients
minimize the squared logarithm of suggested over measured rate, none below what physics allows. The band holds four
fifths of the errors that remain when each file is predicted from the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import numpy as np
from scipy.optimize import minimize

from chipwise import KnowledgeBase
from chipwise.corpus import facts_folder
from chipwise.figures.bindings import About, Sources
from chipwise.figures.llms import find_model
from chipwise.measured.rows import FOLDER, Measurement, read_measurements
from chipwise.sizing import footprint
from chipwise.sizing.bands import Load, link_of, speed, token_times
from chipwise.sizing.chips import memory_of

NAMES = ("memory", "compute", "links", "layer", "token")
LEAST = np.array([1.05, 1.05, 0.0, 0.0, 0.0])  # of the peaks nobody has more than 95%
SCALE = np.array([1.0, 1.0, 1.0, 1e-5, 1e-5])  # where the search begins
PRIOR = 0.02  # weight of the squared logarithm of a coefficient beside what it begins at: few runs tell all five apart
INSIDE = (0.1, 0.9)  # quantiles of the band
FREE = 0.9  # of the memory is for weights and cache
HEAD = "# Written by evals/measured/calibrate.py: what a token takes beside its time at full speed, layer and token in seconds.\n"


def memory(sources: Sources, chip: str) -> float:
    """The bytes of one chip; 0 where no one figure is known."""
    found = memory_of(sources, chip)
    return found.value.low if found is not None else 0.0


def load_of(sources: Sources, row: Measurement) -> Load | None:
    """What a row's source states of its load, with the largest batch that memory holds where no smaller one is stated."""
    model, held = find_model(row.model), memory(sources, row.subject)
    if model is None or not held or not row["input_length"] or not row["format"]:
        return None
    form = {"fp16": "bf16"}.get(row["format"], row["format"])
    cache = "bf16" if form == "bf16" else "fp8"
    read, written = float(row["input_length"]), float(row["output_length"])
    room = row.chips * held * FREE - footprint.total(footprint.weights(model.parameters, model, form)).high
    most = max(room, held * (1 - FREE)) / footprint.cached(model, int(read + written), 1, cache).high
    return Load(row.chips, max(min(most, float(row["batch"] or most)), 1.0), read, written, form, cache)


def table(sources: Sources) -> tuple[list[Measurement], np.ndarray, np.ndarray]:
    """Rows, their times at full speed, (n, 5), and the measured seconds of a written token, (n,)."""
    rows, times, seconds = [], [], []
    speeds: dict[tuple[str, str], tuple[float, ...]] = {}  # by chip and format
    for row in read_measurements():
        if row.unit != "tokens/s" or row.is_training or (load := load_of(sources, row)) is None:
            continue
        if (row.subject, load.form) not in speeds:
            about = About(chip=row.subject, stated={"dtype": load.form})
            both = (speed(sources, about, variable) for variable in ("bandwidth", "peak"))
            speeds[row.subject, load.form] = (*both, link_of(sources, row.subject))
        bandwidth, peak, link = speeds[row.subject, load.form]
        if not (bandwidth and peak):
            continue
        model = find_model(row.model)
        assert model is not None
        found = token_times(model, load, bandwidth, peak, link)
        share = load.written / (load.read + load.written) if row["counts"] == "both" else 1.0
        rows.append(row)
        times.append([found[name] for name in NAMES])
        seconds.append(1 / (row.total * share))
    return rows, np.array(times), np.array(seconds)


def fit(times: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Coefficients, (5,), in the order of NAMES."""
    ratios = times * SCALE / seconds[:, None]

    def loss(logs: np.ndarray) -> tuple[float, np.ndarray]:
        over = np.exp(logs)
        suggested = ratios @ (LEAST + over)
        errors = np.log(suggested)
        slope = ((2 * errors / suggested)[:, None] * ratios).mean(0) * over
        return float((errors**2).mean() + PRIOR * (logs**2).sum()), slope + 2 * PRIOR * logs

    found = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B", bounds=[(-8, 6)] * len(NAMES))
    return (LEAST + np.exp(found.x)) * SCALE


def left_out(times: np.ndarray, seconds: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Logarithm of measured over suggested rate of each row, predicted from the other groups."""
    errors = np.zeros(len(seconds))
    for group in sorted(set(groups)):
        out = groups == group
        errors[out] = np.log(times[out] @ fit(times[~out], seconds[~out]) / seconds[out])
    return errors


def band(times: np.ndarray, seconds: np.ndarray, files: np.ndarray) -> tuple[float, float, float]:
    """Low, middle and high factor of what is suggested, from errors on files left out."""
    errors = left_out(times, seconds, files) if len(set(files)) > 1 else np.log(times @ fit(times, seconds) / seconds)
    low, middle, high = np.exp(np.quantile(errors, (INSIDE[0], 0.5, INSIDE[1])))
    return float(low), float(middle), float(high)


def tested(name: str, errors: Iterable[float], ends: tuple[float, float, float]) -> str:
    """A line of the report for rows that a fit has not seen."""
    ratios = np.exp(np.array(list(errors)))  # measured over suggested
    off = np.abs(ends[1] / ratios - 1)
    inside = (ratios >= ends[0]) & (ratios <= ends[2])
    within = (off <= 0.35).mean()
    return f"{name}: {len(ratios)} runs, middle off by {np.median(off):.0%} (median), within 35% {within:.0%}; inside the band {inside.mean():.0%}\n"


def main() -> None:
    """Print the figures, and write the file where asked to."""
    base = KnowledgeBase(os.environ.get("CHIPWISE_KB"))  # open as long as its sources are read
    sources = base._sources
    rows, times, seconds = table(sources)
    years = np.array([row["date"][:4] for row in rows])
    files = np.array([row.source.file for row in rows])
    inside, off = 0.0, []
    for year in sorted(set(years)):
        seen = years != year
        ends = band(times[seen], seconds[seen], files[seen])
        errors = np.log(times[~seen] @ fit(times[seen], seconds[seen]) / seconds[~seen])
        sys.stdout.write(tested(f"left out {year}", errors, ends))
        ratios = np.exp(errors)
        inside += float(((ratios >= ends[0]) & (ratios <= ends[2])).sum())
        off += list(np.abs(ends[1] / ratios - 1))
    sys.stdout.write(
        f"all years: middle off by {np.median(off):.0%} (median), inside the band {inside / len(rows):.0%}\n"
    )
    for kind, groups in (("chip", [row.subject for row in rows]), ("model", [row.model for row in rows])):
        sys.stdout.write(
            tested(f"left out by {kind}", left_out(times, seconds, np.array(groups)), band(times, seconds, files))
        )
    coefficients, (low, middle, high) = fit(times, seconds), band(times, seconds, files)
    text = HEAD + f'runs = {len(rows)}\nyears = "{min(years)} to {max(years)}"\n\n[times]\n'
    text += "".join(f"{n} = {c / middle:.3g}\n" for n, c in zip(NAMES, coefficients, strict=True))
    text += f"\n[band]\nlow = {low / middle:.2f}\nhigh = {high / middle:.2f}\n"
    sys.stdout.write(text)
    if "--write" in sys.argv:
        (facts_folder() / FOLDER / "calibration.toml").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
