"""What of a question is needed for its answer: as the shipped reader finds it, and as a text again."""

from __future__ import annotations

from typing import Any

import pytest
from evals.training.questions.marked import figures, posts

from chipwise.answering.needed import NEEDED, shortened
from chipwise.answering.reader import MAX_TOKENS, Reader, lay_out_alone
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain
from chipwise.text import Span

from .test_reader import encoder, reader, tokenizer  # noqa: F401


@pytest.fixture(scope="module")
def domain() -> Domain:
    """The shipped domain."""
    return shipped_domain()


POST = "works on my V100 , vLLM complains about 8.6. does it support bf16, thx?"


def marked(text: str) -> tuple[str, list[tuple[Span, float]]]:
    """A text without its brackets, and scores by which the words in them are needed."""
    scores: list[tuple[Span, float]] = []
    said, needed = "", False
    for word in text.split():
        needed = needed or "[" in word
        bare = word.replace("[", "").replace("]", "")
        said += f" {bare}" if said else bare
        scores.append(((len(said) - len(bare), len(said)), 9.0 if needed else -9.0))
        needed = needed and "]" not in word
    return said, scores


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("works on my [V100], but vLLM fails. [does it support bf16], thx?", "V100. Does it support bf16?"),
        ("my boss says [the H200] surely [has 96 GB], is he right?", "the H200 surely has 96 GB?"),
        ("[How much memory], by the way, [has the H200?] It hums (a bit).", "How much memory, has the H200?"),
        ("I own [a 2080] Ti. [Is FA2 usable] on it?", "a 2080 Ti. Is FA2 usable?"),
    ],
)
def test_what_is_needed_is_a_text_of_whole_names_and_clauses(text: str, short: str, domain: Domain) -> None:
    assert next(shortened(*marked(text), domain)).text == short


def test_where_all_is_needed_the_text_stays(domain: Domain) -> None:
    (whole,) = shortened(*marked("[How much memory, by the way, has the H200?]"), domain)
    assert (whole.text, whole.unused) == ("How much memory, by the way, has the H200?", ())


def test_of_a_question_the_name_is_not_left_out_with_a_clause_that_is_needed_less(domain: Domain) -> None:
    text, scores = marked("[It is an L4.] [Does it support FP8?] thanks")
    weighed = [(span, 0.0 if span[1] <= len("It is an L4.") else logit) for span, logit in scores]
    texts = [short.text for short in shortened(text, weighed, domain)]
    assert texts == ["It is an L4. Does it support FP8?", "L4. Does it support FP8?"]


def test_names_and_figures_that_went_are_told(domain: Domain) -> None:
    short = next(shortened(*marked("[TDP of the H200?] the A100 and the H200 trip our 17 kW PDU"), domain))
    assert short.unused == ("A100", "17 kW")


def test_each_word_has_one_score_and_a_long_text_is_read_in_parts(reader: Reader, tokenizer: Any) -> None:  # noqa: F811
    text = " ".join([POST] * 40)
    assert len(list(lay_out_alone(tokenizer, text))) > 1
    assert all(len(laid.ids) <= MAX_TOKENS for laid, _ in lay_out_alone(tokenizer, text))
    scores = reader.needed(text)
    assert [text[start:end] for (start, end), _ in scores] == text.split()
    assert scores == reader.needed(text)


FLOOR = 0.85  # F1; raised with every better reader


def test_words_that_people_marked_as_needed_are_found(reader: Reader) -> None:  # noqa: F811
    read = [(post, reader.needed(post.text)) for post in posts() if post.part in ("report", "threads")]
    assert figures(read, lambda _, scores: [logit >= NEEDED for _, logit in scores])["F1"] > FLOOR


STORIES = {
    "Our CTO in Berlin insists that the H100 has 96 GB of memory, is he right?": "Berlin",
    "For our lab in Graz: how much memory does an H200 have?": "Graz",
    "Somebody on Reddit asked me what the memory bandwidth of the TPU v5p is": "Reddit",
    "My professor wants the memory bandwidth of the TPU v5p for a slide": "professor",
    "We at the university are debating whether the MI300X or the H200 has more bandwidth": "university",
}


@pytest.mark.parametrize(("question", "aside"), STORIES.items())
def test_who_asks_and_where_is_not_needed(reader: Reader, domain: Domain, question: str, aside: str) -> None:  # noqa: F811
    (short, *_) = shortened(question, reader.needed(question), domain)
    assert aside not in short.text
