"""How many times as much one chip has as another, beside the quotient of what the shipped table has of both (CW703)."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from ..building.test_facts import facts
from .test_values import findings


def wrong(text: str) -> list[Finding]:
    return findings({"a": text}, "CW703", facts())


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("The H200 has 3x the memory of the H100.", f"141 GB / 80 GB = {141 / 80:.2f}x"),
        ("The H200 has 40% more memory than the H100.", f"141 GB / 94 GB = {141 / 94:.2f}x"),
        ("The H100 has 60% less memory than the H200.", f"80 GB / 141 GB = {80 / 141:.2f}x"),
        ("The H100 has 1.76x the memory of the H200.", f"94 GB / 141 GB = {94 / 141:.2f}x"),
        ("The memory of the H200 is three times that of the H100.", f"141 GB / 80 GB = {141 / 80:.2f}x"),
        ("The H200 triples the memory capacity of the H100.", f"141 GB / 80 GB = {141 / 80:.2f}x"),
        ("The H200 has up to 1.2x the memory of the H100.", f"141 GB / 94 GB = {141 / 94:.2f}x"),
    ],
)
def test_a_comparison_that_no_two_facts_make_is_found_with_its_arithmetic(text: str, made: str) -> None:
    (finding,) = wrong(text)
    assert finding.verdict == "contradiction"
    assert made in finding.explanation
    assert len(finding.evidence) == 3, "the comparison and both facts"


@pytest.mark.parametrize(
    "text",
    [
        "The H200 has 1.76x the memory of the H100.",
        "The H200 has twice the memory of the H100.",  # a round word for 1.76
        "The H200 has 1.5x the memory of the H100.",  # of the NVL board with 94 GB
        "The H200 has 76% more memory than the H100.",
        "The H100 has 43% less memory than the H200.",
        "The H200 has up to 3x the memory of the H100.",  # a bound
        "The B200 has 5x the peak compute of the H100.",  # FP8 beside BF16
        "The B200 has 2.5x the BF16 peak compute of the H100.",
        "The TPU v5p has 6x the HBM of the TPU v4.",  # its size or its bandwidth?
        "The H200 has three times the memory per dollar of the H100.",
        "The TPU v5p is 5x faster than the TPU v4.",
        "The H200 has three times the throughput of the H100.",
        "A DGX H200 has 3x the memory of the H100.",
        "Suppose that the H200 has 3x the memory of the H100.",
        "The H200 does not have 3x the memory of the H100.",
        "The H200 has 3x the memory of the Zorgon X900.",
    ],
)
def test_a_comparison_that_some_facts_make_or_that_is_of_something_else_is_silent(text: str) -> None:
    assert wrong(text) == []
