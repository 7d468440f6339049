"""The excerpt of a quote and the carets below it, by the columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise_cli.places import CUT, cell, excerpt


def columns(text: str) -> int:
    return sum(width for _, width in map(cell, text))


def marked(quote: str, mark: str, room: int = 80) -> tuple[str, str]:
    first = quote.index(mark)
    return excerpt(quote, first, first + len(mark), room)


@pytest.mark.parametrize(
    ("quote", "mark", "text", "carets"),
    [
        ("The H200 has 141 GB.", "141 GB", "The H200 has 141 GB.", "             ^^^^^^"),
        ("141 GB", "141 GB", "141 GB", "^^^^^^"),
        ("first line\nand 141 GB\nlast", "141 GB", "and 141 GB", "    ^^^^^^"),
        ("has 141\nGB of it", "141\nGB", "has 141", "    ^^^"),
        ("显存是141 GB", "141 GB", "显存是141 GB", "      ^^^^^^"),
        ("ＧＰＵ显存", "显存", "ＧＰＵ显存", "      ^^^^"),
        ("a\u0301b 3 GB", "3 GB", "a\u0301b 3 GB", "   ^^^^"),
        ("\u1112\u1161\u11ab 3", "3", "\u1112\u1161\u11ab 3", "   ^"),
        ("|\t141\t|", "141", "|    141    |", "     ^^^"),
        ("a \x1b[31m3 GB", "3 GB", "a \ufffd[31m3 GB", "       ^^^^"),
        ("a \u202e3 GB\u200b", "3 GB\u200b", "a \ufffd3 GB\ufffd", "   ^^^^^"),
        ("  indented 3", "3", "  indented 3", "           ^"),
    ],
)
def test_the_carets_stand_below_the_mark(quote: str, mark: str, text: str, carets: str) -> None:
    assert marked(quote, mark) == (text, carets)


def test_a_long_line_is_cut_around_the_mark() -> None:
    words = "word " * 40
    text, carets = marked(f"{words}141 GB {words}", "141 GB", 40)
    assert text == "…word word word 141 GB word word word…"
    assert carets == "                ^^^^^^"
    assert text[carets.index("^") :][:6] == "141 GB"


def test_a_long_line_is_cut_at_one_end_where_the_mark_is_at_the_other() -> None:
    words = "word " * 40
    assert marked(f"3 GB {words}", "3 GB", 20) == ("3 GB word word…", "^^^^")
    assert marked(f"{words}3 GB", "3 GB", 20) == ("…word word 3 GB", "           ^^^^")


def test_a_mark_that_is_longer_than_the_line_is_shown_from_its_beginning() -> None:
    text, carets = marked("see " + "x" * 100, "x" * 100, 20)
    assert text == f"…{'x' * 18}…"
    assert carets == f" {'^' * 18}"


def test_an_empty_mark_and_an_empty_quote_have_one_caret() -> None:
    assert excerpt("", 0, 0, 20) == ("", "^")
    assert excerpt("abc", 3, 3, 20) == ("abc", "   ^")


def test_a_line_of_a_million_characters_takes_no_time() -> None:
    for line in ("x" * 1_000_000, "a" + "\u0301" * 1_000_000):
        text, _ = excerpt(line, 500_000, 1_000_000, 80)
        assert columns(text) <= 80


@given(st.text(), st.integers(0, 60), st.integers(0, 60), st.integers(20, 100))
def test_whatever_is_marked_the_excerpt_fits_and_the_carets_lie_below_it(
    quote: str, first: int, length: int, room: int
) -> None:
    first = min(first, len(quote))
    text, carets = excerpt(quote, first, min(first + length, len(quote)), room)
    assert columns(text) <= room
    assert len(carets) <= columns(text) + 1
    assert "\n" not in text
    assert set(carets) <= {" ", "^"}
    assert "^" in carets
    assert all(c == "\ufffd" or c.isprintable() or c == CUT or cell(c)[0] == c for c in text)
