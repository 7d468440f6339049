"""How question and passage are laid out, what a window is, and that the exported reader reads as the network does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from chipwise.answering.reader import (
    ASKED_AND_SAID,
    ASKED_ONLY,
    MAX_TOKENS,
    PLAIN,
    SAID_AND_ASKED,
    Reader,
    Reading,
    Scores,
    lay_out,
)
from chipwise.encoder import TOKENIZER
from chipwise.knowledge import KnowledgeFolder

ABOVE = "Serving > Memory"
SAID = ("The H100 has 80 GB of memory.", "Weights take most of it.", "The cache takes the rest.")


@pytest.fixture(scope="session")
def encoder(built: KnowledgeFolder) -> Path:
    return built.encoder_folder(built.read_seal())


@pytest.fixture(scope="session")
def tokenizer(encoder: Path) -> Any:
    found = Tokenizer.from_file(str(encoder / TOKENIZER))
    found.no_padding()
    found.no_truncation()
    return found


@pytest.fixture(scope="session")
def reader(encoder: Path, tokenizer: Any) -> Reader:
    return Reader(encoder, tokenizer)


def test_each_sentence_has_its_own_tokens_in_order(tokenizer: Any) -> None:
    (laid,) = lay_out(tokenizer, "How much memory has the H200?", [Reading(ABOVE, SAID)])
    texts = [tokenizer.decode(laid.ids[start:end].tolist()) for start, end in laid.spans]
    assert texts == [text.lower() for text in SAID]
    assert all(a[1] == b[0] for a, b in zip(laid.spans, laid.spans[1:], strict=False))


def test_a_word_of_the_question_is_marked_by_whether_the_passage_has_it(tokenizer: Any) -> None:
    (laid,) = lay_out(tokenizer, "How much memory has the H200?", [Reading(ABOVE, SAID)])
    tokens = [tokenizer.id_to_token(int(i)) for i in laid.ids]
    marks = dict(zip(tokens[: tokens.index("[SEP]")], laid.marks.tolist(), strict=False))
    assert (marks["memory"], marks["##200"], marks["how"]) == (ASKED_AND_SAID, ASKED_ONLY, PLAIN)
    assert laid.marks[tokens.index("memory", tokens.index("[SEP]"))] == SAID_AND_ASKED


def test_what_does_not_fit_is_cut_off_and_has_no_tokens(tokenizer: Any) -> None:
    (laid,) = lay_out(tokenizer, "How much?", [Reading(ABOVE, SAID * 40)])
    assert len(laid.ids) == len(laid.marks) == MAX_TOKENS
    assert laid.spans[0][0] < laid.spans[0][1]
    assert laid.spans[-1][0] == laid.spans[-1][1]


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=12), st.integers(1, 3), st.integers(3, 5))
def test_the_window_is_the_run_with_the_best_sum(logits: list[float], shortest: int, longest: int) -> None:
    start, end = Scores(tuple(logits), 0.0).window(shortest=shortest, longest=longest)
    fewest = min(shortest, len(logits))
    assert fewest <= end - start <= longest
    runs = [logits[a:b] for a in range(len(logits)) for b in range(a + fewest, min(a + longest, len(logits)) + 1)]
    assert sum(logits[start:end]) == max(map(sum, runs))


def test_a_passage_scores_the_same_whatever_is_read_beside_it(reader: Reader) -> None:
    readings = [Reading(ABOVE, SAID), Reading("Cooling", ("The rack is cooled by water.",) * 3)]
    question = "How much memory has the H100?"
    assert reader.read(question, readings)[0] == reader.read(question, readings[:1])[0]


def test_a_sentence_that_answers_scores_above_those_around_it(reader: Reader) -> None:
    readings = [Reading("Cooling", ("The rack is cooled by water.",)), Reading(ABOVE, SAID)]
    other, own = reader.read("How much memory does the H100 have?", readings)
    assert own.sentences.index(max(own.sentences)) == 0
    assert own.passage > other.passage


def test_eight_bits_read_as_the_network_does(reader: Reader, tokenizer: Any) -> None:
    import torch
    from evals.training.questions.export import merged

    from chipwise.models import DEFAULT_MODEL, find_model

    network = merged(find_model(DEFAULT_MODEL).folder)
    readings = [Reading(ABOVE, SAID[n:]) for n in range(3)]
    scores = reader.read("How much memory does the H100 have?", readings)
    for laid, scored in zip(lay_out(tokenizer, "How much memory does the H100 have?", readings), scores, strict=True):
        ids, marks = (torch.from_numpy(a)[None] for a in (laid.ids, laid.marks))
        with torch.inference_mode():
            tokens, answers, _ = network(ids, torch.ones_like(ids), marks)
        wanted = [tokens[0, s:e, 0].mean() + tokens[0, s, 1] for s, e in laid.spans]
        assert np.allclose(scored.sentences, wanted, atol=1.0)  # logits lie between -8 and 8
        assert abs(scored.passage - float(answers[0])) < 1.0


SENTENCES = Path(__file__).with_name("sentences.jsonl")
RIGHT = 0.7  # of the questions below; a floor, raised with every better reader


def test_of_sentences_that_share_words_with_a_question_the_right_one_is_read(reader: Reader) -> None:
    said: list[Reading] = []
    right = []
    for line in SENTENCES.read_text("utf-8").splitlines():
        record = json.loads(line)
        if "said" in record:
            said = [Reading("A sheet", (sentence,)) for sentence in record["said"]]
            continue
        scores = [score.passage for score in reader.read(record["question"], said)]
        best = said[scores.index(max(scores))].sentences[0]
        right.append(best in record["answer"] if record["answer"] else max(scores) < 0)
    assert sum(right) / len(right) >= RIGHT
