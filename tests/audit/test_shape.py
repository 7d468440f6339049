"""Rows that do not fit their table."""

from __future__ import annotations

from chipwise.types import Finding

from .test_sums import sums


def shapes(text: str) -> list[Finding]:
    return [f for f in sums(text) if f.code == "CW407"]


def test_a_row_with_a_cell_too_many_or_too_few_is_found_and_a_heading_across_the_table_is_none() -> None:
    head = "| GPU | Memory | Power |\n|---|---|---|\n| H100 | 80 GB | 700 W |\n| Older |\n| L4 | 24 GB | 72 W |\n"
    assert shapes(head) == []
    assert [f.title for f in shapes(f"{head}| H200 | 141 GB | SXM | 700 W |\n")] == ["a table row with 1 cell too many"]
    assert [f.title for f in shapes(f"{head}| H200 | 141 GB |\n| A10 | 24 GB | 150 W |\n")] == [
        "a table row with 1 cell too few"
    ]
