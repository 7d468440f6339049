"""Numbers with their units. More cases need no Python: a line in golden/quantities.jsonl each.

`low` and `high` are in the unit named; null leaves that side open. `bound`, `form`
and `count` may be left out where they are "exact", "value" and 1.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity, Unit, UnitTable

from ..each import each

GOLDEN = Path(__file__).parents[1] / "golden"


def cases(name: str) -> list[tuple[str, list[dict[str, object]]]]:
    left_out = {"bound": "exact", "form": "value", "count": 1}
    rows = map(json.loads, (GOLDEN / name).read_text("utf-8").splitlines())
    return [(row["text"], [{**left_out, **quantity} for quantity in row["quantities"]]) for row in rows]


@cache
def shipped() -> Domain:
    return shipped_domain()


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped()


def found(domain: Domain, text: str) -> list[dict[str, object]]:
    return [
        {
            "surface": text[quantity.start : quantity.end],
            "unit": quantity.unit,
            "low": _in_unit(domain, quantity, quantity.low),
            "high": _in_unit(domain, quantity, quantity.high),
            "bound": quantity.bound,
            "form": quantity.form,
            "count": quantity.count,
        }
        for quantity in domain.unit_table.find(text)
    ]


def _in_unit(domain: Domain, quantity: Quantity, value: float) -> object:
    unit = domain.units[quantity.unit]
    return None if abs(value) == float("inf") else pytest.approx((value - unit.offset) / unit.scale)


@each("text, expected", lambda: cases("quantities.jsonl"), name=lambda case: case[0])
def test_a_text_states_these_quantities(domain: Domain, text: str, expected: list[dict[str, object]]) -> None:
    assert found(domain, text) == expected


@pytest.mark.xfail(reason="known to be read wrongly")
@pytest.mark.parametrize(("text", "expected"), cases("quantities_wrong.jsonl"))
def test_a_text_should_state_these_quantities(domain: Domain, text: str, expected: list[dict[str, object]]) -> None:
    assert found(domain, text) == expected


def one(domain: Domain, text: str) -> Quantity:
    (quantity,) = domain.unit_table.find(text)
    return quantity


@pytest.mark.parametrize(
    ("a", "b", "agree"),
    [
        ("0.7 kW", "700 W", True),
        ("1,979 TFLOPS", "1.98 PFLOPS", True),
        ("900 GB/s", "7.2 Tb/s", True),
        ("up to 4x", "3x", True),
        ("$12 to $15 per hour", "$14.20 per hour", True),
        ("about 3,450 tokens/s", "3,400 tokens/s", True),
        ("141 GB", "144 GB", False),
        ("80 GB", "80 GiB", False),
        ("2.8x", "3x", False),
        ("at least 100 GB", "80 GB", False),
        ("80 GB", "80 GB/s", False),
    ],
)
def test_quantities_agree_when_some_value_satisfies_both(domain: Domain, a: str, b: str, agree: bool) -> None:
    assert one(domain, a).agrees_with(one(domain, b)) is agree
    assert one(domain, b).agrees_with(one(domain, a)) is agree


GB = Unit("GB", "information", 1e9)
TABLE = UnitTable([("GB", True, GB), ("gigabytes", True, GB), ("$/hour", True, Unit("USD/hour", "price_rate", 1.0))])


@given(st.integers(0, 10**9), st.integers(0, 3), st.booleans())
def test_the_value_written_lies_in_the_interval(whole: int, decimals: int, commas: bool) -> None:
    value = whole / 10**decimals
    written = f"{value:,.{decimals}f}" if commas else f"{value:.{decimals}f}"
    (quantity,) = TABLE.find(f"It has {written} GB.")
    assert quantity.low <= value * 1e9 <= quantity.high
    assert quantity.high - quantity.low <= 1e9 * 10**-decimals * 1.001


WORDS = (
    "80 GB|$12|$15 per hour|4 to|10x|between|and|up to|half the|twice as|1.5k|eighty|two hundred|one|,|-|–|/|±|(|)|[18]|x|8 x|%|5|in 2026|v5p-8|1/2|−3 °C"
    "|a|million|5 ft|2 in|~|over|or more|+|\n|W/m2|€|²|e9|.|:4"
).split("|")
texts = st.lists(st.sampled_from(WORDS), max_size=25).flatmap(
    lambda words: st.lists(st.sampled_from(["", " ", " "]), min_size=len(words), max_size=len(words)).map(
        lambda gaps: "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    )
)


@example("80 GB80 GB 5 ft-\n5 ft")  # a line break in what looks like a power
@given(
    texts | st.text(st.sampled_from("0123456789.,-– $GBgigabytes/hourup to~>kM\n"), max_size=60) | st.text(max_size=60)
)
def test_quantities_stand_where_they_say_in_order(text: str) -> None:
    table = shipped().unit_table  # a fixture would be printed whole with a failure
    for quantities in (TABLE.find(text), table.find(text), table.find_all(text)):
        assert all(0 <= q.start < q.end <= len(text) for q in quantities)
        assert all(text[q.start : q.end].strip() == text[q.start : q.end] for q in quantities)
        assert all(q.low <= q.high and q.count >= 1 for q in quantities)
        assert all(a.end <= b.start for a, b in pairwise(quantities))


@given(texts)
def test_what_is_found_is_of_a_unit_of_the_table(text: str) -> None:
    assert {q.unit for q in shipped().unit_table.find(text)} <= set(shipped().units)


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "1 ", "1-", "1 GB", "1 to "])
def test_a_sentence_of_nothing_but_numbers_is_read_to_its_end(piece: str) -> None:
    text = piece * 2000 + " 80 GB"
    assert TABLE.find(text)[-1].end == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10_000,
        "(" * 20_000 + "80 GB" + ")" * 20_000,
        " " * 100_000 + "80" + " " * 100_000 + "GB",
        "1-" * 20_000,
        "one " * 4_000,
        "1, " * 4_000,
        "1 and " * 3_000,
        "1/" * 20_000,
        "8 x " * 10_000,
        "$" * 50_000,
        "a hundred and " * 2_000,
        "half " * 5_000,
        "1 to " * 4_000,
        "5 W/m/" * 3_000,
        "http://" * 10_000,
        "[1," * 5_000,
        "between 1 and " * 2_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_text_made_to_hang_is_read_to_its_end(domain: Domain, text: str) -> None:
    for find in (domain.unit_table.find, domain.unit_table.find_all):
        assert all(q.end <= len(text) for q in find(text))


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("It took 45 and 50 cases.", ["45", "50 cases"]),
        ("an irradiance of 650–750 W/m2", ["650–750 W/m2"]),
        ("a rate of 25 km s−1", ["25 km s−1"]),
        ("20 J/m^2 per year", ["20 J/m^2 per year"]),
        ("At 2:30 pm on May 1, 2026 in Fig. 3", []),
        ("the values of phases 3, 5 and 7 (22)", []),
        ("no one saw the one of them", []),
        ("call +1-222-2222 or 192.168.1.2", []),
        ("n = 45 and p < 0.01", ["45", "0.01"]),
        ("13,000 workers left, and 3 turns", ["13,000 workers", "3 turns"]),
        ("a 3.5-liter V-6 engine", ["3.5-liter"]),
        ("GPT-4, H100 and the Llama 2 model", []),
    ],
)
def test_bare_numbers_and_units_made_up_are_found_when_asked_for(
    domain: Domain, text: str, surfaces: list[str]
) -> None:
    assert [text[q.start : q.end] for q in domain.unit_table.find_all(text)] == surfaces
    assert all(q.unit in domain.units for q in domain.unit_table.find(text))


def test_a_temperature_is_the_same_in_every_scale(domain: Domain) -> None:
    assert one(domain, "25 °C").low == pytest.approx(one(domain, "77 °F").low) == pytest.approx(273.15 + 25)


def test_letter_case_tells_bits_from_bytes_and_mega_from_milli(domain: Domain) -> None:
    assert one(domain, "8 Gb").high == pytest.approx(one(domain, "1 GB").high)
    assert one(domain, "1 MW").high == pytest.approx(1e9 * one(domain, "1 mW").high)
    assert one(domain, "1 GIGABYTES").unit == one(domain, "1 gigabytes").unit == "GB"


@pytest.mark.parametrize(
    ("text", "middle", "single"),
    [
        ("80 W", 80, True),
        ("about 80 W", 80, True),
        ("60 to 80 W", (60 + 80) / 2, False),
        ("up to 80 W", 80, False),
        ("at least 80 W", 80, False),
    ],
)
def test_a_figure_has_a_middle_and_of_a_bound_that_is_the_number_written(
    domain: Domain, text: str, middle: float, single: bool
) -> None:
    found = one(domain, text)
    assert (found.middle, found.is_single) == (pytest.approx(middle), single)
