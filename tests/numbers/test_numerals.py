"""Numbers as they are written, with what their writing leaves open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.numbers.numerals import Numeral, numeral_at


def read(text: str) -> Numeral:
    numeral = numeral_at(text, 0)
    assert numeral is not None
    return numeral


@pytest.mark.parametrize(
    ("text", "surface", "value"),
    [
        ("1,979 TFLOPS", "1,979", 1979),
        ("3.35 TB", "3.35", 3.35),
        (".5 GB", ".5", 0.5),
        ("10 000 dollars", "10 000", 10_000),
        ("8 100 GB", "8", 8),
        ("1,2 and 3", "1", 1),
        ("1e9 tokens", "1e9", 1e9),
        ("5.5x10-3 kg", "5.5x10-3", 5.5e-3),
        ("2.48×10−5.", "2.48×10−5", 2.48e-5),
        ("3.7 × 106 fold", "3.7 × 106", 3.7e6),
        ("8 x 100 GB", "8", 8),
        ("10^12 FLOPS", "10^12", 10**12),
        ("10¹² FLOPS", "10¹²", 10**12),
        ("2^10 bits", "2^10", 2**10),
        ("1.5k tokens", "1.5k", 1500),
        ("100B-parameter", "100B", 100e9),
        ("80GB", "80", 80),
        ("5M.", "5M", 5e6),
        ("70 billion", "70 billion", 70e9),
        ("3 hundred", "3 hundred", 300),
        ("2 1/2 hours", "2 1/2", 2.5),
        ("2½ hours", "2½", 2.5),
        ("1/40 of it", "1/40", 1 / 40),
        ("40/80 GB", "40", 40),
        ("24/7", "24", 24),
        ("eighty gigabytes", "eighty", 80),
        ("forty-two", "forty-two", 42),
        ("a hundred and two of", "a hundred and two", 102),
        ("two hundred and three hundred", "two hundred", 200),
        ("two hundred and two thousand", "two hundred and two thousand", 202_000),
        ("two million three hundred thousand", "two million three hundred thousand", 2.3e6),
        ("one trillion", "one trillion", 1e12),
        ("one one one", "one", 1),
        ("five point five", "five point five", 5.5),
        ("half a million", "half a million", 0.5e6),
        ("a third of", "a third", 1 / 3),
        ("two hundredths of", "two hundredths", 2 / 100),
        ("five thousandths of", "five thousandths", 5 / 1000),
        ("three quarters billion", "three quarters billion", 0.75e9),
        ("two and a half miles", "two and a half", 2.5),
        ("one million and a half", "one million and a half", 1.5e6),
        ("one billion and a half million", "one billion and a half million", 1e9 + 0.5e6),
        ("half a dozen", "half a dozen", 6),
    ],
)
def test_a_number_is_read_as_far_as_it_goes(text: str, surface: str, value: float) -> None:
    numeral = read(text)
    assert text[numeral.start : numeral.end] == surface
    assert numeral.value == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "a", "an hour", "and", "GB", "thousand", "point five", "quarterly", "9" * 41, "1e400"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert numeral_at(text, 0) is None


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("2.8", 0.05),
        ("1.5k", 0.05e3),
        ("99", 0),
        ("100", 0.5),
        ("1,979", 0.5),
        ("70 billion", 0),
        ("1.645e18", 0.5e15),
        ("½", 0),
        ("eighty", 0),
    ],
)
def test_a_number_is_as_exact_as_its_last_digit_and_exact_below_a_hundred(text: str, half: float) -> None:
    assert read(text).half == pytest.approx(half)


@pytest.mark.parametrize(
    ("text", "year"), [("2026", True), ("2,026", False), ("2026.0", False), ("1899", False), ("2k", False)]
)
def test_four_digits_may_be_a_year(text: str, year: bool) -> None:
    assert read(text).looks_like_a_year is year


@given(st.integers(0, 10**12 - 1))
def test_a_whole_number_reads_the_same_with_and_without_commas(value: int) -> None:
    assert read(str(value)).value == read(f"{value:,}").value == value


@given(st.text(max_size=50), st.integers(0, 50))
def test_a_number_stands_inside_of_the_text_that_it_is_read_from(text: str, at: int) -> None:
    numeral = numeral_at(text, at)
    assert numeral is None or at == numeral.start < numeral.end <= len(text)
