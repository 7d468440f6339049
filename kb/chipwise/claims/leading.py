"""What a sentence stands under: the words that open its item or lead into its list, a question, its heading."""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.text import BULLET, ITEM_MARK
from chipwise.types import Passage

_OPENING = re.compile(rf"\s*{BULLET}\s+\**([^.:?!]{{3,60}}:)")  # "- Use GPUs if: ..."

_EMPTY_LINE = re.compile(r"\n[ \t>]*\n")
_SPEAKER = re.compile(r"[\s*_]*(?:Q|A|Question|Answer)[*_]*:(?=[\s*_])")  # "**Q:** ...", "A: 80 GB"


def unmarked(text: str) -> str:
    """A sentence of questions and answers with the mark that opens it blanked out, as long as before."""
    mark = _SPEAKER.match(text)
    return " " * mark.end() + text[mark.end() :] if mark else text


def lead(passage: Passage, number: int) -> str:
    """What a sentence stands under: the words that open its item or lead into its list, a question, its heading."""
    item = item_of(passage, number)
    if item is not None:
        own = _OPENING.match(passage.text[slice(*passage.sentences[item])])
        if own and number > item:
            return own[1]
        for earlier in range(item - 1, -1, -1):
            if item_of(passage, earlier) is None:
                before = passage.text[slice(*passage.sentences[earlier])].strip()
                return before if before.rstrip("*_ ").endswith(":") else ""
    if number:
        before = passage.text[slice(*passage.sentences[number - 1])].strip()
        if before.endswith(("?", ":")):
            return before
    return passage.heading[-1] if passage.heading and number == 0 else ""


def item_of(passage: Passage, number: int) -> int | None:
    """The sentence that begins the list item of this one: itself, or one before it on its line."""
    for at in range(number, -1, -1):
        start = passage.sentences[at][0]
        if ITEM_MARK.match(passage.text[start : passage.sentences[at][1]]):
            return at
        if at and "\n" in passage.text[passage.sentences[at - 1][1] : start]:
            return None
    return None


def opens_paragraph(passage: Passage, number: int) -> bool:
    """True for the first sentence of a passage, and for one behind an empty line."""
    if number == 0:
        return True
    return _EMPTY_LINE.search(passage.text, passage.sentences[number - 1][1], passage.sentences[number][0]) is not None
