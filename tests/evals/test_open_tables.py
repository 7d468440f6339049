"""Differences with open tables are settled by rows that say why."""

from __future__ import annotations

import csv

from open_tables import SETTLED, Entry, agrees, ours

from chipwise.devices.table import table


def test_a_difference_names_a_product_and_says_why_it_stands() -> None:
    with SETTLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    places = [tuple(row.values())[:5] for row in rows]
    assert len(set(places)) == len(rows)
    wrong = [
        row
        for row in rows
        if row["product"] not in table()["products"] or row["verdict"] not in ("ours", "theirs", "open")
    ]
    assert wrong == []
    assert all(row["why"] for row in rows)
    assert sum(row["verdict"] == "open" for row in rows) <= 5


def test_a_figure_agrees_when_it_is_rounded_in_gib_or_within_a_range() -> None:
    memory = ours()["nvidia-h200-sxm", "memory_capacity", "", "dense"]
    assert agrees(Entry("a table", "H200", "memory_capacity", "", "", 141 * 1024**3), memory)
    assert not agrees(Entry("a table", "H200", "memory_capacity", "", "", 120e9), memory)
    assert agrees(Entry("a table", "H200", "memory_bandwidth", "", "", 4.83e12), [4.8e12])
    assert agrees(Entry("a table", "GH200", "memory_bandwidth", "", "", 4.5e12), [4e12, 4.8e12])
