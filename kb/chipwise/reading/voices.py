"""Other voices in a page, by position and sequence: customers, readers, the author's biography, questions and answers."""

from __future__ import annotations

from typing import Final

from chipwise import patterns as re
from chipwise.reading.cues import BIOGRAPHY, informality, is_quoted, praises
from chipwise.reading.lines import Unit
from chipwise.reading.outline import Page, name_of
from chipwise.reading.sections import clean_heading, section_role
from chipwise.types import Role

FEWEST_TESTIMONIALS: Final = 3
MOST_TESTIMONIAL_WORDS: Final = 50
MOST_ASIDE_WORDS: Final = 12  # "Ann, CTO" or an unquoted one-liner among testimonials
FARTHEST_TESTIMONIAL: Final = 3  # units from one to the next, with asides between
COMMENTS_AFTER: Final = 0.3  # share of the units; before that, a name above a paragraph is a heading
CLEAR_VOICE: Final = 2  # marks of informality that turn the text below a bare name into a comment
MANY_NAMES: Final = 3  # with so many names in a row, one mark is enough
BIOGRAPHY_AFTER: Final = 0.6
BIOGRAPHY_BEFORE: Final = 0.1
FEWEST_BIOGRAPHY_WORDS: Final = 8
FEWEST_QUESTIONS: Final = 3  # without a heading that says FAQ; two may be rhetoric
MOST_ANSWER_UNITS: Final = 3

_LOWER: Final = re.compile(r"\b[a-z][a-z'’-]+")


def mark_testimonials(page: Page) -> None:
    """Mark three or more quoted one-liners, at least half of them praise, with the short lines among and around them."""
    for run in _runs_of_quotes(page.units):
        praising = sum(praises(page.units[at].words) for at in run)
        if len(run) < FEWEST_TESTIMONIALS or praising * 2 < len(run):
            continue
        first, last = run[0], run[-1]
        if first and _is_aside(page.units[first - 1]):
            first -= 1
        while last + 1 < len(page.units) and _is_aside(page.units[last + 1]) and last + 1 not in page.headings:
            last += 1
        page.roles[first : last + 1] = [Role.BOILERPLATE] * (last + 1 - first)
        page.headings -= set(range(first, last + 1))


def _runs_of_quotes(units: list[Unit]) -> list[list[int]]:
    runs: list[list[int]] = []
    for at, unit in enumerate(units):
        if unit.count > MOST_TESTIMONIAL_WORDS or not is_quoted(unit.words):
            continue
        before = runs[-1][-1] if runs else -FARTHEST_TESTIMONIAL - 1
        if at - before <= FARTHEST_TESTIMONIAL and all(map(_is_aside, units[before + 1 : at])):
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _is_aside(unit: Unit) -> bool:
    return unit.count <= MOST_ASIDE_WORDS and not unit.ends_sentence and not unit.is_item


def mark_biographies(page: Page) -> None:
    """Mark "NAME is an engineer at ..." near either end of the text."""
    for at, unit in enumerate(page.units):
        place = at / len(page.units)
        near_end = place >= BIOGRAPHY_AFTER or at >= len(page.units) - 3 or place <= BIOGRAPHY_BEFORE
        if near_end and page.roles[at] is None and at not in page.headings and is_biography(unit):
            page.roles[at] = Role.BIO


def is_biography(unit: Unit) -> bool:
    """True for a name without an acronym, followed by a profession."""
    if unit.is_item or unit.count < FEWEST_BIOGRAPHY_WORDS:
        return False
    match = BIOGRAPHY.match(unit.words[:400])
    return match is not None and not any(word.isupper() and len(word) > 1 for word in match["name"].split())


def mark_comments(page: Page) -> None:
    """Mark readers' comments: names on their own lines, down to the end of the text.

    Without a heading for comments, every heading from the first name on must be a name, and the text
    below the first must sound like a reader.
    """
    lower = frozenset(word for unit in page.units for word in _LOWER.findall(unit.words))
    _mark_unheaded(page, lower)
    _name_commenters(page, lower)


def _mark_unheaded(page: Page, lower: frozenset[str]) -> None:
    names = {at: name for at in page.headings if (name := name_of(page.units[at], lower))}
    segments = [segment for segment in page.segments() if page.roles[segment[0]] is None]
    unnamed = [place for place, (head, _) in enumerate(segments) if head not in names]
    for place in range(unnamed[-1] + 1 if unnamed else 0, len(segments)):
        head, below = segments[place]
        if head < COMMENTS_AFTER * len(page.units):
            continue
        bare = names[head] == page.units[head].words
        voice = informality("\n".join(page.units[at].words for at in below))
        many = len(segments) - place >= MANY_NAMES or not bare
        if voice < (1 if many else CLEAR_VOICE) or (bare and " " not in names[head]):
            continue
        for each in (each for _, below in segments[place:] for each in below):
            page.claim(each, Role.COMMENT)
        for each, _ in segments[place:]:
            page.roles[each] = Role.COMMENT
        return


def _name_commenters(page: Page, lower: frozenset[str]) -> None:
    """Begin a new comment at each full name on its own line, however short the comment is."""
    for at, unit in enumerate(page.units):
        if page.roles[at] is not Role.COMMENT:
            continue
        name = name_of(unit, lower)
        if name and (" " in name or at in page.headings or name != unit.words):
            page.headings.add(at)
            page.paths[at] = (f"comment by {name}",)


def mark_questions(page: Page) -> None:
    """Mark questions that each have a short answer below: three in a row, or under a heading for FAQs."""
    run: list[tuple[int, list[int]]] = []
    faq = ""
    for head, below in page.segments():
        if _is_question(page, head, below):
            run.append((head, below))
            continue
        _settle(page, run, faq)
        run = []
        title = clean_heading(page.units[head].words)
        faq = title if section_role(title) is Role.FAQ else ""
    _settle(page, run, faq)


def _settle(page: Page, run: list[tuple[int, list[int]]], faq: str) -> None:
    if len(run) < FEWEST_QUESTIONS and not (run and faq):
        return
    for question, answer in run:
        title = clean_heading(page.units[question].words)
        page.paths[question] = (faq, title) if faq else (title,)
        for at in answer:
            page.claim(at, Role.FAQ)


def _is_question(page: Page, head: int, below: list[int]) -> bool:
    answer = [at for at in below if page.roles[at] is not Role.BOILERPLATE]
    answered = 0 < len(answer) <= MOST_ANSWER_UNITS and all(page.roles[at] is None for at in answer)
    return page.units[head].is_question and page.roles[head] is None and answered
