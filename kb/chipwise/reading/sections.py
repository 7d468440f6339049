"""The role of a section by its heading: comments, questions, advertising, a biography. And the clean text of a heading.

Whole headings count, not words in them: "Related work" and "Response times" are body.
"""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.decoding import one_line
from chipwise.reading.wordings import wordings
from chipwise.types import Role

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


def reach(title: str, level: int, role: Role) -> int:
    """The level that ends the section's role: its own, or any heading for a table of contents or the page's top.

    A "Contents" at level 1 often holds the whole document, chapter by chapter.
    """
    bare = role is Role.BOILERPLATE and (level == 1 or any(words in title.lower() for words in _CONTENTS))
    return DEEPEST if bare else level


def clean_heading(raw: str) -> str:
    """Return a heading without Markdown's marks: "**`A`** [b](c) ##" becomes "A b"."""
    text = one_line(raw, 2 * LONGEST_HEADING)
    text = _TRAILING.sub("", _TRAILING.sub("", text))
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    return one_line(_MARKS.sub("", _TAG.sub("", text)), LONGEST_HEADING)
