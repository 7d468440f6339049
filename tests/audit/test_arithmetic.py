"""Arithmetic of texts as people write it, in prose, tables and lists: the wrong figure is found, the right one never questioned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..building.test_facts import facts
from .test_relations import shipped
from .test_values import audited

GOLDEN = Path(__file__).parents[1] / "golden"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def quoted(text: str) -> list[str]:
    domain = shipped()
    chips = {domain.chip_of(i) for m in domain.find_entities(text) for i in m.ids} - {""}
    known = [f for f in facts() if domain.chip_of(f.claim.subject) in chips]
    audit = audited({"a": text}, known)
    return [e.quote for f in audit.findings if f.verdict == "contradiction" for e in f.evidence if e.source == "a"]


@pytest.mark.parametrize("case", cases("arithmetic.jsonl"), ids=lambda case: str(case["about"]))
def test_a_figure_that_the_others_rule_out_is_found_and_one_that_they_make_is_not(case: dict[str, Any]) -> None:
    assert quoted(case["right"]) == []
    assert any(case["figure"] in quote for quote in quoted(case["wrong"]))


def test_which_of_several_counts_a_listed_total_is_of_stays_open() -> None:
    assert quoted("An instance has two or four H100 GPUs, with 160 GB or 320 GB of GPU memory in total.") == []


@pytest.mark.parametrize("case", cases("arithmetic_wrong.jsonl"), ids=lambda case: str(case["about"]))
def test_what_is_missed_is_known_with_its_reason(case: dict[str, Any]) -> None:
    assert quoted(case["right"]) == quoted(case["wrong"]) == []
    assert case["because"]
