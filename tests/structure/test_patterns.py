"""Expressions compiled when first used are those of the standard library, later."""

from __future__ import annotations

import re

from chipwise import patterns


def test_a_pattern_does_what_the_standard_librarys_does() -> None:
    made, own = patterns.compile(r"(\d+) gb", patterns.I), re.compile(r"(\d+) gb", re.I)
    text = "80 GB or 141 gb"
    assert made.findall(text) == own.findall(text)
    assert [m.span(1) for m in made.finditer(text, 3)] == [m.span(1) for m in own.finditer(text, 3)]
    assert made.sub("x", text) == own.sub("x", text)
    assert (made.pattern, made.flags, made.groups) == (own.pattern, own.flags, own.groups)
    assert made.match("gb") is None


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = patterns.compile("(")
    assert broken.pattern == "("
