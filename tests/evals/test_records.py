"""The evaluation on tables of others counts the cells that it says it counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import BenchmarkMissing, json_lines
from records import COLUMNS, JUDGED, find_flags, measure, read_claims, tabulate

RECORD = {
    "Hardware name": "NVIDIA H100 SXM5 80GB",
    "Notes": "of the maker",
    "Memory (bytes)": "80000000000.0",
    "TDP (W)": "",
}


def test_a_place_in_the_text_is_the_cell_that_stands_there() -> None:
    table = tabulate("epoch", [RECORD, {**RECORD, "TDP (W)": "700.0"}])
    assert "of the maker" not in table.document.text
    assert table.cell(table.document.text.index("80000000000.0")) == (0, "Memory (bytes)")
    assert table.cell(table.document.text.index("700.0")) == (1, "TDP (W)")
    assert {(n, c, x.metric) for n, c, x in read_claims(table) if c in COLUMNS} == {
        (0, "Memory (bytes)", "memory_capacity"),
        (1, "Memory (bytes)", "memory_capacity"),
        (1, "TDP (W)", "tdp"),
    }


def test_a_figure_that_changed_between_two_tables_is_flagged_at_its_cell() -> None:
    before, after = (tabulate("epoch", [{**RECORD, "TDP (W)": watts}], f"side-{watts}") for watts in ("350.0", "700.0"))
    (flag,) = find_flags([before, after], recorded=False)
    assert (flag.record, flag.column) == (RECORD["Hardware name"], "TDP (W)")
    assert find_flags([before, before], recorded=False) == []


def test_every_judgement_says_what_it_judges_and_why() -> None:
    labels = json_lines(JUDGED)
    assert {label["verdict"] for label in labels} == {"real", "apparent", "misread"}
    keys = [(x["sample"], x["set"], x["record"], x["column"], x["code"], x["fingerprint"]) for x in labels]
    assert len(set(keys)) == len(keys)
    assert all(label["why"] and len(label["why"]) < 160 for label in labels)


def test_without_the_tables_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkMissing, match="hardware/epoch"):
        measure(tmp_path)
