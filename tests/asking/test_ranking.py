"""Products and prices in order: whose they are, which of siblings is ranked, and what is not put beside what."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on, row_of, told_by_facts

SAID = {
    "gaudi-2": "The Gaudi 2 has 96 GB of memory.",
    "mi300a": "The MI300A has 128 GiB of memory.",
    "gaudi-3": "The Gaudi 3 has 128 GB of memory.",
    "trainium2": "The Trainium2 has 96 GB of memory.",
    "trainium1": "The Trainium1 has 32 GB of memory.",
    "wse-3": "The WSE-3 has 44 GB of memory.",
    "h200": "The H200 has 141 GB of memory.",
    "h200-sxm": "The H200 SXM has 141 GB of memory.",
    "b300-sxm": "The B300 SXM draws 1,000 W.",
    "gb300": "Each GPU of a GB300 draws 1,400 W.",
    "h200-watts": "The H200 SXM draws 700 W.",
    "a100-sxm": "The A100 SXM draws 400 W.",
    "a100-pcie": "The A100 PCIe draws 300 W.",
    "mi300x": "The MI300X board draws 750 W.",
    "dense": "The B300 SXM has a dense FP4 peak of 13,125 TFLOPS.",
    "gb300-dense": "Each GPU of a GB300 has a dense FP4 peak of 15,000 TFLOPS.",
    "sparse": "The MI355X has a sparse FP4 peak of 20,100 TFLOPS.",
    "mi350x": "The MI350X has a sparse FP4 peak of 18,450 TFLOPS.",
    "b200": "The B200 has a sparse FP4 peak of 18,000 TFLOPS.",
    "market": "On the marketplace an H100 is 1.49 to 1.87 USD per hour.",
    "lambda": "Lambda rents an H100 at 2.99 USD per hour on demand.",
    "oracle": "Oracle rents an H100 at 10.00 USD per hour on demand.",
    "stale": "A blog had the H100 at 0.99 USD per hour on demand.",
    "before": "Lambda rented an H100 SXM at 1.99 USD per hour on demand.",
    "l4": "CoreWeave rents an L4 at 0.90 USD per hour on demand.",
    "l4-range": "An L4 is 0.70 to 1.05 USD per hour on demand.",
    "l4-spot": "An L4 is 0.20 to 0.30 USD per hour on spot.",
    "v5e": "A TPU v5e chip is 1.20 USD per hour on demand.",
    "v5p": "A TPU v5p chip is 4.20 USD per hour on demand.",
    "hgx": "Eight H100 on an HGX board are 49.24 USD per hour.",
    "p5": "The p5.48xlarge is 55.04 USD per hour.",
}
row = partial(row_of, SAID)


def table() -> str:
    memory, watts = {"metric": "memory_capacity", "unit": "GB"}, {"metric": "tdp", "unit": "W"}
    peak = {"metric": "peak_compute", "unit": "TFLOPS", "dtype": "fp4"}
    price = {"metric": "price_per_hour", "unit": "USD/hour", "price_terms": "on-demand"}
    return csv_of(
        row("gaudi-2", "intel-gaudi-2", value="96", **memory),
        row("gaudi-3", "intel-gaudi-3", value="128", **memory),
        row("trainium2", "aws-trainium2", value="96", **memory),
        row("mi300a", "amd-mi300a", "memory_capacity", "128", "GiB"),
        row("trainium1", "aws-trainium1", value="32", **memory),
        row("wse-3", "cerebras-wse-3", value="44", **memory),
        row("h200", "nvidia-h200", value="141", **memory),
        row("h200-sxm", "nvidia-h200-sxm", value="141", form_factor="SXM", **memory),
        row("b300-sxm", "nvidia-b300-sxm", value="1000", **watts),
        row("gb300", "nvidia-gb300-gpu", value="1400", **watts),
        row("h200-watts", "nvidia-h200-sxm", value="700", **watts),
        row("a100-sxm", "nvidia-a100-sxm", value="400", form_factor="SXM", **watts),
        row("a100-pcie", "nvidia-a100-pcie", value="300", form_factor="PCIe", **watts),
        row("mi300x", "amd-mi300x", value="750", power_basis="board", **watts),
        row("dense", "nvidia-b300-sxm", value="13125", sparsity="dense", **peak),
        row("gb300-dense", "nvidia-gb300-gpu", value="15000", sparsity="dense", **peak),
        row("sparse", "amd-mi355x", value="20100", sparsity="2:4", **peak),
        row("mi350x", "amd-mi350x", value="18450", sparsity="2:4", **peak),
        row("b200", "nvidia-b200", value="18000", sparsity="2:4", **peak),
        row("market", "nvidia-h100", value="1.49..1.87", **price) | {"price_terms": "marketplace"},
        row("lambda", "nvidia-h100", value="2.99", provider="lambda-labs", as_of="2026-03", **price),
        row("before", "nvidia-h100-sxm", value="1.99", provider="lambda-labs", as_of="2024-03", **price),
        row("l4", "nvidia-l4", value="0.90", provider="coreweave", **price),
        row("l4-range", "nvidia-l4", value="0.70..1.05", provider="gcp", **price),
        row("l4-spot", "nvidia-l4", value="0.20..0.30", provider="gcp", **price) | {"price_terms": "spot"},
        row("oracle", "nvidia-h100", value="10.00", provider="oci", **price),
        row("stale", "nvidia-h100", value="0.99", rank="deprecated", reason="no list has it", **price),
        row("v5e", "google-tpu-v5e", value="1.20", **price),
        row("v5p", "google-tpu-v5p", value="4.20", **price),
        row("hgx", "nvidia-hgx-h100", value="49.24", count="8", **price) | {"aggregation": "node"},
        row("p5", "aws-p5", value="55.04", count="8", provider="aws", **price) | {"aggregation": "node"},
    )


index = index_on(SAID.values(), table())


def quotes(index: OpenIndex, question: str) -> list[str] | None:
    """What is cited, in order; None where there is no ranking."""
    found = told_by_facts(index, question)
    return None if found is None else [c.evidence.quote for c in found.cited]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which Intel chip has the most memory?", ["gaudi-3", "gaudi-2"]),
        ("which intel accelerator has the least memory", ["gaudi-2", "gaudi-3"]),
        ("Which chip from Amazon has the most memory?", ["trainium2", "trainium1"]),
        ("Which Trainium has the most memory?", ["trainium2", "trainium1"]),
        ("Cerebras chip with the most memory", ["wse-3"]),
        ("Highest TDP of any Blackwell Ultra GPU", ["gb300", "b300-sxm"]),
    ],
)
def test_ranked_is_what_the_maker_or_the_family_makes(index: OpenIndex, question: str, expected: list[str]) -> None:
    assert quotes(index, question) == [SAID[said] for said in expected]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        (
            "Rank the Gaudi 2, H200 and Gaudi 3 by memory",
            "The H200 has the highest memory capacity:\n- the H200: 141 GB [1]\n- the Gaudi 3: 128 GB",
        ),
        (
            "Rank H200, Gaudi 2 and Gaudi 3 by lowest memory",
            "The Gaudi 2 has the lowest memory capacity:\n- the Gaudi 2: 96 GB [1]\n- the Gaudi 3: 128 GB",
        ),
    ],
)
def test_what_is_named_to_be_ranked_stands_in_order(index: OpenIndex, question: str, begins: str) -> None:
    assert index.ask(question).text.startswith(begins)


def test_what_variants_have_is_no_figure_of_other_chips_to_win_by(index: OpenIndex) -> None:
    """Of the chips asked about one each decides; figures of one chip's variants alone decide nothing."""
    told = index.ask("Which draws the most: A100, B300 or MI300X?").text
    assert told.startswith("The B300 SXM has the highest thermal design power (TDP):\n- the B300 SXM: 1,000 W [1]\n- ")


def test_where_something_is_rented_is_not_who_makes_it(index: OpenIndex) -> None:
    question = "Which GPU on AWS has the most memory?"
    assert quotes(index, question) is None
    assert not index.ask(question).answered


def test_siblings_are_ranked_each_and_a_variant_that_is_like_its_chip_is_not(index: OpenIndex) -> None:
    assert quotes(index, "Which NVIDIA GPU has the highest TDP?") == [
        SAID[s] for s in ("gb300", "b300-sxm", "h200-watts")
    ]
    assert quotes(index, "Which Hopper GPU has the most memory?") == [SAID["h200"]]


def test_dense_peaks_are_ranked_even_where_more_sparse_ones_are_known(index: OpenIndex) -> None:
    assert quotes(index, "Which GPU has the most FP4 compute?") == [SAID["gb300-dense"], SAID["dense"]]


def test_sparse_ones_are_ranked_when_they_are_asked_for(index: OpenIndex) -> None:
    asked = "Which GPU has the highest peak compute in FP4 with sparsity?"
    assert quotes(index, asked) == [SAID["sparse"], SAID["mi350x"], SAID["b200"]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("cheapest H100 per hour", "market"),
        ("Who rents out the H100 cheapest?", "market"),
        ("What is the highest price per hour of an H100?", "oracle"),
        ("Which TPU is cheapest per hour?", "v5e"),
        ("cheapest L4 per hour", "l4-spot"),
        ("What is the highest price per hour of an L4?", "l4"),
        ("cheapest 8x H100 node per hour", "hgx"),
    ],
)
def test_the_offer_that_is_asked_for_comes_first(index: OpenIndex, question: str, expected: str) -> None:
    assert (quotes(index, question) or [""])[0] == SAID[expected]


def test_a_price_that_its_provider_has_changed_is_not_the_lowest(index: OpenIndex) -> None:
    assert quotes(index, "What is the lowest on-demand price of an H100?")[:1] == [SAID["lambda"]]  # type: ignore[index]


def test_a_price_says_its_terms_who_asks_it_and_when(index: OpenIndex) -> None:
    text = index.ask("lowest H100 price on demand").text
    assert "\n- the H100: 2.99 USD/hour (on demand, Lambda Labs, as of 2026-03) [1]\n" in text
