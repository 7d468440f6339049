"""A calculation that a text writes out and that does not come to the result beside it (CW406).

    "12 x 720 x 55.04 USD = 574,546 USD"    ->  12 x 720 x 55.04 = 475,546
    "24 - 14 = 14 GB"                       ->  24 - 14 = 10
    "seven times 64 is 512 GB/s"            ->  7 x 64 = 448

Only numbers stand in it: what has a symbol, a bracket or another sum right beside it is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from chipwise import patterns as re
from chipwise.audit.amounts import number
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.casebook import place as located
from chipwise.audit.drafting import draft, place
from chipwise.claims import voice
from chipwise.claims.model import DOUBTED, Claim
from chipwise.numbers.intervals import Interval, evaluate
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.text import STOP_WORDS, asks
from chipwise.types import Finding, Passage, Role

_SIGNS = {"x": "*", "×": "*", "*": "*", "·": "*", "times": "*", "/": "/", "÷": "/", "divided by": "/", "over": "/"}
_SIGNS |= {"+": "+", "plus": "+", "-": "-", "–": "-", "−": "-", "minus": "-"}
_TOKEN = re.compile(r"[~$€£]{0,2}(?=[\d.])|divided by\b|[^\W\d_][\w/²]*|\S", re.I)
_RESULT, _LOOSELY, _GOES_ON = "result", "result, loosely", "more of a sum"  # of neutral.toml
_CLOSE = ("-", "–")  # signs with blanks around them, or they are hyphens and ranges
_MARKS = frozenset(")]}[{^_\\")
_JOINS = frozenset(("to", "and", "or", "-", "–"))  # of two numbers
_FOLLOWS = frozenset(("^", "to", "or", "x", "times", "plus", "minus"))
_MOST = 9  # more operands than that are a list
_WORDS = 3  # between a number and the sign behind it: its unit, and what it is of
_UNIT_CHANGES = (8.0, 24.0, 60.0, 100.0, 3600.0)  # bits in bytes, hours in days, shares in per cent, hours in seconds
_THOUSANDS = (1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0**2, 1024.0**3)
_ROOM, _LOOSE = 0.02, 0.06  # by so much of itself a result may be off, and one that says so
_NOT_THIS = 6.0  # times: what is that far off is read wrongly rather than reckoned wrongly
_CUT_FROM = 10  # whole numbers from here on may have been cut off rather than rounded
_LEAST_DIGITS = 2  # of the operands: "2 x 1 = 3" may be anything
_HUNDRED = 100.0


@dataclass(frozen=True, eq=False)
class _Line:
    """A sentence, item or table row at `[start, end)` of a passage."""

    book: Casebook
    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        """As the source has it."""
        return self.passage.text[self.start : self.end]

    @cached_property
    def written(self) -> list[Quantity]:
        """Its figures, whether or not they are claims."""
        return self.book.domain.unit_table.find(self.text)

    @property
    def is_its_own(self) -> bool:
        """False for a question and for what the source itself calls wrong."""
        doubted = voice.attribution(self.book.domain, self.text, self.passage.heading) == DOUBTED
        return not (asks(self.text) or doubted)

    def statement(self, q: Quantity) -> Statement:
        """The claim on a figure, or one of nothing that is known."""
        p, first = self.passage, self.passage.start + self.start
        known = self.book.claimed.get((p.source, first + q.start))
        places = first, p.start + self.end, first + q.start, first + q.end
        claim = Claim(p.source, p.ordinal, *places, "", "", q.moved(first))
        return known or located(self.book.domain, claim, p.role)


@dataclass(frozen=True, slots=True)
class _Token:
    """A number with its value and unit, a sign, a word or a mark."""

    start: int
    end: int
    text: str
    sign: str = ""
    value: Interval | None = None
    unit: str = ""
    dimension: str = ""
    scale: float = 1.0  # of its unit


@dataclass(frozen=True, slots=True)
class Calculation:
    """Operands with the signs between them, and the number that they are said to make."""

    signs: Sequence[str]
    operands: Sequence[_Token]
    result: _Token
    loose: bool
    of_things: bool  # an operand counts something: "64 zero points"

    @property
    def made(self) -> Interval:
        """What the operands make, in the unit of the result where one of them has a unit of that dimension."""
        terms = {f"n{i}": _value(o) for i, o in enumerate(self.operands)}
        made = evaluate("".join(f"{sign} n{i}" for i, sign in enumerate(("", *self.signs))), terms)
        alike = [o.scale for o in self.operands if o.dimension == self.result.dimension != ""]
        return made * Interval.of(alike[0] / self.result.scale) if len(alike) == 1 else made

    @property
    def formula(self) -> str:
        """As written, without units."""
        shown = ["", *("x" if sign == "*" else sign for sign in self.signs)]
        return " ".join(f"{sign} {o.text}" for sign, o in zip(shown, self.operands, strict=True)).strip()

    @property
    def comes_out(self) -> bool:
        """True where the result is that of the numbers, or of what they are in another unit."""
        made, stated, room = self.made, _value(self.result), _LOOSE if self.loose else _ROOM
        claimed = stated * Interval(1 - room, 1 + room)
        is_cut = self.result.text.isdigit() and stated.middle >= _CUT_FROM and 0 < made.middle - stated.middle < 1
        if claimed.meets(made) or is_cut:
            return True  # 22.49 is cut to 22
        if self.result.unit in (*(o.unit for o in self.operands), ""):
            return False
        return any((claimed * Interval.of(f)).meets(made) for s in (*_UNIT_CHANGES, *_THOUSANDS) for f in (s, 1 / s))

    @property
    def is_meant(self) -> bool:
        """False where something else is meant: so far off, or "16 x 20 x 28 / 2 x 2 = 2,240", which divides by both."""
        made, stated = self.made, _value(self.result)
        if not made.is_finite or made.low <= 0 or stated.low <= 0:
            return False
        digits = sum(c.isdigit() for o in self.operands for c in o.text)
        words = sum(o.text.isalpha() for o in self.operands)
        near = 1 / _NOT_THIS < made.middle / stated.middle < _NOT_THIS
        return near and digits + words >= _LEAST_DIGITS and not self._divides_by_all and not self._adds_things

    @property
    def _divides_by_all(self) -> bool:
        if set(self.signs) != {"*", "/"}:
            return False
        at = self.signs.index("/") + 1
        over, below = (" * ".join(f"n{i}" for i in part) for part in (range(at), range(at, len(self.operands))))
        values = {f"n{i}": _value(o) for i, o in enumerate(self.operands)}
        return evaluate(f"({over}) / ({below})", values).gap(_value(self.result)) <= 1 + _ROOM

    @property
    def _adds_things(self) -> bool:
        """True for "64 scales + 64 zero points = 512 bytes", where so many things take so much."""
        return self.of_things and set(self.signs) <= {"+", "-"} and bool(self.result.unit)


def find_wrong_calculations(book: Casebook, source: str = "") -> Iterator[Finding]:
    """One finding for each calculation that comes to something else than is written behind it."""
    for of in [source] if source else book.sources:
        spoken = (p for p in book.passages_of(of) if p.role.speaks_for_the_source and p.role is not Role.CODE)
        for line in (_Line(book, passage, *span) for passage in spoken for span in passage.sentences):
            found = _written_out(line) if any(map(str.isdigit, line.text)) else ()
            wrong = (c for c in found if c.is_meant and not c.comes_out and line.is_its_own)
            yield from (_draft(book, line, c) for c in wrong)


def _written_out(line: _Line) -> Iterator[Calculation]:
    tokens, at = list(_tokens(line)), 0
    if not any(t.sign for t in tokens):
        return
    while at < len(tokens):
        found, end = _read(line, tokens, at) if tokens[at].value is not None else (None, at + 1)
        if found is not None and _stands_alone(line, tokens, at, end):
            yield found
        at = max(end, at + 1)


def _read(line: _Line, tokens: Sequence[_Token], at: int) -> tuple[Calculation | None, int]:
    """The calculation that begins with a number, and the token behind what was read of it."""
    neutral = line.book.domain.change_nothing
    signs, operands, of_things = [], [tokens[at]], False
    at += 1
    while len(operands) <= _MOST:
        behind = next((n for n in range(at, min(at + _WORDS + 1, len(tokens))) if not _is_a_word(line, tokens[n])), at)
        if behind + 1 >= len(tokens) or not tokens[behind].sign or tokens[behind + 1].value is None:
            break
        of_things |= behind > at and not operands[-1].unit
        signs.append(tokens[behind].sign)
        operands.append(tokens[behind + 1])
        at = behind + 2
    links = at
    while links < len(tokens) and _is_a_word(line, tokens[links]):
        links += 1
    of_things |= links > at and not operands[-1].unit
    at = links
    while at < len(tokens) and tokens[at].text.lower() in neutral(_RESULT, _LOOSELY):
        at += 1
    made = {t.text.lower() for t in tokens[links:at]}
    if not signs or at >= len(tokens) or tokens[at].value is None or not made & neutral(_RESULT):
        return None, links
    return Calculation(signs, operands, tokens[at], bool(made & neutral(_LOOSELY)), of_things), at + 1


def _is_a_word(line: _Line, token: _Token) -> bool:
    """True for a unit, or for what so many are of."""
    ends = line.book.domain.change_nothing(_RESULT, _LOOSELY, _GOES_ON)
    word = token.text[0].isalpha() or token.text == "%"
    return word and token.value is None and not token.sign and token.text.lower() not in ends


def _stands_alone(line: _Line, tokens: Sequence[_Token], at: int, end: int) -> bool:
    """False where another operand, a bracket, a symbol or a name goes on before it or behind."""
    goes_on = line.book.domain.change_nothing(_GOES_ON)
    for before, other in [(tokens[at - 1], tokens[at - 2] if at > 1 else None)] if at else []:
        joined = other is not None and other.value is not None and before.text in _JOINS  # "three to four times 80"
        named = before.value is None and before.text[0].isupper() and before.text.lower() not in STOP_WORDS
        if joined or named or before.sign or before.text in _MARKS or before.text.lower() in goes_on:
            return False
    behind, further = (*tokens[end : end + 2], None, None)[:2]
    if behind is None:
        return True
    summed = behind.sign and further is not None and (further.value is not None or further.text == "(")
    times = further is not None and further.sign == "*"
    return not (summed or times or behind.text in _FOLLOWS)


def _tokens(line: _Line) -> Iterator[_Token]:
    text, at = line.text, 0
    while (m := _TOKEN.search(text, at)) is not None:
        numeral = numeral_at(text, m.end() if m[0].strip("~$€£") == "" else m.start())
        sign = _SIGNS.get(m[0].lower(), "")
        if numeral is not None and not (m.start() and text[m.start() - 1].isalnum()):
            percent = text[numeral.end : numeral.end + 2].lstrip().startswith("%")
            share = Interval.of(_HUNDRED if percent else 1.0)
            value = Interval(numeral.value - numeral.half, numeral.value + numeral.half) / share
            q = next((q for q in line.written if q.start <= numeral.start < q.end), None)
            unit = line.book.domain.units.get(q.unit) if q is not None else None
            of = (unit.id, unit.dimension, unit.scale) if unit is not None else ()
            written = text[m.start() : numeral.end].strip() + "%" * percent
            yield _Token(m.start(), numeral.end, written, "", value, *of)
            at = numeral.end
            continue
        if m[0] in _CLOSE and not text[max(0, m.start() - 1) : m.end() + 1].count(" ") > 1:
            sign = ""
        yield _Token(m.start(), max(m.end(), m.start() + 1), m[0] or text[m.start()], sign)
        at = max(m.end(), m.start() + 1)


def _value(token: _Token) -> Interval:
    return token.value or Interval.of(0)


def _draft(book: Casebook, line: _Line, found: Calculation) -> Finding:
    stated = _value(found.result)
    said = line.statement(Quantity(found.operands[0].start, found.result.end, "number", "", stated.low, stated.high))
    percent = found.result.text.endswith("%")
    made = number((found.made * Interval.of(_HUNDRED if percent else 1.0)).middle) + "%" * percent
    unit = f" {found.result.unit}" if found.result.dimension in {o.dimension for o in found.operands} - {""} else ""
    return draft(
        book,
        "CW406",
        "contradiction",
        "medium",
        f"{found.formula} is {made}{unit}, not {found.result.text}",
        f"{found.formula} = {made}{unit}   [{place(book, said)}]\nclaimed: {found.result.text}",
        (said,),
        help="see which of the numbers is off, and what was made of the result",
    )
