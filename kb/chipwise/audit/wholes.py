"""Of all or of one: what the words around a figure say of that.

"640 GB in total", "which makes 640 GB"     of all
"80 GB each", "per chip", "each has 80 GB"  of one
"a model of 405 GB"                         of neither, but of a thing
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.audit.lines import Line
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantity import Quantity

_ALL_AFTER = re.compile(
    r"\s?(?:of\s(?:[\w-]+\s){1,4})?(?:in\s(?:all|total|aggregate|sum)|total|altogether|together|combined|overall|all\stold|aggregate)\b",
    re.I,
)
_ALL_BEFORE = re.compile(
    r"\b(?:total(?:s|ing|ling|led)?|add(?:s|ed|ing)?\sup|sums?(?:\sup)?\sto|together|combined|combine\sfor|aggregate|altogether|in\sall|makes?|making|comes?\sto"
    r"|amounts?\sto|(?:the\s|a\s)whole|giv(?:es?|ing))\b[^.;$]{0,48}[$]?$",
    re.I,
)
_ONE_BEFORE = re.compile(
    r"\b(?:each|every|per|one|single)\b[^.;$]{0,60}[$]?$|(?:^|[.;]\s)\W*an?\s(?!total)[^.;$]{0,60}[$]?$", re.I
)
_ONE_AFTER = re.compile(
    r"\s?(?:of\s(?:[\w-]+\s){1,4}|[\w-]+\s)?(?:each|apiece|per\s(?!hour|second)|(?:for|on|in)\s(?:each|every))|\s?/\s?(?!s\b|h)[a-z]",
    re.I,
)
_OF_A = re.compile(r"\b(?:of|for|on)\s(?:an?|the)\s[^.;$]{0,40}[$]?$", re.I)  # "the TDP of an H100 is"
LINKS = re.compile(
    r"(?:^|[\s,(])(?:that(?:['’]s|\sis|\smeans|\smakes|\scomes\sto)|this\s(?:is|means|makes)|which\s(?:is|means|makes)|it\sis|or|i\.e\.,?|works?\sout\s(?:to|at|as)|equals?)\s"
    r"(?:about\s|roughly\s|only\s|just\s|around\s)?[$~]?$",
    re.I,
)
IS_MADE_OF = re.compile(r"\W*(?:that|this|it)(?:['’]s|\sis|\smeans|\scomes\sfrom|\smakes)\b", re.I)
# "hold a model of 405 GB": what has the figure is no sum, but a thing
_A_THING_OF = re.compile(r"\ban?\s((?:[\w-]+\s){1,3})of\s$", re.I)
_OF_WHAT = re.compile(r"\sof\s([a-z][\w-]*(?:\s(?!in\b|for\b|per\b)[\w-]+)?)", re.I)
_A_SUM = re.compile(r"\b(?:total|sum|whole|combined|aggregate|pool)\b", re.I)


def is_of_all(line: Line, q: Quantity) -> bool:
    """True for "640 GB in total" and "adds up to 640 GB"."""
    return bool(_ALL_AFTER.match(line.scene.text, q.end) or _ALL_BEFORE.search(_before(line, q)))


def is_of_a(line: Line, q: Quantity) -> bool:
    """True for "the TDP of an H100 is 700 W"."""
    return _OF_A.search(_before(line, q)) is not None


def is_a_sum(line: Line, q: Quantity) -> bool:
    """True for "That makes 5.6 kW": of all, and so not what one has."""
    return is_of_all(line, q) or LINKS.search(line.scene.text[: q.start]) is not None


def is_of_a_thing(line: Line, whole: Quantity) -> bool:
    """True for "a model of 405 GB" and "405 GB of weights", not for "a memory of 640 GB" or "a total of 640 GB"."""
    behind = _OF_WHAT.match(line.scene.text, whole.end)
    metrics = (m for m in line.scene.metrics if _can_be(line, m, whole))  # "weights" are no weight
    known = (*metrics, *line.scene.entities, *line.scene.qualifiers)
    if behind is not None and not any(behind.start(1) < m.end and m.start < behind.end() for m in known):
        return True
    thing = _A_THING_OF.search(line.scene.text[: whole.start])
    if thing is None or _A_SUM.search(thing[1]):
        return False
    return not any(thing.start() <= m.start < thing.end() for m in line.scene.metrics if _can_be(line, m, whole))


def _can_be(line: Line, mention: Mention, whole: Quantity) -> bool:
    return any(line.book.domain.metrics[i].dimension == whole.dimension for i in mention.ids)


def says_per(line: Line, q: Quantity) -> bool:
    """True for "$1.20 per chip-hour" and "80 GB each"."""
    unit = line.book.domain.units.get(q.unit)
    return bool((unit is not None and unit.per) or _ONE_AFTER.match(line.scene.text, q.end))


def is_of_one(line: Line, q: Quantity) -> bool:
    """True for "each has 80 GB" as well."""
    return says_per(line, q) or bool(_ONE_BEFORE.search(_before(line, q)))


def _before(line: Line, q: Quantity) -> str:
    """The words before a figure, as far as the figure of the same kind that is before it."""
    begin = max((o.end for o in line.scene.quantities if o.end <= q.start and o.dimension == q.dimension), default=0)
    return line.scene.text[begin : q.start]
