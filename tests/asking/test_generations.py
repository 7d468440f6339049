"""Numbered names of a line that no chip of it has."""

from __future__ import annotations

import pytest

from chipwise.answering.parse import understand

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


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Can I fine-tune MPT-7B on one H200?", ()),
        ("does GLM-130B fit on 8x H200", ()),
        ("Can I fine-tune Zyxel-7 on one H200?", ("zyxel",)),
    ],
)
def test_a_model_that_tells_its_size_is_no_name_that_sources_have_to_mention(
    question: str, names: tuple[str, ...]
) -> None:
    asked = understand(question, shipped())
    assert asked.unknown == ()
    assert asked.names[:1] == names
