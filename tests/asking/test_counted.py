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
    "How much more memory do we gain with 2 MI300X over 2 H200?": "Two MI300Xs have more memory capacity: 2 x 192 GB [1] = 384 GB against 2 x 141 GB [2] = 282 GB for two H200s, a difference of 102 GB, 1.36 times as much.",
    "2x H200 against an MI300X: which has more memory in total?": "Two H200s have more memory capacity: 2 x 141 GB [1] = 282 GB against 192 GB [2] for one MI300X, 1.47 times as much.",
    "Which has less memory, two H200s or one MI300X?": "One MI300X has less memory capacity: 192 GB [1] against 2 x 141 GB [2] = 282 GB for two H200s, 0.681 times as much.",
    "Do 8 L4 have the same memory as one MI300X?": "Yes: eight L4s and the MI300X have the same memory capacity: 8 x 24 GB [1] = 192 GB and 192 GB [2].",
    "Does one MI300X have more memory than 2 H200?": "No: two H200s have more memory capacity",
    "8x H200 vs 8x MI300X memory": f"Eight MI300Xs have more memory capacity: 8 x 192 GB [1] = {8 * 192:,} GB against 8 x 141 GB [2] = {8 * 141:,} GB",
    "Which draws more power, 2 L4 or 3 T4?": "Three T4s have the higher thermal design power (TDP): 3 x 70 W [1] = 210 W against 2 x 72 W [2] = 144 W for two L4s, 1.46 times as much. That is for the chips alone; the rest of a machine adds to it.",
}  # fmt: skip


@pytest.mark.parametrize(("question", "begins"), TOTALS.items(), ids=TOTALS)
def test_what_is_counted_is_added_up_before_it_is_compared(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


def test_the_power_of_several_chips_is_said_to_be_that_of_the_chips_alone(index: OpenIndex) -> None:
    assert "for the chips alone" in answered(index, "Which draws more power, 2 L4 or 3 T4?")


def test_clocks_of_several_chips_do_not_add_up(index: OpenIndex) -> None:
    assert " x NVIDIA T4" not in answered(index, "Which has the higher clock, 2 L4 or 3 T4?")


def test_a_die_of_a_package_is_no_core(index: OpenIndex) -> None:
    named = {i for m in index.domain.find_metrics("How many GCDs does an MI250X have?") for i in m.ids}
    assert "cores_per_chip" not in named
