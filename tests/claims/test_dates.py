"""Dates of announcement and availability. More cases need no Python: a line in golden/categories_dates.jsonl each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims.categories import categories_of_cell, find_categories
from chipwise.claims.dates import dates_of_cell, find_dates, read_dates
from chipwise.claims.model import Category

from ..each import each, key
from ..scaling import grows_in_proportion
from .texts import shipped

GOLDEN = Path(__file__).parents[1] / "golden" / "categories_dates.jsonl"
DOMAIN = shipped()


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]


def found(text: str, carried: tuple[str, ...] = ()) -> list[Category]:
    return find_dates(DOMAIN, text, DOMAIN.find_entities(text), carried)


@each("case", cases, name=key("text"))
def test_a_sentence_gives_these_dates(case: dict[str, Any]) -> None:
    said = found(case["text"], tuple(case["carried"]))
    rows = [[c.subject, c.relation, c.object, dict(c.qualifiers).get("approx", "")] for c in said]
    assert sorted(rows) == sorted(case["dates"])
    written = [case["text"][c.start : c.end] for c in said]
    # "that November" is of the year of the date before it
    assert all(c.object[:4] in words or words.startswith("that ") for c, words in zip(said, written, strict=True))


@pytest.mark.parametrize(
    ("text", "iso", "approx"),
    [
        ("in May 2022", "2022-05", ""),
        ("on 18 March 2024", "2024-03-18", ""),
        ("on March 18th, 2024", "2024-03-18", ""),
        ("on 2024-03-18", "2024-03-18", ""),
        ("in Sept. 2024", "2024-09", ""),
        ("in late 2025", "2025", "late"),
        ("in Q3 2026", "2026", "q3"),
        ("in the third quarter of 2026", "2026", "third quarter"),
        ("by June 2026", "2026-06", "by"),
    ],
)
def test_a_date_is_as_exact_as_its_words(text: str, iso: str, approx: str) -> None:
    (date,) = read_dates(text)
    assert (date.iso, date.approx) == (iso, approx)


@pytest.mark.parametrize(
    "text", ["2022 cores", "$2024", "2022 GB", "before 2024", "version 2024.1", "in 2020-2024", ""]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_dates(text) == []


@pytest.mark.parametrize(
    ("label", "cell", "metric", "iso"),
    [
        ("Announced", "2022-03", "announcement_date", "2022-03"),
        ("**Release date**", "June 2017", "availability_date", "2017-06"),
        ("Launch", "March 22, 2022", "announcement_date", "2022-03-22"),
        ("Availability", "Q4 2024", "availability_date", "2024"),
    ],
)
def test_a_cell_gives_the_date_that_its_row_asks_for(label: str, cell: str, metric: str, iso: str) -> None:
    (category,) = categories_of_cell(DOMAIN, "nvidia-h100", label, cell, 100)
    assert (category.relation, category.object) == (metric, iso)
    assert iso[:4] in cell[category.start - 100 : category.end - 100]


@pytest.mark.parametrize(
    ("label", "approx"), [("Release date", "release"), ("Launched", "release"), ("Availability", "")]
)
def test_a_release_may_be_the_launch_or_the_general_availability(label: str, approx: str) -> None:
    (category,) = categories_of_cell(DOMAIN, "nvidia-h100", label, "2022-10-04", 0)
    assert dict(category.qualifiers).get("approx", "") == approx


@pytest.mark.parametrize(("label", "cell"), [("Launch price", "2022"), ("Memory", "2022"), ("Availability", "AWS")])
def test_a_cell_of_another_row_gives_none(label: str, cell: str) -> None:
    assert dates_of_cell(DOMAIN, "nvidia-h100", label, cell, 0) == []


def test_a_labelled_line_is_read_as_a_row() -> None:
    (category,) = find_categories(DOMAIN, "- Released: 2023", [], [], ("nvidia-h100",), "")
    assert (category.relation, category.object) == ("availability_date", "2023")


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found(text, ("nvidia-h100",))


@given(
    st.lists(
        st.sampled_from(["H100", "announced", "released", "in", "2022", "March", "at", ",", "was", "(", ")", "it"]),
        max_size=40,
    ).map(" ".join)
)
def test_odd_text_is_quoted_verbatim(text: str) -> None:
    for c in found(text, ("nvidia-h100",)):
        assert 0 <= c.start < c.end <= len(text)


@pytest.mark.parametrize(
    "piece", ["announced in ", "in 2022 ", "at Hot Chips ", "the H100 was announced in May 2022 and "]
)
def test_a_wall_of_words_is_read_in_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda size: found((piece * size)[:size], ("nvidia-h100",)), 3900)
