"""Questions that were asked before lead to what answers them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from chipwise.answering.parse import understand
from chipwise.answering.passages import read
from chipwise.answering.precedents import (
    CARRIED,
    MODEL,
    Precedent,
    Precedents,
    digest,
    known_vectors,
    passages_of,
    write,
)
from chipwise.corpus import known_questions_folder
from chipwise.opening import OpenIndex

from ..asking.tabled_base import index_on
from ..building.test_facts import csv_of

OURS = "a model's sha256"
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
    """The known questions in q/ and their vectors in vectors/q/, each along an axis of its own."""
    (tmp_path / "q").mkdir()
    (tmp_path / "vectors" / "q").mkdir(parents=True)
    lines = (json.dumps({"q": k.question, "source": k.source, "answer": k.answer}) for k in KNOWN)
    (tmp_path / "q" / "known.jsonl").write_text("\n".join(lines))
    (tmp_path / "vectors" / MODEL).write_text(OURS)
    digests = np.array([[*digest(k.question)] for k in KNOWN], dtype=np.uint8)
    vectors = np.eye(3, 8, dtype=np.int8) * np.int8(127)
    np.savez(tmp_path / "vectors" / "q" / "known.npz", digests=digests, vectors=vectors)
    return tmp_path


def known_in(kept: Path, model: str = OURS) -> Precedents:
    return Precedents(kept / "q", kept, model)


def towards(*parts: float) -> np.ndarray:
    vector = np.array([*parts, *(0.0,) * (8 - len(parts))], dtype=np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def test_the_nearest_come_first_with_how_alike_they_are(kept: Path) -> None:
    near = known_in(kept).nearest(towards(0.8, 0.6))
    assert [p.question for p in near] == ["Why is a pair of GPUs so slow?", "Who won the cup?"]
    assert [p.alike for p in near] == pytest.approx([0.6, 0.2], abs=0.02)  # from a cosine of 0.5 on


def test_vectors_of_another_model_are_none(kept: Path) -> None:
    none = known_in(kept, "another")
    assert none.nearest(towards(1.0)) == none.worded(["gpus"]) == []


def test_a_question_that_was_added_is_known_at_once_by_its_words_and_without_a_vector(kept: Path) -> None:
    assert known_in(kept).worded(["fan"]) == []
    lines = kept / "q" / "more.jsonl"
    lines.write_text(json.dumps({"q": "Why is the fan loud?", "source": "docs-0", "answer": [ANSWER]}))
    again = known_in(kept)
    assert [p.question for p in again.worded(["fan"])] == ["Why is the fan loud?"]
    assert again.nearest(towards(1.0))[0].question == KNOWN[0].question
    assert len([*kept.glob("*.sqlite")]) == 1


def test_where_nothing_can_be_written_they_are_known_all_the_same(kept: Path) -> None:
    none = Precedents(kept / "q", kept / "absent", OURS)
    assert none.nearest(towards(1.0))


def test_what_a_wheel_carries_is_read_where_it_lies(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = kept / CARRIED
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        write(connection, kept / "q")
    (kept / "q" / "known.jsonl").unlink()
    assert known_in(kept).nearest(towards(1.0)) == [], "a checkout goes by its files"
    monkeypatch.setattr("chipwise.corpus._INSTALLED", kept)
    before = sorted(kept.rglob("*"))
    known = known_in(kept)
    assert known.nearest(towards(1.0))[0].question == KNOWN[0].question
    assert known.worded(["gpu"])[0].answer == (ANSWER,)
    assert sorted(kept.rglob("*")) == before


def test_one_that_has_an_answer_is_found_by_its_words(kept: Path) -> None:
    (found,) = known_in(kept).worded(["gpu", "cup"])
    assert (found.question, found.answer) == (KNOWN[0].question, KNOWN[0].answer)
    assert found.alike > 0
    assert known_in(kept).worded([]) == []


def test_the_words_of_questions_that_are_answered_are_counted(kept: Path) -> None:
    assert known_in(kept).counted(["gpu", "slow", "cup", "bridges"]) == {"gpu": 1, "slow": 1, "cup": 0, "bridges": 1}
    assert Precedents(kept / "q", kept, "another model").counted(["gpu"]) == {"gpu": 0}


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


def test_every_shipped_one_has_its_vector() -> None:
    vectors = known_vectors(known_questions_folder())
    lines = (line for path in known_questions_folder().glob("*.jsonl") for line in path.read_text("utf-8").splitlines())
    lacking = [q for q in (json.loads(line)["q"] for line in lines) if digest(q) not in vectors]
    assert not lacking, "run python -m evals.training.questions.precedents"
