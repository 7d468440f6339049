"""Whose a product is: answered with a sentence that names it as its maker's, and never where more is asked."""

from __future__ import annotations

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import answered, index_on, row_of, told_by_facts

SHEET = {
    "memory": "The AMD MI300X has 192 GB of memory.",
    "die": "The MI300X is made by TSMC.",
    "google": "Google's TPU chips are rented, and not sold.",
    "line": "AMD Instinct accelerators are sold by server makers.",
    "other": "The MI300X was set beside NVIDIA's H100.",
    "nameless": "The Gaudi 3 has 128 GB.",
}
TABLE = [
    row_of(SHEET, "memory", "amd-mi300x", "memory_capacity", "192", "GB"),
    row_of(SHEET, "die", "amd-mi300x", "foundry", "tsmc", "", aggregation=""),
    row_of(SHEET, "nameless", "intel-gaudi-3", "memory_capacity", "128", "GB"),
]
index = index_on(SHEET.values(), csv_of(*TABLE))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who makes the MI300X?", "The MI300X is made by AMD [1] and built by TSMC [2]."),
        ("Which company is behind the MI300X?", "The MI300X is made by AMD [1] and built by TSMC [2]."),
        ("Is the MI300X an NVIDIA chip?", "No: the MI300X is made by AMD [1]."),
        ("Does AMD make the MI300X?", "Yes: the MI300X is made by AMD [1]."),
        ("The TPU v6e is from AWS, right?", "No: the TPU v6e is made by Google [1]."),
        ("Is it true that NVIDIA makes the MI300X?", "No: the MI300X is made by AMD [1]."),
        ("Who makes the Instinct GPUs?", "An Instinct is made by AMD [1]."),
        ("Is the MI300X not made by AMD?", "No: the MI300X is made by AMD [1]."),
        ("who makes trillium", "The TPU v6e is made by Google [1]."),
    ],
)
def test_a_maker_is_told_with_a_sentence_that_says_so(index: OpenIndex, question: str, said: str) -> None:
    assert answered(index, question) == said
    told = told_by_facts(index, question)
    assert told is not None
    maker = said.replace("maker ", "made by ").split("made by ")[1].split(" ", maxsplit=1)[0].rstrip(".")
    assert maker in told.cited[0].evidence.quote


@pytest.mark.parametrize(
    "question",
    [
        "Who makes the Gaudi 3?",  # no sentence names it as Intel's
        "Who makes memory for the MI300X?",
        "Is the MI300X from AMD faster than the H100?",
        "Why does AMD make the MI300X?",
        "Who is the MI300X for?",
        "Who is the MI300X made for?",
        "Which company is using the most MI300X?",
        "Is the MI300X better than an NVIDIA GPU?",
        "Can the AMD Instinct train models?",  # its name says whose it is, and nobody puts that forward
    ],
)
def test_no_maker_is_told_where_no_sentence_says_it_or_more_is_asked(index: OpenIndex, question: str) -> None:
    assert "made by" not in answered(index, question)
