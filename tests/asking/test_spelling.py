"""What is typed in a hurry, and misspelt words: mended only where one word of the vocabulary is meant."""

from __future__ import annotations

import pytest

from chipwise.answering.typed import in_words, mended, written_out
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain
from chipwise.index.store import Store


class Parts:
    """Parts words as an encoder does that knows a few."""

    known = ("naive", "memory", "native")

    def __call__(self) -> Parts:
        return self

    def encode(self, word: str, *, add_special_tokens: bool) -> Parts:
        """Keeps the parts of a word."""
        assert not add_special_tokens
        stem = next((known for known in self.known if word.startswith(known)), word[:2])
        self.tokens = [stem, *([f"##{word[len(stem) :]}"] if word != stem else [])]
        return self


class Silent:
    """A store without a passage that holds any of these words."""

    def __init__(self, *heard: str) -> None:
        self.heard = heard

    def document_frequencies(self, words: list[str]) -> dict[str, int]:
        """How often each is heard."""
        return {word: int(word in self.heard) for word in words}


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped_domain()


def test_what_is_typed_in_a_hurry_is_written_out() -> None:
    assert in_words("memory of the L4 w/ ECC, whats its TDP pls") == "memory of the L4 with ECC, what's its TDP"
    assert in_words("Is 700 W/GPU the TDP?") == "Is 700 W/GPU the TDP?"
    assert in_words("llama 3 70b on an H100 in 8b") == "llama 3 70B on an H100 in 8b"
    assert in_words("n GPUs at 50 kW w/o cooling") == "n GPUs at 50 kW without cooling"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Is FA2 supported on the T4?", "Is FlashAttention-2 supported on the T4?"),
        ("how many tok/s does an H100 do", "how many tokens/s does an H100 do"),
        ("finetuning params of an H100", "fine-tuning parameters of an H100"),
    ],
)
def test_an_abbreviation_is_written_out(asked: str, meant: str, domain: Domain) -> None:
    assert written_out(asked, domain) == meant


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("how much memroy does an H100 have", {"memroy": "memory"}),
        ("bandwith of irownood", {"bandwith": "bandwidth", "irownood": "ironwood"}),
        ("what pwoer does it draw", {"pwoer": "power"}),
        ("Why can't I naively quantize", {}),  # an English word
        ("how much does a ticket cost", {}),  # no word is near
        ("an Ironwod pod", {}),  # may be a name
        ("memorys of the H200", {}),  # an ending
    ],
)
def test_a_word_that_stands_nowhere_is_mended_where_one_word_is_meant(
    asked: str, meant: dict[str, str], domain: Domain
) -> None:
    store: Store = Silent()  # type: ignore[assignment]
    assert mended(asked, store, domain, Parts()) == meant


def test_a_word_of_a_document_is_not_mended(domain: Domain) -> None:
    store: Store = Silent("memroy")  # type: ignore[assignment]
    assert mended("memroy of the H100", store, domain, Parts()) == {}
