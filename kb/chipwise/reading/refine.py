"""The passes of plain text over blocks that came with a structure of their own.

HTML, PDF and DOCX say what is a heading or a list and leave the rest to be seen:
advertising between paragraphs, readers' names above comments, questions, links.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from chipwise.reading.blocks import Draft
from chipwise.reading.cues import is_boilerplate
from chipwise.reading.lines import Unit
from chipwise.reading.page import Page
from chipwise.reading.voices import mark_biographies, mark_comments, mark_questions, mark_testimonials
from chipwise.types import Role

LINKED: Final = 0.7  # of a block's characters; running text has less
MOST_LINK_WORDS: Final = 12
FEWEST_LINKS: Final = 3  # such blocks in a row are a menu; one is a reference


def refine(text: str, drafts: list[Draft], links: list[float] | None = None) -> list[Draft]:
    """The drafts with sharper roles. Only body and list blocks change; `links` holds the linked share of each."""
    units = [_unit(text, draft) for draft in drafts]
    open_roles = (Role.BODY, Role.LIST, Role.HEADING)
    page = Page(units, [None if draft.role in open_roles else draft.role for draft in drafts], set())
    page.headings = {at for at, draft in enumerate(drafts) if draft.role is Role.HEADING}
    for at, unit in enumerate(units):
        if page.roles[at] is None and at not in page.headings and is_boilerplate(unit.words, unit.count):
            page.roles[at] = Role.BOILERPLATE
    for at in _menus(units, links or []):
        if page.roles[at] is None and at not in page.headings:
            page.roles[at] = Role.BOILERPLATE
    for mark in (mark_testimonials, mark_biographies, mark_comments, mark_questions):
        mark(page)
    return [_refined(draft, page, at) for at, draft in enumerate(drafts)]


def _unit(text: str, draft: Draft) -> Unit:
    words = " ".join(text[draft.start : draft.end].split())
    return Unit(draft.start, draft.end, words, True, True)


def _menus(units: list[Unit], links: list[float]) -> list[int]:
    """Blocks that are little else than links, where three or more stand together."""
    found: list[int] = []
    run: list[int] = []
    for at, share in enumerate([*links, 0.0]):
        if share >= LINKED and units[at].count <= MOST_LINK_WORDS:
            run.append(at)
            continue
        found += run if len(run) >= FEWEST_LINKS else []
        run = []
    return found


def _refined(draft: Draft, page: Page, at: int) -> Draft:
    role = page.roles[at] or draft.role
    if draft.role is Role.HEADING and role is not Role.BOILERPLATE:
        return draft
    path = next((page.paths[head] for head in (_head(page, at),) if head in page.paths), draft.heading)
    return replace(draft, role=role, heading=path if role is Role.COMMENT else draft.heading)


def _head(page: Page, at: int) -> int:
    return max((head for head in page.headings if head < at), default=-1)
