"""What would explain a gap has to be left open by the text, or the gap is an error."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from ..building.test_facts import facts
from .test_values import findings


def contradictions(text: str) -> list[Finding]:
    found = findings({"a": text}, "CW101 CW102 CW701", facts())
    return sorted((f for f in found if f.verdict == "contradiction"), key=lambda f: f.code)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The H100 has 640 GB of memory.", "8 x 80 GB"),
        ("The H100 SXM has 7.9 PFLOPS of dense BF16.", "8 x 989 TFLOPS"),
        ("The TPU v5p has 3,672 TFLOPS in BF16.", "8 x 459 TFLOPS"),
        ("The H200 has 564 GB of memory.", "4 x 141 GB"),
    ],
)
def test_a_total_put_as_the_figure_of_one_chip_is_an_error(text: str, why: str) -> None:
    (finding, *_) = contradictions(text)
    assert why in finding.explanation


@pytest.mark.parametrize(
    "text",
    [
        "Our node is quick. The H100 has 640 GB of memory.",
        "There are eight GPUs in it. The H100 has 640 GB of memory.",
        "# Memory per server\n\n- H100: 640 GB\n- H200: 1,128 GB\n",
    ],
)
def test_where_the_section_speaks_of_several_the_total_may_be_of_them(text: str) -> None:
    assert contradictions(text) == []


def test_a_binary_prefix_explains_only_what_is_written_with_one() -> None:
    assert len(contradictions("The RTX 3090 Ti has a memory bandwidth of 936 GB/s.")) == 1
    assert contradictions("The RTX 3090 Ti has a memory bandwidth of 939 GiB/s.") == []


def test_the_figure_of_one_die_is_not_the_boards() -> None:
    (finding,) = contradictions("The MI250X has 64 GB of memory.")
    assert "the figure of one die" in finding.explanation
    assert contradictions("Each die counts as a GPU per die. The MI250X has 64 GB of memory.") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The TDP of the H100 SXM is 70 W.", "a misplaced decimal point?"),
        ("The TDP of the H100 SXM is 700 kW.", "the same number with two units"),
        ("The H100 SXM has 98.9 TFLOPS in dense BF16.", "a misplaced decimal point?"),
        ("The H100 SXM has 3,958 TFLOPS of dense BF16.", "989"),
    ],
)
def test_an_error_by_a_large_factor_is_told_against_the_fact_that_is_labelled_like_it(text: str, told: str) -> None:
    (finding,) = contradictions(text)
    assert told in f"{finding.title} {finding.explanation}"


def test_a_figure_without_its_units_is_not_held_against_the_slower_ones() -> None:
    titles = [f.title for f in contradictions("The H100 SXM has 3,000 TFLOPS of dense BF16.")]
    assert titles
    assert not any("133.8" in title for title in titles)
