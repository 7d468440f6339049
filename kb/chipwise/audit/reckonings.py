"""A calculation that a text writes out and that does not come to the result beside it (CW406).

    "12 x 720 x 55.04 USD = 574,546 USD"    ->  12 x 720 x 55.04 = 475,546
    "24 - 14 = 14 GB"                       ->  24 - 14 = 10
    "seven times 64 is 512 GB/s"            ->  7 x 64 = 448

Only numbers stand in it: what has a symbol, a bracket or another sum right beside it is not read. A count
times what one has ("8 x 80 GB = 760 GB") is a total, and `totals`' to judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook
from chipwise.audit.drafting import draft, place
from chipwise.audit.lines import Line
from chipwise.audit.steps import number
from chipwise.audit.totals import shown_sums
from chipwise.numbers.intervals import Interval, evaluate
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Finding, Role

_SIGNS = {"x": "*", "×": "*", "*": "*", "·": "*", "times": "*", "/": "/", "÷": "/", "divided by": "/", "over": "/"}
_SIGNS |= {"+": "+", "plus": "+", "-": "-", "–": "-", "−": "-", "minus": "-"}
_NUMBER = (
    rf"[~$€£]{{0,2}}(?:(?<![\w.,])\d[\d,]{{0,14}}(?:\.\d{{1,9}})?(?:e[+-]?\d{{1,2}}|[kMB]\b)?|(?:{NUMBER_WORD})(?=\s))"
)
_NO_UNIT = rf"(?:x|times|over|plus|minus|divided|is|are|makes?|gives?|the|an?|this|that|it|to|and|or|{NUMBER_WORD})"
_WORD = rf"(?!{_NO_UNIT}\s)[A-Za-z][A-Za-z/²]{{0,20}}(?![A-Za-z/²])"
_BEHIND = rf"(?:\s?%|(?:[\s-]?{_WORD}(?:[\s-]{_WORD}){{0,2}}?)??)"
_SIGN = r"(?:\s?[x×*·÷]\s?|\s[-–−+/]\s|/(?=\d)|\s(?:times|divided\sby|over|plus|minus)\s(?:the\s)?)"
_MAKES = r"""(?:\s?[=≈]\s?|,?\s(?:is|are|equals?|makes?|gives?|leaves|com(?:es?)\sto|amounts\sto|that['’]s|that\sis|which\sis)\s)
    (?:(?:about|around|roughly|some|nearly|almost|just|only|exactly|approximately|a\sgood|a\sfactor\sof|[≈~])\s?){0,2}"""
_MOST = 8  # more operands than that are a list
_WRITTEN = re.compile(
    rf"(?P<sum>{_NUMBER}{_BEHIND}(?:{_SIGN}{_NUMBER}{_BEHIND}){{1,{_MOST}}}){_MAKES}(?P<result>{_NUMBER}(?:\s?%)?)",
    re.I | re.X,
)
_PART = re.compile(rf"(?P<sign>{_SIGN})?(?P<number>{_NUMBER})(?P<behind>{_BEHIND})(?=$|{_SIGN}{_NUMBER})", re.I)
# what goes on before or behind: another operand, a bracket, a symbol, a power; and a name that ends in a number ("Phase 1 + ...")
_MORE_BEFORE = re.compile(
    rf"(?:(?-i:[A-Z])[a-z]+|[\w)\]}}][\s]?[x×*·÷/+^−–-]|[(\[{{,.][-−–]|[\^_\\]|\b(?:times|over|plus|minus|by|at|of|with)"
    rf"|(?:\d|\b(?:{NUMBER_WORD}))(?:\s(?:to|and|or)|-))\s?$",
    re.I,
)
_MORE_BEHIND = re.compile(r"\s?(?:[x×*·÷^]|[-–−+/]\s?[\d$(])|\s(?:times|plus|minus|to|or|x|%)\s|[-–]\d", re.I)
_LOOSELY = re.compile(r"about|around|roughly|some|nearly|almost|approx|≈|~|good|factor", re.I)
_UNIT_CHANGES = (8.0, 24.0, 60.0, 100.0, 3600.0)  # bits in bytes, hours in days, shares in per cent, hours in seconds
_THOUSANDS = (1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0**2, 1024.0**3)
_ROOM, _LOOSE = 0.02, 0.06  # by so much of itself a result may be off, and one that says so
_NOT_THIS = 6.0  # times: what is that far off is read wrongly rather than reckoned wrongly
_CUT_FROM = 10  # whole numbers from here on may have been cut off rather than rounded
_LEAST_DIGITS = 2  # of the operands: "2 x 1 = 3" may be anything
_NEAR = 16  # characters
_HUNDRED = 100.0
_SHOWN = {"*": "x"}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A calculation with its result, at `[start, end)` of its line."""

    start: int
    end: int
    formula: str
    made: Interval
    stated: Interval
    result: str
    units: tuple[str, ...]  # of its operands and of its result, "" for a number without
    loose: bool

    @property
    def comes_out(self) -> bool:
        """True where the result is that of the numbers, or of what they are in another unit."""
        room = _LOOSE if self.loose else _ROOM
        stated = self.stated * Interval(1 - room, 1 + room)
        is_cut = self.result.isdigit() and self.stated.middle >= _CUT_FROM and self.made.middle - self.stated.middle < 1
        if stated.meets(self.made) or (is_cut and self.made.middle > self.stated.middle):
            return True  # 22.49 is cut to 22
        *operands, result = self.units
        if result in operands or not result:
            return False
        steps = (*_UNIT_CHANGES, *_THOUSANDS)
        return any((stated * Interval.of(f)).meets(self.made) for s in steps for f in (s, 1 / s))

    @property
    def is_meant(self) -> bool:
        """False where the two are so far apart that something else is meant."""
        return 1 / _NOT_THIS < self.made.middle / self.stated.middle < _NOT_THIS


def find_wrong_reckonings(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each calculation of the lines that comes to something else than is written behind it."""
    for line in lines:
        if line.passage.role is Role.CODE or not any(map(str.isdigit, line.text)):
            continue
        for found in _written_out(line):
            if not found.comes_out and found.is_meant and line.is_its_own:
                yield _draft(book, line, found)


def _written_out(line: Line) -> Iterator[Reckoning]:
    text = line.text
    for found in _WRITTEN.finditer(text):
        before = max(0, found.start() - _NEAR)
        if _MORE_BEFORE.search(text, before, found.start()) or _MORE_BEHIND.match(text, found.end()):
            continue
        read = _read(line, found)
        if read is not None and found.start("result") not in {total.all[1].start for total in shown_sums(line)}:
            yield read


def _read(line: Line, found: re.Match[str]) -> Reckoning | None:
    """The calculation that a match is, None where a number or a sign of it is not understood."""
    parts = list(_PART.finditer(found["sum"]))
    signs = [_SIGNS.get(" ".join((m["sign"] or "").lower().split()).removesuffix(" the"), "") for m in parts]
    values = [_value(m["number"], percent="%" in m["behind"]) for m in parts]
    stated = _value(found["result"], percent="%" in found["result"])
    if "".join(m[0] for m in parts) != found["sum"] or stated is None or stated.low <= 0 or not all(signs[1:]):
        return None
    named = {f"n{i}": v for i, v in enumerate(values) if v is not None}
    if len(named) != len(parts) or sum(map(str.isdigit, found["sum"])) < _LEAST_DIGITS:
        return None
    made = evaluate("".join(f"{sign} n{i}" for i, sign in enumerate(signs)), named)
    if not made.is_finite or made.low <= 0 or _is_divided_by_all(signs, named, stated):
        return None
    if set(signs[1:]) <= {"+", "-"} and _sums_things(line, parts, found):
        return None
    formula = " ".join(
        f"{_SHOWN.get(sign, sign)} {m['number']}{'%' * ('%' in m['behind'])}"
        for sign, m in zip(signs, parts, strict=True)
    )
    units = (*(_unit(line, f"{m['number']}{m['behind']}") for m in parts), _unit_behind(line, found))
    loose = bool(_LOOSELY.search(line.text, found.end("sum"), found.start("result")))
    return Reckoning(found.start(), found.end(), formula.strip(), made, stated, found["result"], units, loose)


def _is_divided_by_all(signs: Sequence[str], named: dict[str, Interval], stated: Interval) -> bool:
    """True for "16 x 20 x 28 / 2 x 2 = 2,240", where the writer means to divide by both."""
    if "/" not in signs or "*" not in signs[signs.index("/") :] or not set(signs[1:]) <= {"*", "/"}:
        return False
    at = signs.index("/")
    over, below = (" * ".join(f"n{i}" for i in part) for part in (range(at), range(at, len(signs))))
    return evaluate(f"({over}) / ({below})", named).gap(stated) <= 1 + _ROOM


def _sums_things(line: Line, parts: Sequence[re.Match[str]], found: re.Match[str]) -> bool:
    """True for "64 scales + 64 zero points = 512 bytes", where so many things take so much."""
    behind = (m for m in parts if m["behind"].strip(" %"))
    return any(not _unit(line, f"{m['number']}{m['behind']}") for m in behind) and bool(_unit_behind(line, found))


def _unit_behind(line: Line, found: re.Match[str]) -> str:
    """The unit of the result."""
    return _unit(line, line.text[found.start("result") : found.end() + _NEAR])


def _value(written: str, *, percent: bool) -> Interval | None:
    """What a number in digits or words stands for, with the precision of its writing."""
    numeral = numeral_at(bare := written.lstrip("~$€£"), 0)
    if numeral is None or numeral.end < len(bare.rstrip("% ,.")):
        return None
    share = Interval.of(_HUNDRED if percent else 1.0)
    return Interval(numeral.value - numeral.half, numeral.value + numeral.half) / share


def _unit(line: Line, written: str) -> str:
    """The unit that a number is written with, "" for none."""
    found = line.book.domain.unit_table.find(written)
    return found[0].unit if found and found[0].start == 0 else ""


def _draft(book: Casebook, line: Line, found: Reckoning) -> Finding:
    quantity = Quantity(found.start, found.end, "number", "", found.stated.low, found.stated.high)
    said = line.statement(quantity)
    scale = Interval.of(_HUNDRED if found.result.endswith("%") else 1.0)
    made = number((found.made * scale).middle) + "%" * found.result.endswith("%")
    return draft(
        book,
        "CW406",
        "contradiction",
        "medium",
        f"{found.formula} is {made}, not {found.result}",
        f"{found.formula} = {made}   [{place(book, said)}]\nclaimed: {found.result}",
        (said,),
        help="see which of the numbers is off, and what was made of the result",
    )
