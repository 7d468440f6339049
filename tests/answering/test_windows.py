"""A window begins where a thought begins, and an explanation is more than one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chipwise.answering.reader import Scores
from chipwise.answering.searching import Hit
from chipwise.answering.windows import Window, dangles, widened
from chipwise.claims.model import Sentence
from chipwise.index.rows import StoredPassage
from chipwise.types import Passage, Role

from ..audit.test_relations import shipped


def stored(*pieces: str, between: str = " ") -> StoredPassage:
    text, sentences = "", []
    for piece in pieces:
        text += between if text else ""
        sentences.append(Sentence(len(text), len(text) + len(piece)))
        text += piece
    spans = tuple((s.start, s.end) for s in sentences)
    passage = Passage("a", 1, 0, len(text), 1, Role.BODY, ("A heading",), None, text, "", spans)
    return StoredPassage(1, passage, tuple(sentences), b"")


@pytest.mark.parametrize("text", ["That run took a day.", "It is slow.", "The article gives none.", "These are equal."])
def test_some_sentences_lean_on_the_one_before(text: str) -> None:
    assert dangles(text)


@pytest.mark.parametrize("text", ["The run took a day.", "MFU is a share.", "Itanium is slow."])
def test_others_stand_alone(text: str) -> None:
    assert not dangles(text)


def test_a_window_takes_in_what_its_first_sentence_leans_on() -> None:
    passage = stored("A run on 64 chips reached 40%.", "That run took a day.", "Water is wet.")
    assert widened(passage, Scores((-3.0, 4.0, -5.0), 1.0), 1, 2, explains=False) == (0, 2)


def test_an_explanation_of_one_sentence_gets_the_likelier_neighbour() -> None:
    passage = stored("Chips wait.", "Memory is slow.", "Caches help.")
    assert widened(passage, Scores((-1.5, 4.0, 0.5), 1.0), 1, 2, explains=True) == (1, 3)
    assert widened(passage, Scores((0.5, 4.0, -1.5), 1.0), 1, 2, explains=True) == (0, 2)


def test_no_neighbour_that_has_nothing_to_do_with_it_is_taken() -> None:
    passage = stored("Chips wait.", "Memory is slow.", "Caches help.")
    assert widened(passage, Scores((-8.0, 4.0, -7.0), 1.0), 1, 2, explains=True) == (1, 2)


def test_a_line_that_leads_into_a_list_brings_its_items() -> None:
    passage = stored("Use a TPU if:", "- the job is large", "- the job is stable", "Ask first.", between="\n")
    assert widened(passage, Scores((4.0, -3.0, -3.0, -5.0), 1.0), 0, 1, explains=False) == (0, 3)


@pytest.mark.parametrize(
    ("subjects", "is_of_another"),
    [
        (("amd-mi300x",), True),
        (("amd-mi300x", "amd-gpu"), True),  # the whole line says nothing of one of it
        (("amd-mi355x", "amd-mi300x"), False),
        ((), False),
    ],
)
def test_a_line_of_products_is_none_of_them(subjects: tuple[str, ...], is_of_another: bool) -> None:
    plain = stored("It rents at 1.71 USD.")
    said = replace(plain, sentences=(replace(plain.sentences[0], entities=subjects),))
    window = Window(Hit(said, 1.0, 1.0, 1.0), 0, 1, Scores((1.0,), 1.0), {}, (), 1.0)
    assert window.is_of_another(["amd-mi355x"], shipped()) == is_of_another
