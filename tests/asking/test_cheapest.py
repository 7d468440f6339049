"""What one chip costs to rent, beside others, where one is priced by the chip and the other by the node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import answered, index_on

PRICES = [
    ("nvidia-h100", "6.16", "coreweave", "chip", ""),
    ("nvidia-h100", "11.06", "gcp", "chip", ""),
    ("nvidia-hgx-h200", "50.44", "coreweave", "node", "8"),
    ("nvidia-b200", "8.60", "coreweave", "chip", ""),
]


def rows() -> Iterator[dict[str, str]]:
    price = {"metric": "price_per_hour", "unit": "USD/hour", "modality": "priced", "price_terms": "on-demand"}
    for subject, value, provider, scope, count in PRICES:
        of = {"subject": subject, "value": value, "provider": provider, "aggregation": scope, "count": count}
        quote = f"{provider} asks {value} USD per hour per {scope} for {subject} on demand."
        yield ROW | price | of | {"as_of": "2026-09", "id": f"{subject}-{provider}", "quote": quote}


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))

ASKED = {
    "Which is cheapest per hour among H100, H200 and B200 on CoreWeave?": (
        "By price, the lowest first: the H100, 6.16 USD/hour [1] (CoreWeave, 2026-09); "
        "the H200, (50.44 USD/hour [2] / 8 chips) = 6.305 USD/hour (CoreWeave, 2026-09); the B200, 8.60 USD/hour [3]"
    ),
    "What is cheaper to rent, an H200 or an H100?": "The H100 is cheaper, by a factor of 1.02: the H100, 6.16 USD/hour [1] (CoreWeave, 2026-09); the H200, (50.44 USD/hour [2] / 8 chips) = 6.305 USD/hour (CoreWeave, 2026-09).",
    "What is cheaper, an H100 or a B200 on Google Cloud?": (
        "The prices known do not tell them apart: the H100, 11.06 USD/hour [1] (Google Cloud, 2026-09). "
        "No such price is known of the B200."
    ),
}


@pytest.mark.parametrize(("question", "begins"), ASKED.items(), ids=ASKED)
def test_prices_are_brought_to_one_chip_before_they_are_ordered(index: OpenIndex, question: str, begins: str) -> None:
    assert answered(index, question).startswith(begins)


@pytest.mark.parametrize(
    "question", ["Is $8 an hour for a B200 a fair price?", "Is $60 an hour for an HGX H200 node a good price?"]
)
def test_one_price_alone_is_no_market_and_a_nodes_price_no_chips(index: OpenIndex, question: str) -> None:
    assert "prices known for one" not in answered(index, question)
