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

ASKED = "Which is cheapest per hour among H100, H200 and B200 on CoreWeave?"


def test_prices_are_brought_to_one_chip_before_they_are_ordered(index: OpenIndex) -> None:
    first, h100, h200, b200 = answered(index, ASKED).split("\n")
    assert first == "3 offers, the lowest first:"
    assert h100 == "- the H100: 6.16 USD/hour (on demand, CoreWeave, as of 2026-09) [1]"
    assert h200.startswith("- the H200: 50.44 USD/hour (")
    assert h200.endswith("/ 8 chips = 6.305 USD/hour")
    assert b200.startswith("- the B200: 8.60 USD/hour")


@pytest.mark.parametrize(
    "question", ["Is $8 an hour for a B200 a fair price?", "Is $60 an hour for an HGX H200 node a good price?"]
)
def test_one_price_alone_is_no_market_and_a_nodes_price_no_chips(index: OpenIndex, question: str) -> None:
    assert "prices known for one" not in answered(index, question)
