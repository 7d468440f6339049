"""Questions that were asked before lead to what answers them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from evals.training.arrays import write_precedents
from evals.training.questions.precedents import labelled

from chipwise.answering.passages import read
from chipwise.answering.precedents import Precedent, Precedents, passages_of
from chipwise.answering.question import understand
from chipwise.corpus import precedents_file
from chipwise.index.vectors import pack
from chipwise.opening import OpenIndex

from ..asking.tabled_base import index_on
from ..building.test_facts import csv_of

MODEL = "a model's sha256"
ANSWER = "Two cards without a bridge send activations over PCIe."
KNOWN = [
    Precedent("Why is a pair of GPUs so slow?", "docs-0", (ANSWER,), 0.0),
    Precedent("Who won the cup?", "", (), 0.0),
    Precedent("What is a bridge?", "elsewhere", ("A bridge joins two cards.",), 0.0),
]
index = index_on(
    (
        f"## Cards\n\nA card is warm. {ANSWER} That takes time.",
        *(f"## Kernel {n}\n\nA kernel of number {n} waits for its scheduler." for n in range(30)),
    ),
    csv_of(),
)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The known questions, each along an axis of its own."""
    path = tmp_path / "precedents.sqlite"
    write_precedents(path, KNOWN, pack(np.eye(3, 8, dtype=np.float32)), MODEL)
    return path


def towards(*parts: float) -> np.ndarray:
    vector = np.array([*parts, *(0.0,) * (8 - len(parts))], dtype=np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def test_the_nearest_come_first_with_how_alike_they_are(kept: Path) -> None:
    near = Precedents(kept, MODEL).nearest(towards(0.8, 0.6))
    assert [p.question for p in near] == ["Why is a pair of GPUs so slow?", "Who won the cup?"]
    assert [p.alike for p in near] == pytest.approx([0.6, 0.2], abs=0.02)  # from a cosine of 0.5 on


def test_vectors_of_another_model_are_none(kept: Path) -> None:
    for none in (Precedents(kept, "another"), Precedents(kept.with_name("absent.sqlite"), MODEL)):
        assert none.nearest(towards(1.0)) == none.worded(["gpus"]) == []


def test_one_that_has_an_answer_is_found_by_its_words(kept: Path) -> None:
    (found,) = Precedents(kept, MODEL).worded(["gpu", "cup"])
    assert (found.question, found.answer) == (KNOWN[0].question, KNOWN[0].answer)
    assert found.alike > 0
    assert Precedents(kept, MODEL).worded([]) == []


def test_only_the_sentences_that_answer_are_alike(index: OpenIndex) -> None:
    (source,) = {s.id for s in index.store.sources() if "Cards" in index.store.source_text(s.id)}
    near = [Precedent("Why so slow?", source, (ANSWER,), 0.5), Precedent("And why?", source, ("  - " + ANSWER,), 0.8)]
    ((stored, alike),) = passages_of([*near, Precedent("What?", "no-such-source", ("No.",), 0.9)], index.store)
    assert [n for n, value in enumerate(alike) if value] == [
        n for n, s in enumerate(stored.sentences) if stored.passage.text[s.start : s.end] == ANSWER
    ]
    assert max(alike) == 0.8


def test_a_passage_that_no_word_leads_to_is_read_for_a_question_that_it_answered_before(
    index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "Why does each kernel wait for its scheduler?"
    vector = index.encoder.encode(question)
    assert all(ANSWER not in w.passage.text for w in read(understand(question, index.domain), vector, index).windows)
    (source,) = {s.id for s in index.store.sources() if "Cards" in index.store.source_text(s.id)}
    near = [Precedent("Why do they wait?", source, (ANSWER,), 0.9)]
    monkeypatch.setattr(index.precedents, "nearest", lambda _vector: near)
    found = read(understand(question, index.domain), vector, index, whole=True)
    (window,) = [w for w in found.windows if ANSWER in w.passage.text]
    assert window.signs["precedent"] == 0.9


def test_the_shipped_ones_are_those_that_are_labelled() -> None:
    wanted = [[p.question, p.source, list(p.answer)] for _, p in labelled()]
    with closing(sqlite3.connect(precedents_file())) as kept:
        known = [
            [q, s, json.loads(a)] for q, s, a in kept.execute("SELECT question, source, answer FROM known ORDER BY id")
        ]
    assert known == wanted, "run python -m evals.training.questions.precedents"
