"""One chip beside eight, a scope that got lost, and names that mean another count or another chip (CW2xx)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_values import audited, fact, facts, findings

ROW = "| Spec | H100 | TPU v5p |\n|---|---|---|\n| Memory | 80 GB per GPU | 760 GB (8 chips) |"


def test_a_row_that_sets_one_chip_beside_eight_shows_both_quotients() -> None:
    (finding,) = findings({"a": ROW}, "CW201")
    assert (finding.verdict, finding.severity) == ("scope", "medium")
    assert f"{760 / 80:.2f}x" in finding.explanation
    assert f"{760 / 8 / 80:.2f}x" in finding.explanation
    assert "80 GB" in finding.title
    assert "760 GB" in finding.title


def test_a_sentence_that_sets_one_chip_beside_eight_does_too() -> None:
    text = "Per GPU, the H100 has 80 GB of memory, whereas a TPU v5p slice of 8 chips has 760 GB of memory."
    assert len(findings({"a": text}, "CW201")) == 1


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


def test_a_figure_that_one_chip_really_has_lacks_no_scope(tmp_path: Path) -> None:
    text = "A node of 8 H100 chips has 640 GB of memory.\n\nThe H100 has 80 GB of memory."
    assert findings({"a": text}, "CW202") == []


def test_no_scope_finding_is_a_contradiction() -> None:
    audit = audited({"a": f"{ROW}\n\nA TPU v5p-8 slice with 8 chips rents for $8 per hour. NVIDIA L40s are cheap."})
    assert not audit.contradicts


BOARD = {"subject": "nvidia-hgx-h200", "metric": "price_per_hour", "value": "50.44", "unit": "USD/hour"}
EACH = {"subject": "nvidia-h200", "metric": "price_per_hour", "value": "6.31", "unit": "USD/hour"}
SOLD = {"provider": "coreweave", "price_terms": "on-demand", "modality": "priced", "as_of": "2026-09"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("On CoreWeave an H200 comes to $50.44 an hour per GPU.", ["CW206"]),
        ("On CoreWeave the H200 is $50.44 a GPU, on demand.", ["CW206"]),
        ("On CoreWeave an HGX H200 comes to $50.44 an hour, which is $6.31 per GPU.", []),
        ("On CoreWeave an H200 comes to $6.31 an hour per GPU.", []),
        ("On CoreWeave an H200 costs more than $20 an hour per GPU.", []),
        ("On Azure an H200 comes to $50.44 an hour per GPU.", []),
    ],
)
def test_what_several_cost_together_is_not_the_price_of_one(tmp_path: Path, text: str, codes: list[str]) -> None:
    said = "On CoreWeave an HGX H200 with eight GPUs is 50.44 USD an hour, 6.31 USD for each."
    sold = [{**row, **SOLD, "quote": said} for row in (BOARD, EACH)]
    sold[0] |= {"aggregation": "node", "count": "8"}
    sold[1] |= {"aggregation": "chip"}
    made = facts(tmp_path, *sold)
    assert [f.code for f in audited({"a": text}, made).findings if f.verdict == "contradiction"] == codes


def test_what_the_links_of_a_rack_carry_together_is_not_those_of_one_chip(tmp_path: Path) -> None:
    said = "A GB200 NVL72 carries 130 TB/s over NVLink, 1.8 TB/s for each of its 72 chips."
    links = {"metric": "interconnect_bandwidth", "unit": "TB/s", "direction": "both", "quote": said}
    rack = {"subject": "nvidia-gb200-nvl72", "value": "130", "aggregation": "rack", "count": "72", **links}
    made = facts(tmp_path, rack, {"subject": "nvidia-b200", "value": "1.8", "aggregation": "chip", **links})
    for text, codes in (("carries 130 TB/s for every GPU", ["CW206"]), ("gives each GPU 1.8 TB/s", [])):
        audit = audited({"a": f"In the GB200 NVL72, NVLink {text}."}, made)
        assert [f.code for f in audit.findings if f.verdict == "contradiction"] == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The eight H200s of a DGX H200 have 4.8 TB/s of memory bandwidth together.", ["CW206"]),
        ("A DGX H200 has 4.8 TB/s of memory bandwidth in all.", ["CW206"]),
        ("A DGX H200 has 4.8 TB/s of memory bandwidth in total; each GPU draws 700 W.", ["CW206"]),
        ("A DGX H200 has 38.4 TB/s of memory bandwidth in all.", []),
        ("A DGX H200 has eight GPUs with 4.8 TB/s of memory bandwidth each, 38.4 TB/s in all.", []),
        ("The H200 has 4.8 TB/s of memory bandwidth in all.", []),
    ],
)
def test_what_one_has_is_not_what_several_have_together(tmp_path: Path, text: str, codes: list[str]) -> None:
    said = "The H200 has 4.8 TB/s of memory bandwidth."
    one = {"metric": "memory_bandwidth", "value": "4.8", "unit": "TB/s", "aggregation": "chip", "quote": said}
    made = facts(tmp_path, {"subject": "nvidia-h200", **one})
    found = [f for f in audited({"a": text}, made).findings if f.verdict == "contradiction"]
    assert [f.code for f in found] == codes
    assert all("8 x 4.8 TB/s = 38.4 TB/s" in f.explanation for f in found)


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
    made = facts(tmp_path, {**EACH, **SOLD, "aggregation": "chip", "quote": said})
    assert any(f.verdict == "contradiction" for f in audited({"a": text}, made).findings) is contradicts
