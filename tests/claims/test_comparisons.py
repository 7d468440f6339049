"""Which comparisons say half: against whom, or at what, is left out."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chipwise.domain.cues import Cue
from chipwise.domain.schemas import SCHEMAS

from .test_claims import said


def _doubted(text: str, metric: str) -> list[bool]:
    return [not claim["sure"] for claim in said(text) if claim["metric"] == metric]


@pytest.mark.parametrize(
    ("text", "metric", "doubted"),
    [
        ("## A10\n\n- 50% cheaper than AWS", "discount", [True]),
        ("## A10\n\n- 70% cheaper on spot", "discount", [False]),
        ("The A10 is 50% cheaper than the A100.", "discount", [False]),
        ("## A10\n\n- 3x faster than the T4", "speedup", [True]),
        ("The A10 is 3x faster than the T4.", "speedup", [False]),
        ("The A10 trains 3x faster than the T4.", "speedup", [False]),
    ],
)
def test_a_comparison_is_sure_where_it_names_both_sides_or_what_was_run(
    text: str, metric: str, doubted: list[bool]
) -> None:
    assert _doubted(text, metric) == doubted


@pytest.mark.parametrize(("words", "right"), [(["say", "says"], True), (["say", "say"], False), (["Say"], False)])
def test_words_that_change_nothing_stand_once_and_in_lower_case(words: list[str], right: bool) -> None:
    row = {"id": "statement", "words": words}
    if right:
        assert SCHEMAS["neutral.toml"]["neutral"].model_validate(row)
    else:
        with pytest.raises(ValidationError):
            SCHEMAS["neutral.toml"]["neutral"].model_validate(row)


@pytest.mark.parametrize(
    ("text", "figure", "reaches"),
    [
        ("The A4000 (16 GB) might do", "16", False),
        ("It might have 16 GB", "16", True),
        ("It might take 1.2 kW (1,200 W)", "1,200", True),
        ("It has 16 GB (which might do)", "16", False),
    ],
)
def test_a_guess_does_not_reach_into_brackets_that_tell_of_a_name(text: str, figure: str, reaches: bool) -> None:
    at = text.index("might")
    assert Cue(at, at + 5, "estimated", "clause").reaches(text, text.index(figure)) is reaches
