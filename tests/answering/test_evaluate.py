"""Queries made by hand, evaluated on a small facts table and told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chipwise.answering.answer import written
from chipwise.answering.query import Assertion, Condition, Counted, Measure, Order, Query, Set, Unknown
from chipwise.answering.reply import answer
from chipwise.numbers.quantity import Quantity
from chipwise.opening import OpenIndex

from ..asking.tabled_base import index_on, row_of
from ..building.test_facts import csv_of

MEMORY = {"nvidia-h200": "141", "amd-mi300x": "192", "nvidia-l4": "24"}
TDP = {"nvidia-h200": "700", "amd-mi300x": "750", "nvidia-l4": "72"}
PRICES = {"aws": "5", "azure": "7", "gcp": "6", "nebius": "3"}  # of an H200

SAID = {
    **{f"memory-{i}": f"Of {i} the memory is {v} GB." for i, v in MEMORY.items()},
    **{f"tdp-{i}": f"Of {i} the power is {v} W." for i, v in TDP.items()},
    "kind": "The H200 has HBM3e.",
    **{f"price-{i}": f"On {i} the price is {v} USD per hour." for i, v in PRICES.items()},
    "sold": "An L4 is sold for 2500 USD.",
    "rented": "An L4 is rented for 1 USD per hour.",
    "rated": "The B200 SXM is rated at 8 TB/s.",
    "measured": "A GPU of a GB200 reached 7 TB/s on Azure.",
}


def rows() -> list[dict[str, str]]:
    memory = [row_of(SAID, f"memory-{i}", i, "memory_capacity", v, "GB") for i, v in MEMORY.items()]
    power = [row_of(SAID, f"tdp-{i}", i, "tdp", v, "W") for i, v in TDP.items()]
    terms = {"price_terms": "on-demand", "as_of": "2026-09"}
    prices = [
        row_of(SAID, f"price-{i}", "nvidia-h200", "price_per_hour", v, "USD/hour") | {"provider": i} | terms
        for i, v in PRICES.items()
    ]
    bandwidth = ("memory_bandwidth", "8", "TB/s"), ("memory_bandwidth", "7", "TB/s")
    others = [
        row_of(SAID, "sold", "nvidia-l4", "purchase_price", "2500", "USD"),
        row_of(SAID, "rented", "nvidia-l4", "price_per_hour", "1", "USD/hour") | terms | {"provider": "gcp"},
        row_of(SAID, "rated", "nvidia-b200-sxm", *bandwidth[0]),
        row_of(SAID, "measured", "nvidia-gb200-gpu", *bandwidth[1]) | {"basis": "measured", "provider": "azure"},
    ]
    return [
        *memory,
        *power,
        *prices,
        *others,
        row_of(SAID, "kind", "nvidia-h200", "memory_kind", "hbm3e", "") | {"aggregation": ""},
    ]


index = index_on(SAID.values(), csv_of(*rows()))

CAPACITY, POWER = Measure("memory_capacity"), Measure("tdp")
H200, MI300X = Counted("nvidia-h200"), Counted("amd-mi300x")
GPUS = Set(lines=("gpu",))


def gigabytes(low: float, high: float, bound: str) -> Quantity:
    return Quantity(0, 0, "information", "GB", low * 1e9, high * 1e9, bound)


def told(index: OpenIndex, query: Query) -> str:
    found = answer([query], index)
    assert found is not None
    return found.reason or written(found.told)


def test_one_thing_and_a_measure_is_a_sentence(index: OpenIndex) -> None:
    assert told(index, Query("", Set((H200,)), (CAPACITY,))) == "The H200 has 141 GB of memory [1]."


def test_several_begin_with_who_leads_and_by_how_much(index: OpenIndex) -> None:
    asked = Query("", Set((H200, MI300X)), (CAPACITY,), Order("most"))
    assert told(index, asked) == (
        f"The MI300X has more memory capacity: 192 GB [1] against 141 GB [2] for the H200, {192 / 141:.3g} times as much."
    )


def test_counts_multiply_what_adds_up(index: OpenIndex) -> None:
    asked = Query("", Set((replace(H200, count=2), MI300X)), (CAPACITY,), Order("most"))
    assert told(index, asked).startswith(f"Two H200s have more memory capacity: 2 x 141 GB [1] = {2 * 141} GB against")


def test_of_power_a_machine_adds_to_what_its_chips_draw(index: OpenIndex) -> None:
    asked = Query("", Set((replace(H200, count=8),)), (POWER,))
    assert told(index, asked).endswith("the rest of a machine adds to it.")


def test_an_order_ranks_a_set(index: OpenIndex) -> None:
    asked = Query("", GPUS, (CAPACITY,), Order("least"))
    assert told(index, asked) == (
        "The lowest memory capacity among 3 products with a known figure:\n- the L4: 24 GB [1]\n- the H200: 141 GB [2]\n- the MI300X: 192 GB [3]."
    )


def test_conditions_narrow_a_set_and_each_is_shown(index: OpenIndex) -> None:
    large = Condition(CAPACITY, gigabytes(100, float("inf"), "at least"))
    frugal = Condition(POWER, Quantity(0, 0, "power", "W", float("-inf"), 750, "at most"), strict=True)
    assert told(index, Query("", replace(GPUS, where=(large, frugal)))) == (
        "1 of 3 products with known memory capacity and thermal design power (TDP):\n- the H200: 141 GB [1], 700 W [2]."
    )


@pytest.mark.parametrize(
    ("asserted", "begins"),
    [
        (Assertion(gigabytes(140.5, 141.5, "exact")), "Yes: the H200 has 141 GB"),
        (Assertion(gigabytes(143.5, 144.5, "exact")), "No: the H200 has 141 GB"),
        (Assertion(gigabytes(141, float("inf"), "at least")), "Yes: "),
        (Assertion(gigabytes(141, float("inf"), "at least"), strict=True), "No: "),
    ],
)
def test_what_is_asserted_is_judged(index: OpenIndex, asserted: Assertion, begins: str) -> None:
    assert told(index, Query("", Set((H200,)), (CAPACITY,), asserts=asserted)).startswith(begins)


@pytest.mark.parametrize(("kind", "begins"), [("hbm3e", "Yes: "), ("hbm", "Yes: "), ("gddr6", "No: ")])
def test_a_category_is_judged_by_the_one_that_there_is(index: OpenIndex, kind: str, begins: str) -> None:
    asked = Query("", Set((H200,)), (Measure("memory_kind"),), asserts=Assertion(kind))
    assert told(index, asked) == f"{begins}the H200 has HBM3e [1]."


@pytest.mark.parametrize(
    ("kinds", "begins"),
    [(("hbm3", "hbm3e"), "HBM3e: "), (("gddr6", "hbm"), "HBM: ")],
)
def test_of_several_categories_the_one_that_there_is_comes_first(
    index: OpenIndex, kinds: tuple[str, str], begins: str
) -> None:
    first, *others = kinds
    asked = Query("", Set((H200,)), (Measure("memory_kind"),), asserts=Assertion(first, others=tuple(others)))
    assert told(index, asked) == f"{begins}the H200 has HBM3e [1]."


def test_sides_that_are_counted_are_compared_by_what_all_of_them_have(index: OpenIndex) -> None:
    text = told(index, Query("", Set((replace(H200, count=2), replace(MI300X, count=1)))))
    lead, *lines = text.splitlines()
    ratio = f"{2 * 141 / 192:.3g}"
    assert lead == f"Two H200s have {ratio} times the memory capacity.", "power is no lead"
    assert (
        lines[0]
        == f"- Memory capacity: H200: 2 x 141 GB [1] = 282 GB; MI300X: 192 GB [2]; {ratio} times as much for two H200s."
    )


def test_which_is_better_is_answered_by_the_main_figures(index: OpenIndex) -> None:
    asked = Query("", Set((MI300X, H200)), (), Order("best"), asserts=Assertion())
    ratio = f"{192 / 141:.3g}"
    assert told(index, asked).startswith(f"The MI300X has {ratio} times the memory capacity.")


def test_an_unknown_name_is_refused_by_that_name(index: OpenIndex) -> None:
    asked = Query("", Set(unknown=(Unknown("H900", ("nvidia-h200",)),)), (CAPACITY,))
    assert told(index, asked) == "no source mentions H900; similar names: NVIDIA H200"


def test_a_refusal_says_what_is_missing_and_what_is_known(index: OpenIndex) -> None:
    asked = Query("", Set((H200,)), (Measure("die_area"),))
    assert told(index, asked) == (
        "no source gives the die area of the H200; what is known: memory capacity, memory type, thermal design power (TDP) and rental price"
    )


def test_what_leaves_words_over_is_not_answered(index: OpenIndex) -> None:
    assert answer([Query("", Set((H200,)), (CAPACITY,), left=((0, 3),))], index) is None


def test_what_a_provider_measured_on_a_variant_comes_behind_what_another_is_rated_at(index: OpenIndex) -> None:
    assert told(index, Query("", Set((Counted("nvidia-b200"),)), (Measure("memory_bandwidth"),))).startswith(
        "The B200 SXM has a memory bandwidth of 8 TB/s [1]"
    )
