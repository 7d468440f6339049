"""The role of a section by its heading: comments, questions, advertising, a biography. And the clean text of a heading.

Whole headings count, not words in them: "Related work" and "Response times" are body. The wording of voices and furniture
is data: pages.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from chipwise import patterns as re
from chipwise.corpus import domain_folder
from chipwise.domain.cues import Lexicon
from chipwise.domain.records import Voice
from chipwise.files import read_text
from chipwise.reading.decoding import one_line
from chipwise.types import Role
from chipwise.values import dataclass

_ROLES: Final = (Role.COMMENT, Role.FAQ, Role.BIO, Role.BOILERPLATE)
_NUMBER: Final = re.compile(r"(?:(?:section |chapter |appendix )?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):]\s+|\d[\d,]* )")
_EDGES: Final = re.compile(r"^\W+|\W+$")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->")
_TRAILING: Final = re.compile(r"\s+#+\s*$|\s*¶\s*$|\{[#.:][^{}]*\}\s*$")
_MARKS: Final = re.compile(r"\*+|`+|~~|(?<!\w)_+|_+(?!\w)|\\(?=[!-/:-@\[-`{-~])")

_CONTENTS: Final = ("contents", "on this page", "in this article", "in this post", "navigation", "menu")
DEEPEST: Final = 9  # below any heading's level
LONGEST_HEADING: Final = 200  # characters; a longer "heading" is a paragraph set in bold
MOST_READ: Final = 1000  # characters of a text in which wordings are looked for


def section_role(heading: str) -> Role | None:
    """The role that a heading gives to the text below it, or None for plain body."""
    return next((role for role in _ROLES if is_heading_of(role.value, heading)), None)


def is_heading_of(kind: str, heading: str) -> bool:
    """True if the whole heading is a wording of that kind, see pages.toml."""
    words = _NUMBER.sub("", _EDGES.sub("", heading.lower()), count=1)
    found = wordings().find(words)
    return any(row.kind == kind and (row.part or (start == 0 and end == len(words))) for row, start, end in found)


def role_within(zone: Role, own: Role) -> Role:
    """The role of a block inside a zone: a table or listing in an answer keeps its own role."""
    return own if zone is Role.FAQ and own in (Role.TABLE, Role.CODE) else zone


class Outline:
    """The headings above a place of a document, and the role that they give to what stands there."""

    def __init__(self) -> None:
        self._titles: list[tuple[int, str]] = []
        self._roles: list[tuple[int, Role]] = []

    @property
    def path(self) -> tuple[str, ...]:
        """The titles, outermost first."""
        return tuple(title for _, title in self._titles)

    def close(self, level: int) -> None:
        """Close headings of this and deeper levels."""
        self._titles = [above for above in self._titles if above[0] < level]
        self._roles = [above for above in self._roles if above[0] < level]

    def open(self, title: str, level: int, *, of_document: bool) -> None:
        """Open a heading. That of the document gives no role: it may be called "GPU FAQ" without being one answer."""
        role = section_role(title)
        if role and not of_document:
            # a "Contents" at level 1 often holds the whole document, chapter by chapter: any heading ends it
            bare = role is Role.BOILERPLATE and (level == 1 or any(words in title.lower() for words in _CONTENTS))
            self._roles.append((DEEPEST if bare else level, role))
        self._titles.append((level, title))

    def role_of(self, own: Role) -> Role:
        """The role of a block here whose own is `own`."""
        if own in (Role.HEADING, Role.BOILERPLATE) or not self._roles:
            return own
        return role_within(self._roles[-1][1], own)


def clean_heading(raw: str) -> str:
    """Return a heading without Markdown's marks: "**`A`** [b](c) ##" becomes "A b"."""
    text = one_line(raw, 2 * LONGEST_HEADING)
    text = _TRAILING.sub("", _TRAILING.sub("", text))
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    return one_line(_MARKS.sub("", _TAG.sub("", text)), LONGEST_HEADING)


@dataclass(frozen=True, slots=True)
class Wording:
    """A row of the file. `most` is the number of words that the line has at most, 0 for any number; a `part` of a heading is enough."""

    kind: str
    most: int = 0
    weight: int = 1
    part: bool = False


class Wordings:
    """All rows, ready for searching."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        words = [Voice(str(n), str(n), "sentence", tuple(row.pop("words"))) for n, row in enumerate(rows)]
        self._rows = [Wording(**row) for row in rows]
        self._lexicon = Lexicon(words)

    def find(self, text: str) -> Iterator[tuple[Wording, int, int]]:
        """Yield each row that the text has words of, once, and where the first of them begin and end."""
        cues = {cue.puts: cue for cue in reversed(self._lexicon.find(text[:MOST_READ]))}
        for number in sorted(map(int, cues)):
            yield self._rows[number], cues[str(number)].start, cues[str(number)].end

    def weigh(self, kind: str, text: str, count: int = 0) -> int:
        """The weights of the rows of one kind that the text has words of, and that allow a line of `count` words."""
        return sum(
            row.weight for row, *_ in self.find(text) if row.kind == kind and (count <= row.most or not row.most)
        )


@cache
def wordings() -> Wordings:
    """The shipped wordings, read once per process."""
    return Wordings(tomllib.loads(read_text(domain_folder() / "pages.toml"))["wording"])
