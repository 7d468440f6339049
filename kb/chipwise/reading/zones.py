"""The zones of a copied web page: above the article, around it and after it.

Structured formats mark these by tags; plain text only by order and wording.
"""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.lines import Unit
from chipwise.reading.outline import PROSE, Page, could_be_heading, is_dateline
from chipwise.reading.sections import clean_heading, section_role
from chipwise.reading.voices import COMMENTS_AFTER, mark_biographies, mark_comments, mark_questions, mark_testimonials
from chipwise.types import Role

PROSE_WORDS: Final = 25
ARTICLE_WORDS: Final = 40  # in two sentences: more than a teaser for another article has
MOST_NAVIGATION_WORDS: Final = 6
MOST_CRUMB_WORDS: Final = 8
MOST_OPENER_WORDS: Final = 9
MOST_TAG_WORDS: Final = 4
FEWEST_TITLE_WORDS: Final = 4  # a first line of fewer may be a menu's

_CRUMBS: Final = re.compile(r"\s(?:→|»|›|>|/|\||·)\s")
_OTHERS: Final = re.compile(
    r"(?:related|similar|recommended|popular|trending|latest|recent|more|you (?:may|might)|read next|up next|keep reading|continue reading"
    r"|table of|contents|on this page|in this (?:article|post)|what (?:our|people|customers|users|clients))\b",
    re.IGNORECASE,
)
_RESOURCES: Final = re.compile(
    r"(?:additional|more|further|helpful|useful) (?:resources|links|reading)\W*", re.IGNORECASE
)
_DIGIT: Final = re.compile(r"\d")
_STOPS: Final = re.compile(r"[.!?](?:\s|$)")


def mark_zones(page: Page) -> None:
    """Settle roles and headings of a plain text, in the order in which one zone hides another."""
    _mark_preamble(page)
    mark_testimonials(page)
    mark_biographies(page)
    _mark_sections(page)
    mark_comments(page)
    mark_questions(page)
    _mark_headings(page)
    _mark_tags(page)


def _is_prose(unit: Unit) -> bool:
    return not unit.is_item and (unit.count >= PROSE_WORDS or (unit.ends_sentence and len(unit.words) >= PROSE))


def _is_article(unit: Unit) -> bool:
    """True for unmistakable prose, which ends a list of other articles."""
    return not unit.is_item and unit.count >= ARTICLE_WORDS and len(_STOPS.findall(unit.words)) > 1


def _mark_preamble(page: Page) -> None:
    """Find the title, and mark navigation, breadcrumbs and date lines above the first paragraph."""
    units = page.units
    prose = next((at for at, unit in enumerate(units) if _is_prose(unit) and page.roles[at] is None), 0)
    above = [at for at in range(prose) if page.roles[at] is None]
    crumbs = {at for at in above if _is_crumb(units[at]) or is_dateline(units[at])}
    crumbs |= {at for at in above if at and is_dateline(units[at + 1]) and _is_byline(units[at])}
    titles = [at for at in above if at not in crumbs and could_be_heading(units[at]) and not units[at].is_item]
    if not titles:
        return
    title = next((at for at in titles if units[at].count >= FEWEST_TITLE_WORDS), titles[0])
    page.title = clean_heading(units[title].words)
    again = {at for at in titles if clean_heading(units[at].words) == page.title}
    page.headings = ({at for at in page.headings if at >= title} | again) - crumbs
    before = [at for at in above if at < title and _is_navigation(units[at])]
    for at in [*crumbs, *(before if len(before) > 1 else ())]:
        page.roles[at] = Role.BOILERPLATE


def _is_crumb(unit: Unit) -> bool:
    return unit.count <= MOST_CRUMB_WORDS and _CRUMBS.search(unit.words) is not None


def _is_byline(unit: Unit) -> bool:
    """True for a possible name or rubric above a date. A title has more words, or is the first line."""
    return unit.count < FEWEST_TITLE_WORDS and not unit.ends_sentence and not _DIGIT.search(unit.words)


def _is_navigation(unit: Unit) -> bool:
    return unit.count <= MOST_NAVIGATION_WORDS and not _DIGIT.search(unit.words)


def _mark_sections(page: Page) -> None:
    """Mark zones that a line opens by its wording: comments, other articles, about the author.

    No zone begins before the first paragraph, where the same words belong to a menu.
    """
    zone: Role | None = None
    begun = False
    for at, unit in enumerate(page.units):
        opened = _opens(page, at) if begun else None
        begun = begun or _is_prose(unit)
        if opened:
            zone = None if opened is Role.FAQ else opened
        if opened in (Role.COMMENT, Role.FAQ, Role.BIO):
            page.headings.add(at)
            page.roles[at] = Role.HEADING
        elif zone and _ends(page, zone, at):
            zone = None
            _release(page, at - 1)
        elif zone and (page.roles[at] is None or at in page.headings):
            page.roles[at] = zone
            if zone is not Role.COMMENT:
                page.headings.discard(at)


def _ends(page: Page, zone: Role, at: int) -> bool:
    """True if the unit is beyond the zone.

    Near the end of a page, a list of other articles gives each a sentence, seldom two paragraphs in a
    row. In the first half it is a box that any prose ends.
    """
    unit = page.units[at]
    if zone is Role.BOILERPLATE:
        early = at <= len(page.units) / 2
        runs_on = at + 1 < len(page.units) and _is_prose(page.units[at + 1]) and page.roles[at + 1] is None
        return page.roles[at] is None and (_is_article(unit) or (_is_prose(unit) and (early or runs_on)))
    return zone is Role.BIO and at in page.headings


def _opens(page: Page, at: int) -> Role | None:
    """The zone that the line opens. A line of furniture ("Privacy policy") opens none."""
    unit = page.units[at]
    if unit.count > MOST_OPENER_WORDS or unit.ends_sentence or unit.is_item:
        return None
    role = section_role(clean_heading(unit.words))
    if role is Role.BOILERPLATE and not _OTHERS.match(unit.words):
        return None
    if role is Role.COMMENT and not (could_be_heading(unit) and at >= COMMENTS_AFTER * len(page.units)):
        return None  # the word "comments" in a manual's example
    after = page.roles[at + 1] if at + 1 < len(page.roles) else None
    if role is None and _RESOURCES.fullmatch(unit.words) and after is Role.BOILERPLATE:
        return Role.BOILERPLATE
    return role


def _release(page: Page, at: int) -> None:
    """Turn the line above an article's paragraph back into its heading."""
    if page.roles[at] is Role.BOILERPLATE and could_be_heading(page.units[at]):
        page.roles[at] = None
        page.headings.add(at)


def _mark_headings(page: Page) -> None:
    """Mark headings; those above only boilerplate become boilerplate."""
    for head, below in reversed(page.segments()):
        bare = all(page.roles[at] is Role.BOILERPLATE for at in below)
        stacked = not below and head + 1 < len(page.roles) and page.roles[head + 1] is Role.HEADING
        titled = clean_heading(page.units[head].words) == page.title
        page.roles[head] = Role.HEADING if titled or stacked or not bare else Role.BOILERPLATE
        if page.roles[head] is Role.BOILERPLATE:
            page.headings.discard(head)


def _mark_tags(page: Page) -> None:
    """Mark short bare lines at the end, above boilerplate or nothing: a rubric, a button."""
    for at in range(len(page.units) - 1, len(page.units) // 2, -1):
        unit = page.units[at]
        last = at + 1 == len(page.units) or page.roles[at + 1] is Role.BOILERPLATE
        tag = unit.count <= MOST_TAG_WORDS and could_be_heading(unit) and not _DIGIT.search(unit.words)
        if page.roles[at] is None and last and tag:
            page.roles[at] = Role.BOILERPLATE
