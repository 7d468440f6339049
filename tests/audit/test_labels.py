"""A figure that the table knows under another label than a text gives it (CW205)."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.building.facts import read_facts
from chipwise.claims.model import Fact
from chipwise.types import Finding

from ..building.test_facts import ROW, csv_of
from .test_relations import shipped
from .test_values import findings

ON_DEMAND = "AWS lists the p5.48xlarge at 55.04 USD per hour on demand."
BLOCK = "A Capacity Block of p5.48xlarge at AWS cost 39.33 USD per hour."
SPOT = "The spot price of TPU v5p was 2.10 to 2.415 USD per chip-hour."
LIST = "The on-demand price of TPU v5p is 4.20 USD per chip-hour."
BOTH = "The B200 has 1,800 GB/s of NVLink in both directions."


def priced(quote: str, subject: str, value: str, terms: str, provider: str, **row: str) -> dict[str, str]:
    base = {"id": value, "subject": subject, "metric": "price_per_hour", "value": value, "unit": "USD/hour"}
    return ROW | base | {"price_terms": terms, "provider": provider, "modality": "priced", "quote": quote} | row


@pytest.fixture
def table(tmp_path: Path) -> list[Fact]:
    node = {"aggregation": "node", "count": "8"}
    chip = {"aggregation": "chip", "unit": "USD/chip-hour"}
    link = {"metric": "interconnect_bandwidth", "unit": "GB/s", "direction": "both", "aggregation": "chip"}
    rows = [
        priced(ON_DEMAND, "aws-p5", "55.04", "on-demand", "aws", **node),
        priced(BLOCK, "aws-p5", "39.33", "capacity-block", "aws", **node),
        priced(SPOT, "google-tpu-v5p", "2.10..2.415", "spot", "gcp", **chip),
        priced(LIST, "google-tpu-v5p", "4.20", "on-demand", "gcp", **chip),
        ROW | link | {"id": "link", "subject": "nvidia-b200", "value": "1800", "quote": BOTH},
    ]
    quotes = "\n\n".join((ON_DEMAND, BLOCK, SPOT, LIST, BOTH))
    (tmp_path / "sheet.md").write_text(f"---\ntitle: A sheet\n---\n\n{quotes}\n")
    (tmp_path / "t.csv").write_text(csv_of(*rows))
    return read_facts(tmp_path, tmp_path, shipped())


def mislabelled(text: str, table: list[Fact]) -> list[Finding]:
    return findings({"a": text}, "CW205", table)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (
            "AWS rents a p5.48xlarge at 55.04 USD per hour with a three-year commitment.",
            "for on demand, not for 3-year",
        ),
        ("On AWS a p5.48xlarge costs 39.33 USD per hour on demand.", "for Capacity Blocks, not for on demand"),
        ("The on-demand price of a TPU v5p is 2.40 USD per chip-hour.", "for spot, not for on demand"),
        ("The B200 has 1,800 GB/s of NVLink in each direction.", "for both, not for one way"),
    ],
)
def test_a_number_of_other_terms_is_said_to_be_of_those(text: str, label: str, table: list[Fact]) -> None:
    (finding,) = mislabelled(text, table)
    assert label in finding.title
    assert (finding.verdict, finding.severity) == ("scope", "medium")
    assert finding.evidence[0].quote == text


def test_what_the_text_should_have_is_said_where_the_table_has_it(table: list[Fact]) -> None:
    (finding,) = mislabelled("The on-demand price of a TPU v5p is 2.40 USD per chip-hour.", table)
    assert "for on demand the table has 4.20 USD/chip-hour" in finding.explanation


@pytest.mark.parametrize(
    "text",
    [
        ON_DEMAND,
        "On AWS a p5.48xlarge costs 55.04 USD per hour.",  # no terms, no wrong ones
        "AWS rents a p5.48xlarge at 31.50 USD per hour with a three-year commitment.",
        "On AWS a p5.48xlarge costs 55.04 and 39.33 USD per hour: the first on demand, the second in Capacity Blocks.",
        "The spot price of a TPU v5p is 2.40 USD per chip-hour.",
        "The on-demand price of a TPU v5p is 3.80 USD per chip-hour.",
        "Suppose that a p5.48xlarge cost 55.04 USD per hour at AWS with a three-year commitment.",
    ],
)
def test_a_number_of_its_own_terms_or_of_none_is_no_finding(text: str, table: list[Fact]) -> None:
    assert mislabelled(text, table) == []


def test_a_number_of_few_digits_may_be_right_under_both_labels(tmp_path: Path) -> None:
    quote = "The spot price of a TPU v6e was 1.89 USD per chip-hour."
    row = priced(quote, "google-tpu-v6e", "1.89", "spot", "gcp", aggregation="chip", unit="USD/chip-hour")
    (tmp_path / "sheet.md").write_text(f"---\ntitle: A sheet\n---\n\n{quote}\n")
    (tmp_path / "t.csv").write_text(csv_of(row))
    facts = read_facts(tmp_path, tmp_path, shipped())
    assert mislabelled("With a one-year commitment Google asks 1.89 USD per chip-hour for a TPU v6e.", facts) == []


def test_what_another_source_has_under_that_label_is_not_called_wrong(table: list[Fact]) -> None:
    text = "AWS rents a p5.48xlarge at 55.04 USD per hour with a three-year commitment."
    assert findings({"a": text, "b": f"We were told: {text}"}, "CW205", table) == []
