"""Figures that a question claims, what fits, and what may be set beside one another."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from chipwise.answering.answer import Told, written
from chipwise.answering.givens import givens
from chipwise.answering.parse import understand
from chipwise.answering.query import Wish
from chipwise.answering.sums import work_out
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from ..conftest import ROOT
from .tabled_base import index_on
from .test_severally import rows

GOLDEN = [json.loads(line) for line in (ROOT / "tests/golden/figures_claimed.jsonl").read_text("utf-8").splitlines()]
index = index_on([r["quote"] for r in rows()], csv_of(*rows()))


@pytest.mark.parametrize("case", GOLDEN, ids=[case["question"] for case in GOLDEN])
def test_a_figure_that_is_claimed_or_left_open_is_worked_out(
    index: OpenIndex, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "wants" in case:  # words alone do not tell
        monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({case["wants"]: 1.0}))
    found = index.ask(case["question"])
    missing = [said for said in case["says"] if said not in found.text]
    assert missing == [], found.text


CHIPS = ("H200", "MI300X", "L4", "A100 SXM 80GB")
ASKED = ("has more memory bandwidth", "has the higher peak", "has more memory", "is cheaper", "is the better buy")


@pytest.mark.parametrize("asked", ASKED)
def test_only_figures_of_one_variable_and_of_as_many_chips_are_set_beside_one_another(
    index: OpenIndex, asked: str
) -> None:
    for (one, other), size in zip(itertools.permutations(CHIPS, 2), itertools.cycle((8, 70, 405)), strict=False):
        question = f"For a {size}B model in BF16, which {asked}, the {one} or the {other}?"
        told = work_out(understand(question, index.domain), index)
        if isinstance(told, Told):
            kinds = {(row.key.metric, row.unit) for row in told.rows}
            counts = {row.source.values.get("chips") for row in told.rows}  # type: ignore[union-attr]
            assert (len(kinds), len(counts)) == (1, 1), written(told)


def test_a_number_before_versus_counts_nothing(index: OpenIndex) -> None:
    assert givens("RTX 3090 versus Tesla V100 for training", index.domain) == []


def test_a_figure_that_is_no_factor_says_nothing_of_two_things(index: OpenIndex) -> None:
    said = index.ask("Does the MI300X have 192 GB and the H200 141 GB?").text
    assert not said.startswith("No")
    assert "141 GB" in said
