"""The parts of a copied web page that position and sequence give away, not wording alone.

What stands before the title, runs of testimonials, lists of other articles, readers'
comments, the author's biography, questions with their answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from chipwise.reading.cues import BIOGRAPHY, informality, is_quoted, praises
from chipwise.reading.lines import Unit
from chipwise.reading.outline import DATE, PROSE, could_be_heading, is_dateline, name_of
from chipwise.reading.sections import clean_heading, section_role
from chipwise.types import Role

PROSE_WORDS: Final = 25
ARTICLE_WORDS: Final = 40  # in two sentences: more than a list of other articles says of each
FEWEST_TESTIMONIALS: Final = 3
FEWEST_QUESTIONS: Final = 3  # without a heading that says FAQ; two may be rhetoric
MOST_ANSWER_UNITS: Final = 3
MOST_NAVIGATION_WORDS: Final = 6
COMMENTS_AFTER: Final = 0.3  # of the units; a name above a paragraph before that is a heading
BIOGRAPHY_AFTER: Final = 0.6
BIOGRAPHY_BEFORE: Final = 0.1

_CRUMBS: Final = re.compile(r"\s(?:→|»|›|>|/|\||·)\s")
_OTHERS: Final = re.compile(
    r"(?:related|similar|recommended|popular|trending|latest|recent|more|you (?:may|might)|read next|up next|keep reading|continue reading"
    r"|table of|contents|on this page|in this (?:article|post)|what (?:our|people|customers|users|clients))\b",
    re.IGNORECASE,
)
_RESOURCES: Final = re.compile(r"(?:additional|more|further|helpful|useful) (?:resources|links|reading)\W*", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_LOWER: Final = re.compile(r"\b[a-z][a-z'’-]+")
_STOPS: Final = re.compile(r"[.!?](?:\s|$)")
_QUESTION_MARKED: Final = re.compile(r"Q\d{0,2}[:.]\s|Question(?: \d+)?:\s")
_ANSWER_MARKED: Final = re.compile(r"A\d{0,2}[:.]\s|Answer(?: \d+)?:\s")


@dataclass
class Page:
    """A text's units with the roles settled so far; `paths` are those that a heading opens."""

    units: list[Unit]
    roles: list[Role | None]
    headings: set[int]
    title: str = ""
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def segments(self) -> list[tuple[int, list[int]]]:
        """Each heading with the units below it, down to the next heading."""
        at = sorted(self.headings) + [len(self.units)]
        return [(head, list(range(head + 1, end))) for head, end in pairwise(at)]


def mark_zones(page: Page) -> None:
    """Settles roles and headings, in the order in which one zone hides another."""
    _mark_preamble(page)
    _mark_testimonials(page)
    _mark_biographies(page)
    _mark_sections(page)
    _mark_comments(page)
    _mark_questions(page)
    _mark_headings(page)


def mark_structured(page: Page) -> None:
    """The same for text that came with its headings: only what no structure says."""
    _mark_testimonials(page)
    _mark_biographies(page)
    _mark_comments(page)
    _mark_questions(page)


def _is_prose(unit: Unit) -> bool:
    return not unit.is_item and (unit.count >= PROSE_WORDS or unit.ends_sentence and len(unit.words) >= PROSE)


def _is_article(unit: Unit) -> bool:
    """Prose beyond doubt, which ends a list of other articles."""
    return not unit.is_item and unit.count >= ARTICLE_WORDS and len(_STOPS.findall(unit.words)) >= 2


def _mark_preamble(page: Page) -> None:
    """The title, and navigation, breadcrumbs and date lines above the first paragraph."""
    units = page.units
    prose = next((at for at, unit in enumerate(units) if _is_prose(unit) and page.roles[at] is None), 0)
    above = [at for at in range(prose) if page.roles[at] is None]
    crumbs = {at for at in above if _CRUMBS.search(units[at].words) and units[at].count <= 8 or is_dateline(units[at])}
    titles = [at for at in above if at not in crumbs and could_be_heading(units[at]) and not units[at].is_item]
    if not titles:
        return
    title = next((at for at in titles if units[at].count >= 4), titles[0])
    page.title = clean_heading(units[title].words)
    page.headings = {at for at in page.headings if at >= title} | {title}
    before = [at for at in above if at < title and _is_navigation(units[at])]
    for at in [*crumbs, *(before if len(before) >= 2 else ())]:
        page.roles[at] = Role.BOILERPLATE
    page.headings |= {at for at in titles if clean_heading(units[at].words) == page.title}
    page.headings -= crumbs


def _is_navigation(unit: Unit) -> bool:
    return unit.count <= MOST_NAVIGATION_WORDS and not _DIGIT.search(unit.words)


def _mark_testimonials(page: Page) -> None:
    """Three quoted one-liners or more of which half praise, and the short lines among and around them."""
    quoted = [at for at, unit in enumerate(page.units) if unit.count <= PROSE_WORDS * 2 and is_quoted(unit.words)]
    runs: list[list[int]] = []
    for at in quoted:
        if runs and at - runs[-1][-1] <= 3 and all(_is_aside(page.units[i]) for i in range(runs[-1][-1] + 1, at)):
            runs[-1].append(at)
        else:
            runs.append([at])
    for run in runs:
        if len(run) < FEWEST_TESTIMONIALS or sum(praises(page.units[at].words) for at in run) * 2 < len(run):
            continue
        first, last = run[0], run[-1]
        if first and _is_aside(page.units[first - 1]):
            first -= 1
        while last + 1 < len(page.units) and _is_aside(page.units[last + 1]) and last + 1 not in page.headings:
            last += 1
        page.roles[first : last + 1] = [Role.BOILERPLATE] * (last + 1 - first)
        page.headings -= set(range(first, last + 1))


def _is_aside(unit: Unit) -> bool:
    return unit.count <= 12 and not unit.ends_sentence and not unit.is_item


def _mark_sections(page: Page) -> None:
    """Zones that a line opens by its wording: comments, other articles, about the author."""
    zone: Role | None = None
    begun = False
    for at, unit in enumerate(page.units):
        opened = _opens(page, at) if begun else None
        if opened:
            zone = opened if opened is not Role.FAQ else None
            if opened is not Role.BOILERPLATE:
                page.headings.add(at)
                page.roles[at] = Role.HEADING
                continue
        elif zone is Role.BOILERPLATE and _is_article(unit) and page.roles[at] is None or zone is Role.BIO and at in page.headings:
            zone = None
            _release(page, at - 1)
        if zone and (page.roles[at] is None or at in page.headings):
            page.roles[at] = zone
            if zone is not Role.COMMENT:
                page.headings.discard(at)
        begun = begun or _is_prose(unit)


def _opens(page: Page, at: int) -> Role | None:
    """The zone that the line opens; a furniture line ("Privacy policy") is itself and opens none."""
    unit = page.units[at]
    if unit.count > 9 or unit.ends_sentence or unit.is_item:
        return None
    role = section_role(clean_heading(unit.words))
    if role is Role.BOILERPLATE and not _OTHERS.match(unit.words):
        return None
    after = page.roles[at + 1] if at + 1 < len(page.roles) else None
    if role is None and _RESOURCES.fullmatch(unit.words) and after is Role.BOILERPLATE:
        return Role.BOILERPLATE
    return role


def _release(page: Page, at: int) -> None:
    """Gives the line above an article's paragraph back: it is its heading."""
    if page.roles[at] is Role.BOILERPLATE and could_be_heading(page.units[at]):
        page.roles[at] = None
        page.headings.add(at)


def _mark_comments(page: Page) -> None:
    """Names on lines of their own above what readers wrote, down to the end of the text."""
    lower = frozenset(word for unit in page.units for word in _LOWER.findall(unit.words))
    names = {at: name for at in page.headings if (name := name_of(page.units[at], lower))}
    for at in sorted(page.headings):
        if page.roles[at] is Role.COMMENT and at in names:
            page.paths[at] = (f"comment by {names[at]}",)
    segments = [(head, below) for head, below in page.segments() if page.roles[head] is None]
    for first, (head, below) in enumerate(segments):
        if head < COMMENTS_AFTER * len(page.units) or not all(at in names for at, _ in segments[first:]):
            continue
        voice = informality("\n".join(page.units[at].words for at in below))
        bare = names[head] == page.units[head].words
        if voice < (1 if len(segments) - first >= 3 or not bare else 2) or (bare and " " not in names[head]):
            continue
        for at, said in segments[first:]:
            page.paths[at] = (f"comment by {names[at]}",)
            for each in said:
                page.roles[each] = page.roles[each] or Role.COMMENT
        return


def _mark_biographies(page: Page) -> None:
    """"NAME is an engineer at ..." near either end of the text."""
    for at, unit in enumerate(page.units):
        place = at / len(page.units)
        near_end = place >= BIOGRAPHY_AFTER or at >= len(page.units) - 3 or place <= BIOGRAPHY_BEFORE
        if not near_end or page.roles[at] is not None or at in page.headings or unit.is_item:
            continue
        found = BIOGRAPHY.match(unit.words[:400])
        if found and unit.count >= 8 and not any(word.isupper() and len(word) > 1 for word in found["name"].split()):
            page.roles[at] = Role.BIO


def _mark_questions(page: Page) -> None:
    """Questions that each stand above a short answer: three in a row, or under a heading that says FAQ."""
    run: list[tuple[int, list[int]]] = []
    faq = ""
    for head, below in [*page.segments(), (-1, [])]:
        if head >= 0 and _is_question(page, head, below):
            run.append((head, below))
            continue
        if len(run) >= FEWEST_QUESTIONS or (run and faq):
            for question, answer in run:
                title = clean_heading(page.units[question].words)
                page.paths[question] = (faq, title) if faq else (title,)
                for at in answer:
                    page.roles[at] = page.roles[at] or Role.FAQ
        run = []
        title = clean_heading(page.units[head].words)
        faq = title if section_role(title) is Role.FAQ else ""
    for at, (question, answer) in enumerate(pairwise(page.units)):
        if _QUESTION_MARKED.match(question.words) and _ANSWER_MARKED.match(answer.words):
            page.roles[at : at + 2] = [Role.FAQ, Role.FAQ]
            page.headings -= {at, at + 1}


def _is_question(page: Page, head: int, below: list[int]) -> bool:
    said = [at for at in below if page.roles[at] is not Role.BOILERPLATE]
    answered = 0 < len(said) <= MOST_ANSWER_UNITS and all(page.roles[at] is None for at in said)
    return page.units[head].is_question and page.roles[head] is None and answered


def _mark_headings(page: Page) -> None:
    """Headings become headings, and those above nothing but boilerplate become boilerplate."""
    for head, below in reversed(page.segments()):
        bare = all(page.roles[at] is Role.BOILERPLATE for at in below)
        followed = not below and head + 1 < len(page.roles) and page.roles[head + 1] is Role.HEADING
        titled = clean_heading(page.units[head].words) == page.title
        page.roles[head] = Role.HEADING if titled or followed or not bare else Role.BOILERPLATE
        if page.roles[head] is Role.BOILERPLATE:
            page.headings.discard(head)
    for at in range(len(page.units) - 1, -1, -1):
        unit = page.units[at]
        last = at + 1 == len(page.units) or page.roles[at + 1] is Role.BOILERPLATE
        tag = unit.count <= 4 and could_be_heading(unit) and not _DIGIT.search(unit.words)
        if page.roles[at] is None and last and tag and at > len(page.units) / 2:
            page.roles[at] = Role.BOILERPLATE
