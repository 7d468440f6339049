"""Answers from facts alone, in whatever words: comparisons by a word, several look-ups at once, yes or no, what chips differ in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chipwise.answering.parse import parse
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.errors import DomainInvalid
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

MEMORY = {
    "nvidia-h100-sxm": "80",
    "nvidia-h100-pcie": "80",
    "nvidia-h200": "141",
    "amd-mi300x": "192",
    "amd-mi325x": "256",
    "nvidia-a100-sxm-80gb": "80",
    "nvidia-l4": "24",
    "nvidia-l40s": "48",
}
FP8 = {"nvidia-h100-sxm": "1979", "nvidia-h100-pcie": "1513", "nvidia-h200": "1979", "amd-mi300x": "2614.9"}
BANDWIDTH = {"nvidia-h100-sxm": "3350", "nvidia-h100-pcie": "2000", "nvidia-h200": "4800", "amd-mi300x": "5300"}
TDP = {"nvidia-l4": "72", "nvidia-t4": "70", "nvidia-a10": "150"}
PRICE = {("amd-mi300x", "azure", "on-demand"): "6.00", ("nvidia-h200", "azure", "on-demand"): "10.60"}
PRICE |= {("nvidia-h200", "coreweave", "on-demand"): "6.31", ("nvidia-h200", "aws", "on-demand"): "7.91"}
PRICE |= {("amd-mi300x", "azure", "spot"): "3.00", ("nvidia-h200", "azure", "spot"): "2.00"}


def said(subject: str, metric: str, value: str) -> str:
    return f"Of {subject} the {metric} is {value} for each."


CATEGORIES = {
    ("amd-mi300x", "interconnect_kind"): "infinity-fabric",
    ("nvidia-h100-sxm", "interconnect_kind"): "nvlink",
    ("nvidia-h200", "memory_kind"): "hbm3e",
    ("nvidia-a100", "memory_kind"): "hbm3",
    ("nvidia-a100-sxm-80gb", "memory_kind"): "hbm2e",
    ("nvidia-l40s", "memory_kind"): "gddr",
    ("google-tpu-v5e", "framework_support"): "pytorch-xla",
    ("nvidia-a100", "dtype_support"): "no FP8",
    ("google-tpu-v5p", "framework_support"): "pytorch",
    ("amd-gpu", "framework_support"): "vllm",
    ("nvidia-gpu", "cloud_availability"): "azure",
    ("nvidia-gpu", "dtype_support"): "fp8",
}


def rows() -> Iterator[dict[str, str]]:
    for metric, unit, values, more in [
        ("memory_capacity", "GB", MEMORY, {}),
        ("memory_bandwidth", "GB/s", BANDWIDTH, {}),
        ("peak_compute", "TFLOPS", FP8, {"dtype": "fp8", "sparsity": "dense"}),
        ("peak_compute", "TFLOPS", {"nvidia-l40s": "1466"}, {"dtype": "fp8", "sparsity": "2:4"}),
        ("tdp", "W", TDP, {}),
    ]:
        for subject, value in values.items():
            base = {"subject": subject, "metric": metric, "unit": unit, "value": value, "aggregation": "chip"}
            yield ROW | base | more | {"id": f"{subject}-{metric}", "quote": said(subject, metric, value)}
    link = {"metric": "interconnect_bandwidth", "unit": "GB/s", "direction": "both", "aggregation": "chip"}
    yield (
        ROW | link | {"subject": "amd-mi300x", "value": "896", "id": "link", "quote": said("amd-mi300x", "link", "896")}
    )
    for (subject, metric), value in CATEGORIES.items():
        base = {"subject": subject, "metric": metric, "value": value, "unit": "", "aggregation": ""}
        yield ROW | base | {"id": f"{subject}-{metric}", "quote": said(subject, metric, value)}
    for (subject, provider, terms), value in PRICE.items():
        base = {"subject": subject, "metric": "price_per_hour", "unit": "USD/hour", "value": value}
        base |= {"aggregation": "chip", "provider": provider, "price_terms": terms, "modality": "priced"}
        yield (
            ROW
            | base
            | {
                "id": f"{subject}-{provider}-{terms}",
                "as_of": "2026-09",
                "quote": said(subject, f"{terms} {provider} price", value),
            }
        )


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))


COMPARED = {
    "how much faster is an MI300X than an H200 in FP8": "The MI300X has the higher peak compute",
    "which is faster in fp8, the H200 or the MI300X?": "The MI300X has the higher peak compute",
    "Is the H200 slower than the MI300X in FP8?": "Yes: the H200 has the lower peak compute",
    "Is the H200 faster than the MI300X in FP8?": "No: the MI300X has the higher peak compute",
    "How much faster is memory on the MI300X than on the H200?": "The MI300X has the higher memory bandwidth",
    "Is H200 memory faster than that of the MI300X?": "No: the MI300X has the higher memory bandwidth",
    "Does the MI325X have more memory than the MI300X?": "Yes: the MI325X has more memory capacity",
    "Does the MI300X have the same memory as the MI325X?": "No: the MI325X has more memory capacity",
    "Does the MI325X have twice the memory of the H200?": "No: the MI325X has more memory capacity",
    "Does the MI325X have at least twice the memory of the H200?": "No: the MI325X has more memory capacity",
    "Does the MI325X have less than twice the memory of the H200?": "Yes: the MI325X has more memory capacity",
    "Is the TDP of the T4 less than half that of the A10?": "Yes: the A10 has the higher thermal design power (TDP)",
    "Is the memory of the MI325X at most 1.3 times that of the MI300X?": "No: the MI325X has more memory capacity",
    "Does the L40S have more than twice the memory of the L4?": "No: the L40S has more memory capacity",
    "Does the L40S have at least twice the memory of the L4?": "Yes: the L40S has more memory capacity",
    "Does the L4 have less than half the memory of the L40S?": "No: the L40S has more memory capacity",
    "Is the memory of the MI325X nearly twice that of the H200?": "The MI325X has more memory capacity",
    "Does the MI325X have up to twice the memory of the H200?": "The MI325X has more memory capacity",
    "Does the MI300X have three times the memory of the H100?": "No: the MI300X has more memory capacity",
    "Does the L4 have a third of the memory of the H200?": "No: the H200 has more memory capacity",
    "Does the MI300X have seven times the memory of the L4?": "No, more than that: the MI300X has more memory capacity",
    "Which has the greater memory, the MI300X or the H200?": "The MI300X has more memory capacity",
    "which has less memory, MI300X or H200": "The H200 has less memory capacity",
    "Is the memory of the MI325X 1.33 times that of the MI300X?": "Yes: the MI325X has more memory capacity",
    "How many times the memory bandwidth of an H200 does an MI300X have?": "The MI300X has the higher memory bandwidth",
    "ratio of memory capacity of MI325X and H200": "The MI325X has more memory capacity",
    "Which is cheaper per hour on Azure, the MI300X or the H200?": "2 offers, the lowest first:\n- the MI300X: ",
    "which draws the least power: L4, T4 or A10?": "The T4 has the lowest thermal design power (TDP):\n- the T4: 70 W [1]\n- the L4: 72 W [2]\n- the A10: 150 W [3].",
}


@pytest.mark.parametrize(("question", "begins"), COMPARED.items(), ids=COMPARED)
def test_a_comparison_begins_with_its_verdict(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


@pytest.mark.parametrize(
    "question", ["which is faster in fp8, the H200 or the L40S?", "Is the H200 faster than the L40S in FP8?"]
)
def test_a_dense_peak_is_not_set_against_a_sparse_one(index: OpenIndex, question: str) -> None:
    told = answered(index, question)
    assert "1,466 TFLOPS" in told
    assert not told.startswith(("Yes", "No"))
    assert "higher peak compute" not in told


def test_prices_on_demand_are_compared_where_no_terms_are_named(index: OpenIndex) -> None:
    assert "spot" not in answered(index, "Is the MI300X cheaper than the H200?")
    assert answered(index, "Is the MI300X cheaper than the H200?").startswith("Yes: ")


def test_a_figure_in_a_question_is_held_against_the_fact(index: OpenIndex) -> None:
    assert answered(index, "Does the H200 have 141 GB of memory?").startswith("Yes: the H200 has 141 GB")
    assert answered(index, "Is the memory of the MI300X 256 GB?").startswith("No: the MI300X has 192 GB")


BOUNDED = {
    "Does the H200 have less than 200 GB of memory?": "Yes: ",
    "Does the H200 have more than 141 GB of memory?": "No: ",
    "Does the H200 have at least 141 GB of memory?": "Yes: ",
    "Does the H200 have no more than 141 GB of memory?": "Yes: ",
    "Does the A100 SXM 80GB have less than 90 GB of memory?": "Yes: ",
    "Does the A100 SXM 80GB have 80 GB of memory?": "Yes: ",
    "Does the H200 have nearly 150 GB of memory?": "The H200 has 141 GB",
    "Does the H200 have up to 150 GB of memory?": "The H200 has 141 GB",
    "Does the H200 have up to 141 GB of memory?": "Yes: the H200 has ",
    "Is the memory bandwidth of the H100 more than 3 TB/s?": "It depends",  # of the SXM it is
}


@pytest.mark.parametrize(("question", "begins"), BOUNDED.items(), ids=BOUNDED)
def test_a_figure_is_judged_by_its_bound(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


NUMBERS = {"8": "eight", "2": "two"}


@pytest.mark.parametrize("count", ["8x H200", "8x H100", "2x MI325X"])
def test_a_number_before_a_name_is_no_multiple(index: OpenIndex, count: str) -> None:
    text = answered(index, f"Does {count} have more memory than an MI300X?")
    assert text.startswith(f"Yes: {NUMBERS[count[0]]} ")


PERCENT = {
    "How much more memory does the H200 have than the A100 SXM 80GB, in percent?": "The H200 has more memory capacity: 141 GB [1] against 80 GB [2] for the A100 SXM 80GB, +76.2% for the H200, ",
    "By what percentage is the bandwidth of the H200 lower than that of the MI300X?": "The MI300X has the higher memory bandwidth: 5300 GB/s [1] against 4800 GB/s [2] for the H200, -9.43% for the H200, ",
}


@pytest.mark.parametrize(("question", "told"), PERCENT.items(), ids=PERCENT)
def test_a_difference_is_told_in_percent_where_that_is_asked_for(index: OpenIndex, question: str, told: str) -> None:
    assert told in answered(index, question).replace("4,800", "4800").replace("5,300", "5300")


def test_what_shares_the_first_place_does_not_lead(index: OpenIndex) -> None:
    text = answered(index, "Which has the least memory: MI300X, H100 SXM or A100 SXM 80GB?")
    assert text.startswith(
        "By memory capacity, the lowest first:\n- the H100 SXM: 80 GB [1]\n- the A100 SXM 80GB: 80 GB [2]\n- "
    )


def test_each_of_several_metrics_is_looked_up(index: OpenIndex) -> None:
    for question in (
        "memory and bandwidth of the H200",
        "H200: memory, bandwidth",
        "how much memory does an H200 have, and what bandwidth?",
    ):
        text = answered(index, question)
        assert "141 GB of memory [1]" in text
        assert "4,800 GB/s [2]" in text


def test_what_of_several_metrics_is_left_out_is_said(index: OpenIndex) -> None:
    text = answered(index, "H200 memory and TDP")
    assert text.startswith("The H200 has 141 GB")
    assert text.endswith("No source gives the thermal design power (TDP) of the H200.")


@pytest.mark.parametrize(
    "question", ["difference between MI300X and H200", "MI300X vs H200", "compare the MI300X with the H200"]
)
def test_chips_without_a_metric_are_set_side_by_side(index: OpenIndex, question: str) -> None:
    text = answered(index, question)
    assert text.startswith("The MI300X has 1.36 times the memory capacity, 1.32 times the peak compute (FP8) and ")
    assert "Memory capacity: MI300X: 192 GB" in text
    assert "Memory bandwidth: MI300X: 5,300 GB/s" in text


def test_rows_that_are_the_same_are_told_in_one_line(index: OpenIndex) -> None:
    *rows, last = answered(index, "difference between the H100 SXM and the H200").splitlines()
    assert "- Memory capacity: H100 SXM: 80 GB [1]; H200: 141 GB [2]; 1.76 times as much for the H200." in rows
    assert last.startswith("- The same: peak compute (FP8, dense) 1,979 TFLOPS [")
    assert not any("1,979 TFLOPS" in row for row in rows)


FASTER = {
    "Is the H200 faster than the MI300X?": "No: the MI300X has the higher peak compute: 2,614.9 TFLOPS (FP8, dense) [1] against 1,979 TFLOPS (FP8, dense) [2] for the H200, 1.32 times",
    "Which is faster, the H200 or the MI300X?": "The MI300X has the higher peak compute: 2,614.9 TFLOPS (FP8, dense) [1] against ",
    "How much faster is the MI300X than the H200?": "The MI300X has the higher peak compute: 2,614.9 TFLOPS (FP8, dense) [1] against ",
    "Is the MI300X twice as fast as the H200?": "No: the MI300X has the higher peak compute",
    "Is the MI300X 1.1 times as fast as the H200?": "It depends",
}


@pytest.mark.parametrize(("question", "begins"), FASTER.items(), ids=FASTER)
def test_which_chip_is_faster_is_told_by_each_pace(index: OpenIndex, question: str, begins: str) -> None:
    text = answered(index, question)
    assert text.startswith(begins)
    assert "The MI300X has the higher memory bandwidth: 5,300 GB/s [3] against 4,800 GB/s [4] for the H200" in text


@pytest.mark.parametrize("question", ["H200 specs", "Tell me about the H200", "overview of the H200, please"])
def test_the_main_figures_of_a_product_are_listed(index: OpenIndex, question: str) -> None:
    text = answered(index, question)
    assert text.startswith("The H200:\n- Peak compute (FP8, dense): 1,979 TFLOPS [1].\n- ")
    assert "\n- Memory capacity: 141 GB [2]." in text


@pytest.mark.parametrize(
    "question",
    [
        "difference between SXM and PCIe H100",
        "H100 SXM vs PCIe",
        "What differs between the H100 PCIe and SXM versions?",
    ],
)
def test_a_form_factor_in_a_name_is_no_metric(index: OpenIndex, question: str) -> None:
    text = answered(index, question)
    assert text.startswith("The H100 SXM has 1.68 times the memory bandwidth and 1.31 times the peak compute")
    assert "3,350 GB/s" in text
    assert "2,000 GB/s" in text


CATEGORICAL = {
    "Does the MI300X have NVLink?": "No: the MI300X is linked by Infinity Fabric [1].",
    "Does the H100 use NVLink?": "Yes: the H100 SXM is linked by NVLink [1].",
    "Does the H200 use HBM?": "Yes: the H200 has HBM3e [1].",
    "Does the H200 use HBM3e?": "Yes: the H200 has HBM3e [1].",
    "Does the H200 use HBM3?": "No: the H200 has HBM3e [1].",
    "Does the L40S use HBM?": "No: the L40S has GDDR [1].",
    "Does TPU v5e support PyTorch?": "Yes: the TPU v5e supports PyTorch/XLA [1].",
    "does the H200 have GDDR6": "No: the H200 has HBM3e [1].",
    "Does the A100 support FP8?": "No: the A100 has no FP8 [1].",
    "Does the MI300X support FP8?": "Yes: the MI300X reaches a peak of 2,614.9 TFLOPS (FP8, dense) [1].",
    "Why doesn't the A100 support FP8?": "",  # so it is
    "Why doesn't FP8 training on the MI300X double the throughput?": "",
    "Why does the MI300X miss its FP8 peak?": "",
    "Is the A100 cheaper than the MI300X for FP8 training?": "",
    "Why does the MI300X use HBM2e rather than HBM3?": "",
    "Does the A100 lack FP8?": "Yes: the A100 has no FP8 [1].",
    "Does the MI300X lack FP8?": "No: the MI300X reaches a peak of 2,614.9 TFLOPS (FP8, dense) [1].",
    "Does TPU v5p support PyTorch?": "Yes: the TPU v5p supports PyTorch [1].",
    "Does vLLM support the MI300X?": "Yes: an Instinct supports vLLM [1].",  # as of all of its line
    "Is the L4 on Azure?": "",  # where some GPUs are
    "Does the T4 support FP8?": "",  # as some GPUs do
}


@pytest.mark.parametrize(("question", "told"), CATEGORICAL.items(), ids=CATEGORICAL)
def test_a_category_is_affirmed_or_denied_by_the_fact_that_says_so(index: OpenIndex, question: str, told: str) -> None:
    assert answered(index, question) == told


def test_of_a_family_what_each_of_its_chips_has_is_told(index: OpenIndex) -> None:
    assert answered(index, "Which kind of memory does Hopper have?") == "The H200 has HBM3e [1]."
    assert answered(index, "Which interconnect does Hopper use?") == "The H100 SXM is linked by NVLink [1]."


def test_a_fact_is_told_in_the_unit_asked_for_as_well(index: OpenIndex) -> None:
    assert answered(index, "H200 memory bandwidth in TB/s").endswith("[1]; 4,800 GB/s / 1,000 = 4.8 TB/s.")
    assert answered(index, "H200 memory bandwidth in GB/s").endswith("4,800 GB/s [1].")


def test_by_how_much_is_a_difference(index: OpenIndex) -> None:
    text = answered(index, "How much more memory does an MI325X have than an MI300X?")
    assert text.endswith(f"a difference of {256 - 192} GB, 1.33 times as much.")


LEFT = {
    "a narrower kind than facts tell": "Does the L40S use GDDR6?",
    "what is needed": "Does TPU v5p need PyTorch?",
    "what facts are silent on": "Does the H200 have NVLink?",
    "a conversion of money": "What are 3 USD in GB?",
    "a workload": "difference between MI300X and H200 for inference",
    "a rate of work": "Is the MI300X cheaper per token than the H200?",
    "something else": "difference between the coolers of the MI300X and the H200",
}


@pytest.mark.parametrize("question", LEFT.values(), ids=LEFT)
def test_a_question_that_says_more_is_left_to_the_passages(index: OpenIndex, question: str) -> None:
    assert answered(index, question) == ""


@pytest.mark.parametrize("name", ["RTX 6090", "RTX 7090", "GeForce RTX 9090"])
def test_a_product_of_a_series_that_nobody_names_is_refused(index: OpenIndex, name: str) -> None:
    answer = index.ask(f"How much memory does the {name} have?")
    assert not answer.answered
    assert name.removeprefix("GeForce ") in answer.reason


@pytest.mark.parametrize(("field", "cue"), [("dated", "? faster"), ("dated", "Training")])
def test_what_tells_of_an_event_is_written_as_cues_are(tmp_path: Path, field: str, cue: str) -> None:
    text = f'[[metric]]\nid = "pace"\nname = "pace"\ndimension = "ratio"\nunit = "x"\n{field} = ["{cue}"]\n'
    (tmp_path / "metrics.toml").write_text(text)
    with pytest.raises(DomainInvalid, match=f"{field}.0: .* (is not a lower-case word|must begin with a word)"):
        read_domain(domain_folder(), tmp_path)


def test_a_format_that_was_told_before_makes_no_peak_of_a_price(index: OpenIndex) -> None:
    answer = index.ask("FP8 peak of the MI300X and of the H200? And which of the two costs less per hour on Vultr?")
    assert "peak compute" in answer.text.split("\n\n")[0]
    assert "peak compute" not in answer.text.split("\n\n")[-1]


def test_what_is_said_of_the_very_thing_goes_before_what_is_said_of_its_family(index: OpenIndex) -> None:
    assert answered(index, "Does the A100 SXM 80GB use HBM3?").startswith("No: the A100 SXM 80GB has HBM2e")
    assert answered(index, "Does the A100 use HBM3?").startswith("Yes: ")


@pytest.mark.parametrize(
    "question",
    [
        "Does FP8 run on an A100, or only on the H200?",
        "Which supports FP8, the A100 or the H200?",
        "Do the A100 and the H200 support FP8?",
    ],
)
def test_a_category_is_told_of_each_of_several(index: OpenIndex, question: str) -> None:
    found = index.ask(question).text
    assert found.startswith("The A100 has no FP8 [1]. The H200 reaches a peak of 1,979 TFLOPS"), found
    assert "BF16" not in found, "no comparison of what was not asked for"


def test_what_each_chip_of_a_machine_has_is_no_figure_of_the_machine(index: OpenIndex) -> None:
    (asked,) = {q.what[0].scope for q in parse("What is the memory per GPU in a DGX H100?", index.domain)}
    assert asked is not None
    assert asked.unit == "chip"
    (whole,) = {q.what[0].scope for q in parse("What is the memory of a DGX H100?", index.domain)}
    assert whole is None
