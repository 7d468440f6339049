"""Several of one thing beside several of another: what adds up is added before it is compared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

MEMORY = {"nvidia-h200": "141", "amd-mi300x": "192", "nvidia-l4": "24"}
TDP = {"nvidia-l4": "72", "nvidia-t4": "70"}
CLOCK = {"nvidia-l4": "2040", "nvidia-t4": "1590"}


def rows() -> Iterator[dict[str, str]]:
    for metric, unit, values in (("memory_capacity", "GB", MEMORY), ("tdp", "W", TDP), ("clock", "MHz", CLOCK)):
        for subject, value in values.items():
            base = {"subject": subject, "metric": metric, "unit": unit, "value": value, "aggregation": "chip"}
            yield ROW | base | {"id": f"{subject}-{metric}", "quote": f"Of {subject} the {metric} is {value}."}


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))


TOTALS = {
    "How much more memory do we gain with 2 MI300X over 2 H200?": "More memory capacity: 2 x AMD MI300X, 2 x 192 GB [1] = 384 GB, is 1.36 times 2 x NVIDIA H200, 2 x 141 GB [2] = 282 GB. 384 GB - 282 GB = 102 GB.",
    "2x H200 against an MI300X: which has more memory in total?": "More memory capacity: 2 x NVIDIA H200, 2 x 141 GB [1] = 282 GB, is 1.47 times one AMD MI300X, 192 GB [2].",
    "Which has less memory, two H200s or one MI300X?": "Less memory capacity: one AMD MI300X, 192 GB [2], is 0.681 times 2 x NVIDIA H200, 2 x 141 GB [1] = 282 GB.",
    "Do 8 L4 have the same memory as one MI300X?": "Yes: The same memory capacity: 8 x NVIDIA L4, 8 x 24 GB [1] = 192 GB, and one AMD MI300X, 192 GB [2].",
    "Does one MI300X have more memory than 2 H200?": "No: More memory capacity: 2 x NVIDIA H200",
    "8x H200 vs 8x MI300X memory": f"More memory capacity: 8 x AMD MI300X, 8 x 192 GB [2] = {8 * 192:,} GB, is 1.36 times",
    "Which draws more power, 2 L4 or 3 T4?": "Higher thermal design power (TDP): 3 x NVIDIA T4, 3 x 70 W [2] = 210 W",
}  # fmt: skip


@pytest.mark.parametrize(("question", "begins"), TOTALS.items(), ids=TOTALS)
def test_what_is_counted_is_added_up_before_it_is_compared(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


def test_the_power_of_several_chips_is_said_to_be_that_of_the_chips_alone(index: OpenIndex) -> None:
    assert "of the chips alone" in answered(index, "Which draws more power, 2 L4 or 3 T4?")


def test_clocks_of_several_chips_do_not_add_up(index: OpenIndex) -> None:
    assert " x NVIDIA T4" not in answered(index, "Which has the higher clock, 2 L4 or 3 T4?")


MATCHED = {
    "How many MI300X give the same total memory as 32 L4?": "4 x AMD MI300X: 32 x 24 GB [2] / 192 GB [1] = 4. ",
    "How many L4 match the memory of one MI300X?": "8 x NVIDIA L4: 192 GB [2] / 24 GB [1] = 8. ",
    "How many H200s have as much memory as an MI300X?": "2 x NVIDIA H200 or more: 192 GB [2] / 141 GB [1] = 1.362. ",
}


@pytest.mark.parametrize(("question", "begins"), MATCHED.items(), ids=MATCHED)
def test_how_many_have_what_another_has_is_a_division_rounded_up(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)
