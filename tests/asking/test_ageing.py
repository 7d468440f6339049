"""A price that is more than a year old is said to be; a figure that does not change is not, however old."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import index_on

PRICES = [
    ("nvidia-h100", "2024-12", "9.00", "gcp"),
    ("nvidia-a100", "2024-12", "3.00", "aws"),
    ("nvidia-a100", "2026-09", "2.00", "gcp"),
    ("nvidia-h200", "2025-11", "4.00", "aws"),
    ("nvidia-b200", "2025", "8.00", "aws"),
]


def rows() -> Iterator[dict[str, str]]:
    for subject, as_of, value, provider in PRICES:
        price = {"metric": "price_per_hour", "unit": "USD/hour", "modality": "priced", "aggregation": "chip"}
        terms = {"subject": subject, "value": value, "provider": provider, "price_terms": "on-demand", "as_of": as_of}
        quote = f"In {as_of} {provider} asked {value} USD per hour for {subject}."
        yield ROW | price | terms | {"id": f"{subject}-{provider}", "quote": quote}
    memory = {"subject": "nvidia-h100", "metric": "memory_capacity", "value": "80", "unit": "GB", "as_of": "2023-01"}
    yield ROW | memory | {"id": "memory", "quote": "An H100 has 80 GB."}


index = index_on([row["quote"] for row in rows()], csv_of(*rows()))


@pytest.fixture(autouse=True)
def november_2026(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime(2026, 11, 25, tzinfo=UTC).timestamp())))


def test_a_price_of_two_years_ago_is_said_to_be_old(index: OpenIndex) -> None:
    text = index.ask("How much does an H100 cost per hour?").text
    assert text.endswith("More than a year old: the price of the NVIDIA H100 (2024-12).")


@pytest.mark.parametrize("question", ["How much does an H200 cost per hour?", "How much does a B200 cost per hour?"])
def test_a_price_of_the_same_month_of_last_year_or_of_a_month_unknown_is_not_old(
    index: OpenIndex, question: str
) -> None:
    assert "year old" not in index.ask(question).text


def test_an_old_price_beside_a_newer_one_of_the_same_chip_needs_no_note(index: OpenIndex) -> None:
    text = index.ask("How much does an A100 cost per hour?").text
    assert "2024-12" in text
    assert "year old" not in text


def test_whoever_asks_for_a_year_is_not_told_that_it_is_past(index: OpenIndex) -> None:
    assert "year old" not in index.ask("What did an H100 cost per hour in 2024?").text


def test_memory_does_not_age(index: OpenIndex) -> None:
    assert "year old" not in index.ask("How much memory does an H100 have?").text


def test_several_old_prices_are_named_in_one_sentence(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime(2028, 1, 1, tzinfo=UTC).timestamp())))
    text = index.ask("Which is cheaper per hour, the H200 or the B200?").text
    assert "More than a year old: the price of the NVIDIA H200 (2025-11) and the NVIDIA B200 (2025)." in text
