"""The outline of a plain text: which of its bare lines are headings, and `Page`, the text while its roles are settled."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from chipwise import patterns as re
from chipwise.reading.lines import Unit
from chipwise.types import Role

MOST_HEADING_WORDS: Final = 14
MOST_QUESTION_WORDS: Final = 22
LONGEST_HEADING: Final = 130  # characters
LONGEST_STACK: Final = 3  # headings directly under each other; more short lines in a row are a list
PROSE: Final = 60  # characters; text under a heading is at least that long, or a list

_HASHES: Final = re.compile(r"#{1,6}[ \t]+\S")
_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+(?=[A-Z])")
# a table's cell on a line of its own: "2.77 TB/s", "$12.00", "58%"
_VALUE: Final = re.compile(r"\W{0,2}\d(?:[\d.,x×–-]*\d)?\+?(?: ?(?![A-Z][a-z]{2})[^\s\d]{1,8})?")
_OPENS: Final = re.compile(r"[\"“'‘(¿]?[^\W_]")
_QUOTED: Final = re.compile(r"[\"“«].{8,400}[\"”»][.!]?(?: ?[—–-] ?.{2,60})?")


@dataclass
class Page:
    """A text while it is read: its units, each with its role once that is settled, else None.

    `headings` are indices of units; `paths` gives the heading path of a heading that isn't just its own words.
    """

    units: list[Unit]
    roles: list[Role | None]
    headings: set[int] = field(default_factory=set)
    title: str = ""
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def segments(self) -> list[tuple[int, list[int]]]:
        """Return each heading with the units below it, down to the next heading."""
        at = [*sorted(self.headings), len(self.units)]
        return [(head, list(range(head + 1, end))) for head, end in pairwise(at)]

    def claim(self, at: int, role: Role) -> None:
        """Give the unit the role unless it has one."""
        self.roles[at] = self.roles[at] or role


def is_quoted(words: str) -> bool:
    """True if the whole text is in quotation marks, apart from a name at the end."""
    return _QUOTED.fullmatch(words) is not None


def heading_level(unit: Unit) -> int:
    """1 to 6 if the line states its level ("## A", "2.1 A"), else 0."""
    if _HASHES.match(unit.words):
        return len(unit.words) - len(unit.words.lstrip("#"))
    numbered = _NUMBERED.match(unit.words)
    return numbered[1].count(".") + 1 if numbered else 0


def could_be_heading(unit: Unit) -> bool:
    """True for a short line that starts like a title and doesn't end like a sentence."""
    words = unit.words
    if _HASHES.match(words):
        return True
    most = MOST_QUESTION_WORDS if unit.is_question else MOST_HEADING_WORDS
    if unit.count > most or len(words) > LONGEST_HEADING or words[-1] in ".,;:!…|" or is_quoted(words):
        return False
    if _VALUE.fullmatch(words) or (unit.is_item and not _NUMBERED.match(words)):
        return False
    opens = _OPENS.match(words)
    return opens is not None and not words[opens.end() - 1].islower()


def find_headings(units: list[Unit], roles: list[Role | None]) -> set[int]:
    """Return the indices of headings: candidates above something longer, at most three in a stack.

    Boilerplate is skipped. In a text that separates paragraphs by blank lines, a heading has one above it.
    """
    parted = sum(unit.first and unit.last for unit in units) * 2 > len(units)
    headings: set[int] = set()
    stack: list[int] = []
    for at, unit in enumerate(units):
        if roles[at] is Role.BOILERPLATE:
            continue
        in_list = unit.is_item and any(each.is_item for each in (*units[max(at - 1, 0) : at], *units[at + 1 : at + 2]))
        in_table = roles[at] is Role.TABLE
        if could_be_heading(unit) and (unit.first or not parted) and not in_list and not in_table:
            stack.append(at)
            continue
        if stack and (in_table or _carries(units[stack[-1]], unit)):
            # subtle: of a long run of short lines only the last can be a heading
            headings.update(stack if len(stack) <= LONGEST_STACK else stack[-1:])
        stack = []
    return headings


def _carries(heading: Unit, below: Unit) -> bool:
    if (
        below.is_item
        or heading_level(heading)
        or (heading.is_question and below.ends_sentence and not below.is_question)
    ):
        return True
    return len(below.words) > max(PROSE, len(heading.words)) or below.words.endswith(":")
