"""Names cut short in a question mean what they do in full."""

from __future__ import annotations

import pytest

from chipwise.answering.naming import in_full, names_in
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped_domain()


def named(domain: Domain, question: str) -> list[str]:
    return [i for name in names_in(question, domain) for i in name.ids]


READ = {
    "tdp of the instinct 355x": ["amd-mi355x"],
    "memory of the AMD 325X": ["amd-mi325x"],
    "TPU v5p vs v4 bandwidth": ["google-tpu-v5p", "google-tpu-v4"],
    "Gaudi 2 vs 3 memory": ["intel-gaudi-2", "intel-gaudi-3"],
    "memory of the rtx4060ti": ["nvidia-rtx-4060-ti"],
    "H100SXM tdp": ["nvidia-h100-sxm"],
    "4x RTX 4000 Pro Blackwell or one RTX 6000 Pro": ["nvidia-rtx-pro-4000", "nvidia-rtx-pro-6000"],
    "inferentia 1 or 2?": ["aws-inferentia1", "aws-inferentia2"],
}


@pytest.mark.parametrize(("question", "read"), READ.items(), ids=READ)
def test_a_short_name_is_read_in_full(domain: Domain, question: str, read: list[str]) -> None:
    assert named(domain, question) == read


@pytest.mark.parametrize(
    "question",
    [
        "300x faster than what?",
        "is it 325x better?",
        "a run of 14.8T tokens",
        "DeepSeek-V3 runs out of memory",
        "does v3 of the model need more than v2?",
    ],
)
def test_what_may_be_a_multiple_or_a_figure_is_no_name(domain: Domain, question: str) -> None:
    assert named(domain, question) == []


FULL = {
    "does it fit on two 5090s?": "does it fit on two RTX 5090s?",
    "2x 3090 or one 4090": "2x RTX 3090 or one RTX 4090",
    "the RTX 3090 has 24 GB": "the RTX 3090 has 24 GB",
    "4090 cores for $5090, since 2020": "4090 cores for $5090, since 2020",
}


@pytest.mark.parametrize(("question", "full"), FULL.items(), ids=FULL)
def test_a_number_that_is_a_name_is_written_in_full_and_no_other(domain: Domain, question: str, full: str) -> None:
    assert in_full(question, domain) == full
