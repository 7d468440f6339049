"""Sentences, words and what is safe to show."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.text import asks, blanked, content_words, one_line, plain, sentences, words


def said(text: str) -> list[str]:
    return [text[slice(*span)] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("It has 3.35 TB/s. The next has 4.8 TB/s.", ["It has 3.35 TB/s.", "The next has 4.8 TB/s."]),
        ("It draws 700 W. The other draws 300 W.", ["It draws 700 W.", "The other draws 300 W."]),
        ("Written by J. Smith et al. in 2024.", ["Written by J. Smith et al. in 2024."]),
        ("Chips, e.g. GPUs, vs. TPUs. Others, i.e. CPUs.", ["Chips, e.g. GPUs, vs. TPUs.", "Others, i.e. CPUs."]),
        ('He said "It is fast." Nobody agreed.', ['He said "It is fast."', "Nobody agreed."]),
        ("It is fast... Or not? (Perhaps.) Yes.", ["It is fast...", "Or not?", "(Perhaps.)", "Yes."]),
        ("It costs more. $12 per hour. 8 chips.", ["It costs more.", "$12 per hour.", "8 chips."]),
        ("see example.com for more. it goes on", ["see example.com for more. it goes on"]),
        ("one line\nthat wraps. And\nanother", ["one line\nthat wraps.", "And\nanother"]),
        ("Three:\n- one\n- two. Two!\n  2) three", ["Three:", "- one", "- two.", "Two!", "2) three"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_a_text_divides_into_its_sentences(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@given(st.text(st.sampled_from("aB1 .!?…\n-*\"')(J$\u00a0\u2028é"), max_size=80) | st.text(max_size=200))
def test_sentences_are_stripped_in_order_disjoint_and_hold_every_word(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a_end <= b_start for (_, a_end), (b_start, _) in pairwise(spans))
    assert all(piece == piece.strip() for piece in said(text))
    assert "".join("".join(said(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("piece", [".", "?!", ". ", "a.", '."', " ", "\n- ", "J. ", "word. ", "1"])
def test_a_megabyte_of_anything_divides_in_one_pass(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + "a"
    spans = sentences(text)
    assert spans[-1][1] == len(text)


def drives_a_terminal(character: str) -> bool:
    """Controls, line breaks that no terminal shows as such, what reorders a line, what nobody sees."""
    hidden = unicodedata.name(character, "").startswith(("ZERO WIDTH", "TAG ", "WORD JOINER", "SOFT HYPHEN"))
    reorders = unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    kinds = ("Cc", "Cs", "Co", "Zl", "Zp")
    return hidden or reorders or (unicodedata.category(character) in kinds and character not in "\t\n")


def test_every_character_that_could_drive_a_terminal_is_replaced() -> None:
    dangerous = [chr(code) for code in range(0x110000) if drives_a_terminal(chr(code))]
    assert {plain(character) for character in dangerous} == {"\ufffd"}
    assert len(dangerous) > 65 + 2048 + 6400  # C0 and C1, surrogates, private use


@given(st.text(max_size=300))
def test_plain_text_drives_no_terminal_and_keeps_its_length(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert not any(map(drives_a_terminal, shown))
    assert all(ours in (theirs, "\ufffd") for ours, theirs in zip(shown, text, strict=True))


def test_plain_text_keeps_what_people_write() -> None:
    text = "naïve café — “quotes”, 3 × 4 ≈ 12 µs, 显存 🚀\n\tnext"
    assert plain(text) == text


def test_one_line_is_one_line() -> None:
    assert one_line("  a\n\n b\tc\u2028d\x1b[1m ") == "a b c\ufffdd\ufffd[1m"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The H100's memory", ["the", "h100", "memory"]),
        ("The H100’s memory", ["the", "h100", "memory"]),
        ("don't stop", ["don't", "stop"]),
        ("GPU/TPU all-reduce", ["gpu", "tpu", "all", "reduce"]),
        ("snake_case 3.35", ["snake", "case", "3", "35"]),
        ("chips' sides", ["chips", "sides"]),
        ("", []),
    ],
)
def test_words_are_lower_case_and_without_a_possessive(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_content_words_are_those_with_a_topic_once_each() -> None:
    assert content_words("What is the memory of the H100, and the memory of the H200?") == ["memory", "h100", "h200"]


@given(st.text(max_size=200))
def test_content_words_are_words_of_the_text(text: str) -> None:
    found = content_words(text)
    assert len(set(found)) == len(found)
    assert set(found) <= set(words(text))


@pytest.mark.parametrize("text", ["Is it?", "“Is it?”", "(Is it?)", 'He asks: "Is it?" ', "Is it?\n"])
def test_a_question_asks_in_quotation_marks_too(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize("text", ["", "It is.", "“Is it?” It is.", "Is it? [1]"])
def test_what_ends_otherwise_does_not_ask(text: str) -> None:
    assert not asks(text)


def test_a_blanked_text_keeps_its_length_and_the_places_of_the_rest() -> None:
    assert blanked("the H100 at $2", [(4, 8), (12, 14)]) == "the      at   "
    assert blanked("the H100 at $2", [(4, 8), (12, 14)], "#") == "the #    at # "
