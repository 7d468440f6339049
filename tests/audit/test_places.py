"""Where quotes stand: regions, and origins as paths and as URIs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise_cli.places import Region, is_address, local_path, marked, region, uri

from .samples import DIGEST, IN_NOTE, NOTE, evidence


def test_the_region_is_that_of_the_mark() -> None:
    start = NOTE.index("141 GB")
    assert region(IN_NOTE) == Region(12, 18, 12, 24, start, 6, "141 GB")


def test_without_a_mark_the_region_is_the_quote() -> None:
    quote = evidence(DIGEST, "Said:\n\nThe H200")
    assert region(quote) == Region(3, 1, 5, 9, DIGEST.index("Said"), 15, "Said:\n\nThe H200")


@pytest.mark.parametrize("mark", [(-3, 5), (2, 900), (900, 901), (5, 2)])
def test_a_mark_that_leaves_the_quote_is_cut(mark: tuple[int, int]) -> None:
    first, last = marked(replace(IN_NOTE, mark=mark))
    assert 0 <= first <= last <= len(IN_NOTE.quote)


def test_lines_and_columns_begin_with_one() -> None:
    assert (region(replace(IN_NOTE, line=0, column=0)).line, region(replace(IN_NOTE, column=0)).column) == (1, 1)


@pytest.mark.parametrize(
    ("origin", "address"),
    [("https://e.org/x", True), ("file:///x", True), ("a/b.md", False), ("note:1.md", False), ("C:\\a.md", False)],
)
def test_addresses_are_told_from_paths(origin: str, address: bool) -> None:
    assert is_address(origin) is address


def test_a_file_under_the_current_folder_is_named_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = tmp_path / "a b" / "ü.md", tmp_path.parent / "x.md"
    assert (local_path(str(inside)), uri(str(inside))) == ("a b/ü.md", "a%20b/%C3%BC.md")
    assert (local_path(str(outside)), uri(str(outside))) == (str(outside), f"file://{outside}")


@pytest.mark.parametrize(
    ("origin", "made"),
    [
        ("corpus/sources/a.md", "corpus/sources/a.md"),
        ("note:1.md", "note%3A1.md"),
        ("a:b?c#d%20.md", "a%3Ab%3Fc%23d%2520.md"),
        ("C:\\docs\\a b.md", "file:///C%3A/docs/a%20b.md"),
        ("https://e.org/a b?x=[1]&y=%41%zz#f#g", "https://e.org/a%20b?x=%5B1%5D&y=%41%25zz#f%23g"),
        ("https://e.org/\x1b\n\u202e", "https://e.org/%1B%0A%E2%80%AE"),
        ("\udcff.md", "%ED%B3%BF.md"),
    ],
)
def test_an_origin_becomes_a_valid_uri_reference(origin: str, made: str) -> None:
    assert uri(origin) == made


@given(st.text())
def test_no_origin_leaves_a_character_that_a_uri_may_not_have(origin: str) -> None:
    assert set(uri(origin)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=%"
    )
