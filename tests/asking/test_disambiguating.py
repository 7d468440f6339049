"""Names with several readings, machines by what they are made of, and the count of chips that is known."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on, row_of

SAID = {
    "gb300": "Each GPU of a GB300 has 288 GB.",
    "b300": "The B300 has 270 GB of usable memory.",
    "draw": "A GB300 NVL72 draws at most 142 kW.",
    "less": "A GB200 NVL72 draws about 120 kW.",
    "domain": "The GB300 NVL72 connects 72 GPUs.",
    "older": "The GB200 NVL72 connects 72 GPUs.",
    "ultra": "A Trn2 UltraServer has 64 chips.",
    "dgx": "A DGX B200 has 8 GPUs.",
    "bought": "A DGX B200 was sold at 515,000 USD.",
    "pod": "A TPU v6e pod has 256 chips.",
    "v6e": "The TPU v6e has 32 GB of memory.",
    "hgx": "Eight H200 on an HGX board are 50.44 USD per hour.",
    "p5e": "The p5e.48xlarge is 63.30 USD per hour.",
    "v5e": "The TPU v5e has 16 GB of memory.",
    "v5p": "The TPU v5p has 95 GB of memory.",
    "trn1": "The Trainium1 has 32 GB of memory.",
    "trn2": "The Trainium2 has 96 GB of memory.",
}
row = partial(row_of, SAID)


def table() -> str:
    memory = {"metric": "memory_capacity", "unit": "GB", "aggregation": "chip"}
    rent = {"metric": "price_per_hour", "unit": "USD/hour", "aggregation": "node", "count": "8"}
    return csv_of(
        row("gb300", "nvidia-gb300-gpu", value="288", **memory),
        row("b300", "nvidia-b300", value="270", capacity="usable", **memory),
        row("v6e", "google-tpu-v6e", value="32", **memory),
        row("v5e", "google-tpu-v5e", value="16", **memory),
        row("v5p", "google-tpu-v5p", value="95", **memory),
        row("trn1", "aws-trainium1", value="32", **memory),
        row("trn2", "aws-trainium2", value="96", **memory),
        row("draw", "nvidia-gb300-nvl72", "rack_power", "142", "kW", aggregation="rack", bound="at most"),
        row("less", "nvidia-gb200-nvl72", "rack_power", "120", "kW", aggregation="rack", bound="about"),
        row("domain", "nvidia-gb300-nvl72", "scale_up_domain", "72", "GPUs", aggregation="rack"),
        row("older", "nvidia-gb200-nvl72", "scale_up_domain", "72", "GPUs", aggregation="rack"),
        row("ultra", "aws-trn2-ultraserver", "pod_size", "64", "chips", aggregation="pod"),
        row("dgx", "nvidia-dgx-b200", "chips_per_node", "8", "GPUs", aggregation="node"),
        row("bought", "nvidia-dgx-b200", "purchase_price", "515000", "USD", aggregation="node"),
        row("pod", "google-tpu-v6e-pod", "pod_size", "256", "chips", aggregation="pod"),
        row("hgx", "nvidia-hgx-h200", value="50.44", provider="coreweave", **rent),
        row("p5e", "aws-p5e", value="63.30", provider="aws", **rent),
    )


index = index_on(SAID.values(), table())


def quotes(index: OpenIndex, question: str) -> list[str]:
    return [c.evidence.quote for c in index.ask(question).citations]


@pytest.mark.parametrize("question", ["How much memory does the GB300 have?", "GB300 memory per GPU"])
def test_of_two_readings_the_one_with_a_fact_answers_and_not_its_parent(index: OpenIndex, question: str) -> None:
    assert quotes(index, question) == [SAID["gb300"]]


def test_a_chip_and_its_variant_are_two_when_they_are_compared(index: OpenIndex) -> None:
    assert quotes(index, "GB300 vs B300 memory capacity") == [SAID["gb300"], SAID["b300"]]


def test_readings_that_are_all_known_are_all_told(index: OpenIndex) -> None:
    assert quotes(index, "How much memory does a TPU v5 have?") == [SAID["v5e"], SAID["v5p"]]


@pytest.mark.parametrize(
    "question",
    [
        "GB300 NVL72 power draw",
        "max rack power of the GB300 NVL72 in kW",
    ],
)
def test_what_a_machine_draws_is_no_sum_of_its_chips_where_it_is_known(index: OpenIndex, question: str) -> None:
    assert quotes(index, question) == [SAID["draw"]]


def test_machines_are_compared_by_what_machines_draw(index: OpenIndex) -> None:
    assert quotes(index, "GB300 NVL72 vs GB200 NVL72 power") == [SAID["draw"], SAID["less"]]


def test_machines_are_compared_per_chip_by_what_their_chips_have(index: OpenIndex) -> None:
    assert quotes(index, "trn1 vs trn2 memory per chip") == [SAID["trn2"], SAID["trn1"]]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many GPUs are in a GB300 NVL72?", "domain"),
        ("How many chips does a Trn2 UltraServer have?", "ultra"),
        ("How many accelerators are there in a DGX B200?", "dgx"),
        ("How many TPUs are in a v6e pod?", "pod"),
    ],
)
def test_chips_of_a_machine_are_counted_by_whatever_metric_is_known(index: OpenIndex, question: str, said: str) -> None:
    assert quotes(index, question) == [SAID[said]]


def test_chips_are_counted_in_each_machine_that_a_name_may_mean(index: OpenIndex) -> None:
    assert quotes(index, "number of GPUs in an NVL72") == [SAID["older"], SAID["domain"]]


@pytest.mark.parametrize(
    ("question", "total", "said"),
    [
        ("How many GPUs are in three DGX B200?", 3 * 8, "dgx"),
        ("total number of chips in 5 Trn2 UltraServers", 5 * 64, "ultra"),
        ("GPUs in 12 GB300 NVL72 racks", 12 * 72, "domain"),
    ],
)
def test_chips_of_several_machines_are_a_sum(index: OpenIndex, question: str, total: int, said: str) -> None:
    answer = index.ask(question)
    assert f" = {total:,} " in answer.text
    assert [c.evidence.quote for c in answer.citations] == [SAID[said]]


def test_of_metrics_that_go_by_one_word_the_one_that_is_known_is_meant(index: OpenIndex) -> None:
    assert quotes(index, "What does a DGX B200 cost?") == [SAID["bought"]]


def test_a_machine_of_the_chips_maker_is_rented_under_other_names(index: OpenIndex) -> None:
    assert quotes(index, "DGX H200 price per hour") == [SAID["hgx"], SAID["p5e"]]
    assert quotes(index, "p5e.48xlarge price per hour") == [SAID["p5e"]]
