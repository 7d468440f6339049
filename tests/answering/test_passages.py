"""Which of the passages found are read for an answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chipwise.answering.passages import LEAST_READ, read
from chipwise.answering.question import understand
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

reasons = index_on(("## MFU\n\nAn MFU of 47 % is good, and a low MFU means that chips wait.",), csv_of())


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


@pytest.mark.parametrize(
    ("question", "as_read"),
    [
        ("MFU is only 30 %, why?", "MFU is only , why?"),
        ("Why is an MFU of 47 % good for 8 GPUs?", "Why is an MFU of 47 % good for 8 GPUs?"),
        ("Is an MFU of 30 % low?", "Is an MFU of 30 % low?"),
    ],
)
def test_for_a_reason_a_figure_that_was_measured_there_is_not_looked_for_in_passages_without_it(
    reasons: OpenIndex, question: str, as_read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: set[str] = set()
    plain = FakeReader.read

    def noted(self: FakeReader, question: str, readings: Sequence[Reading]) -> list[Scores]:
        given.add(question)
        return plain(self, question, readings)

    monkeypatch.setattr(FakeReader, "read", noted)
    read(understand(question, reasons.domain), reasons.encoder.encode(question), reasons)
    assert given == {as_read}


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


def test_a_comparison_reads_all_as_each_side_needs_its_figure(index: OpenIndex, read_passages: list[str]) -> None:
    index.ask("Does a compiler or a scheduler fuse kernels better?")
    assert len(set(read_passages)) == len(read_passages)
