"""Reported errors and multiplied facts: what the two measures count."""

from __future__ import annotations

import factors
import reports
from benchmarks import json_lines
from records import shipped

from ..each import each, key


def records() -> list[dict[str, object]]:
    return [dict(r) for path in sorted(reports.FOLDER.glob("*.jsonl")) for r in json_lines(path)]


@each("record", records, name=key("id"))
def test_each_expected_figure_stands_in_its_line(record: dict[str, object]) -> None:
    lines = str(record["text"]).splitlines()
    expected = record["expected"]
    assert isinstance(expected, list)
    assert expected
    for e in expected:
        assert e["figure"] in lines[e["line"] - 1]
        assert e["verdict"] in ("contradicted", "explained", "supported")


def test_a_fact_as_a_sentence_has_its_value_times_the_factor() -> None:
    domain, facts = shipped()
    fact = next(f for f in facts if f.claim.subject == "nvidia-h100-sxm" and f.claim.metric == "tdp")
    assert factors._sentence(domain, fact, 1.0) == "The thermal design power (TDP) of the NVIDIA H100 SXM is 700 W."
    assert " is 7,000 W" in factors._sentence(domain, fact, 10.0)


def test_a_figure_twice_as_large_is_found_and_a_true_one_is_not() -> None:
    domain, facts = shipped()
    fact = next(f for f in facts if f.claim.subject == "nvidia-h100-sxm" and f.claim.metric == "tdp")
    assert factors._found(domain, facts, [fact], 2.5) == 1
    assert factors._found(domain, facts, [fact], 1.0) == 0
