"""Which machines of a cloud hold a chip: told where a sentence names both, and never where more is asked."""

from __future__ import annotations

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import answered, index_on, row_of

SHEET = {
    "p5": "AWS lists the p5.48xlarge with eight H100 GPUs at 55.04 USD per hour.",
    "p5e": "The p5e.48xlarge is 63.30 USD per hour.",
    "a3": "Google Cloud lists the a3-highgpu-8g with eight H100 GPUs at 88.49 USD per hour.",
}
PRICE = {"modality": "priced", "price_terms": "on-demand", "as_of": "2026-09", "count": "8"}
TABLE = [
    row_of(SHEET, "p5", "aws-p5", "price_per_hour", "55.04", "USD/hour", provider="aws", **PRICE)
    | {"aggregation": "node"},
    row_of(SHEET, "p5e", "aws-p5e", "price_per_hour", "63.30", "USD/hour", provider="aws", **PRICE)
    | {"aggregation": "node"},
    row_of(SHEET, "a3", "gcp-a3-high", "price_per_hour", "88.49", "USD/hour", provider="gcp", **PRICE)
    | {"aggregation": "node"},
]
index = index_on(SHEET.values(), csv_of(*TABLE))
P5, A3 = "AWS p5.48xlarge (8 x H100 SXM)", "Google Cloud A3 High (8 x H100 SXM)"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which AWS instance has the H100?", f"{P5} [1]."),
        ("what instance type on AWS has 8 H100s", f"{P5} [1]."),
        ("what instance on google cloud has 8 h100s in it", f"{A3} [1]."),
        ("Which instances have H100 GPUs?", f"{P5} [1] and {A3} [2]."),
        ("Which Google Cloud VMs use the H100?", f"{A3} [1]."),
        ("Which GPU does a p5.48xlarge have?", f"{P5} [1]."),
        ("What chips are in a p5.48xlarge?", f"{P5} [1]."),
    ],
)
def test_machines_are_told_by_sentences_that_name_their_chip(index: OpenIndex, question: str, said: str) -> None:
    assert answered(index, question) == said


@pytest.mark.parametrize(
    "question",
    [
        "Which AWS instance has the H200?",  # the sentence on the p5e names no chip
        "Which AWS instance with H100s has the most memory?",
        "Which AWS instance has 4 H100s?",
        "Does an AWS instance have the H100?",
        "Which AWS instance does not have the H100?",
        "Which AWS instance with the H100 was discontinued?",
        "Which AWS instance has the most H100 GPUs?",
    ],
)
def test_no_machine_is_told_where_no_sentence_names_its_chip_or_more_is_asked(index: OpenIndex, question: str) -> None:
    assert " x NVIDIA" not in answered(index, question)
