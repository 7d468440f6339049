"""Measured figures hold together: known names, and no rate above what its chips can compute."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from evals.measured import rows, verify
from evals.measured.rows import FOLDER, Measured

from chipwise.figures.llms import find_model

from ..conftest import ROOT

# dense peaks in FLOP/s, 16-bit and FP8, as their makers print them: bounds that no measurement may pass
PEAKS = {
    "nvidia-h100": (989e12, 1979e12),
    "nvidia-h100-sxm": (989e12, 1979e12),
    "nvidia-h200-sxm": (989e12, 1979e12),
    "nvidia-b200-sxm": (2250e12, 4500e12),
    "nvidia-gb200-gpu": (2500e12, 5000e12),
    "nvidia-gb300-gpu": (2500e12, 5000e12),
    "amd-mi300x": (1307e12, 2615e12),
}


@cache
def measured() -> dict[str, list[Measured]]:
    """All rows by file."""
    return {path.stem: rows.read(path) for path in sorted(FOLDER.glob("*.csv"))}


def flop_per_second(row: Measured) -> float:
    """What a rate takes of one chip, counting 2 FLOP per active parameter and token, 6 in training, and no attention."""
    model = find_model(row.model)
    assert model is not None
    rate = float(row.value) / (1 if row.scope == "chip" else int(row.chips))
    if row.counts == "output" and row.input_length:  # the prompt is computed, too
        rate *= 1 + int(row.input_length) / int(row.output_length)
    return rate * model.active_parameters * (6 if "train" in row.phase else 2)


def test_there_are_1500_rows_and_each_file_says_where_it_is_from() -> None:
    sources = tomllib.loads((FOLDER / "sources.toml").read_text("utf-8"))["source"]
    assert {source["file"] for source in sources} == set(measured())
    assert all(len(source["commit"]) == 40 and source["license"] and source["published"] for source in sources)
    assert sum(map(len, measured().values())) >= 1500


def test_every_row_names_a_known_chip_and_metric_and_where_it_stands() -> None:
    entities, metrics = (
        {record["id"] for record in tomllib.loads((ROOT / "corpus/domain" / name).read_text("utf-8"))[kind]}
        for name, kind in (("entities.toml", "entity"), ("metrics.toml", "metric"))
    )
    wrong = [
        f"{file}: {row.origin}"
        for file, found in measured().items()
        for row in found
        if row.subject not in entities
        or row.metric not in metrics
        or not (row.origin and row.date and row.model and row.phase)
        or row.scope not in ("chip", "total")
        or float(row.value) <= 0
    ]
    assert wrong == []


def test_no_rate_passes_the_peak_of_its_chips() -> None:
    wrong = [
        row.origin
        for found in measured().values()
        for row in found
        if row.metric == "throughput" and row.subject in PEAKS and find_model(row.model)
        if flop_per_second(row)
        > PEAKS[row.subject][row.format not in ("bf16", "fp16")] * (2 if row.format == "fp4" else 1)
    ]
    assert wrong == []


def test_tokens_and_flops_of_one_training_run_agree() -> None:
    runs: dict[str, dict[str, Measured]] = {}
    for row in measured()["megatron-bridge-2025"]:
        place = row.origin.replace("Tokens / sec / GPU", "").replace("Model TFLOP / sec / GPU", "")
        runs.setdefault(place, {})[row.metric] = row
    ratios = {
        place: float(run["achieved_compute"].value) * 1e12 / flop_per_second(run["throughput"])
        for place, run in runs.items()
    }
    # attention comes on top of 6 FLOP per parameter; gpt-oss' embeddings are counted among the parameters and not computed
    assert {place: ratio for place, ratio in ratios.items() if not 0.85 < ratio < 1.25} == {}


def test_a_figure_that_its_origin_lacks_is_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("| 128/128 | 25,342 | |\n", "utf-8")
    row = next(row for row in measured()["tensorrt-llm-1.0"] if row.value == "25342")
    assert verify.stands(row, verify.Page(page))
    page.write_text("| 128/128 | 25,343 | |\n", "utf-8")
    assert not verify.stands(row, verify.Page(page))


def test_the_fit_is_within_what_chips_can_do_and_its_band_is_around_it() -> None:
    known = tomllib.loads((FOLDER / "calibration.toml").read_text("utf-8"))
    stated = [row for found in measured().values() for row in found if row.input_length and "train" not in row.phase]
    assert 0.85 * len(stated) < known["runs"] <= len(stated)
    assert all(known["times"][name] > 1 for name in ("memory", "compute"))
    assert known["band"]["low"] < 1 < known["band"]["high"]
