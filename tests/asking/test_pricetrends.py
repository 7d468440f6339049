"""Prices of one thing at several dates and under several terms, each with its date, and what the last is of the first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

PRICES = [
    ("2023-07", "12.00", "aws", "on-demand"),
    ("2026-09", "6.00", "aws", "on-demand"),
    ("2026-08", "2.00", "aws", "spot"),
]


def rows() -> Iterator[dict[str, str]]:
    price = {
        "metric": "price_per_hour",
        "unit": "USD/hour",
        "modality": "priced",
        "aggregation": "chip",
        "subject": "nvidia-h100",
    }
    for as_of, value, provider, terms in PRICES:
        of = {"value": value, "provider": provider, "price_terms": terms, "as_of": as_of}
        yield (
            ROW
            | price
            | of
            | {"id": f"{provider}-{as_of}", "quote": f"In {as_of} {provider} asked {value} USD per hour, {terms}."}
        )


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))

ASKED = {
    "What was the AWS price of an H100 in 2023, and what is it now?": ("12.00 USD/hour (on demand, AWS, as of 2023-07) [1]", "6.00 USD/hour (on demand, AWS, as of 2026-09) [2]"),
    "spot vs on-demand price of the H100 on AWS": ("spot, AWS, as of 2026-08)", "6.00 USD"),
    "What did an H100 cost on AWS in 2023?": ("rents for 12.00 USD", "as of 2023-07) [1]."),
}  # fmt: skip


@pytest.mark.parametrize(("question", "told"), ASKED.items(), ids=ASKED)
def test_prices_apart_are_told_with_their_dates_and_what_lies_between(
    index: OpenIndex, question: str, told: tuple[str, str]
) -> None:
    text = answered(index, question)
    assert [part for part in told if part not in text] == [], text


def test_a_year_without_a_price_is_left_to_the_passages(index: OpenIndex) -> None:
    assert answered(index, "What did an H100 cost on AWS in 2021?") == ""
