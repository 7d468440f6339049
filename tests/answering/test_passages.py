"""Which of the passages found are read for an answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chipwise.answering.answer import SURE
from chipwise.answering.parse import understand
from chipwise.answering.passages import LEAST_READ, read
from chipwise.answering.reader import Reading, Scores
from chipwise.opening import OpenIndex

from ..asking.tabled_base import index_on
from ..building.test_facts import csv_of
from ..fakes import FakeReader

QUESTION = "Why does a compiler fuse kernels?"
index = index_on(
    (
        "## Fusing\n\nA compiler can fuse kernels, and one that is fused reads the memory once.",
        *(f"## Kernel {n}\n\nA kernel of number {n} waits for its scheduler." for n in range(8)),
    ),
    csv_of(),
)


@pytest.fixture
def read_passages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first sentence of each passage that was read."""
    found: list[str] = []
    plain = FakeReader.read

    def noted(self: FakeReader, question: str, readings: Sequence[Reading]) -> list[Scores]:
        found.extend(reading.sentences[0] for reading in readings)
        return plain(self, question, readings)

    monkeypatch.setattr(FakeReader, "read", noted)
    return found


def test_what_can_hardly_answer_better_than_what_was_read_is_left_unread(
    index: OpenIndex, read_passages: list[str]
) -> None:
    asked = understand(QUESTION, index.domain)
    vector = index.encoder.encode(QUESTION)
    found = read(asked, vector, index)
    some = len(read_passages)
    whole = read(asked, vector, index, whole=True)
    assert LEAST_READ <= some < len(read_passages) - some == len(whole.hits)
    assert found.windows[0] == whole.windows[0]
    assert found.hits == whole.hits


stating = index_on(
    ("# Acme notes\n\nThe NVIDIA H200 has 141 GB of HBM3e memory per GPU. Its memory bandwidth is 4.8 TB/s.",), csv_of()
)


def test_a_base_whose_only_sentence_answers_answers_from_it(stating: OpenIndex) -> None:
    found = stating.ask("How much HBM does an H200 have?")
    assert found.answered
    assert "141 GB" in found.text


def test_below_the_bar_whole_passages_stand_beside_what_may_be_no_answer(index: OpenIndex) -> None:
    found = index.ask("Does a scheduler of kernel 3 wait or fuse?")
    assert found.status == ("answered" if found.confidence >= SURE else "hesitating" if found.answered else "no_answer")
    assert found.text.startswith("This may not answer the question: ") == (found.status == "hesitating")
