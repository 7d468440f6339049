"""What is said to fit into a chip whose memory only the shipped table gives."""

from __future__ import annotations

import pytest

from ..building.test_facts import facts
from .test_values import findings


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The 850 GB of weights fit into four MI300X.", "850 GB does not fit into 4 AMD MI300X (4 x 192 GiB)"),
        ("Llama 3 70B in BF16 fits on a single H100 as well.", "70B in BF16 does not fit into one NVIDIA H100 (96 GB)"),
        ("Llama 3.1 405B in BF16 fits on one DGX H100.", "405B in BF16 does not fit into 8 NVIDIA H100 (8 x 96 GB)"),
        ("Its 140 GB fit on one H100.", "140 GB does not fit into one NVIDIA H100 (96 GB)"),  # the most that any has
    ],
)
def test_what_is_larger_than_the_memory_of_so_many_chips_does_not_fit(text: str, title: str) -> None:
    assert [f.title for f in findings({"a": text}, "CW407", facts())] == [title]


@pytest.mark.parametrize(
    "text",
    [
        "The 810 GB of weights fit into five MI300X.",
        "Its 140 GB fit on one H200.",
        "Llama 3.1 405B in FP8 fits on one DGX H100.",
        "Llama 3 70B in INT4 fits on one H100.",
        "Its 90 GB fit on one H100.",  # some have 96 GB
        "Its 140 GB do not fit on one H100.",
        "Its 140 GB fit on one H100 once they are quantised.",
        "Its 140 GB, in FP8 half of that, fit on one H100.",
        "| Model | Q4 | Q8 | Notes |\n|---|---|---|---|\n| 32B | 18 GB | 34 GB | Fits in 24 GB (Q4) |",
    ],
)
def test_what_has_room_or_is_said_to_have_none_is_no_finding(text: str) -> None:
    assert findings({"a": text}, "CW407", facts()) == []
