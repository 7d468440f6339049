"""What kind of figures a comparison is of, by the words of its clause or the head of its column.

"a saving of 20%"          ->  prices
"3x the memory"            ->  bytes
"training got 1.9x faster" ->  none that could be told beside it
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.audit.lines import Line, key_of
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantity import Quantity
from chipwise.text import content_words
from chipwise.types import Role

# comparisons of no metric of their own: of figures that come about in the same way
_OF_ANYTHING = ("speedup", "discount")
_BREAK = re.compile(
    r"[,;:|()—–]|\.(?:\s|$)|\s\*{0,2}(?:and|but|while|whereas|or|so|which|where|versus|vs\.?|against|instead)\*{0,2}\s",
    re.I,
)
# what says of what something is a multiple or a share, where no metric is named: of the figures that stand there
_PLAIN = re.compile(
    r"\s?(?:price\s)?(?:(?:as\s(?:much|many|large|big|high|expensive|heavy)|ahead|more|less|lower|higher|larger|smaller|greater|bigger|fewer|cheaper"
    r"|below|above|off|discount|savings?|cuts?|reduction|increase|decrease|drop|rise)(?=\W*$|[,.;:)|—–]|\s(?:than|as|on|over|with|now|then|today|for|from)\b)"
    r"|(?:of\s)?(?:that|those|what)\b|(?:of\s)?(?:the|its)\s|[A-Z])|\W*$|[,.;:)|]"
)
# who or what changed, before the verb that says so: "Sales rose 20%", "absorption was 65% higher"
SAID_OF = re.compile(
    r"(.*?)\b(?:is|are|was|were|be|been|has|have|had|rose|r[ai]se[sdn]?|gr[eo]ws?|f[ae]lls?|fallen|dropp?(?:s|ed)?|increase[sd]?|decrease[sd]?|declined?|climb(?:s|ed)?"
    r"|jump(?:s|ed)?|slid|sank|cuts?|lower(?:s|ed)?|improve[sd]?|reduce[sd]?|saves?|saved|slipped|shrank|gain(?:s|ed)?|goes|went|comes?|came|gets?|got|by)\b",
    re.I | re.S,
)
NOBODY = frozenset(
    "now today still then spot reserved commitment cut saving ratio factor result difference total change".split()
)
_ON_DEMAND = re.compile(r"\bon[\s-]demand\b", re.I)
_SPEED = re.compile(r"fast|perform|speed|quick|improve|effic|better", re.I)
_PACE = re.compile(r"\b(?:fast|quick|slow|speed)", re.I)
PACED = {"token_rate", "time"}  # what tells how fast something is done
_SO = re.compile(
    r"\b(?:so|thus|hence|therefore|that['’]s|that\sis|which\s(?:is|makes|means|puts)|making|meaning|i\.e\.,?)\s[^.;]{0,60}$",
    re.I,
)
_MONEY = re.compile(r"pric|cheap|cost", re.I)
_RATIO = re.compile(
    r"\b(?:ratio|factor|change|difference|delta|times|multiple|versus|vs|increase|decrease|saving|discount)\b|[Δ×±]",
    re.I,
)
_OF_THIS = re.compile(
    r"\s(?:of\s)?(?:(?:the|its|that|more)\s)?(?:[A-Za-z]+\s)?", re.I
)  # from a multiple to what it is of
_APPOSED = re.compile(
    r"(?:\s(?!(?:and|but|while|whereas)\b)[^\s,.;:()]+){0,6},\s(?:or\s|about\s|some\s|roughly\s|nearly\s|a\s)?[~]?",
    re.I,
)


def kinds_meant(domain: Domain, line: Line, stated: Quantity) -> set[str] | None:
    """The kinds of figures that a comparison can be of: those that its clause names, none in particular, or None for others."""
    if line.passage.role is Role.TABLE:
        return set() if _RATIO.search(header(line, stated)) else None
    start, end = clause_of(line.scene.text, stated)
    named = [m for m in line.scene.metrics if start <= m.start and m.end <= end]
    wanted: set[str] = set()
    right_behind = [m for m in named if _OF_THIS.fullmatch(line.scene.text, stated.end, m.start)]
    for m in right_behind or named:  # of "24 GB of VRAM and 3x the bandwidth" the memory is no part
        written = line.scene.text[m.start : m.end]
        kinds = PACED if _concludes(line, stated, written) else kinds_of(domain, written, m)
        if kinds is None:
            return None
        wanted |= kinds
    if not wanted and (told := _apposed_to(line, stated)) is not None:
        return {key_of(domain, told)}
    if not wanted and not (_PLAIN.match(line.scene.text, stated.end) and _is_of_what_was_told(line, start, stated)):
        return None
    return wanted


def _concludes(line: Line, stated: Quantity, written: str) -> bool:
    """True for a pace that is drawn from what stands there: "22 minutes against 29, so it is 1.3 times as fast"."""
    return _PACE.search(written) is not None and _SO.search(line.scene.text, 0, stated.start) is not None


def _apposed_to(line: Line, stated: Quantity) -> Quantity | None:
    """The figure that a comparison stands behind as its apposition: "128 GB on every card, 60% more than the H100 gives"."""
    before = [q for q in line.scene.quantities if q.end <= stated.start]
    last = before[-1] if before else None
    if last is None or last.compares or last.dimension in ("count", "number", "ratio"):
        return None
    return last if _APPOSED.fullmatch(line.scene.text, last.end, stated.start) else None


def names_that_time(line: Line, stated: Quantity, figures: Sequence[tuple[Line, Quantity]]) -> bool:
    """False for "cut parsing to 8 ms and total latency by 22%": of times there are many, and no clause of the figures names that one."""
    times = all(q.dimension == "time" for _, q in figures) and not _concludes(
        line, stated, line.scene.text[stated.end :]
    )
    own = _named_in_clause(line, stated)
    return not (times and own) or any(own & _named_in_clause(of, q) for of, q in figures)


def _named_in_clause(line: Line, q: Quantity) -> set[str]:
    start, end = clause_of(line.scene.text, q)
    inside = [m for m in line.scene.metrics if start <= m.start and m.end <= end]
    figures = line.scene.quantities  # the "ms" of one names nothing
    return {i for m in inside if not any(f.start < m.end and m.start < f.end for f in figures) for i in m.ids}


def _is_of_what_was_told(line: Line, start: int, stated: Quantity) -> bool:
    """False for "Sales rose 20%": a subject of its own, and no chip, figure or pronoun."""
    said_of = SAID_OF.match(line.scene.text[start : stated.start])
    if said_of is None:
        return True
    places = (*(m.start for m in line.scene.entities), *(q.start for q in line.scene.quantities))
    if any(start <= at < start + said_of.end(1) for at in places):
        return True
    return all(word in NOBODY for word in content_words(_ON_DEMAND.sub(" ", said_of[1])))


def kinds_of(domain: Domain, written: str, mention: Mention) -> set[str] | None:
    """What a wording is of: the dimensions of its metrics; prices for a saving in money; anything for a bare "saving"."""
    dimensions = {domain.metrics[i].dimension for i in mention.ids} - {"text", "date"}
    if dimensions - {"ratio", "count"}:
        return {next((m.dimension for m in domain.metrics.values() if d in m.implied_by), d) for d in dimensions}
    if _SPEED.search(written):
        return None
    priced = {m.dimension for m in domain.metrics.values() if m.implied_by}
    if _MONEY.search(written):
        return priced
    neutral = any(domain.metrics[i].id in _OF_ANYTHING for i in mention.ids)
    return set() if neutral else None


def clause_of(text: str, stated: Quantity) -> tuple[int, int]:
    """Where the clause of a figure begins and ends: between marks, and words that join clauses."""
    breaks = list(_BREAK.finditer(text))
    start = max((m.end() for m in breaks if m.end() <= stated.start), default=0)
    end = min((m.start() for m in breaks if m.start() >= stated.end), default=len(text))
    return start, end


def header(line: Line, stated: Quantity) -> str:
    """The label of the column of a table that a figure stands in, with that of its row."""
    text = line.text
    column = text.count("|", 0, stated.start)
    first = (line.passage.context or line.passage.text).strip().split("\n")[0]
    cells = first.split("|")
    return cells[column] if column < len(cells) and "|" in first else ""
