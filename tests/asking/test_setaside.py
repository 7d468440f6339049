"""What the facts table has set aside is not quoted first, and never without saying so."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.index.store import Store
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on, row_of

SAID = {
    "list": "The p4d.24xlarge is listed by AWS at 21.96 USD per hour on demand.",
    "before": "The p4d.24xlarge costs 32.77 USD per hour on demand to train models in the cloud.",
    "watts": "The L40S draws 350 W.",
    "article": "The L40S draws 300 W when it serves models, an article says.",
    "launch": "The p3dn.24xlarge costs 31.21 USD per hour on demand to train models in the cloud.",
}
LABEL = "Out of date or in doubt by the facts table: "
row = partial(row_of, SAID)


def table() -> str:
    price = {"subject": "aws-p4d", "metric": "price_per_hour", "unit": "USD/hour", "price_terms": "on-demand"}
    price |= {"aggregation": ""}
    return csv_of(
        row("list", value="21.96", as_of="2026-07", **price),
        row("before", value="32.77", as_of="2023-07", rank="normal", reason="the list before the cut", **price),
        row("watts", "nvidia-l40s", "tdp", "350", "W"),
        row("article", "nvidia-l40s", "tdp", "300", "W", rank="deprecated", reason="no datasheet has it"),
    )


index = index_on(SAID.values(), table())


@pytest.mark.parametrize(
    ("question", "stands", "not_any_more"),
    [
        ("What does a p4d.24xlarge cost per hour to train models in the cloud?", "21.96 USD", "32.77"),
        ("How much power does the L40S draw when it serves models?", "350 W", "300 W"),
    ],
)
def test_a_figure_that_stands_is_quoted_before_one_that_does_not(
    index: OpenIndex, question: str, stands: str, not_any_more: str
) -> None:
    first, _, rest = index.ask(question).text.partition("[1]")
    assert stands in first
    assert not_any_more in rest.partition(LABEL)[2]


def test_a_later_price_makes_an_earlier_one_out_of_date(index: OpenIndex) -> None:
    text = index.ask("What does a p4d.24xlarge cost per hour to train models in the cloud?").text
    assert text.partition(LABEL)[2].startswith("The p4d.24xlarge costs 32.77 USD")


def test_a_question_why_is_answered_by_what_was_true_then(index: OpenIndex) -> None:
    assert LABEL not in index.ask("Why did the p4d.24xlarge cost 32.77 USD per hour to train models?").text


def test_figures_that_no_fact_sets_aside_are_quoted_plainly(index: OpenIndex) -> None:
    assert LABEL not in index.ask("What does a p3dn.24xlarge cost per hour to train models in the cloud?").text


def test_a_fact_whose_source_is_not_here_sets_nothing_aside(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "How much power does the L40S draw when it serves models, an article says?"
    assert LABEL in index.ask(question).text
    monkeypatch.setattr(Store, "holds", lambda *_: False)
    assert LABEL not in index.ask(question).text
