"""Numbers with their units. More cases need no Python: a line in golden/quantities.jsonl each.

`low` and `high` are in the unit named; null leaves that side open. `bound`, `form`
and `count` may be left out where they are "exact", "value" and 1.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.corpus import domain_folder
from chipwise.domain import Domain
from chipwise.domain_files import read_domain
from chipwise.quantities import Quantity, Unit, UnitTable

GOLDEN = Path(__file__).parents[1] / "golden"


def cases(name: str) -> list[Any]:
    rows = [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]
    return [
        pytest.param(
            row["text"],
            [{"bound": "exact", "form": "value", "count": 1, **quantity} for quantity in row["quantities"]],
            id=row["text"],
        )
        for row in rows
    ]


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(domain_folder())


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


@pytest.mark.parametrize(("text", "expected"), cases("quantities.jsonl"))
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


@given(st.text(st.sampled_from("0123456789.,-– $GBgigabytes/hourup to~>kM\n"), max_size=60))
def test_quantities_stand_where_they_say_in_order(text: str) -> None:
    quantities = TABLE.find(text)
    assert all(text[q.start].isdigit() or text[q.start] == "$" for q in quantities)
    assert all(q.low <= q.high for q in quantities)
    assert all(a.end <= b.start for a, b in pairwise(quantities))


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "1 ", "1-", "1 GB", "1 to "])
def test_a_sentence_of_nothing_but_numbers_is_read_to_its_end(piece: str) -> None:
    text = piece * 2000 + " 80 GB"
    assert TABLE.find(text)[-1].end == len(text)


def test_letter_case_tells_bits_from_bytes_and_mega_from_milli(domain: Domain) -> None:
    assert one(domain, "8 Gb").high == pytest.approx(one(domain, "1 GB").high)
    assert one(domain, "1 MW").high == pytest.approx(1e9 * one(domain, "1 mW").high)
    assert one(domain, "1 GIGABYTES").unit == one(domain, "1 gigabytes").unit == "GB"
