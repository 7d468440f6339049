"""Sentences, words and safe display: functions on text that know nothing of the field.

They never change a text: they return spans, or a copy for display.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise import patterns as re

Span = tuple[int, int]

# A word may contain an apostrophe ("don't"), but a possessive 's is separate from the name before it.
WORD = re.compile(r"(?!(?<=['’])s\b)[^\W_]+(?:['’](?!s\b)[^\W_]+)*")

# Words without a topic. FTS5 has no stop list, and in a large index the "the" of a
# question costs more than all its other words together.
STOP_WORDS = frozenset(
    """a about all also am an and any are as at be been being but by can could did do does doing each else few for from
    get gets got had has have having he her here him his how i if in into is it its itself just let may me might more
    most much must my no nor not of off on one only or other our out own per said same shall she should so some such
    tell than that the their them then there these they this those to too under until up us very was we were what when
    where which while who whom whose why will with would you your many does actually really please explain give show
    exactly between versus vs compared compare difference differ use used using need want good best better define
    defined definition mean means meaning meant stand stands term phrase don't doesn't didn't isn't aren't wasn't
    weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't i'm i've i'd i'll we're we've they're you're
    dont doesnt didnt isnt arent cant wont im ive am someone somebody anyone anybody everyone everybody something
    anything everything myself maybe perhaps somehow ok okay hi hello hey thanks sorry lol believe think thought guess
    wonder wondering curious hope thing things stuff lot lots""".split()
)

# subtle: without the lookbehind and "++", a row of a million dots takes quadratic time
_END = re.compile(r"(?<![.!?…])[.!?…]++(?:[\"'”’)\]]*+|(?<=\?)[*_]{1,3})(?=\s|$)")
_ABBREVIATIONS = frozenset(
    """e.g i.e a.k.a vs etc approx ca cf al fig figs no nos vol sec dr mr mrs ms prof st inc ltd corp co jr sr
    dept est u.s u.k resp incl excl max min avg""".split()
)
_DIGITS_GROUPED = 4  # the fewest digits that get commas: 1,979
_AFTER_NUMBER = re.compile(r"\d\s?$")
_LAST_TOKEN = re.compile(r"[^\s(\[\"'“]+$")
_NEXT_STARTS_SENTENCE = re.compile(r"\s+[\"'“‘(\[*_`$€£~<>≈]*[A-Z0-9À-Þ]")

# Cc except tab and newline, Cf (bidi, zero-width, tags), Co, Cs and the two Unicode line breaks
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ue000-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def plain(text: str) -> str:
    """Return `text` with every character that could control a terminal or reorder a line replaced by U+FFFD."""
    return _UNSAFE.sub("�", text)


def one_line(text: str) -> str:
    """Return `plain` text with runs of blank space collapsed, for display in a sentence."""
    return " ".join(plain(text).split())


def counted(number: int, noun: str) -> str:
    """Format a count with its noun: "1 claim", "1,204 claims"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def blanked(text: str, spans: Iterable[Span], mark: str = " ") -> str:
    """Return `text` with each span replaced by `mark` and blanks, so that its length stays the same."""
    left = list(text)
    for start, end in spans:
        left[start:end] = mark + " " * (end - start - 1)
    return "".join(left)


def overlap(a: Span, b: Span) -> bool:
    """True if two spans share a character."""
    return a[0] < b[1] and b[0] < a[1]


def asks(text: str) -> bool:
    """True for a question, also in quotation marks, brackets or bold."""
    return text.rstrip("\"'”’)*_ \t\r\n").endswith("?")


def words(text: str) -> list[str]:
    """List lower-case words in order; hyphens and slashes separate words, apostrophes don't."""
    return [word.lower() for word in WORD.findall(text)]


def content_words(text: str) -> list[str]:
    """List `words` without stop words, first occurrences only, in order."""
    return list(dict.fromkeys(w for w in words(text.replace("’", "'")) if w not in STOP_WORDS))


def sentences(text: str) -> list[Span]:
    """List the spans of the sentences of a paragraph, each without surrounding blank space.

    A period ends a sentence if blank space and a capital, digit or opening mark follow and the word before it
    isn't an abbreviation. A line that starts like a list item also starts a sentence.
    """
    spans: list[Span] = []
    start = 0
    for cut in _cuts(text):
        _append_stripped(spans, text, start, cut)
        start = cut
    _append_stripped(spans, text, start, len(text))
    return spans


BULLET = r"(?:[-*•◦+]|\d{1,2}[.)])"  # the mark of a list item
_ITEM = re.compile(rf"\n(?=[ \t]*{BULLET}[ \t]+)")
ITEM_MARK = re.compile(rf"\s*{BULLET}\s+")


def _cuts(text: str) -> Iterator[int]:
    items = (m.end() for m in _ITEM.finditer(text))
    ends = (m.end() for m in _END.finditer(text) if _ends_sentence(text, m))
    yield from sorted({*items, *ends})


def _ends_sentence(text: str, mark: re.Match[str]) -> bool:
    starts = _NEXT_STARTS_SENTENCE.match(text, mark.end()) is not None
    if not starts or mark.group()[0] != ".":
        return starts
    # 40 characters hold any abbreviation; looking further back would take quadratic time on a long line
    before = _LAST_TOKEN.search(text, max(0, mark.start() - 40), mark.start())
    word = before.group().lower() if before else ""
    before_start = before.start() if before else mark.start()
    # "J. Smith" holds an initial, "700 W." ends with a unit
    measures = _AFTER_NUMBER.search(text, max(0, before_start - 4), before_start)
    return not (len(word) == 1 and word.isalpha() and not measures) and word not in _ABBREVIATIONS


def _append_stripped(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def grouped(number: str) -> str:
    """Group the digits of a number with commas: "80,000,000,000"; one with an exponent stays as it is."""
    whole, dot, decimals = number.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return f"{sign}{int(digits):,}{dot}{decimals}" if digits.isdecimal() and len(digits) >= _DIGITS_GROUPED else number
