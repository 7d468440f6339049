"""How a number to look for is read."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.lookups.find import read_number

from .test_lookup import NAMES


@pytest.mark.parametrize(
    ("text", "value", "half", "unit"),
    [
        ("1979", 1979, 0.5, ""),
        ("1,979", 1979, 0.5, ""),
        ("1.98", 1.98, 0.005, ""),
        ("~ 1.980 PFLOPS", 1.98, 0.0005, "PFLOPS"),
        ("$12.29", 12.29, 0.005, ""),
        ("95 GiB", 95, 0.5, "GiB"),
        ("80gb", 80, 0.5, "GB"),
        ("16.9k", 16_900, 50, ""),
        ("80 billion", 80e9, 0.5e9, ""),
        (".5", 0.5, 0.05, ""),
        ("1.0", 1.0, 0.05, ""),
        ("10", 10, 0.5, ""),
        ("2 million", 2e6, 0.5e6, ""),
    ],
)
def test_the_writing_of_a_number_is_its_interval(text: str, value: float, half: float, unit: str) -> None:
    number = read_number(NAMES, text)
    assert (number.low, number.high) == pytest.approx((value - half, value + half))
    assert number.unit == unit


@given(st.text(max_size=80))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    with contextlib.suppress(QuestionInvalid, NameUnknown):
        number = read_number(NAMES, text)
        assert number.low < number.high


@pytest.mark.parametrize("text", ["1979", "80000000000", "123456789012", "4503600000000000", "12345678901234567890"])
def test_a_number_of_many_digits_holds_itself_and_no_other(text: str) -> None:
    number = read_number(NAMES, f"{text} TFLOPS")
    assert number.holds(float(text))
    assert not number.holds(float(text) * 1.01)
