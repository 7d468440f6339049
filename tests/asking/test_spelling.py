"""What is typed in a hurry."""

from __future__ import annotations

from chipwise.answering.spelling import in_words


def test_what_is_typed_in_a_hurry_is_written_out() -> None:
    assert in_words("memory of the L4 w/ ECC, whats its TDP pls") == "memory of the L4 with ECC, what's its TDP"
    assert in_words("Is 700 W/GPU the TDP?") == "Is 700 W/GPU the TDP?"
    assert in_words("llama 3 70b on an H100 in 8b") == "llama 3 70B on an H100 in 8b"
    assert in_words("n GPUs at 50 kW w/o cooling") == "n GPUs at 50 kW without cooling"
