"""What measured runs tell of other runs: the time that a token takes, and the share of a peak that training reaches.

A token takes the sum of five times, each as long as the coefficients of corpus/facts/measured/calibration.toml say, which
`evals/measured/calibrate.py` fits to the runs whose source states format, lengths and chips.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from chipwise.corpus import facts_folder
from chipwise.devices.peaks import Peak, peak
from chipwise.errors import NameUnknown
from chipwise.figures import footprint
from chipwise.figures.llms import LanguageModel, find_model
from chipwise.measured.rows import FOLDER, Measurement


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
