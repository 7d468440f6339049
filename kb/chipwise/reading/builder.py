"""Builds a document's text block by block, for formats whose text we write ourselves.

HTML, DOCX and PDF have no text file to point into: blocks are written one after
the other, parted by a blank line, and their spans and heading paths kept.
"""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.blocks import Draft, Span
from chipwise.reading.decoding import normalise
from chipwise.reading.sections import clean_heading, reach, section_role
from chipwise.types import Role

GAP: Final = "\n\n"
# Characters without width or meaning once the text is ours: soft hyphens, joiners, marks.
_WEIGHTLESS: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
MOST_COLUMNS: Final = 64


class Builder:
    """Text so far, its drafts, and the headings above what comes next."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self._parts: list[str] = []
        self._length = 0
        self._path: list[tuple[int, str]] = []
        self._roles: list[tuple[int, Role]] = []

    @property
    def text(self) -> str:
        """What has been written."""
        return GAP.join(self._parts)

    def heading(self, words: str, level: int, *, page: int | None = None) -> None:
        """A heading; a level of 1 to 6 (or deeper), closing those of the same level and below."""
        title = clean_heading(words)
        if not title:
            return
        self._path = [above for above in self._path if above[0] < level]
        self._roles = [above for above in self._roles if above[0] < level]
        self.block(words.replace("\n", " "), Role.HEADING, page=page)
        role = section_role(title)
        if role and (level > 1 or len(self.drafts) > 1):
            self._roles.append((reach(title, level, role), role))
        self._path.append((level, title))

    def block(self, words: str, role: Role, *, page: int | None = None, above: tuple[str, ...] = ()) -> None:
        """One block; blank ones are left out. `above` lengthens the heading path for it alone."""
        words = tidy(words)
        if not words:
            return
        if role is not Role.HEADING and self._roles and role is not Role.BOILERPLATE:
            role = self._roles[-1][1]
        path = tuple(title for _, title in self._path) + above
        start = self._length
        self._write(words)
        self.drafts.append(Draft(start, start + len(words), role, path, page))

    def table(self, rows: list[list[str]], heads: int, *, role: Role = Role.TABLE, above: tuple[str, ...] = ()) -> None:
        """A row per line, cells parted by " | "; the first `heads` rows are its header."""
        lines = [" | ".join(map(_cell, row[:MOST_COLUMNS])) for row in rows]
        lines = [line for line in lines if line.strip(" |")]
        if not lines:
            return
        self.block("\n".join(lines), role, above=above)
        draft = self.drafts[-1]
        if 0 < heads < len(lines):
            width = len("\n".join(lines[:heads]).strip())
            header: Span = (draft.start, draft.start + width)
            self.drafts[-1] = Draft(draft.start, draft.end, draft.role, draft.heading, draft.page, header)

    def _write(self, words: str) -> None:
        self._parts.append(words)
        self._length += len(words) + len(GAP)


def tidy(words: str) -> str:
    """Normalised, blanks collapsed, each line stripped, no blank line; leading blanks of a line go too."""
    plain = _BLANKS.sub(" ", normalise(_WEIGHTLESS.sub("", words)))
    return "\n".join(line for each in plain.split("\n") if (line := each.strip()))


def _cell(words: str) -> str:
    return " ".join(tidy(words).replace("|", "/").split())
