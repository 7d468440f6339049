"""Sums as a text writes them out, and what they are said to make; none with a symbol or a bracket right beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval, evaluate
from chipwise.numbers.numerals import numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.text import STOP_WORDS

_SIGNS = {"x": "*", "×": "*", "*": "*", "·": "*", "times": "*", "/": "/", "÷": "/", "divided by": "/", "over": "/"}
_SIGNS |= {"+": "+", "plus": "+", "-": "-", "–": "-", "−": "-", "minus": "-"}
_TOKEN = re.compile(r"[~$€£]{0,2}(?=[\d.])|divided by\b|[^\W\d_][\w/²]*|\S", re.I)
_RESULT, _LOOSELY, _GOES_ON = "result", "result, loosely", "more of a sum"  # of neutral.toml
_CLOSE = ("-", "–")  # signs with blanks around them, or they are hyphens and ranges
_MARKS = frozenset(")]}[{^_\\")
_JOINS = frozenset(("to", "and", "or", "-", "–"))  # of two numbers
_FOLLOWS = frozenset(("^", "to", "or", "x", "times", "plus", "minus"))
_MOST, _WORDS = 9, 3  # operands, more are a list; words between a number and the sign behind it: unit and noun
_UNIT_CHANGES = (8.0, 24.0, 60.0, 100.0, 3600.0)  # bits in bytes, hours in days, shares in per cent, hours in seconds
_THOUSANDS = (1e3, 1e6, 1e9, 1e12, 1024.0, 1024.0**2, 1024.0**3)
_ROOM, _LOOSE = 0.02, 0.06  # by so much of itself a result may be off, and one that says so
_NOT_THIS = 6.0  # times: what is that far off is read wrongly rather than reckoned wrongly
_CUT_FROM = 10  # whole numbers from here on may have been cut off rather than rounded
_LEAST_DIGITS = 2  # of the operands: "2 x 1 = 3" may be anything
_HUNDRED = 100.0


@dataclass(frozen=True, slots=True)
class Token:
    """A number with its value and unit, a sign, a word or a mark."""

    start: int
    end: int
    text: str
    sign: str = ""
    value: Interval | None = None
    unit: str = ""
    dimension: str = ""
    scale: float = 1.0  # of its unit

    @property
    def number(self) -> Interval:
        """Its value, 0 of what is no number."""
        return self.value or Interval.of(0)


@dataclass(frozen=True, slots=True)
class Sum:
    """Operands with the signs between them, and the number that they are said to make."""

    signs: Sequence[str]
    operands: Sequence[Token]
    result: Token
    loose: bool
    of_things: bool  # an operand counts something: "64 zero points"

    @property
    def made(self) -> Interval:
        """What the operands make, in the unit of the result where one of them has a unit of that dimension."""
        made = self._evaluated("".join(f"{sign} n{i}" for i, sign in enumerate(("", *self.signs))))
        alike = [o.scale for o in self.operands if o.dimension == self.result.dimension != ""]
        return made * Interval.of(alike[0] / self.result.scale) if len(alike) == 1 else made

    def _evaluated(self, expression: str) -> Interval:
        return evaluate(expression, {f"n{i}": o.number for i, o in enumerate(self.operands)})

    @property
    def formula(self) -> str:
        """As written, without units."""
        shown = ["", *("x" if sign == "*" else sign for sign in self.signs)]
        return " ".join(f"{sign} {o.text}" for sign, o in zip(shown, self.operands, strict=True)).strip()

    @property
    def comes_out(self) -> bool:
        """True where the result is that of the numbers, or of what they are in another unit."""
        made, stated, room = self.made, self.result.number, _LOOSE if self.loose else _ROOM
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
        made, stated = self.made, self.result.number
        if not made.is_finite or made.low <= 0 or stated.low <= 0:
            return False
        digits = sum(c.isdigit() for o in self.operands for c in o.text) + sum(o.text.isalpha() for o in self.operands)
        near = 1 / _NOT_THIS < made.middle / stated.middle < _NOT_THIS
        adds_things = self.of_things and set(self.signs) <= {"+", "-"} and bool(self.result.unit)  # "64 + 64 = 512 B"
        return near and digits >= _LEAST_DIGITS and not adds_things and not self._divides_by_all

    @property
    def _divides_by_all(self) -> bool:
        if set(self.signs) != {"*", "/"}:
            return False
        at, names = self.signs.index("/") + 1, [f"n{i}" for i in range(len(self.operands))]
        made = self._evaluated(f"({' * '.join(names[:at])}) / ({' * '.join(names[at:])})")
        return made.gap(self.result.number) <= 1 + _ROOM


def sums(domain: Domain, text: str, quantities: Sequence[Quantity]) -> Iterator[Sum]:
    """The sums that a sentence with these quantities writes out."""
    tokens, at = list(_tokens(domain, text, quantities)), 0
    while any(t.sign for t in tokens) and at < len(tokens):
        found, end = _read(domain, tokens, at) if tokens[at].value is not None else (None, at + 1)
        if found is not None and _stands_alone(domain, tokens, at, end):
            yield found
        at = max(end, at + 1)


def _read(domain: Domain, tokens: Sequence[Token], at: int) -> tuple[Sum | None, int]:
    """The sum that begins with a number, and the token behind what was read of it."""
    signs, operands, of_things = [], [tokens[at]], False
    at += 1
    while len(operands) <= _MOST:
        end = min(at + _WORDS + 1, len(tokens))
        behind = next((n for n in range(at, end) if not _is_a_word(domain, tokens[n])), at)
        if behind + 1 >= len(tokens) or not tokens[behind].sign or tokens[behind + 1].value is None:
            break
        of_things |= behind > at and not operands[-1].unit
        signs.append(tokens[behind].sign)
        operands.append(tokens[behind + 1])
        at = behind + 2
    links = next((n for n in range(at, len(tokens)) if not _is_a_word(domain, tokens[n])), len(tokens))
    of_things |= links > at and not operands[-1].unit
    ends = domain.change_nothing(_RESULT, _LOOSELY)
    at = next((n for n in range(links, len(tokens)) if tokens[n].text.lower() not in ends), len(tokens))
    made = {t.text.lower() for t in tokens[links:at]}
    if not signs or at >= len(tokens) or tokens[at].value is None or not made & domain.change_nothing(_RESULT):
        return None, links
    return Sum(signs, operands, tokens[at], bool(made & domain.change_nothing(_LOOSELY)), of_things), at + 1


def _is_a_word(domain: Domain, token: Token) -> bool:
    """True for a unit, or for what so many are of."""
    word = token.text[0].isalpha() or token.text == "%"
    ends = domain.change_nothing(_RESULT, _LOOSELY, _GOES_ON)
    return word and token.value is None and not token.sign and token.text.lower() not in ends


def _stands_alone(domain: Domain, tokens: Sequence[Token], at: int, end: int) -> bool:
    """False where another operand, a bracket, a symbol or a name goes on before it or behind."""
    if at:
        before, other = tokens[at - 1], tokens[at - 2] if at > 1 else None
        joined = other is not None and other.value is not None and before.text in _JOINS  # "three to four times 80"
        named = before.value is None and before.text[0].isupper() and before.text.lower() not in STOP_WORDS
        goes_on = before.text in _MARKS or before.text.lower() in domain.change_nothing(_GOES_ON)
        if joined or named or before.sign or goes_on:
            return False
    behind, further = (*tokens[end : end + 2], None, None)[:2]
    if behind is None:
        return True
    summed = behind.sign and further is not None and (further.value is not None or further.text == "(")
    times = further is not None and further.sign == "*"
    return not (summed or times or behind.text in _FOLLOWS)


def _tokens(domain: Domain, text: str, quantities: Sequence[Quantity]) -> Iterator[Token]:
    at = 0
    while (m := _TOKEN.search(text, at)) is not None:
        numeral = numeral_at(text, m.end() if m[0].strip("~$€£") == "" else m.start())
        before = text[max(0, m.start() - 2) : m.start()]
        if numeral is not None and not (before[-1:].isalnum() or (before[:1].isdigit() and before[-1:] == ",")):
            percent = text[numeral.end : numeral.end + 2].lstrip().startswith("%")
            share = Interval.of(_HUNDRED if percent else 1.0)
            value = Interval(numeral.value - numeral.half, numeral.value + numeral.half) / share
            q = next((q for q in quantities if q.start <= numeral.start < q.end), None)
            unit = domain.units.get(q.unit) if q is not None else None
            of = (unit.id, unit.dimension, unit.scale) if unit is not None else ()
            yield Token(m.start(), numeral.end, text[m.start() : numeral.end].strip() + "%" * percent, "", value, *of)
            at = numeral.end
            continue
        spaced = m[0] not in _CLOSE or text[max(0, m.start() - 1) : m.end() + 1].count(" ") > 1
        at = max(m.end(), m.start() + 1)
        yield Token(m.start(), at, m[0] or text[m.start()], _SIGNS.get(m[0].lower(), "") if spaced else "")
