"""Plain text to drafts, above all raw dumps of web pages.

    units -> tables -> boilerplate by wording -> headings -> furniture and voices -> drafts

Each pass settles the roles it is sure of; any unit left over is body.
"""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.blocks import Draft, Parsed
from chipwise.reading.decoding import one_line
from chipwise.reading.furniture import Page, find_headings, heading_level, is_boilerplate, settle
from chipwise.reading.lines import FlatTable, Unit, find_tables, read_units
from chipwise.reading.sections import clean_heading
from chipwise.types import Role

MOST_LEAD_IN_WORDS: Final = 8  # "Pick TPUs if:" heads each item below; a longer sentence doesn't
TITLE_CHARACTERS: Final = 80
_FIRST_SENTENCE: Final = re.compile(r".{20,80}?[.!?](?=\s|$)", re.DOTALL)


def read_text(text: str, _name: str = "") -> Parsed:
    """Read the blocks of a plain text. Never raises: any text has at least paragraphs."""
    units = read_units(text)
    tables = find_tables(units)
    page = Page(units, [None] * len(units))
    for table in tables:
        page.roles[table.first : table.last + 1] = [Role.TABLE] * (table.last - table.first + 1)
    for at, unit in enumerate(units):
        if page.roles[at] is None and is_boilerplate(unit.words, unit.count):
            page.roles[at] = Role.BOILERPLATE
    captions = {table.first - 1 for table in tables if table.caption}
    page.headings = find_headings(units, page.roles) | captions
    settle(page)
    drafts = _drafts(page, {table.first: table for table in tables})
    return Parsed(text, drafts, title=page.title or first_line(text, drafts))


def first_line(text: str, drafts: list[Draft]) -> str:
    """Return a title for an untitled text: the beginning of its first body block."""
    for draft in drafts:
        if draft.role is Role.BODY:
            words = text[draft.start : min(draft.end, draft.start + 400)]
            sentence = _FIRST_SENTENCE.match(words)
            return one_line(sentence[0] if sentence else words, TITLE_CHARACTERS)
    return ""


def _drafts(page: Page, tables: dict[int, FlatTable]) -> list[Draft]:
    """Return drafts with their heading paths; a table's rows become one block."""
    drafts: list[Draft] = []
    path: tuple[str, ...] = ()
    lead_in: tuple[str, ...] = ()
    at = 0
    while at < len(page.units):
        unit, role = page.units[at], page.roles[at]
        if not unit.is_item:
            lead_in = ()
        if role is Role.TABLE and at in tables:
            drafts.append(_table(page.units, tables[at], path))
            at = tables[at].last
        elif role is Role.HEADING:
            below = page.paths.get(at) or _below(path, unit)
            drafts.append(Draft(unit.start, unit.end, role, below[:-1]))
            path = path if at + 1 in tables and tables[at + 1].caption else below
        else:
            role = role or (Role.LIST if unit.is_item else Role.BODY)
            drafts.append(Draft(unit.start, unit.end, role, path + lead_in))
        if role is Role.BODY and unit.words.endswith(":") and unit.count <= MOST_LEAD_IN_WORDS:
            lead_in = (clean_heading(unit.words.rstrip(":")),)
        at += 1
    return drafts


def _below(path: tuple[str, ...], unit: Unit) -> tuple[str, ...]:
    """The path below a heading: one step deep, because a bare line has no level, or as deep as its number says."""
    level = heading_level(unit)
    return (*path[: max(level - 1, 0)], clean_heading(unit.words.lstrip("# ")))


def _table(units: list[Unit], table: FlatTable, path: tuple[str, ...]) -> Draft:
    first = units[table.first]
    header = (first.start, first.end) if table.header else None
    if table.caption:
        path = (*path, clean_heading(units[table.first - 1].words))
    return Draft(first.start, units[table.last].end, Role.TABLE, path, header=header)
