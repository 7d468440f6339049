"""Several things asked at once: values of one axis, conditions on products, sums of several chips, quoted statements."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.query import Wish
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import index_on

MEMORY = {"nvidia-h200": "141", "amd-mi300x": "192", "nvidia-l4": "24", "nvidia-a100-sxm-80gb": "80"}
TDP = {"nvidia-h200": "700", "amd-mi300x": "750", "nvidia-l4": "72"}
PEAK = {("nvidia-h200", "bf16"): "989", ("nvidia-h200", "fp8"): "1979", ("amd-mi300x", "bf16"): "1307.4"}
BANDWIDTH = {"nvidia-h200": "4.8", "amd-mi300x": "5.3"}
RENT = {"on-demand": "1.20", "spot": "0.60"}


def row(said: str, subject: str, metric: str, value: str, unit: str, **more: str) -> dict[str, str]:
    slots = {"subject": subject, "metric": metric, "value": value, "unit": unit, "aggregation": "chip"}
    return ROW | {"id": said, "quote": f"The {said} is {value} {unit} for each."} | slots | more


def rows() -> Iterator[dict[str, str]]:
    for subject, value in MEMORY.items():
        yield row(f"{subject}-memory", subject, "memory_capacity", value, "GB")
    for subject, value in TDP.items():
        yield row(f"{subject}-tdp", subject, "tdp", value, "W")
    for subject, value in BANDWIDTH.items():
        yield row(f"{subject}-bandwidth", subject, "memory_bandwidth", value, "TB/s")
    for (subject, dtype), value in PEAK.items():
        yield row(f"{subject}-{dtype}", subject, "peak_compute", value, "TFLOPS", dtype=dtype, sparsity="dense")
    for terms, value in RENT.items():
        price = {"modality": "priced", "price_terms": terms, "provider": "gcp", "as_of": "2026-09"}
        yield row(f"v5e-{terms}", "google-tpu-v5e", "price_per_hour", value, "USD/hour", **price)
    yield row("h200-sparse", "nvidia-h200", "peak_compute", "1978", "TFLOPS", dtype="bf16", sparsity="2:4")
    yield row("h200-kind", "nvidia-h200", "memory_kind", "hbm3e", "", aggregation="")
    yield row("gb200-memory", "nvidia-gb200-gpu", "memory_capacity", "186", "GB")
    yield row("nvl72", "nvidia-gb200-nvl72", "scale_up_domain", "72", "GPUs", aggregation="rack")


index = index_on([r["quote"] for r in rows()], csv_of(*rows()))


def text(index: OpenIndex, question: str) -> str:
    found = index.ask(question)
    assert found.answered, found.reason
    return found.text


def test_each_number_format_that_is_named_is_answered(index: OpenIndex) -> None:
    said = text(index, "FP8 and BF16 peak of the H200")
    assert ("1979 TFLOPS (FP8" in said, "989 TFLOPS (BF16" in said) == (True, True)


def test_a_value_without_a_fact_is_named(index: OpenIndex) -> None:
    assert "No source gives the peak compute of the MI300X (FP8)." in text(index, "FP8 and BF16 peak of the MI300X")


def test_with_and_without_are_two_values(index: OpenIndex) -> None:
    said = text(index, "BF16 peak of the H200 with and without sparsity")
    assert ("2:4 sparsity" in said, "989 TFLOPS (BF16, dense" in said) == (True, True)


def test_two_metrics_of_several_chips_are_two_sums(index: OpenIndex) -> None:
    said = text(index, "What is the memory and power of 8 H200 together?")
    assert ("= 1,128 GB" in said, "= 5,600 W" in said) == (True, True)


def test_an_ampersand_joins_two_metrics(index: OpenIndex) -> None:
    said = text(index, "H200 memory & bandwidth")
    assert ("141 GB" in said, "4.8 TB/s" in said) == (True, True)


@pytest.mark.parametrize(
    "asked", ["H200 HBM and bandwidth", "H200: HBM, bandwidth", "memory and HBM bandwidth of the H200"]
)
def test_hbm_beside_its_bandwidth_is_the_capacity(index: OpenIndex, asked: str) -> None:
    said = text(index, asked)
    assert ("141 GB" in said, "4.8 TB/s" in said) == (True, True)


def test_the_machines_told_of_before_are_all_asked_about(index: OpenIndex) -> None:
    said = text(index, "We lease 2 racks of GB200 NVL72. How many GPUs is that, and how much HBM?")
    assert ("2 machines x 72 chips [1] = 144 GPUs" in said, "= 26,784 GB" in said) == (True, True)


def test_the_total_of_one_metric_is_not_that_of_another(index: OpenIndex) -> None:
    said = text(index, "What is the total memory and the power of 16 H200?")
    assert ("= 2,256 GB" in said, "= 11,200 W" in said) == (True, True)


def test_one_of_a_chip_counts_nothing(index: OpenIndex) -> None:
    assert text(index, "Is it true that one H200 chip delivers 2 petaflops of FP8?").startswith("Yes: ")


def test_what_a_machine_has_is_what_its_chips_have(index: OpenIndex) -> None:
    asked = "Is it true that the GB200 NVL72 has {} TB of HBM?"
    assert text(index, asked.format("13.4")).startswith("Yes: the GB200 NVL72 has 72 x 186 GB [1]")
    assert text(index, asked.format("20")).startswith("No: the GB200 NVL72 has 72 x 186 GB [1]")


def test_two_terms_of_a_price_are_two_prices(index: OpenIndex) -> None:
    said = text(index, "spot vs on-demand price of TPU v5e")
    assert ("0.60" in said, "1.20" in said) == (True, True)


def test_products_meet_all_conditions(index: OpenIndex) -> None:
    said = text(index, "which GPUs have more than 100 GB of memory and draw less than 720 W?")
    assert (
        said
        == "1 of 3 products with known memory capacity and thermal design power (TDP):\n- the H200: 141 GB [1], 700 W [2]."
    )


def test_a_category_and_a_bound_are_two_conditions(index: OpenIndex) -> None:
    said = text(index, "chips with HBM3e and at least 100 GB")
    assert said == "1 of 1 products with a known memory capacity:\n- the H200: HBM3e [1], 141 GB [2]."


def test_a_figure_without_a_bound_is_a_condition(index: OpenIndex) -> None:
    assert "the A100 SXM 80GB: 80 GB [1]" in text(index, "Which GPUs have 80 GB of memory?")


def test_two_chips_get_the_same_sum_each(index: OpenIndex) -> None:
    said = text(index, "ridge point of the H200 and the MI300X in BF16")
    assert said.startswith("NVIDIA H200: 206 FLOP/byte; AMD MI300X: 246.7 FLOP/byte.\n- ")
    sums = "989 TFLOPS [1] / 4.8 TB/s [2] = 206 FLOP/byte", "1,307.4 TFLOPS [3] / 5.3 TB/s [4] = 246.7 FLOP/byte"
    assert [sum_ in said for sum_ in sums] == [True, True]


def test_chips_are_ranked_by_what_is_of_two_figures(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    # words alone do not tell, and the vectors of this knowledge base are made up
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"peak_per_watt": 1.0}))
    said = text(index, "Which chip has the most bf16 TFLOPS per watt?")
    assert said.startswith("AMD MI300X: 1.743 TFLOPS/W; NVIDIA H200: 1.413 TFLOPS/W.\n- ")
    assert "1,307.4 TFLOPS [1] / 750 W [2] = 1.743 TFLOPS/W" in said


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Does a 70B model in FP16 fit on two MI300X?", "Yes: "),
        ("Can one H200 hold a 70B model in FP16?", "It depends: "),  # 140 of 141 GB
        ("Does a 34B model in 4 bit fit on a 16 GB card?", "No: "),
        ("Does a 34B model in 4 bit fit on two 16 GB cards?", "Yes: "),
        ("Does a 34B model in 4 bit fit on 4x 16 GB cards, 64 GB in total?", "Yes: "),
        ("Would a 405B model in FP8 fit on two H200?", "No: "),
        ("would a 671B model in FP8 fit on one GB200 NVL72?", "Yes: "),
    ],
)
def test_whether_a_model_fits_is_told_with_the_sum(index: OpenIndex, question: str, begins: str) -> None:
    assert text(index, question).startswith(begins)
    assert "Room on " in text(index, question)


def test_the_number_of_chips_of_a_machine_is_cited(index: OpenIndex) -> None:
    assert "fits in 72 [" in text(index, "would a 671B model in FP8 fit on one GB200 NVL72?")


def test_machines_for_a_number_of_chips_are_whole_ones(index: OpenIndex) -> None:
    assert "1,000 chips / 72 chips [1] = 13.89, so 14" in text(index, "How many GB200 NVL72 racks for 1000 GPUs?")


def test_figures_of_unlike_kinds_stand_each_by_itself(index: OpenIndex) -> None:
    said = text(index, "TDP of the L4 and the A100 80GB SXM")
    assert said.endswith("No source gives the thermal design power (TDP) of the A100 SXM 80GB.")


def test_a_multiple_in_a_quoted_statement_is_judged(index: OpenIndex) -> None:
    assert text(index, 'Our draft says "the MI300X has twice the memory of the H200". OK to print?').startswith("No: ")


def test_a_bound_before_which_the_metric_stands_is_a_condition(index: OpenIndex) -> None:
    said = text(index, "NVIDIA chips with less than 150 GB and a TDP over 100 W")
    assert (
        said
        == "1 of 2 products with known memory capacity and thermal design power (TDP):\n- the H200: 141 GB [1], 700 W [2]."
    )


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Is there a TPU v5e for under 2 dollars an hour?", "Yes: the TPU v5e rents for"),
        ("Can I rent a TPU v5e for less than 1 dollar per hour?", "It depends: the TPU v5e rents for"),
        ("Can I rent a TPU v5e on spot for less than 1 dollar per hour?", "Yes: the TPU v5e rents for"),
    ],
)
def test_a_bound_on_a_price_is_met_by_whoever_asks_it(index: OpenIndex, question: str, begins: str) -> None:
    assert text(index, question).startswith(begins)


@pytest.mark.parametrize(
    "question", ["non-NVIDIA chips with at least 24 GB", "chips not from NVIDIA with at least 24 GB"]
)
def test_who_is_shut_out_is_not_picked(index: OpenIndex, question: str) -> None:
    said = text(index, question)
    assert said.startswith("1 of 1 products with a known memory capacity:\n- ")
    assert ("MI300X" in said, "192 GB [1]" in said) == (True, True)
