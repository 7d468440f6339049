"""A question is searched for where its answers are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from evals.training.arrays import write_aim

from chipwise.answering.parse import understand
from chipwise.answering.passages import read
from chipwise.answering.precedents import MODEL as KNOWN_MODEL
from chipwise.answering.precedents import Aim, vectors_of
from chipwise.corpus import aim_file, known_questions_folder
from chipwise.opening import OpenIndex

from ..asking.tabled_base import index_on
from ..building.test_facts import csv_of

MODEL = "a model's sha256"
ASKED = np.array([1.0, 0.0, 0.0], dtype=np.float32)
HEAT, BILL = "Cold plates carry the heat of a tray into water.", "An invoice is due within a month."
index = index_on((f"## Heat\n\n{HEAT}", f"## Bills\n\n{BILL}"), csv_of())


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """What turns the first axis towards the second."""
    path = tmp_path / "aim.npz"
    write_aim(path, np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]], dtype=np.float32), MODEL)
    return path


def test_a_vector_is_turned_and_keeps_its_length(kept: Path) -> None:
    assert Aim(kept, MODEL).at(ASKED) == pytest.approx(np.array([1, 1, 0]) / np.sqrt(2), abs=1e-3)


@pytest.mark.parametrize(("name", "model"), [("aim.npz", "another"), ("absent.npz", MODEL)])
def test_nothing_is_turned_for_another_model_or_without_a_file(kept: Path, name: str, model: str) -> None:
    assert Aim(kept.with_name(name), model).at(ASKED) is ASKED


def test_passages_are_searched_for_with_the_turned_vector(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    question = understand("Which one?", index.domain)

    def closest(towards: str) -> str:
        turned = index.encoder.encode(towards)
        monkeypatch.setattr(index.aim, "at", lambda _vector: turned)
        hits = read(question, index.encoder.encode(question.text), index).hits
        return max(hits, key=lambda hit: hit.cosine).stored.passage.text

    assert closest("Cold plates carry heat into water.") == HEAT
    assert closest("The invoice is paid within a month.") == BILL


def test_what_is_shipped_holds_for_the_vectors_of_the_known_questions() -> None:
    with np.load(aim_file()) as aim:
        assert (
            str(aim["model"]) == (vectors_of(known_questions_folder()).parent / KNOWN_MODEL).read_text("utf-8").strip()
        )
        size = len(aim["turn"])
        assert aim["turn"].shape == (size, size)
