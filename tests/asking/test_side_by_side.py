"""Two things side by side: bounds and ranges, counts, what one of them has not, and whether they differ by one thing alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.answer import Draft, Told
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import index_on

SINGLE = {
    ("nvidia-rtx-5090", "memory_capacity", "GB"): "32",
    ("nvidia-rtx-5090", "memory_bandwidth", "GB/s"): "1792",
    ("apple-m3-ultra", "memory_bandwidth", "GB/s"): "819",
    ("nvidia-rtx-3090", "memory_capacity", "GB"): "24",
    ("nvidia-rtx-3090", "memory_bandwidth", "GB/s"): "936",
    ("nvidia-rtx-4090", "memory_capacity", "GB"): "24",
    ("nvidia-rtx-4090", "memory_bandwidth", "GB/s"): "1008",
    ("nvidia-l40s", "memory_capacity", "GB"): "48",
    ("nvidia-a100", "memory_capacity", "GB"): "80",
    ("nvidia-a100", "tdp", "W"): "400",
    ("nvidia-h200", "memory_capacity", "GB"): "141",
    ("nvidia-h200", "memory_bandwidth", "TB/s"): "4.8",
    ("nvidia-h100", "memory_capacity", "GB"): "80",
    ("nvidia-h100", "memory_bandwidth", "TB/s"): "3.35",
    ("nvidia-b200", "memory_capacity", "GB"): "180",
    ("nvidia-b100", "memory_capacity", "GB"): "192",
    ("nvidia-gh200", "memory_capacity", "GB"): "96",
    ("aws-trainium1", "memory_capacity", "GB"): "32",
    ("aws-trainium1", "interconnect_bandwidth", "GB/s"): "384",
    ("aws-inferentia2", "memory_capacity", "GB"): "32",
    ("aws-inferentia2", "interconnect_bandwidth", "GB/s"): "192",
}
PEAK = {
    ("nvidia-l40s", "bf16"): "362",
    ("nvidia-l40s", "fp8"): "733",
    ("nvidia-a100", "bf16"): "312",
    ("nvidia-h100", "bf16"): "989",
    ("nvidia-h200", "bf16"): "989",
    ("nvidia-b100", "bf16"): "1750",
    ("nvidia-b200", "bf16"): "1750",
}


def row(said: str, subject: str, metric: str, value: str, unit: str, **more: str) -> dict[str, str]:
    slots = {"subject": subject, "metric": metric, "value": value, "unit": unit, "aggregation": "chip"}
    return ROW | {"id": said, "quote": f"The {said} is {value} {unit} for each."} | slots | more


def rows() -> Iterator[dict[str, str]]:
    for (subject, metric, unit), value in SINGLE.items():
        yield row(f"{subject}-{metric}", subject, metric, value, unit)
    for (subject, dtype), value in PEAK.items():
        yield row(f"{subject}-{dtype}", subject, "peak_compute", value, "TFLOPS", dtype=dtype, sparsity="dense")
    for subject, kind in (("nvidia-t4", "gddr6"), ("nvidia-v100", "hbm2")):
        yield row(f"{subject}-16", subject, "memory_capacity", "16", "GB", memory_kind=kind)
    yield row("m3-memory", "apple-m3-ultra", "memory_capacity", "512", "GB", bound="at most")
    yield row("h100-tdp", "nvidia-h100", "tdp", "350..400", "W")
    yield row("h200-tdp", "nvidia-h200", "tdp", "350", "W")
    yield row("a100-fp8", "nvidia-a100", "dtype_support", "no FP8", "", aggregation="")
    yield row("gh200-is", "nvidia-gh200", "composition", "a CPU and a GPU on one module", "", aggregation="")


index = index_on([r["quote"] for r in rows()], csv_of(*rows()))


def text(index: OpenIndex, question: str) -> str:
    found = index.ask(question)
    assert found.answered, found.reason
    return found.text


def test_a_bound_beside_a_number_is_told_without_a_factor(index: OpenIndex) -> None:
    said = text(index, "M3 Ultra vs RTX 5090")
    assert "M3 Ultra: at most 512 GB [1]; GeForce RTX 5090: 32 GB [2].\n" in said
    assert "The same" not in said


def test_a_range_is_not_the_same_as_one_of_its_ends(index: OpenIndex) -> None:
    assert "The same: thermal" not in text(index, "H100 vs H200")


def test_a_label_that_one_of_them_lacks_is_told_of_the_other_alone(index: OpenIndex) -> None:
    assert "Memory capacity: T4: 16 GB (GDDR6) [1]; V100: 16 GB (HBM2) [2]." in text(index, "T4 vs V100")


@pytest.mark.parametrize("question", ["Two used 3090s or one 4090?", "2x 3090 vs a 4090", "two 3090s or one 4090"])
def test_several_are_compared_by_what_they_have_together(index: OpenIndex, question: str) -> None:
    said = text(index, question)
    assert "2 x 24 GB" in said
    assert "= 48 GB; GeForce RTX 4090: 24 GB" in said


def test_a_purpose_that_no_figure_is_of_leaves_the_count(index: OpenIndex) -> None:
    assert "= 48 GB" in text(index, "2x 3090 vs 1x 4090 for inference")


def test_the_largest_factor_comes_first(index: OpenIndex) -> None:
    assert text(index, "H200 vs H100").startswith("The H200 has 1.76 times the memory capacity and 1.43 times")


def test_what_limits_the_work_comes_before_the_largest_factor(index: OpenIndex) -> None:
    said = text(index, "H200 vs H100 for inference")
    assert "For inference, memory bandwidth matters most: the H200 has 1.43 times" in said
    assert ", and also 1.76 times the memory capacity" in said


def test_of_many_what_two_have_is_told_and_the_lead_is_of_what_all_have(index: OpenIndex) -> None:
    said = text(index, "H200 vs H100 vs L40S")
    assert "Memory bandwidth: H200: 4.8 TB/s" in said
    assert "highest memory bandwidth" not in said.partition("\n")[0]


def test_competing_is_compared_by_all_main_figures(index: OpenIndex) -> None:
    assert text(index, "Is the H200 competitive with the H100?").startswith("The H200 has 1.76 times")


def test_that_two_differ_in_one_thing_only_is_not_said(index: OpenIndex) -> None:
    assert not index.ask("Is the H200 just an H100 with more memory?").text.startswith("Yes")


def test_instances_without_a_size_are_compared_by_their_chips(index: OpenIndex) -> None:
    said = text(index, "trn1 or inf2?")
    assert said.startswith("The Trainium1 has 2 times the chip-to-chip interconnect bandwidth.")
    assert "The same: memory capacity 32 GB" in said


@pytest.mark.parametrize(("sure", "paragraphs"), [(0.9, 2), (0.4, 1)])
def test_things_compared_with_no_more_said_get_what_passages_surely_say_of_them(
    index: OpenIndex, monkeypatch: pytest.MonkeyPatch, sure: float, paragraphs: int
) -> None:
    words = Draft("", Told(("Take the second for long contexts.",)), confidence=sure)
    monkeypatch.setattr(index, "read", lambda *_: words)
    figures, *rest = index.ask("H100 SXM vs H200").text.split("\n\n")
    assert "141 GB" in figures
    assert rest == list(words.told.parts)[: paragraphs - 1]


@pytest.mark.parametrize("question", ["H100 SXM vs H200 memory", "H200"])
def test_what_figures_answer_reads_no_passage(index: OpenIndex, monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    monkeypatch.setattr(index, "read", lambda *_: pytest.fail("passages are read"))
    assert "141 GB" in index.ask(question).text
