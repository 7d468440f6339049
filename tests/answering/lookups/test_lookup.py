"""Names, and facts side by side: the functions below the look-up commands."""

from __future__ import annotations

import contextlib
import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.building.facts import read_facts
from chipwise.claims.model import Citation, Claim, Fact
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.domain.names import Names, names_notes
from chipwise.errors import NameUnknown
from chipwise.figures.alike import FIXED, compatible, covered
from chipwise.figures.format import in_words, value_text
from chipwise.index import schema
from chipwise.lookups.compare import in_unit, row_unit
from chipwise.lookups.facts import Selection, near, select
from chipwise.numbers.quantity import Quantity
from chipwise.text import grouped

from . import HERE

DOMAIN = read_domain(HERE / "domain")
NAMES = Names(names_notes(DOMAIN).__getitem__)
FACTS = {fact.id: fact for fact in read_facts(HERE / "facts", HERE / "digests", DOMAIN)}


# --- SQL ---


@pytest.mark.parametrize(
    ("select", "index"),
    [(schema.SELECT_CLAIMS_AT, "claim_by_value"), (schema.SELECT_CLAIMS_ABOUT, "claim_by_subject")],
)
def test_a_look_up_searches_an_index_and_never_scans_all_claims(select: str, index: str) -> None:
    with sqlite3.connect(":memory:") as db:
        db.executescript(schema.CREATE)
        values = {"wanted": "[]", "subjects": "[]", "metrics": None, "facts": 0}
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {select}", values)]
    assert any(f"SEARCH claim USING INDEX {index}" in step for step in plan)
    assert not any("SCAN claim" in step for step in plan)


# --- Names ---


@pytest.mark.parametrize("text", ["h100 sxm", "H100s", "the H100 PCIe and a DGX H100", "v5p-8 or v5p", "nothing", ""])
def test_names_are_found_as_the_whole_domain_finds_them(text: str) -> None:
    assert NAMES.find_entities(text) == DOMAIN.find_entities(text)


def test_every_record_of_the_domain_has_its_name() -> None:
    restored = Domain.from_json(DOMAIN.to_json())
    assert {i: NAMES.name(i) for i in restored.entities} == {i: e.name for i, e in restored.entities.items()}
    assert {i: NAMES.name(i) for i in restored.metrics} == {i: m.name for i, m in restored.metrics.items()}
    assert {i: (u.dimension, u.scale) for i, u in NAMES.units.items()} == {
        i: (u.dimension, u.scale) for i, u in restored.units.items()
    }
    assert NAMES.name("no-such-id") == "no-such-id"


def test_a_loop_among_parents_ends() -> None:
    notes = names_notes(DOMAIN) | {
        "names.entities": json.dumps({"a": ["A", "chip", "b", 1], "b": ["B", "chip", "a", 1]})
    }
    looped = Names(notes.__getitem__)
    assert looped.ancestors("a") == ("a", "b")
    assert looped.members("a") == ["b"]


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], Selection()),
        (["h100"], Selection(("h100",))),
        (["h100-sxm", "peak_compute"], Selection(("h100-sxm",), ("peak_compute",))),
        (["the memory of an H100 SXM in FP8"], Selection(("h100-sxm",), ("memory_capacity",), ("fp8",))),
        (["h100", "vs", "h200"], Selection(("h100", "h200"))),
        (["dense", "compute"], Selection((), ("peak_compute",), ("dense",))),
    ],
)
def test_words_are_understood(words: list[str], asked: Selection) -> None:
    assert select(NAMES, words) == asked


@given(st.text(max_size=40))
def test_any_words_are_understood_or_refused(text: str) -> None:
    with contextlib.suppress(NameUnknown):
        assert select(NAMES, [text]).values == tuple(dict.fromkeys(select(NAMES, [text]).values))


def test_the_nearest_names_come_first() -> None:
    assert near(NAMES, "h10")[0] == "H100"
    assert near(NAMES, "qwertyuiop") == []


@pytest.mark.parametrize(
    ("subject", "widely", "ids"),
    [
        ("h100", False, {"h100", "h100-sxm", "h100-pcie"}),
        ("h100-sxm", False, {"h100-sxm", "h100"}),
        ("dgx-h100", False, {"dgx-h100"}),
        ("gpu", False, {"gpu"}),
        ("gpu", True, {"gpu", "h100", "h100-sxm", "h100-pcie", "h200", "a100"}),
    ],
)
def test_a_chip_stands_for_its_variants_and_a_line_for_nothing_unless_widely(
    subject: str, widely: bool, ids: set[str]
) -> None:
    assert set(covered(NAMES, subject, widely=widely)) == ids


# --- Words ---


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("h100-sxm-bf16-sparse", "1,979 TFLOPS", "BF16, 2:4 sparsity, per chip"),
        ("dgx-h100-memory", "640 GB", "per node of 8"),
        ("h100-sxm-link", "900 GB/s", "both directions, per chip"),
        ("h200-memory-kind", "HBM3e", ""),
        ("v5p-memory", "95 GiB", "usable, per chip"),
    ],
)
def test_facts_are_said_in_words(fact: str, value: str, words: str) -> None:
    assert value_text(FACTS[fact], NAMES) == value
    assert in_words(FACTS[fact].claim, NAMES) == words


@pytest.mark.parametrize(
    ("number", "text"),
    [("989", "989"), ("1979", "1,979"), ("-1979.50", "-1,979.50"), ("0.989", "0.989"), ("1e21", "1e21")],
)
def test_long_numbers_are_grouped(number: str, text: str) -> None:
    assert grouped(number) == text


# --- Like for like ---


def key(**stated: str) -> tuple[str, ...]:
    return tuple(stated.get(axis, "") for axis in FIXED)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({}, {}, True),
        ({"sparsity": "dense"}, {"sparsity": "2:4"}, False),
        ({"sparsity": "dense"}, {}, True),
        ({"sparsity": "2:4"}, {}, False),
        ({"aggregation": "chip"}, {}, True),
        ({"aggregation": "node"}, {}, False),
        ({"aggregation": "chip"}, {"aggregation": "node"}, False),
        ({"direction": "both"}, {"direction": "one way"}, False),
        ({"direction": "both"}, {}, False),
        ({"capacity": "usable"}, {}, True),
        ({"capacity": "usable"}, {"capacity": "physical"}, False),
    ],
)
def test_what_may_stand_side_by_side(one: dict[str, str], other: dict[str, str], alike: bool) -> None:
    assert compatible(key(**one), key(**other)) is alike
    assert compatible(key(**other), key(**one)) is alike


def fact_of(value: str, unit: str, scale: float) -> Fact:
    """A memory bandwidth or capacity without anything else."""
    low, _, high = value.partition("..")
    quantity = Quantity(0, 0, "information", unit, float(low) * scale, float(high or low) * scale)
    claim = Claim("s", 0, 0, 1, 0, 1, "h100", "memory_capacity", quantity)
    return Fact("f", claim, value, unit, "preferred", "", "", "t.csv:2", Citation("", "", "", "", "", 1))


def test_a_row_has_the_unit_that_most_cells_are_written_in() -> None:
    gib, gb = fact_of("95", "GiB", 2**30), fact_of("80", "GB", 1e9)
    assert row_unit(NAMES, "memory_capacity", [gib, gib, gb]) == "GiB"
    assert row_unit(NAMES, "memory_capacity", [gib, gb]) == "GB", "the metric's own"
    assert row_unit(NAMES, "memory_capacity", [gib]) == "GiB"


def test_a_converted_figure_tells_its_basis() -> None:
    converted = in_unit(NAMES, fact_of("95", "GiB", 2**30), "GB")
    assert converted == (f"{95 * 2**30 / 1e9:.3g}", "95 GiB as cited, 1 GiB = 1.0737 GB")
    range_, _ = in_unit(NAMES, fact_of("80..94", "GB", 1e9), "GiB")
    assert range_ == f"{80e9 / 2**30:.3g} to {94e9 / 2**30:.3g}"
    assert in_unit(NAMES, FACTS["h200-bf16"], "TFLOPS") == ("989", ""), "thousands need no basis"
