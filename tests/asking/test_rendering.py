"""What ways told becomes text in one place: the numbers of citations, the words of rulings, and what was not answered."""

from __future__ import annotations

import ast
from typing import cast

import pytest

from chipwise.answering.answer import Answer, Cited, Draft, Ruling, Told, render, together, written
from chipwise.domain.names import Names
from chipwise.opening import OpenIndex
from chipwise.types import Evidence, Role

from ..building.test_facts import csv_of
from ..conftest import ROOT
from .tabled_base import index_on, row_of

QUOTES = {
    "h200": "The H200 has 141 GB of memory.",
    "h100": "The H100 SXM has 80 GB of memory.",
    "peak": "The H100 SXM reaches 989 TFLOPS in BF16, dense.",
    "link": "An NVLink of the H200 carries 900 GB/s, both directions together.",
}
index = index_on(
    QUOTES.values(),
    csv_of(
        row_of(QUOTES, "h200", "nvidia-h200", "memory_capacity", "141", "GB"),
        row_of(QUOTES, "h100", "nvidia-h100-sxm", "memory_capacity", "80", "GB"),
        row_of(QUOTES, "peak", "nvidia-h100-sxm", "peak_compute", "989", "TFLOPS", dtype="bf16", sparsity="dense"),
    ),
)
NAMES = cast("Names", None)  # only facts have names


def cited(quote: str) -> Cited:
    return Cited(Evidence("s", "", "", "", "", (), Role.BODY, quote, 0, len(quote), 1, None, "s#1"))


ONE, OTHER = cited("one"), cited("other")


def rendered(*drafts: Draft) -> Answer:
    return render("asked?", drafts, NAMES)


def test_a_way_numbers_its_own_citations_and_the_answer_all_of_them() -> None:
    first = Told.of("Two [2] and one [1].", [ONE, OTHER])
    assert written(together([first, Told.of("More [1].", [cited("more")])])) == "Two [2] and one [1]. More [3]."
    assert written(together([first, Told.of("More [1].", [OTHER])])) == "Two [2] and one [1]. More [2]."
    assert written(Told.of("B [1].", [OTHER]).led("See [1]: ")) == "See [1]: B [1]."


def test_what_a_question_says_in_brackets_is_no_citation() -> None:
    told = Told.of("A [1].", [ONE])
    drafts = (Draft("a?", told), Draft("what is [1]?", reason="no source mentions [1]"))
    found = rendered(*drafts)
    assert found.text == ('A [1].\n\nNo answer to "what is [1]": no source mentions [1].')
    assert [c.n for c in found.citations] == [1]


@pytest.mark.parametrize("ruling", Ruling)
def test_a_ruling_has_its_words_and_ends_its_own_line(ruling: Ruling) -> None:
    text = written(Told.of("A.", lead=ruling))
    assert text.endswith(" A.")
    assert written(Told.of("\n- A.", lead=ruling)) == f"{text.removesuffix(' A.')}\n- A."


@pytest.mark.parametrize(
    ("rulings", "verdict"),
    [
        ((), None),
        ((Ruling.YES,), "yes"),
        ((Ruling.THE_SAME,), "no"),
        ((Ruling.YES, Ruling.YES), "yes"),
        ((Ruling.YES, Ruling.NO, Ruling.DEPENDS), "no"),
        ((Ruling.YES, Ruling.DEPENDS), "depends"),
    ],
)
def test_one_statement_that_is_wrong_makes_the_whole_wrong(rulings: tuple[Ruling, ...], verdict: str | None) -> None:
    assert together(Told.of("A.", lead=ruling) for ruling in rulings).verdict == verdict


def test_questions_that_part_have_no_common_verdict() -> None:
    yes, no, other = (
        Draft("?", Told.of(text, lead=r)) for text, r in (("A", Ruling.YES), ("B", Ruling.NO), ("C", None))
    )
    assert [rendered(*drafts).verdict for drafts in ((yes, no), (yes, other), (other,))] == [None, "yes", None]


def test_one_thing_told_twice_stands_once_and_a_reason_as_well() -> None:
    draft = Draft("a?", Told.of("A [1].", [ONE]))
    assert rendered(draft, draft).text == "A [1]."
    refusal = rendered(Draft("a?", reason="no"), Draft("b?", reason="no"))
    assert (refusal.reason, refusal.answered) == ("no", False)


def test_an_answer_has_its_values_and_its_verdict(index: OpenIndex) -> None:
    found = index.ask("Does the H200 have more memory than the H100 SXM?")
    assert found.text.startswith("Yes: ")
    assert found.verdict == "yes"
    assert [(row.subject, row.text, row.key.metric) for row in found.rows] == [
        ("nvidia-h200", "141 GB", "memory_capacity"),
        ("nvidia-h100-sxm", "80 GB", "memory_capacity"),
    ]
    assert [evidence.quote for evidence in found.quotes] == [QUOTES["h200"], QUOTES["h100"]]
    assert all(row.rests_on(evidence) for row, evidence in zip(found.rows, found.quotes, strict=True))


def test_a_sum_is_a_row_that_no_quote_says(index: OpenIndex) -> None:
    found = index.ask("How much memory do eight H200 have together?")
    result, one = found.rows
    assert (result.text, result.is_derived) == (f"{8 * 141:,} GB", True)
    assert (one.text, one.is_derived) == ("141 GB", False)
    assert not any(result.rests_on(evidence) for evidence in found.quotes)


def test_a_denied_figure_is_a_no_with_the_figure_that_there_is(index: OpenIndex) -> None:
    found = index.ask("Does the H200 have 144 GB of memory?")
    assert (found.verdict, [row.text for row in found.rows]) == ("no", ["141 GB"])


def test_only_the_rulings_have_their_words() -> None:
    words = ("Yes: ", "No: ", "No, ", "Not so: ", "No longer: ", "It depends")
    holding = {
        path.stem
        for path in (ROOT / "kb" / "chipwise" / "answering").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(words)
    }
    assert holding == {"answer"}
