"""Products that a question calls by what they are to another one."""

import pytest

from chipwise.asking.relatives import read_relatives
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain

DOMAIN = read_domain(domain_folder())


@pytest.mark.parametrize(
    ("question", "read", "pair"),
    [
        (
            "How much memory did the predecessor of the H200 have?",
            "How much memory did the NVIDIA H100 have?",
            ("the predecessor of the H200", "NVIDIA H100"),
        ),
        (
            "What is the TDP of the MI325X's predecessor?",
            "What is the TDP of the AMD MI300X?",
            ("the MI325X's predecessor", "AMD MI300X"),
        ),
        (
            "Is the H200's memory larger than its predecessor's?",
            "Is the H200's memory larger than the NVIDIA H100's?",
            ("its predecessor", "NVIDIA H100"),
        ),
        (
            "How much memory has the successor to the MI300X?",
            "How much memory has the AMD MI325X?",
            ("the successor to the MI300X", "AMD MI325X"),
        ),
    ],
)
def test_a_relative_is_read_as_who_it_is(question: str, read: str, pair: tuple[str, str]) -> None:
    found = read_relatives(DOMAIN, question)
    assert found.text == read
    assert found.pairs == (pair,)
    assert not found.reason


@pytest.mark.parametrize(
    "question",
    [
        "What was the predecessor of the H200?",
        "Is the TPU v6e the successor of the TPU v5e?",
        "How much memory has the H200?",
        "What is the H100's replacement cost per hour?",
        "Is the H200 the successor of the H100, and how much memory does it have?",
        "What is the memory of the H200, the successor of the H100?",
        "Is there a successor to GPUs with more memory?",
    ],
)
def test_a_question_on_who_it_is_stays(question: str) -> None:
    assert read_relatives(DOMAIN, question) == (question, (), "")


def test_several_successors_are_named_and_none_is_answered_for() -> None:
    found = read_relatives(DOMAIN, "How much memory does the successor of the H200 have?")
    assert "more than one successor" in found.reason
    assert "NVIDIA B200" in found.reason


def test_an_unknown_predecessor_is_said_to_be_unknown() -> None:
    assert "no predecessor of" in read_relatives(DOMAIN, "How much memory has the predecessor of the Groq LPU?").reason


def test_a_variant_came_after_its_chips_predecessor_and_a_machine_after_none() -> None:
    assert DOMAIN.before("nvidia-h100-sxm") == ("nvidia-a100",)
    assert "nvidia-h200" in DOMAIN.after("nvidia-h100-pcie")
    assert DOMAIN.after("nvidia-dgx-h100") == ()


def test_a_chain_is_followed_to_its_end() -> None:
    found = read_relatives(DOMAIN, "How much memory had the predecessor of the H200's predecessor?")
    assert found.text == "How much memory had the NVIDIA A100?"


def test_whose_it_is_goes_with_it() -> None:
    found = read_relatives(DOMAIN, "What memory has NVIDIA's successor to the A100?")
    assert found.text == "What memory has the NVIDIA H100?"
