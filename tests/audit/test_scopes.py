"""One chip beside eight, a scope that got lost, and names that mean another count or another chip (CW2xx)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..building.test_facts import facts as shipped_facts
from .test_values import audited, fact, facts, findings

ROW = "| Spec | H100 | TPU v5p |\n|---|---|---|\n| Memory | 80 GB per GPU | 760 GB (8 chips) |"


def test_a_row_that_sets_one_chip_beside_eight_shows_both_quotients() -> None:
    (finding,) = findings({"a": ROW}, "CW201")
    assert (finding.verdict, finding.severity) == ("scope", "medium")
    assert f"{760 / 80:.2f}x" in finding.explanation
    assert f"{760 / 8 / 80:.2f}x" in finding.explanation
    assert "80 GB" in finding.title
    assert "760 GB" in finding.title


def test_a_sentence_that_says_what_each_figure_is_of_and_compares_nothing_mixes_nothing() -> None:
    text = "Per GPU, the H100 has 80 GB of memory; a TPU v5p slice of 8 chips has 760 GB of memory."
    assert findings({"a": text}, "CW201") == []
    text = "A DGX A100 has 640 GB of memory, and per chip the TPU v5p has 95 GB of memory."
    assert findings({"a": text}, "CW201") == []


def test_figures_of_one_chip_each_are_no_mix() -> None:
    assert findings({"a": ROW.replace("760 GB (8 chips)", "95 GB per chip")}, "CW201") == []


def test_a_chip_beside_its_own_node_is_no_mix() -> None:
    assert findings({"a": "The H100 has 80 GB of memory per GPU; a DGX H100 has 640 GB of memory."}, "CW201") == []


def test_a_multiple_has_no_scope_to_mix() -> None:
    text = "The H200 has 1.76x the memory of the H100, and a TPU v5p slice of 8 chips has 760 GB of memory."
    assert findings({"a": text}, "CW201") == []


def test_the_unstated_scope_is_taken_from_the_table_where_a_fact_of_one_chip_has_the_figure(tmp_path: Path) -> None:
    quote = "The H100 has 80 GB of memory per GPU."
    facts = fact(tmp_path, quote, subject="nvidia-h100", value="80", aggregation="chip")
    bare = ROW.replace(" per GPU", "")
    assert findings({"a": bare}, "CW201") == []
    assert len(findings({"a": bare}, "CW201", facts)) == 1


def test_no_scope_finding_is_a_contradiction() -> None:
    audit = audited({"a": f"{ROW}\n\nA TPU v5p-8 slice with 8 chips rents for $8 per hour. NVIDIA L40s are cheap."})
    assert not audit.contradicts


PRICE = {
    "subject": "nvidia-h200", "metric": "price_per_hour", "value": "6.31", "unit": "USD/hour", "aggregation": "chip",
    "provider": "coreweave", "price_terms": "on-demand", "modality": "priced", "as_of": "2026-09",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "contradicts"),
    [
        ("# Prices, September 2026\n\nOn-demand list prices:\n\nCoreWeave asks $7.90 an hour for an H200.\n", True),
        ("# Prices, March 2026\n\nOn-demand list prices:\n\nCoreWeave asks $7.90 an hour for an H200.\n", False),
        ("# Prices, September 2026\n\nSpot prices:\n\nCoreWeave asks $7.90 an hour for an H200.\n", False),
        ("# Prices\n\nOn-demand list prices:\n\nCoreWeave asks $7.90 an hour for an H200.\n", False),
        ("# Prices, September 2026\n\nOn-demand list prices:\n\nCoreWeave asks $6.31 an hour for an H200.\n", False),
    ],
)
def test_one_offer_of_one_month_has_one_price(tmp_path: Path, text: str, contradicts: bool) -> None:
    said = "On CoreWeave an HGX H200 with eight GPUs is 50.44 USD an hour, 6.31 USD for each."
    made = facts(tmp_path, {**PRICE, "quote": said})
    assert any(f.verdict == "contradiction" for f in audited({"a": text}, made).findings) is contradicts


COLUMN = "| GPU | Peak FP64 (TFLOPS) |\n|---|---|\n| A100 | 9.7 |\n| MI210 | 22.6 |\n| MI300X | {} |\n"
LINKS = "| GPU | NVLink (GB/s) |\n|---|---|\n| A100 SXM | 600 |\n| H100 SXM | 900 |\n| B200 | {} |\n"


@pytest.mark.parametrize(("text", "wrong"), [(COLUMN.format("163.4"), "163.4"), (LINKS.format("900"), "900")])
def test_a_column_that_counts_one_row_in_another_way_is_told_of_that_row(text: str, wrong: str) -> None:
    (finding,) = findings({"a": text}, "CW208", shipped_facts())
    assert finding.verdict == "contradiction"
    assert finding.evidence[0].quote.endswith(f"| {wrong} |")


@pytest.mark.parametrize(
    "text",
    [
        COLUMN.format("81.7"),
        COLUMN.format("163.4 (matrix)"),
        LINKS.format("1800"),
        LINKS.format("900 (one way)"),
        "| GPU | FP64 | FP64 Tensor |\n|---|---|---|\n| A100 | 9.7 TFLOPS | 19.5 TFLOPS |\n| H100 SXM | 34 TFLOPS | 67 TFLOPS |\n",
    ],
)
def test_a_column_that_counts_in_one_way_or_says_how_is_left_alone(text: str) -> None:
    assert findings({"a": text}, "CW208", shipped_facts()) == []
