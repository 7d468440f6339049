"""Where sources disagree, for a question that asks for that."""

from __future__ import annotations

import pytest

from chipwise.answering.naming import names_in
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on

STATED = "The article puts TPU v5p throughput at about 3,450 tokens per second per chip."
CORRECTED = "A reader claims to have seen 3,540 tokens per second on a Google documentation page instead of the article's 3,450, and suspects a typing error."
index = index_on((f"# Speeds\n\n- {STATED}\n\n## Reader comments\n\n- {CORRECTED}",), csv_of())


def test_both_sides_are_quoted(index: OpenIndex) -> None:
    found = index.ask("Which sources disagree about the throughput of the TPU v5p?")
    assert [quote.quote.removeprefix("- ") for quote in found.quotes] == [STATED, CORRECTED]


@pytest.mark.parametrize(
    "question",
    [
        "Is the throughput of the TPU v5p 3,450 or 3,540 tokens/s?",
        "is it 3,450 or 3,540 tokens/s for the TPU v5p",  # the unit alone says what is measured
        "Does a TPU v5p do 3,450 or 3,540 tokens per second?",
    ],
)
def test_two_measured_figures_side_by_side_are_a_question_for_both_sides(index: OpenIndex, question: str) -> None:
    found = index.ask(question)
    assert [quote.quote.removeprefix("- ") for quote in found.quotes] == [STATED, CORRECTED]


def test_where_no_sources_disagree_the_answer_says_so(index: OpenIndex) -> None:
    found = index.ask("Do sources disagree about the memory of the H200?")
    assert found.reason == "no two sources here are known to disagree about the memory capacity of NVIDIA H200"


def test_a_version_of_a_model_is_no_chip_and_a_size_tells_the_variant(index: OpenIndex) -> None:
    (model,) = names_in("When will DeepSeek V4 be supported?", index.domain)
    assert model.unknown is not None
    assert model.unknown.name == "DeepSeek V4"
    (chip,) = names_in("8 A100 with 80 GB", index.domain)
    assert chip.ids == ("nvidia-a100-80gb",)
