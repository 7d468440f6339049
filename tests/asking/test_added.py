"""What a document that a user added says stands in the table like a fact, marked as its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.lookups.compare import compare
from chipwise.lookups.facts import KnownFacts, find_facts, select
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import row_of, tabled_base

SAID = {"h200": "The H200 has 141 GB of memory.", "h100": "The H100 SXM has 80 GB of memory."}
NOTE = (
    "# Our lab\n\nThe H200 has 150 GB of memory.\n\nThe H100 SXM has 80 GB of memory. The MI300X has a TDP of 800 W.\n"
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
    """Two facts, and a note that contradicts one, repeats the other and adds a third."""
    rows = [
        row_of(SAID, "h200", "nvidia-h200", "memory_capacity", "141", "GB"),
        row_of(SAID, "h100", "nvidia-h100-sxm", "memory_capacity", "80", "GB"),
    ]
    digests = {"sheet.md": "# A sheet\n\n" + "\n\n".join(SAID.values())}
    with tabled_base(
        tmp_path_factory.mktemp("added"), digests, csv_of(*rows), held=["sheet.md"], added={"lab.md": NOTE}
    ) as found:
        found.known = KnownFacts(found.store, found.names, frozenset(["lab"]))
        yield found


def test_a_figure_against_a_fact_is_told_behind_it_with_whose_it_is(index: OpenIndex) -> None:
    text = index.ask("How much memory does an H200 have?").text
    assert text == "The H200 has 141 GB of memory [1]. The H200 has 150 GB of memory (says Our lab) [2]."


def test_what_says_the_same_as_a_fact_is_not_told_twice(index: OpenIndex) -> None:
    assert index.ask("H100 SXM memory").text == "The H100 SXM has 80 GB of memory [1]."


def test_what_only_the_document_says_answers(index: OpenIndex) -> None:
    assert index.ask("What is the TDP of the MI300X?").text.endswith("has a TDP of 800 W (says Our lab) [1].")


def test_a_comparison_takes_the_fact_and_notes_what_the_document_says(index: OpenIndex) -> None:
    (row,) = compare(index.known, index.names, ["nvidia-h200", "nvidia-h100-sxm"]).rows
    assert list(row.numbers) == ["141", "80"]
    assert [note.text for note in row.notes] == ["150 GB, says Our lab"]


def test_a_listing_has_what_the_document_says_and_no_figure_twice(index: OpenIndex) -> None:
    listed = find_facts(index.known, index.names, select(index.names, ["h200", "h100 sxm", "memory"]))
    assert [(f.value, bool(f.place)) for f in listed if f.claim.subject == "nvidia-h200"] == [
        ("141", True),
        ("150", False),
    ]
    assert [f.value for f in listed if f.claim.subject == "nvidia-h100-sxm"] == ["80"]
