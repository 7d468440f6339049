"""The question sets are what they say: complete, of every kind, with sources that exist."""

from __future__ import annotations

from collections import Counter

import pytest
from questions import FOLDER, PUBLIC, RAW, SHIPPED, read_set

from asking import held, holds
from chipwise.corpus import shipped_documents

SETS = {name: read_set(name) for name in (*SHIPPED, *RAW, *PUBLIC)}
RECORDS = [record for records in SETS.values() for record in records]
KINDS = ("lookup", "comparison", "definition", "advice", "why", "arithmetic", "disagreement")


def test_there_are_enough_questions_of_every_kind() -> None:
    kinds = Counter(record["category"] for record in RECORDS)
    assert len(RECORDS) >= 150
    assert kinds["unanswerable"] >= 40
    assert all(kinds[kind] >= 15 for kind in KINDS), kinds


def test_every_set_is_asked() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(SETS)


def test_an_id_is_used_once_and_a_set_asks_nothing_twice() -> None:
    assert len({record["id"] for record in RECORDS}) == len(RECORDS)
    for records in SETS.values():
        assert len({record["question"] for record in records}) == len(records)


@pytest.mark.parametrize("name", SETS)
def test_a_question_has_gold_and_sources_just_where_it_has_an_answer(name: str) -> None:
    for record in SETS[name]:
        assert bool(record["gold"]) == record["answerable"], record["id"]
        assert bool(record["sources"]) == (record["answerable"] and name not in PUBLIC), record["id"]
        assert all(group and all(group) for group in [*record["gold"], *record.get("disagreement", [])]), record["id"]
        assert len(record.get("disagreement", [])) != 1, f"{record['id']}: one value disagrees with nothing"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_sources_listed_ship(name: str) -> None:
    shipped = {path.stem for path in shipped_documents()}
    assert {source for record in SETS[name] for source in record["sources"]} <= shipped


def test_gold_is_found_however_it_is_written() -> None:
    assert holds("It has 1,979 TFLOPS – with sparsity", [["1979 tflops"], ["sparse", "sparsity"]])
    assert held("80 GB", [["80GB"], ["141 GB"]]) == 1
    assert not holds("80 GB", [["80GB"], ["141 GB"]])
