"""A tree of figures: its names, its tables, and what a baseline makes of it."""

from __future__ import annotations

from metrics import Estimate
from plot import log_log
from results import as_json, flat, markdown, shortfalls

TREE = {
    "dev": {"right": Estimate(0.9, 0.8, 0.95, 130), "ms": 12.5},
    "systems": {"a": {"nDCG": 0.7, "n": 300}, "b": {"nDCG": {"value": 0.6, "low": 0.5, "high": 0.7, "count": 300}}},
    "note": "one run",
}


def test_every_leaf_is_called_by_its_path() -> None:
    names = [name for name, _ in flat(TREE)]
    assert names == ["dev/right", "dev/ms", "systems/a/nDCG", "systems/a/n", "systems/b/nDCG", "note"]
    assert dict(flat(TREE))["systems/b/nDCG"] == Estimate(0.6, 0.5, 0.7, 300)


def test_json_holds_plain_values() -> None:
    assert as_json(TREE)["dev"]["right"] == {"value": 0.9, "low": 0.8, "high": 0.95, "count": 130}
    assert as_json(TREE)["systems"]["a"] == {"nDCG": 0.7, "n": 300}


def test_branches_of_equal_leaves_are_one_table() -> None:
    text = markdown(TREE)
    assert "| | nDCG | n |" in text
    assert "| b | 0.6000 (0.5000 to 0.7000, n = 300) |  |" in text
    assert "| right | 0.9000 (0.8000 to 0.9500, n = 130) |" in text
    assert text.startswith("| | |\n|---|---:|\n| note | one run |")


def test_a_figure_may_fall_by_its_tolerance_and_no_further() -> None:
    assert not shortfalls(TREE, {"dev/right": {"value": 0.92, "tolerance": 0.02}})
    (short,) = shortfalls(TREE, {"dev/right": {"value": 0.92, "tolerance": 0.01}})
    assert str(short) == "dev/right is 0.9000; the baseline demands 0.9100"


def test_a_ceiling_is_held_from_above() -> None:
    assert not shortfalls(TREE, {"dev/ms": {"ceiling": 12.0, "tolerance": 1.0}})
    assert shortfalls(TREE, {"dev/ms": {"ceiling": 12.0, "tolerance": 0.1}})


def test_a_figure_that_is_gone_is_missed() -> None:
    (short,) = shortfalls(TREE, {"dev/left": {"value": 0.5}})
    assert str(short) == "dev/left is missing; the baseline demands 0.5000"


def test_a_chart_places_powers_of_ten_evenly() -> None:
    drawn = log_log("t", "x", "y <ms>", {"a & b": [(10, 1), (100, 10), (1000, 100)]})
    assert "y &lt;ms&gt;" in drawn
    assert "a &amp; b" in drawn
    points = drawn.split('polyline points="')[1].split('"')[0].split()
    (x1, y1), (x2, y2), (x3, y3) = ((float(v) for v in p.split(",")) for p in points)
    assert abs((x2 - x1) - (x3 - x2)) < 0.2
    assert abs((y1 - y2) - (y2 - y3)) < 0.2
    assert y1 > y3, "more is higher"
