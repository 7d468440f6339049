"""Numbered names of a line that no chip of it has."""

from __future__ import annotations

import pytest

from chipwise.answering.question import understand

from ..audit.test_relations import shipped


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("How much HBM does a Gaudi 7 have?", ("Gaudi 7",)),
        ("What is the memory bandwidth of the Trainium 9?", ("Trainium 9",)),
        ("How much HBM does a Gaudi 3 have?", ()),
        ("How many GPUs are in 2 nodes?", ()),
    ],
)
def test_a_number_behind_a_line_is_a_generation_that_nobody_made(question: str, unknown: tuple[str, ...]) -> None:
    assert understand(question, shipped()).unknown == unknown
