"""Questions and the queries that they are understood as, in all their wordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise.answering.naming import in_full
from chipwise.answering.parse import parse
from chipwise.answering.typed import asked_in, readings_of
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain

from ..each import each
from .compact import Compact, compact

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped_domain()


def cases(name: str) -> list[tuple[str, Compact | None]]:
    """Each wording of a golden file with the query that it is; None for what is no query, and has to be read about."""
    lines = map(json.loads, (GOLDEN / name).read_text("utf-8").splitlines())
    return [(question, line["query"]) for line in lines for question in line["questions"]]


def check(question: str, expected: Compact | None, domain: Domain) -> None:
    read = parse(in_full(question, domain), domain)
    if expected is None:
        assert not read or read[0].left, compact(read[0], domain)
    else:
        assert compact(read[0] if read else None, domain) == expected


@each("question, expected", lambda: cases("queries.jsonl"), name=lambda case: case[0])
def test_a_question_is_understood_in_all_its_wordings(question: str, expected: Compact | None, domain: Domain) -> None:
    check(question, expected, domain)


@pytest.mark.xfail(strict=True)
@pytest.mark.parametrize(("question", "expected"), cases("queries_wrong.jsonl"))
def test_known_to_be_misunderstood(question: str, expected: Compact | None, domain: Domain) -> None:
    check(question, expected, domain)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("How much memory does an H200 have with NVLink disabled?", "disabled"),
        ("Does the H100 have NVLink 5?", "NVLink 5"),
        ("How much memory does an H200 have in Graz?", "Graz"),
        ("Our reseller wants 5 USD per hour for an MI300X from Zyxel, is that expensive?", "Zyxel"),
    ],
)
def test_what_may_change_the_answer_is_left_over(text: str, left: str, domain: Domain) -> None:
    (first, *_) = parse(text, domain)
    assert left in [text[start:end] for start, end in first.left]


@pytest.mark.parametrize(
    "text",
    [
        "The GPUs are busy but MFU is low, why?",
        "Do dense models get half of it, because the number is with sparsity?",
        "8GB VRAM, can FLUX be trained?",
    ],
)
def test_a_subordinate_clause_is_no_question_of_its_own(text: str, domain: Domain) -> None:
    assert [text[a.begin : a.end] for a in asked_in(text, domain)] == [text]


def test_questions_that_and_joins_are_two(domain: Domain) -> None:
    text = "How much did AWS cut P5 prices, and what is the on-demand price still quoted?"
    assert [text[a.begin :][:4] for a in asked_in(text, domain)] == ["How ", "what"]


def test_what_is_said_behind_a_question_is_named_and_ends_no_reading(domain: Domain) -> None:
    text = "What is the TDP of the H100? I have a small power supply."
    ((read, *_),) = readings_of(text, asked_in(text, domain), domain)
    assert (read.left, read.unused) == ((), ("I have a small power supply",))
