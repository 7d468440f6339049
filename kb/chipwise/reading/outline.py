"""Headings, names and dates among the bare lines of a plain text; and `Page`, the text being analyzed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from chipwise import patterns as re
from chipwise.reading.cues import is_quoted
from chipwise.reading.lines import Unit
from chipwise.types import Role

MOST_HEADING_WORDS: Final = 14
MOST_QUESTION_WORDS: Final = 22
LONGEST_HEADING: Final = 130  # characters
MOST_NAME_WORDS: Final = 10  # with "says:" and a date behind it
LONGEST_NAME: Final = 80  # characters
LONGEST_INITIALS: Final = 2
MOST_DATELINE_WORDS: Final = 12
LONGEST_STACK: Final = 3  # headings directly under each other; more short lines in a row are a list
PROSE: Final = 60  # characters; text under a heading is at least that long, or a list

_HASHES: Final = re.compile(r"#{1,6}[ \t]+\S")
_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+(?=[A-Z])")
# A table's cell on a line of its own: "2.77 TB/s", "$12.00", "58%".
_VALUE: Final = re.compile(
    r"[~≈<>±$€£]*\d(?:[\d.,x×–-]*\d)?\+?(?: ?(?:%|x|×|[kKMGTPE]?i?[bB](?:it|ps|/s)?|[kMG]?Wh?|[kMGTPE]?(?:FLOPS?|OPS|Hz)(?:/s)?|nm|mm²?|ms|tokens/s))?"
)
_OPENS: Final = re.compile(r"[\"“'‘(¿]?[^\W_]")
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
DATE: Final = re.compile(
    rf"\b(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?[,.]? ?\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2}))\b|\b\d+ (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b",
    re.IGNORECASE,
)
_SAID: Final = re.compile(r"[,:]?\s*(?:says|said|wrote|writes|commented|replied)?\s*:?\s*$", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-Z][\w'’-]*\.?(?: (?:[A-Z][\w'’-]*\.?|de|da|van|von|der|den|bin|al|el|la|le)){0,3}")
# capitalized like a name, but a word of headings
_NO_NAME: Final = frozenset(  # a block of words reads better than a list of strings
    """
    about accelerator accelerators additional advanced alternatives analysis and appendix architecture
    article availability background basics benchmark benchmarks best beyond bottom business case cases chip
    chips choosing closing cloud code common community comparing comparison computing conclusion conclusions
    considerations core cost costs data deep deployment design developer difference differences ecosystem
    energy engineering example examples experience final findings for frequently future getting gpu gpus
    guide hardware history how hybrid implementation inference infrastructure innovation insights
    introduction is key large latest learning limitations line look machine market matters memory
    methodology model models motivation my network networking new next notes of on options our outlook
    overview performance power practical pricing problem pros quick real recap recommendations references
    requirements results roadmap scaling section software solution solutions specifications started steps
    strategies strategy summary support system systems takeaway takeaways technical technology the thoughts
    tools tpu tpus training trends types understanding use user using verdict versus vs what when where
    which who why with word words work workload workloads world your
    """.split()
)


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
    return bool(opens) and not words[opens.end() - 1].islower() if opens else False


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
        items_around = unit.is_item and _has_item_beside(units, at)
        in_table = roles[at] is Role.TABLE
        if could_be_heading(unit) and (unit.first or not parted) and not items_around and not in_table:
            stack.append(at)
            continue
        if stack and (in_table or _carries(units[stack[-1]], unit)):
            # subtle: of a long run of short lines only the last can be a heading
            headings.update(stack if len(stack) <= LONGEST_STACK else stack[-1:])
        stack = []
    return headings


def _has_item_beside(units: list[Unit], at: int) -> bool:
    return any(0 <= beside < len(units) and units[beside].is_item for beside in (at - 1, at + 1))


def _carries(heading: Unit, below: Unit) -> bool:
    if heading.is_question and below.ends_sentence and not below.is_question:
        return True
    if below.is_item or heading_level(heading) or _HASHES.match(heading.words):
        return True
    return len(below.words) > max(PROSE, len(heading.words)) or below.words.endswith(":")


def name_of(unit: Unit, lower_words: frozenset[str]) -> str:
    """Return the person's name that makes up a line ("Ann Lee", "Ann Lee says:"), or "".

    `lower_words` are the document's words that occur in lower case: words of a heading do, a name's don't.
    """
    if unit.count > MOST_NAME_WORDS or unit.is_item or len(unit.words) > LONGEST_NAME:
        return ""
    name = _NAME.fullmatch(_SAID.sub("", DATE.sub("", unit.words).strip(" ,·•|-–—")))
    if name is None:
        return ""
    for word in name[0].split():
        plain = word.rstrip(".").lower()
        if plain in _NO_NAME or (plain in lower_words and word[0].isupper()):
            return ""
        if len(word) > LONGEST_INITIALS and word.rstrip("s").isupper():
            return ""  # an acronym: "NCCL", "GPUs"
    return name[0]


def is_dateline(unit: Unit) -> bool:
    """True for a line with only a date, possibly with a name and a rubric."""
    return unit.count <= MOST_DATELINE_WORDS and not unit.ends_sentence and DATE.search(unit.words[:200]) is not None


@dataclass
class Page:
    """A text being analyzed: its units, each with its role once settled, else None.

    `headings` are indices of units; `paths` gives the heading path of a heading that isn't just its own words.
    """

    units: list[Unit]
    roles: list[Role | None]
    headings: set[int]
    title: str = ""
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def segments(self) -> list[tuple[int, list[int]]]:
        """Return each heading with the units below it, down to the next heading."""
        at = [*sorted(self.headings), len(self.units)]
        return [(head, list(range(head + 1, end))) for head, end in pairwise(at)]

    def claim(self, at: int, role: Role) -> None:
        """Give the unit the role unless it has one."""
        self.roles[at] = self.roles[at] or role
