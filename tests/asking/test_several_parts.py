"""Figures that only describe a product, things to choose from, second questions, and what several people say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

CATEGORIES = {
    ("nvidia-l40s", "interconnect_kind"): "no NVLink",
    ("nvidia-l40s", "memory_kind"): "gddr6",
    ("nvidia-l40s", "cooling"): "air-cooling",
    ("nvidia-h100-sxm", "interconnect_kind"): "nvlink",
    ("nvidia-t4", "dtype_support"): "no BF16",
    ("nvidia-h100", "dtype_support"): "no FP4",
    ("nvidia-b200", "dtype_support"): "nvfp4",
    ("amd-mi355x", "dtype_support"): "fp4",
}
PEAKS = {
    ("nvidia-l40s", "fp8", "dense"): "733",
    ("nvidia-l40s", "fp8", "2:4"): "1466",
    ("nvidia-t4", "fp16", "dense"): "65",
    ("nvidia-a10", "fp16", "dense"): "125",
    ("nvidia-h200", "bf16", "dense"): "989",
    ("amd-mi300x", "bf16", "dense"): "1307",
}
FIGURES = {
    ("nvidia-l40s", "memory_capacity", "GB"): "48",
    ("nvidia-l40s", "memory_bandwidth", "GB/s"): "864",
    ("nvidia-h200", "memory_capacity", "GB"): "141",
    ("nvidia-h200", "memory_bandwidth", "TB/s"): "4.8",
    ("amd-mi300x", "memory_capacity", "GB"): "192",
    ("amd-mi300x", "memory_bandwidth", "TB/s"): "5.3",
}


def rows() -> Iterator[dict[str, str]]:
    for (subject, metric), value in CATEGORIES.items():
        quote = f"Of {subject} the {metric} is {value}."
        yield ROW | {
            "id": f"{subject}-{metric}",
            "subject": subject,
            "metric": metric,
            "value": value,
            "unit": "",
            "quote": quote,
        }
    for (subject, dtype, sparsity), value in PEAKS.items():
        quote = f"The {dtype} peak of {subject} is {value} TFLOPS, {sparsity}."
        peak = {"metric": "peak_compute", "unit": "TFLOPS", "dtype": dtype, "sparsity": sparsity}
        yield (
            ROW
            | {"id": f"{subject}-{value}", "subject": subject, "value": value, "aggregation": "chip", "quote": quote}
            | peak
        )
    for (subject, metric, unit), value in FIGURES.items():
        quote = f"Of {subject} the {metric} is {value} {unit}."
        figure = {"metric": metric, "unit": unit, "value": value, "aggregation": "chip"}
        yield ROW | {"id": f"{subject}-{metric}", "subject": subject, "quote": quote} | figure


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))

TOLD = {
    # a figure beside the name
    "does the L40S (48gb) have nvlink?": ("No: the L40S has no NVLink", 'Words not used: "48gb"'),
    "can the 48GB L40S do nvlink": ("No: the L40S has no NVLink",),
    "is the T4 with 16GB able to do bf16?": ("No: the T4 has no BF16",),
    "does the L40S have 48 GB?": ("Yes: the L40S has 48 GB",),
    "is the L40S 48 GB?": ("Yes: the L40S has 48 GB",),
    # things to choose from
    "can my T4 do bf16 or do i have to stick with fp16?": ("FP16: the T4",),
    "does the T4 do bf16 or is fp16 the lowest it goes?": ("FP16: the T4",),
    # second questions
    "What kind of memory is on the L40S and how fast is it?": ("The L40S has GDDR6", "864 GB/s"),
    "H200 or MI300X, which has more memory and is it faster too?": (
        "The MI300X has more memory capacity",
        "higher peak compute",
        "higher memory bandwidth",
    ),
    "how much memory does the L40S have, and is it air cooled?": (
        "The L40S has 48 GB",
        "Yes: the L40S has air cooling",
    ),
    "Does the H100 support NVFP4?": ("No: the H100 has no FP4",),
    "does B200 support nvfp4": ("Yes: the B200 supports NVFP4",),
}


@pytest.mark.parametrize(("question", "told"), TOLD.items(), ids=TOLD)
def test_each_part_of_a_question_is_answered_for_itself(index: OpenIndex, question: str, told: tuple[str, ...]) -> None:
    text = answered(index, question)
    assert text.startswith(told[0])
    places = [text.find(part) for part in told]
    assert -1 not in places
    assert places == sorted(places)


def test_what_stands_beside_an_asserted_figure_is_not_passed_over(index: OpenIndex) -> None:
    assert not answered(index, "does the L40S have 48 GB and NVLink?").startswith("Yes")


def test_a_why_without_anything_behind_it_denies_nothing(index: OpenIndex) -> None:
    assert "more memory capacity" in index.ask("Which has more memory, the H200 or the MI300X? Why?").text
    assert not index.ask("Why?").text.startswith("No")


def test_a_figure_put_forward_that_is_one_with_sparsity_is_told_apart_first(index: OpenIndex) -> None:
    said = index.ask("Why does my run reach only 300 TFLOPS when the L40S does 1466 TFLOPS in FP8?").text
    assert "1,466 TFLOPS is the peak compute of the L40S (FP8, 2:4 sparsity) [1]." in said
    assert "733 TFLOPS is the peak compute of the L40S (FP8, dense) [2]." in said


def test_what_is_only_said_beside_a_question_gets_no_line_of_its_own(index: OpenIndex) -> None:
    said = index.ask("How much memory has the H200? All the same, my board is new.").text
    assert "141 GB" in said
    assert "No answer" not in said
