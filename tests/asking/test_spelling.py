"""Misspelt words of a question: read as what they come nearest to, said aloud, and never a product as another."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest

from chipwise.answering.spelling import in_words, nearest

KNOWN = frozenset(
    "bandwidth memory ironwood trainium2 trainium1 h100 h200 mi300x mi300a price power nvidia latency watts".split()
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("bandwith", "bandwidth"),
        ("memroy", "memory"),
        ("irownood", "ironwood"),
        ("trainum2", "trainium2"),
        ("nvdia", "nvidia"),
        ("latencey", "latency"),
        ("bnadwidht", "bandwidth"),
    ],
)
def test_a_slip_is_read_as_the_word_it_comes_nearest_to(written: str, read: str) -> None:
    assert nearest(written, KNOWN) == read


@pytest.mark.parametrize("written", ["trainium3", "mi300z", "h300", "zyxel", "tower", "mmroy", "prize"])
def test_a_digit_what_follows_it_the_first_letter_and_much_else_are_no_slips(written: str) -> None:
    assert nearest(written, KNOWN) == ""


def test_of_two_words_equally_near_neither_is_meant() -> None:
    assert nearest("latenzy", {"latenky", "latenxy"}) == ""


def test_what_is_much_alike_is_no_slip_as_it_is_to_difflib() -> None:
    def alike(a: str, b: str) -> float:
        return SequenceMatcher(None, a, b).ratio()

    assert alike("suitable", "stable") > alike("memroy", "memory")
    assert nearest("suitable", {"stable"}) == ""
    assert nearest("memroy", {"memory"}) == "memory"


def test_what_is_typed_in_a_hurry_is_written_out() -> None:
    assert in_words("memory of the L4 w/ ECC, whats its TDP pls") == "memory of the L4 with ECC, what's its TDP"
    assert in_words("Is 700 W/GPU the TDP?") == "Is 700 W/GPU the TDP?"
    assert in_words("llama 3 70b on an H100 in 8b") == "llama 3 70B on an H100 in 8b"
    assert in_words("n GPUs at 50 kW w/o cooling") == "n GPUs at 50 kW without cooling"
