"""Which variant stands for its chip, what it has of its own, and what it does not inherit: in answers and in tables."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.answering.answer import written
from chipwise.lookups.compare import columns, compare
from chipwise.lookups.facts import select
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on, row_of, told_by_facts

SAID = {
    "a100-sxm-40gb": "The A100 SXM 40GB has 1,555 GB/s.",
    "a100-sxm-80gb": "The A100 SXM 80GB has 2,039 GB/s.",
    "a100-pcie-40gb": "The A100 PCIe 40GB has 1,556 GB/s.",
    "a100-pcie-80gb": "The A100 PCIe 80GB has 1,935 GB/s.",
    "h100-sxm": "The H100 SXM has 3,350 GB/s.",
    "h100-pcie": "The H100 PCIe has 2,000 GB/s.",
    "h200": "The H200 has 4,800 GB/s.",
    "sxm-watts": "The A100 SXM has a TDP of 400 W.",
    "watts": "The H100 PCIe has a TDP of 350 W.",
    "sxm-draws": "The H100 SXM has a TDP of 700 W.",
    "sxm-peak": "The H100 SXM peaks at 989 TFLOPS in dense BF16.",
    "v100-pcie": "The V100 PCIe has 898 GB/s.",
    "v100-draws": "The V100 PCIe has a TDP of 250 W.",
    "v100-sxm2": "The V100 SXM2 has 900 GB/s.",
    "v100-watts": "The V100 SXM2 has a TDP of 330 W.",
    "v100-memory": "The V100 SXM2 has 64 GB of memory.",
    "l40s": "The L40S has a TDP of 350 W.",
    "run": "Training on H100 GPUs reached 430 TFLOPS per GPU in BF16.",
    "size": "The H100 is a die of 814 mm2.",
    "b200": "The B200 has 180 GB of usable memory.",
    "gb200": "Each GPU of a GB200 has 186 GB.",
    "oam": "The Gaudi 3 has a TDP of 900 W as an OAM card.",
    "module": "The Gaudi 3 OAM module has a TDP of 900 W.",
    "card": "The Gaudi 3 PCIe has a TDP of 600 W.",
}
row = partial(row_of, SAID)


def bandwidth(said: str, value: str) -> dict[str, str]:
    form = next((form for form in ("SXM", "PCIe") if form.lower() in said), "")
    return row(said, f"nvidia-{said}", "memory_bandwidth", value, "GB/s", form_factor=form)


def table() -> str:
    watts = {"metric": "tdp", "unit": "W"}
    doubted = {"rank": "deprecated", "reason": "no datasheet has it"}
    return csv_of(
        bandwidth("a100-sxm-40gb", "1555"),
        bandwidth("a100-sxm-80gb", "2039"),
        bandwidth("a100-pcie-40gb", "1556"),
        bandwidth("a100-pcie-80gb", "1935"),
        bandwidth("h100-sxm", "3350"),
        bandwidth("h100-pcie", "2000"),
        bandwidth("h200", "4800"),
        row("sxm-watts", "nvidia-a100-sxm", value="400", form_factor="SXM", **watts),
        row("watts", "nvidia-h100-pcie", value="350", form_factor="PCIe", **watts),
        row("sxm-draws", "nvidia-h100-sxm", value="700", form_factor="SXM", **watts),
        row("sxm-peak", "nvidia-h100-sxm", "peak_compute", "989", "TFLOPS", dtype="bf16", sparsity="dense"),
        row("l40s", "nvidia-l40s", value="350", **watts),
        row("v100-pcie", "nvidia-v100-pcie", "memory_bandwidth", "898", "GB/s"),
        row("v100-draws", "nvidia-v100-pcie", value="250", **watts),
        row("v100-sxm2", "nvidia-v100-sxm2", "memory_bandwidth", "900", "GB/s"),
        row("v100-watts", "nvidia-v100-sxm2", value="330", **doubted, **watts),
        row("v100-memory", "nvidia-v100-sxm2", "memory_capacity", "64", "GB", **doubted),
        row("oam", "intel-gaudi-3", value="900", form_factor="OAM", **watts),
        row("module", "intel-gaudi-3-oam", value="900", form_factor="OAM", **watts),
        row("card", "intel-gaudi-3-pcie", value="600", form_factor="PCIe", **watts),
        row("run", "nvidia-h100", "achieved_compute", "430", "TFLOPS", dtype="bf16", modality="measured"),
        row("size", "nvidia-h100", "die_area", "814", "mm2"),
        row("b200", "nvidia-b200", "memory_capacity", "180", "GB", capacity="usable"),
        row("gb200", "nvidia-gb200-gpu", "memory_capacity", "186", "GB"),
    )


index = index_on(SAID.values(), table())


def answered(index: OpenIndex, question: str) -> str:
    found = told_by_facts(index, question)
    assert found is not None
    return written(found)


def cells(index: OpenIndex, metric: str, *subjects: str) -> list[str | None]:
    """The subjects of the facts in the one row about `metric`."""
    found = compare(index.store, index.names, subjects, metrics=[metric])
    return [None if f is None else f.claim.subject for row in found.rows for f in row.facts]


def test_an_answer_and_a_table_are_about_the_same_variants(index: OpenIndex) -> None:
    names = index.names
    in_table = cells(index, "memory_bandwidth", "nvidia-a100", "nvidia-h100")
    assert in_table == ["nvidia-a100-sxm-80gb", "nvidia-h100-sxm"]
    text = answered(index, "A100 vs H100 memory bandwidth")
    lead, _, told = text.partition("Other variants:")
    called = [names.name(s).removeprefix("NVIDIA ") for s in filter(None, in_table)]
    assert [name in lead for name in called] == [True, True]
    assert f"for the A100 SXM 80GB, {3350 / 2039:.3g} times as much" in text
    assert [f"the {name} has" in told for name in called] == [False, False]


def test_what_the_other_variants_have_is_told_with_its_citation(index: OpenIndex) -> None:
    text = answered(index, "Which has more memory bandwidth, the A100 or the H200?")
    told = text.partition("Other variants:")[2]
    assert "the A100 SXM 40GB has a memory bandwidth of 1,555 GB/s [3]" in told
    assert "the A100 PCIe 80GB has a memory bandwidth of 1,935 GB/s [5]" in told


@pytest.mark.parametrize(
    ("beside", "stands"),
    [("nvidia-h100-pcie", "nvidia-a100-pcie-80gb"), ("nvidia-h100-sxm", "nvidia-a100-sxm-80gb")],
)
def test_the_one_form_that_the_other_is_made_in_is_the_one_compared(index: OpenIndex, beside: str, stands: str) -> None:
    assert cells(index, "memory_bandwidth", "nvidia-a100", beside) == [stands, beside]


@pytest.mark.parametrize("size", ["40gb", "80gb"])
def test_beside_a_variant_with_so_much_memory_the_other_form_has_as_much(index: OpenIndex, size: str) -> None:
    pair = [f"nvidia-a100-pcie-{size}", f"nvidia-a100-sxm-{size}"]
    assert cells(index, "memory_bandwidth", pair[0], "nvidia-a100-sxm") == pair
    assert cells(index, "memory_bandwidth", "nvidia-a100-pcie", pair[1]) == pair


def test_what_is_said_of_a_wider_variant_holds_for_the_one_that_stands(index: OpenIndex) -> None:
    assert cells(index, "tdp", "nvidia-a100-sxm-80gb", "nvidia-l40s") == ["nvidia-a100-sxm", "nvidia-l40s"]


def test_what_is_said_of_a_chip_in_another_form_does_not(index: OpenIndex) -> None:
    assert cells(index, "tdp", "intel-gaudi-3", "nvidia-h100-pcie") == ["intel-gaudi-3-pcie", "nvidia-h100-pcie"]


def test_a_fact_of_its_own_goes_before_that_of_what_it_is_a_variant_of(index: OpenIndex) -> None:
    assert cells(index, "memory_capacity", "nvidia-gb200-gpu", "nvidia-b200") == ["nvidia-gb200-gpu", "nvidia-b200"]
    assert answered(index, "B200 vs GB200 GPU memory").startswith(
        f"The GB200 (per GPU) has more memory capacity: 186 GB [1] against 180 GB (usable) [2] for the B200, {186 / 180:.3g} times"
    )


def test_what_is_deprecated_makes_no_variant_the_best_known(index: OpenIndex) -> None:
    assert cells(index, "memory_bandwidth", "nvidia-v100", "nvidia-h200") == ["nvidia-v100-pcie", "nvidia-h200"]
    text = answered(index, "V100 vs H200 memory bandwidth")
    assert "for the V100 PCIe, 5.35 times" in text.partition(". ")[0]


def test_a_run_on_the_chip_is_no_result_of_a_variant_and_its_die_is(index: OpenIndex) -> None:
    found = compare(index.store, index.names, ["nvidia-h100-pcie", "nvidia-h200"], singles=True)
    assert {"die_area"} == {row.metric for row in found.rows} & {"die_area", "achieved_compute"}


def test_variants_are_not_compared_by_what_is_said_of_their_chip(index: OpenIndex) -> None:
    assert cells(index, "die_area", "nvidia-h100-sxm", "nvidia-h100-pcie") == []


def test_equal_figures_are_called_the_same(index: OpenIndex) -> None:
    text = answered(index, "Which has the higher TDP, the H100 PCIe or the L40S?")
    assert text.startswith(
        "The H100 PCIe and the L40S have the same thermal design power (TDP): 350 W [1] and 350 W [2]."
    )


def test_a_name_with_two_readings_is_one_column_and_the_better_known_one(index: OpenIndex) -> None:
    asked = select(index.names, ["gb200", "b200"])
    assert columns(index.store, asked.readings) == ("nvidia-gb200-gpu", "nvidia-b200")


def test_beside_a_variant_its_chip_is_another_one(index: OpenIndex) -> None:
    pair = ("nvidia-a100", "nvidia-a100-sxm-80gb")
    assert cells(index, "memory_bandwidth", *pair) == ["nvidia-a100-sxm-40gb", "nvidia-a100-sxm-80gb"]
