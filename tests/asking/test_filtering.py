"""Products picked out of a line or of all: by a bound on a figure, by a category, by a year, by what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

MEMORY = {"nvidia-h200": "141", "amd-mi300x": "192", "amd-mi325x": "256", "nvidia-l4": "24", "google-tpu-v5e": "16"}
CATEGORIES = {
    ("nvidia-h200", "memory_kind"): "hbm3e",
    ("amd-mi325x", "memory_kind"): "hbm3e",
    ("amd-mi300x", "memory_kind"): "hbm3",
    ("amd-mi325x", "announcement_date"): "2024-10",
    ("nvidia-h200", "announcement_date"): "2023-11",
}
TDP = {
    "nvidia-h200": ("700", "TDP"),
    "nvidia-l4": ("72", "TDP"),
    "amd-mi300x": ("750", "board"),
    "intel-gaudi-3": ("900", "TDP"),
}
MACHINES = {"nvidia-dgx-h100": ("640", "8"), "nvidia-dgx-h200": ("1128", "8"), "aws-trn2": ("1649", "16")}
RENT = {"nvidia-l4": "0.80", "nvidia-h200": "3.00", "amd-mi300x": "2.00"}


def rows() -> Iterator[dict[str, str]]:
    for subject, value in MEMORY.items():
        base = {"subject": subject, "value": value, "aggregation": "chip"}
        yield ROW | base | {"id": f"{subject}-memory", "quote": f"The {subject} has {value} GB."}
    for subject, (value, basis) in TDP.items():
        base = {
            "subject": subject,
            "metric": "tdp",
            "value": value,
            "unit": "W",
            "aggregation": "chip",
            "power_basis": basis,
        }
        yield ROW | base | {"id": f"{subject}-tdp", "quote": f"The {subject} draws {value} W."}
    for (subject, metric), value in CATEGORIES.items():
        base = {"subject": subject, "metric": metric, "value": value, "unit": "", "aggregation": ""}
        yield ROW | base | {"id": f"{subject}-{metric}", "quote": f"Of {subject} the {metric} is {value}."}
    price = {
        "metric": "price_per_hour",
        "unit": "USD/hour",
        "modality": "priced",
        "price_terms": "on-demand",
        "provider": "aws",
    }
    for subject, (value, count) in MACHINES.items():
        base = {"subject": subject, "value": value, "aggregation": "node", "count": count}
        yield ROW | base | {"id": f"{subject}-memory", "quote": f"The {subject} has {value} GB in all."}
    for subject, value in RENT.items():
        base = {"subject": subject, "value": value, "aggregation": "chip", "as_of": "2026-09"}
        yield (
            ROW | price | base | {"id": f"{subject}-rent", "quote": f"AWS asks {value} USD per hour for the {subject}."}
        )


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))

ASKED = {
    "List all AMD accelerators and their memory": (
        "2 of 2 products with a known memory capacity:\n- the MI325X: 256 GB [1]\n- the MI300X: 192 GB [2]."
    ),
    "Which chips draw between 700 and 750 W?": (
        "2 of 4 products with a known thermal design power (TDP):\n- the MI300X: 750 W (board power) [1]\n- the H200: 700 W [2]."
    ),
    "which accelerators have 24 to 192 GB and draw at most 700 W": (
        "2 of 4 products with known memory capacity and thermal design power (TDP):\n- the H200: 141 GB [1], 700 W [2]\n- the L4: 24 GB [3], 72 W [4]."
    ),
    "Which accelerators have at least 141 GB of memory?": (
        "3 of 5 products with a known memory capacity:\n- the MI325X: 256 GB [1]\n- the MI300X: 192 GB [2]\n- the H200: 141 GB [3]."
    ),
    "Which accelerators have more than 141 GB of memory?": "2 of 5 products with a known memory capacity:\n- the MI325X: 256 GB [1]\n- the",
    "which chips have less than 100 GB?": "2 of 5 products with a known memory capacity:\n- the TPU v5e: 16 GB [1]\n- the L4: 24 GB [2].",
    "List all AMD accelerators with 200 GB or more": "1 of 2 products with a known memory capacity:\n- the MI325X: 256 GB [1].",
    # one whose power is stated otherwise is ranked with the rest, and told apart
    "List all accelerators with a TDP of 700 W or more": (
        "3 of 4 products with a known thermal design power (TDP):\n- the Gaudi 3: 900 W [1]\n- the MI300X: 750 W (board power) [2]\n- the H200: 700 W [3]."
    ),
    "Which Intel or AMD accelerators draw over 700 W?": (
        "2 of 2 products with a known thermal design power (TDP):\n- the Gaudi 3: 900 W [1]\n- the MI300X: 750 W (board power) [2]."
    ),
    "which chips draw 72 W or less": "1 of 4 products with a known thermal design power (TDP):\n- the L4: 72 W [1].",
    "Which chip under 800 W has the most memory?": (
        "The highest memory capacity among 3 products with a known figure:\n- the MI300X: 192 GB [1], 750 W (board power) [2]\n"
        "- the H200: 141 GB [3], 700 W [4]\n- the L4: 24 GB [5], 72 W [6]."
    ),
    "Which chip has the most memory of all?": "The highest memory capacity among 5 products with a known figure:\n- the MI325X: 256 GB [1]\n- the MI300X: 192 GB [2]\n- the H200: 141 GB [3].",
    "Which AMD chip has the least HBM?": "The lowest memory capacity among 2 products with a known figure:\n- the MI300X: 192 GB [1]\n- the MI325X: 256 GB [2].",
    "which chips can hold a 120B model at 8 bit?": (
        "In INT8, 120 GB. Weights in INT8: 120 billion parameters x 1 B = 120 GB. Assumed: a GB is 10^9 bytes; where a vendor's GB means "
        "GiB, there is 7% more memory. Give a context length, and the name of the model or its layers and KV heads, to add the KV "
        "cache. 3 of 5 products with a known memory capacity:\n- the MI325X: 256 GB [1]\n- the MI300X: 192 GB [2]\n- the H200: 141 GB [3]."
    ),
    "Which systems have at least 1 TB of memory?": "2 of 3 products with a known memory capacity:\n- the Trn2: 1649 GB (per node of 16) [1]\n- the DGX H200: 1128 GB (per node of 8) [2].",
    "Which servers have less than 1 TB of memory?": "1 of 3 products with a known memory capacity:\n- the DGX H100: 640 GB (per node of 8) [1].",
    "which chips have HBM3e?": "HBM3e, as far as the facts show:\n- the H200: HBM3e [1]\n- the MI325X: HBM3e [2].",
    "Which AMD chips have HBM3e?": "HBM3e, as far as the facts show:\n- the MI325X: HBM3e [1].",
    "cheapest card with 100 GB or more": "2 offers, the lowest first:\n- the MI300X: 2.00 USD/hour (on demand, AWS, as of 2026-09) [1]",
}


@pytest.mark.parametrize(("question", "begins"), ASKED.items(), ids=ASKED)
def test_products_are_picked_by_what_facts_tell(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


@pytest.mark.parametrize(
    "question", ["Which chips have 200 GB with NVLink disabled?", "Which chips beat 200 GB/s in practice?"]
)
def test_what_facts_cannot_pick_by_is_left_to_the_passages(index: OpenIndex, question: str) -> None:
    assert answered(index, question) == ""
