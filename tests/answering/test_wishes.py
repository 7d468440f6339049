"""What a question wants worked out: masked, and told by weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from evals.training.arrays import write_wishes

from chipwise.answering.query import FIT, NOTHING
from chipwise.answering.wishes import Wishes, features, masked, words_of
from chipwise.domain.files import shipped_domain

VECTOR = np.array([1.0, 0.0], dtype=np.float32)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Does llama 13b 4bit work with a RTX 3060?", "Does 7B FP8 work with a GPU?"),
        ("8 H100 at $2.50 an hour for 3 weeks", "5 GPUs at 5 USD/hour for 5 weeks"),
    ],
)
def test_names_and_figures_give_way_to_their_kinds(text: str, kinds: str) -> None:
    assert masked(text, shipped_domain()) == kinds


def test_what_is_wanted_is_told_by_the_words_that_were_learned(tmp_path: Path) -> None:
    path, words = tmp_path / "asked.npz", ["fit", "why"]
    weights = np.array([[0, 0], [0, 0], [9, 0], [0, 9]], dtype=np.float32)
    write_wishes(path, [FIT, NOTHING], words, weights, np.zeros(2, dtype=np.float32), "model")
    assert Wishes(path, "model").wish("does it fit", lambda _: VECTOR).surely == FIT
    assert Wishes(path, "model").wish("why is it so", lambda _: VECTOR).surely == NOTHING
    assert Wishes(path, "model").wish("is it so", lambda _: VECTOR).surely is None


def test_with_vectors_of_another_model_the_words_alone_tell(tmp_path: Path) -> None:
    path = tmp_path / "asked.npz"
    weights = np.array([[0, 0], [0, 9], [9, 0]], dtype=np.float32)
    write_wishes(path, [FIT, NOTHING], ["fit"], weights, np.zeros(2, dtype=np.float32), "model")
    assert Wishes(path, "another").wish("does it fit", lambda _: VECTOR[::-1]).surely == FIT


def test_words_are_read_with_the_ones_behind_them() -> None:
    assert words_of("Does it fit") == {"^", "does", "it", "fit", "$$", "^ does", "does it", "it fit", "fit $$"}
    assert features("it fit", VECTOR, {"fit": 0, "why": 1}).tolist() == [6.0, 0.0, 2.0, 0.0]
