"""The headings and furniture of a copied page, and its other voices: menus, advertising, readers, the author, questions.

Structured formats mark these by tags; plain text only by order and wording. No single word condemns a paragraph: cues
add up, and a figure speaks against. If in doubt a text stays body, because an indexed advert costs less than a lost claim.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from chipwise import patterns as re
from chipwise.reading.lines import Unit
from chipwise.reading.sections import MOST_READ, clean_heading, is_heading_of, section_role, wordings
from chipwise.text import sentences
from chipwise.types import Role

MOST_HEADING_WORDS: Final = 14
MOST_QUESTION_WORDS: Final = 22
LONGEST_HEADING: Final = 130  # characters
LONGEST_STACK: Final = 3  # headings directly under each other; more short lines in a row are a list
_PROSE: Final = 60  # characters; text under a heading is at least that long, or a list

_HASHES: Final = re.compile(r"#{1,6}[ \t]+\S")
_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+(?=[A-Z])")
# a table's cell on a line of its own: "2.77 TB/s", "$12.00", "58%"
_VALUE: Final = re.compile(r"\W{0,2}\d(?:[\d.,x×–-]*\d)?\+?(?: ?(?![A-Z][a-z]{2})[^\s\d]{1,8})?")
_OPENS: Final = re.compile(r"[\"“'‘(¿]?[^\W_]")
_QUOTED: Final = re.compile(r"[\"“«].{8,400}[\"”»][.!]?(?: ?[—–-] ?.{2,60})?")
MOST_FURNITURE_WORDS: Final = 25
LONGEST_LINE: Final = 300  # characters of furniture
_NEEDED: Final = (
    (30, 2),
    (80, 3),
    (120, 5),
)  # (words at most, weight needed); a longer paragraph says more than it sells
PROSE_WORDS: Final = 25
ARTICLE_WORDS: Final = 40  # in two sentences: more than a teaser for another article has
MOST_CRUMB_WORDS: Final = 8  # of breadcrumbs, of navigation, and of a line that opens a section
FEWEST_TITLE_WORDS: Final = 4  # a first line of fewer may be a menu's
FEWEST_IN_A_ROW: Final = 3  # quotations, questions: two may be rhetoric
MOST_QUOTED_WORDS: Final = 50
MOST_ASIDE_WORDS: Final = 12  # "Ann, CTO" or an unquoted one-liner among quotations
MOST_ANSWER_UNITS: Final = 3
COMMENTS_AFTER: Final = 0.3  # share of the units; before that, a name above a paragraph is a heading
NEAR_END: Final = 0.6
FEWEST_BIOGRAPHY_WORDS: Final = 8
LONGEST_NAME: Final = 80  # characters

_ARROWS: Final = ("→", "»", "›", ">>")  # behind a link
_CRUMBS: Final = tuple(f" {mark} " for mark in "→»›>/|·")
_LEADERS: Final = re.compile(r"(?:\. ?){6}\s*(?:\d+|[ivxl]+)\b")  # "2.1 Memory . . . . . . 14"
_FIGURE: Final = re.compile(r"\d ?(?:[gtm]i?b|tflops|pflops|tops|w\b|kw|ghz|nm|x\b|×|tokens)|[$€£]\d")
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE: Final = re.compile(
    rf"\b(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?[,.]? ?\d{{4}}|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2}))\b|\b\d+ (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b",
    re.IGNORECASE,
)
_LOWER: Final = re.compile(r"\b[a-z][a-z'’-]+")
_NAME: Final = re.compile(r"[A-Z][\w'’-]*\.?(?: (?:[A-Z][\w'’-]*\.?|de|da|van|von|der|den|bin|al|el|la|le)){0,3}")
_SAID: Final = re.compile(r"[,:]?\s*(?:says|said|wrote|writes|commented|replied)?\s*:?\s*$", re.IGNORECASE)
_WHO: Final = re.compile(r"(?:[A-Z][\w'’.-]* ){2,5}(?:is|was|works as|has been|writes) ")
_EXCITED: Final = re.compile(r"!{2,}|\?{2,}|![^!]{0,400}!|^[a-z]|😀|😂|👍|🙌|❤")


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


def _is_quoted(words: str) -> bool:
    """True if the whole text is in quotation marks, apart from a name at the end."""
    return _QUOTED.fullmatch(words) is not None


def heading_level(unit: Unit) -> int:
    """1 to 6 if the line states its level ("## A", "2.1 A"), else 0."""
    if _HASHES.match(unit.words):
        return len(unit.words) - len(unit.words.lstrip("#"))
    numbered = _NUMBERED.match(unit.words)
    return numbered[1].count(".") + 1 if numbered else 0


def _could_be_heading(unit: Unit) -> bool:
    """True for a short line that starts like a title and doesn't end like a sentence."""
    words = unit.words
    if _HASHES.match(words):
        return True
    most = MOST_QUESTION_WORDS if unit.is_question else MOST_HEADING_WORDS
    if unit.count > most or len(words) > LONGEST_HEADING or words[-1] in ".,;:!…|" or _is_quoted(words):
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
        if _could_be_heading(unit) and (unit.first or not parted) and not in_list and not in_table:
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
    return len(below.words) > max(_PROSE, len(heading.words)) or below.words.endswith(":")


def is_boilerplate(words: str, count: int) -> bool:
    """True if the wording is that of page furniture, advertising, instructions or a picture's caption.

    `count` is the number of words.
    """
    if len(words) <= LONGEST_LINE and count <= MOST_FURNITURE_WORDS:
        found = wordings()
        if found.weigh("furniture", words, count) or words.endswith(_ARROWS) or _is_notice(words):
            return True
        if found.weigh("picture", words, count) and not found.weigh("verb", words) and not _has_digit(words):
            return True
    return is_leader(words) or _advertises(words, count)


def _is_notice(words: str) -> bool:
    """True for "© 2026 Example Inc."."""
    return words.startswith("©") or (words[:3].lower() == "(c)" and words[3:5].strip()[:1].isdigit())


def is_leader(words: str) -> bool:
    """True for a line of a table of contents with its row of dots."""
    return _LEADERS.search(words[:MOST_READ]) is not None


def _advertises(words: str, count: int) -> bool:
    """True if enough cues of advertising, or of instructions to someone else, come together."""
    needed = next((weight for most, weight in _NEEDED if count <= most), _NEEDED[-1][1])
    if wordings().weigh("instruction", words) >= needed:
        return True
    sold = wordings().weigh("selling", words) if count <= _NEEDED[-1][0] else 0
    return sold >= needed and (sold > needed or not _FIGURE.search(words[:MOST_READ].lower()))


def settle(page: Page) -> None:
    """Settle roles and headings of a plain text, in the order in which one part hides another."""
    _settle_preamble(page)
    _settle_quotations(page)
    _settle_biographies(page)
    _settle_sections(page)
    _settle_comments(page)
    _settle_questions(page)
    _settle_headings(page)


def _is_prose(unit: Unit) -> bool:
    return not unit.is_item and (unit.count >= PROSE_WORDS or (unit.ends_sentence and len(unit.words) >= _PROSE))


def _has_digit(words: str) -> bool:
    return any(map(str.isdigit, words))


def _is_dateline(unit: Unit) -> bool:
    """True for a line with only a date, possibly with a name and a rubric."""
    return unit.count <= MOST_ASIDE_WORDS and not unit.ends_sentence and _DATE.search(unit.words[:200]) is not None


def _settle_preamble(page: Page) -> None:
    """Find the title, and mark navigation, breadcrumbs and date lines above the first paragraph."""
    units = page.units
    prose = next((at for at, unit in enumerate(units) if _is_prose(unit) and page.roles[at] is None), 0)
    above = [at for at in range(prose) if page.roles[at] is None]
    crumbs = {
        at for at in above if units[at].count <= MOST_CRUMB_WORDS and any(mark in units[at].words for mark in _CRUMBS)
    }
    crumbs |= {at for at in above if _is_dateline(units[at])}
    plain = [at for at in above if not _has_digit(units[at].words)]
    # a name or a rubric above a date: a title has more words, or is the first line
    crumbs |= {at for at in plain if at and units[at].count < FEWEST_TITLE_WORDS and _is_dateline(units[at + 1])}
    titles = [at for at in above if at not in crumbs and _could_be_heading(units[at]) and not units[at].is_item]
    if not titles:
        return
    title = next((at for at in titles if units[at].count >= FEWEST_TITLE_WORDS), titles[0])
    page.title = clean_heading(units[title].words)
    again = {at for at in titles if clean_heading(units[at].words) == page.title}
    page.headings = ({at for at in page.headings if at >= title} | again) - crumbs
    menu = [at for at in plain if at < title and units[at].count <= MOST_CRUMB_WORDS]
    for at in [*crumbs, *(menu if len(menu) > 1 else ())]:
        page.roles[at] = Role.BOILERPLATE


def _settle_quotations(page: Page) -> None:
    """Mark three or more quoted one-liners in a row as advertising, with the short lines among and around them."""
    run: list[int] = []
    aside = 0
    for at, unit in enumerate([*page.units, None]):
        if unit and _is_quoted(unit.words) and unit.count <= MOST_QUOTED_WORDS:
            run.append(at)
            aside = 0
        elif unit and run and _is_aside(unit) and at not in page.headings and aside < FEWEST_IN_A_ROW - 1:
            aside += 1
        else:
            if len(run) >= FEWEST_IN_A_ROW:
                first = run[0] - (run[0] > 0 and _is_aside(page.units[run[0] - 1]))
                page.roles[first:at] = [Role.BOILERPLATE] * (at - first)
                page.headings -= set(range(first, at))
            run = []


def _is_aside(unit: Unit) -> bool:
    return unit.count <= MOST_ASIDE_WORDS and not unit.ends_sentence and not unit.is_item


def _settle_biographies(page: Page) -> None:
    """Mark "NAME is an engineer at ..." at the beginning and near the end of the text."""
    last = len(page.units)
    for at, unit in enumerate(page.units):
        near_end = at >= min(NEAR_END * last, last - 3) or at <= (1 - NEAR_END) / 4 * last
        if near_end and page.roles[at] is None and at not in page.headings and _is_biography(unit):
            page.roles[at] = Role.BIO


def _is_biography(unit: Unit) -> bool:
    """True for a name without an acronym, followed by a profession."""
    who = _WHO.match(unit.words) if not unit.is_item and unit.count >= FEWEST_BIOGRAPHY_WORDS else None
    if who is None or any(word.isupper() and len(word) > 2 for word in who[0].split()):  # noqa: PLR2004 (initials)
        return False
    return wordings().weigh("job", " ".join(unit.words[who.end() :].split()[:10])) > 0


def _settle_sections(page: Page) -> None:
    """Mark what a line opens by its wording: comments, other articles, about the author.

    None begins before the first paragraph, where the same words belong to a menu.
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
            if page.roles[at - 1] is Role.BOILERPLATE and _could_be_heading(page.units[at - 1]):
                page.roles[at - 1] = None  # the line above an article's paragraph is its heading
                page.headings.add(at - 1)
        elif zone and (page.roles[at] is None or at in page.headings):
            page.roles[at] = zone
            if zone is not Role.COMMENT:
                page.headings.discard(at)


def _opens(page: Page, at: int) -> Role | None:
    """The role that the line opens. A line of furniture ("Privacy policy") opens none."""
    unit = page.units[at]
    if unit.count > MOST_CRUMB_WORDS + 1 or unit.ends_sentence or unit.is_item:
        return None
    heading = clean_heading(unit.words)
    role = section_role(heading)
    if role is Role.BOILERPLATE and page.roles[at] is role:
        return None
    if role is Role.COMMENT and not (_could_be_heading(unit) and at >= COMMENTS_AFTER * len(page.units)):
        return None  # the word "comments" in a manual's example
    after = page.roles[at + 1] if at + 1 < len(page.roles) else None
    if after is Role.BOILERPLATE and is_heading_of("resources", heading):
        return Role.BOILERPLATE
    return role


def _ends(page: Page, zone: Role, at: int) -> bool:
    """True if the unit is beyond the zone.

    Near the end of a page, a list of other articles gives each a sentence, seldom two paragraphs in a
    row. In the first half it is a box that any prose ends.
    """
    if zone is not Role.BOILERPLATE:
        return zone is Role.BIO and at in page.headings
    unit = page.units[at]
    if page.roles[at] is not None or not _is_prose(unit):
        return False
    runs_on = at + 1 < len(page.units) and _is_prose(page.units[at + 1]) and page.roles[at + 1] is None
    article = unit.count >= ARTICLE_WORDS and len(sentences(unit.words)) > 1
    return article or runs_on or at <= len(page.units) / 2


def _settle_comments(page: Page) -> None:
    """Mark readers' comments: names on their own lines, down to the end of the text.

    Without a heading for comments, every heading from the first name on must be a name, and the text below the first
    must sound like a reader. Each full name begins a new comment, however short.
    """
    lower = frozenset(word for unit in page.units for word in _LOWER.findall(unit.words))
    names = {at: name for at in page.headings if (name := _name_of(page.units[at], lower))}
    segments = [segment for segment in page.segments() if page.roles[segment[0]] is None]
    first = max((place for place, (head, _) in enumerate(segments) if head not in names), default=-1) + 1
    for place in range(first, len(segments)):
        head, below = segments[place]
        bare = names[head] == page.units[head].words
        needed = 1 if len(segments) - place >= FEWEST_IN_A_ROW or not bare else 2
        sounds = _sounds_like_a_reader("\n".join(page.units[at].words for at in below))
        if head >= COMMENTS_AFTER * len(page.units) and sounds >= needed and not (bare and " " not in names[head]):
            for each, under in segments[place:]:
                page.roles[each] = Role.COMMENT
                for at in under:
                    page.claim(at, Role.COMMENT)
            break
    for at, unit in enumerate(page.units):
        name = _name_of(unit, lower) if page.roles[at] is Role.COMMENT else ""
        if name and (" " in name or at in page.headings or name != unit.words):
            page.headings.add(at)
            page.paths[at] = (f"comment by {name}",)


def _sounds_like_a_reader(words: str) -> int:
    """Count the kinds of informal marks in the text."""
    return wordings().weigh("voice", words) + (_EXCITED.search(words[:MOST_READ]) is not None)


def _name_of(unit: Unit, lower: frozenset[str]) -> str:
    """Return the person's name that makes up a line ("Ann Lee", "Ann Lee says:"), or "".

    `lower` are the document's words that occur in lower case: words of a heading do, a name's don't.
    """
    if unit.count > MOST_ASIDE_WORDS or unit.is_item or len(unit.words) > LONGEST_NAME:
        return ""
    name = _NAME.fullmatch(_SAID.sub("", _DATE.sub("", unit.words).strip(" ,·•|-–—")))
    if name is None or wordings().weigh("title", name[0]):
        return ""
    words = name[0].split()
    acronym = any(len(word) > 2 and word.rstrip("s").isupper() for word in words)  # noqa: PLR2004 ("NCCL", "GPUs")
    common = any(word.rstrip(".").lower() in lower and word[0].isupper() for word in words)
    return "" if acronym or common else name[0]


def _settle_questions(page: Page) -> None:
    """Mark questions that each have a short answer below: three in a row, or under a heading for FAQs."""
    run: list[tuple[int, list[int]]] = []
    faq = ""
    for head, below in [*page.segments(), (None, [])]:
        if head is not None and _is_question(page, head, below):
            run.append((head, below))
            continue
        for question, answer in run if faq or len(run) >= FEWEST_IN_A_ROW else ():
            page.paths[question] = (*filter(None, (faq,)), clean_heading(page.units[question].words))
            for at in answer:
                page.claim(at, Role.FAQ)
        run = []
        title = "" if head is None else clean_heading(page.units[head].words)
        faq = title if section_role(title) is Role.FAQ else ""


def _is_question(page: Page, head: int, below: list[int]) -> bool:
    answer = [at for at in below if page.roles[at] is not Role.BOILERPLATE]
    answered = 0 < len(answer) <= MOST_ANSWER_UNITS and all(page.roles[at] is None for at in answer)
    return page.units[head].is_question and page.roles[head] is None and answered


def _settle_headings(page: Page) -> None:
    """Mark headings; those above only boilerplate become boilerplate."""
    for head, below in reversed(page.segments()):
        bare = all(page.roles[at] is Role.BOILERPLATE for at in below)
        stacked = not below and head + 1 < len(page.roles) and page.roles[head + 1] is Role.HEADING
        titled = clean_heading(page.units[head].words) == page.title
        page.roles[head] = Role.HEADING if titled or stacked or not bare else Role.BOILERPLATE
        if page.roles[head] is Role.BOILERPLATE:
            page.headings.discard(head)
