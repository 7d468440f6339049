"""Negation, exclusivity and conditions. "[" marks the place that is asked about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims import polarity


def at(marked: str) -> tuple[str, int]:
    return marked.replace("[", ""), marked.index("[")


@pytest.mark.parametrize(
    "marked",
    [
        "TPUs do not run [PyTorch.",
        "TPUs don't run [PyTorch.",
        "TPUs don’t run [PyTorch.",
        "TPUs cannot run [PyTorch.",
        "TPUs no longer support [PyTorch.",
        "TPUs never ran [PyTorch.",
        "The chip works without [NVLink.",
        "It supports neither [JAX nor TensorFlow.",
        "It supports neither JAX nor [TensorFlow.",
        "The A100 lacks [FP8.",
        "TPUs are unable to run [CUDA.",
        "There is no support for [FP8.",
        "It uses OCS instead of [InfiniBand.",
        "It uses OCS rather than [InfiniBand.",
        "It runs JAX, not [PyTorch.",
        "It runs JAX but not [PyTorch.",
        "[TensorFlow is not supported.",
        "[141 GB of memory is not available.",
        "It has no congestion and no [packet loss.",
        "It isn't the [H100.",
        "TPUs don't support FP8, FP6, or [FP4.",
    ],
)
def test_denied(marked: str) -> None:
    assert polarity.negation(*at(marked))


@pytest.mark.parametrize(
    "marked",
    [
        "TPUs run [PyTorch.",
        "TPUs run not only JAX but also [PyTorch.",
        "It isn't just about [cost.",
        "No, TPUs run [PyTorch.",
        "No. TPUs run [PyTorch.",
        "TPUs don't run CUDA, but they run [PyTorch.",
        "TPUs have no NVLink and use [ICI.",
        "Instead of graphics, developers use [GPUs.",
        "It is not without [faults.",
        "It cannot run without [CUDA.",
        "It runs JAX, not CUDA, on [TPUs.",
        "TPUs don't need NVLink; they use [ICI.",
        "It runs [JAX, which is not CUDA.",
        "It has [80 GB and is not sold.",
    ],
)
def test_not_denied(marked: str) -> None:
    assert not polarity.negation(*at(marked))


@pytest.mark.parametrize(
    ("marked", "exclusive"),
    [
        ("TPUs are only available on [Google Cloud.", True),
        ("TPUs are exclusive to [Google Cloud.", True),
        ("They suffer from exclusivity to [TensorFlow.", True),
        ("It runs [JAX only.", True),
        ("Using [TensorFlow exclusively", True),
        ("TPUs are available on [Google Cloud.", False),
        ("TPUs run not only [JAX.", False),
        ("It works only if you use [JAX.", False),
        ("Only then came summer. It runs [JAX.", False),
    ],
)
def test_exclusive(marked: str, exclusive: bool) -> None:
    assert polarity.exclusive(*at(marked)) is exclusive


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("TPUs sit [idle if the disk is slow.", "if the disk is slow"),
        ("TPUs are faster for [training when using JAX.", "when using JAX"),
        ("When using JAX, TPUs are [faster.", "When using JAX"),
        ("For large batches, TPUs reach [58%.", "For large batches"),
        ("It is [4x better for LLM training and inference.", "for LLM training and inference"),
        ("TPUs sit [idle.", ""),
        ("TPUs are [fast. If it rains, stay.", ""),
    ],
)
def test_the_condition_is_quoted(marked: str, words: str) -> None:
    text, place = at(marked)
    assert polarity.condition(text, place) == words


def test_a_long_condition_is_cut_between_words() -> None:
    text = "It is fast if " + "the moon is full " * 20
    words = polarity.condition(text, 6)
    assert len(words) <= polarity.CONDITION
    assert text[6:].startswith("fast " + words + " ")


@pytest.mark.parametrize(
    "marked",
    [
        "Do TPUs run [JAX?",
        "“TPUs run [JAX; really?”",
        "If TPUs run [JAX, good.",
        "Suppose TPUs run [JAX.",
        "Whether TPUs run [JAX is unknown.",
        "The claim that TPUs run only [JAX is wrong.",
        "Use TPUs if: you run [JAX.",
    ],
)
def test_supposed(marked: str) -> None:
    assert polarity.supposed(*at(marked))


@pytest.mark.parametrize("marked", ["TPUs run [JAX.", "If you like, TPUs run [JAX.", "TPUs run [JAX if asked."])
def test_asserted(marked: str) -> None:
    assert not polarity.supposed(*at(marked))


@given(
    st.lists(
        st.sampled_from("not no n't only if for when , . and but neither nor without TPUs ? :".split()), max_size=50
    ),
    st.integers(0, 300),
)
def test_any_words_at_any_place_are_read(words: list[str], place: int) -> None:
    text = " ".join(words)
    place = min(place, len(text))
    polarity.negation(text, place)
    polarity.exclusive(text, place)
    polarity.supposed(text, place)
    polarity.partly(text, place)
    quoted = polarity.condition(text, place)
    assert quoted in text
    begin, end = polarity.clause(text, place)
    assert begin <= place <= end
