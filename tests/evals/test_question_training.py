"""What the reader of questions is trained on."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from evals.training.questions.calibrate import regression
from evals.training.questions.data import Labelled, Question, bearing, exchanged, part_of_written
from evals.training.questions.fit import Example, batches, example, sentence_logits

from chipwise.answering.reader import LaidOut, Reading

TEXT = "The H100 has 80 GB. It draws 700 W. The H200 has 141 GB."
SENTENCES = ("The H100 has 80 GB.", "It draws 700 W.", "The H200 has 141 GB.")


def stored(text: str = TEXT) -> Any:
    spans = [SimpleNamespace(start=text.index(s), end=text.index(s) + len(s)) for s in SENTENCES]
    return SimpleNamespace(passage=SimpleNamespace(text=text, heading=(), context=""), sentences=spans)


def question(text: str, *, origin: str = "written") -> Question:
    gold = Labelled(Reading("The H100", SENTENCES), (True, False, False))
    return Question("q", text, origin, "train", (gold,), ())


def laid_out(*lengths: int) -> LaidOut:
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    ids = torch.zeros(ends[-1] + 1, dtype=torch.int64).numpy()
    return LaidOut(ids, ids, tuple(zip([0, *ends[:-1]], ends, strict=True)))


def test_answers_in_one_passage_are_labels_of_one_passage() -> None:
    store: Any = SimpleNamespace(source_passages=lambda source: [stored()] if source == "sheet" else [])
    answers = [{"source": "sheet", "answer": [SENTENCES[0]]}, {"source": "sheet", "answer": [SENTENCES[2]]}]
    ((_, marked),) = bearing([*answers, {"source": "elsewhere", "answer": ["None."]}], store)
    assert marked == (True, False, True)
    assert bearing([{"source": "sheet", "answer": []}], store) == []


@pytest.mark.parametrize(("writer", "parts"), [("primers-mfu", {"train"}), ("users3", {"tune", "report"})])
def test_what_people_asked_in_public_is_not_trained_on(writer: str, parts: set[str]) -> None:
    assert {part_of_written(writer, f"question {n}") for n in range(50)} == parts


def test_only_a_name_that_the_passage_has_is_exchanged() -> None:
    asked = [question("memory of the H100"), question("memory of the B200"), question("memory of the MI300X")]
    made = list(exchanged(asked, random.Random(1)))  # noqa: S311
    assert [q.text in ("memory of the B200", "memory of the MI300X") for q in made] == [True]
    assert not any(any(labelled.answers) for q in made for labelled in q.others)


def test_a_batch_holds_passages_of_whole_questions_and_no_more_tokens_than_it_may() -> None:
    found = [Example((laid_out(20), laid_out(9)), ((True,), (False,)), (1.0, 0.5)) for _ in range(5)]
    made = batches(found, random.Random(1), tokens=4 * 32)  # noqa: S311
    assert sorted(map(len, made)) == [1, 2, 2]
    assert batches([], random.Random(1), tokens=32) == []  # noqa: S311


def test_an_answering_passage_comes_first_and_what_may_answer_weighs_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.training.questions.fit.lay_out", lambda _tokenizer, _text, readings: list(readings))
    other = Labelled.without(Reading("The L4", ("It has 24 GB.",)))
    asked = Question("q", "memory?", "written", "train", question("").gold, (other,))
    made = example(asked, None, random.Random(1))  # noqa: S311
    assert made.answers == ((True, False, False), (False,))
    assert made.weights == (1.0, 0.5)


def test_a_sentence_is_the_mean_of_its_tokens_and_what_its_first_one_says() -> None:
    tokens = torch.tensor([[[1.0, 10.0], [3.0, 0.0], [5.0, 20.0], [0.0, 0.0]]])
    assert sentence_logits(tokens, [laid_out(2, 1)]).tolist() == [2 + 10, 5 + 20]


def test_a_sign_that_would_count_the_wrong_way_is_left_out() -> None:
    rows = [{"covers": a, "figure": b} for a, b in [(1, 1), (0.9, 1), (0.8, 1), (0.1, 0), (0.2, 0), (0.9, 0)]]
    labels = np.array([1.0, 1, 1, 0, 0, 0])
    weights = regression(rows, labels, np.ones(6))
    assert set(weights) == {"bias", "covers"}  # what is not met does not speak for an answer
    assert weights["covers"] > 0
