"""One number in a text, with the unit or currency that it carries itself.

    "80 GB"  "$12 per hour"  "8x H100 GPUs"  "−5 °C"  "15 T tokens"

What stands next to it (a range's other end, a tolerance, the unit of a whole
list) is put together in `measures`.
"""

from __future__ import annotations

from chipwise import nouns
from chipwise import patterns as re
from chipwise.numbers.numerals import LETTERS, SCALES, Numeral, numeral_at
from chipwise.numbers.unitforms import Forms, Money, Unit
from chipwise.values import dataclass

PERCENT, TIMES, METRE = "%", "x", "m"  # ids of units that are read in ways of their own
NUMBER = Unit("", "number", 1.0)  # of a number that has none

_SIGNED = frozenset({"temperature", "ratio", "number", "angle", "voltage", "parts"})
_NEGATIVE = re.compile(r"(?:^|[\s(=<>~∼≈,;:$€£±])(-|−\s?)$|\b(minus|negative)\s$", re.I)
_ARTICLE = re.compile(r"\s(?:of\s)?an?(?=\s)", re.I)
_OF_THOSE = re.compile(r"\s(?:of\s(?:those|these)|such)(?=\s[a-z])")
_SPACED_LETTER = re.compile(r"\s([kKMBT])(?=\s)")
_ITS_MERIT = re.compile(
    rf"(?:['’]s)?\s(?:(?!(?:{nouns.HOLDER})(?:e?s)?\b)\w+\s)?"
    r"(?:perf\w*|throughput|speeds?|bandwidth|memory|power|costs?|price|efficiency|capacity)\b",
    re.I,
)
_SHOUTED = re.compile(r"\s[A-Z]{3,}\s[A-Z]")
_PRODUCT = re.compile(r"\s?\d|\s(?:[x×*]|[A-Za-z]+\s[x×*])\s")
_BEFORE_DIGITS = re.compile(r"\D{0,5}")
_MANY = 100  # of fewer things hardly anybody measures anything: "rotate 3 turns"
_PLURAL = re.compile(r" ([a-z]{3,}[a-rt-z]s)(?![\w'’-])")  # not "less", "across"
_SCALE_BEHIND = re.compile(r"\s(thousand|million|billion|trillion)\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """A number at `[start, end)`; `unit` is its own or None, `money` the sign that stood before it."""

    start: int
    end: int
    numeral: Numeral
    unit: Unit | None
    money: Money | None = None
    factor: float = 1.0
    negative: bool = False

    @property
    def value(self) -> float:
        """What stands there, signed, in its unit."""
        return self.numeral.value * self.factor * (-1 if self.negative else 1)

    @property
    def half(self) -> float:
        """What rounding may have taken from it, to either side."""
        return self.numeral.half * self.factor

    @property
    def is_small_count(self) -> bool:
        """A whole number below 100 in digits, as names and references have it."""
        return self.numeral.in_digits and self.numeral.value < 100 and self.numeral.half == 0.0  # noqa: PLR2004


class Pieces:
    """Reads numbers in one text. Units that the table lacks ("W/m2") are made where `made_up`, else they rule the number out."""

    def __init__(self, text: str, forms: Forms, *, made_up: bool) -> None:
        self.text = text
        self.forms = forms
        self.made_up = made_up
        # the same with known units alone
        self.known: Pieces = Pieces(text, forms, made_up=False) if made_up else self
        self._read: dict[int, Piece | None] = {}  # lists and ranges look at a number again and again

    def at(self, at: int, money: Money | None = None) -> Piece | None:
        """The number at `at`; `money` is the currency of the range that it ends."""
        if money is not None:
            return self._piece(at, money)
        if at not in self._read:
            self._read[at] = self._piece(at, None)
        return self._read[at]

    def _piece(self, at: int, money: Money | None) -> Piece | None:
        text, before = self.text, self.forms.money_before(self.text, at)
        if before is None:
            leading = self._leading_money(at)
            before, at = leading or (None, at)
        numeral = numeral_at(text, at)
        if numeral is None or (before is None and at and text[at - 1].isalpha()):
            return None  # "RTX4090"
        if before or money:
            return self._priced(at, numeral, before, before or money)
        found = self._unit_behind(numeral)
        if found is None:
            return None
        unit, end, factor = found
        signed = _NEGATIVE.search(text, max(0, at - 10), at)
        kind = unit.dimension if unit else NUMBER.dimension if self.made_up else ""
        if signed is None or not (kind in _SIGNED or (signed[1] or "")[:1] == "−" or signed[2]):
            return Piece(at, end, numeral, unit, factor=factor)
        return Piece(signed.start(1 if signed[1] else 2), end, numeral, unit, factor=factor, negative=True)

    def _leading_money(self, at: int) -> tuple[Money, int] | None:
        """The currency that stands at `at`, before the number of a range's second end: "to $15"."""
        sign = _BEFORE_DIGITS.match(self.text, at)
        number = sign.end() if sign else at
        money = self.forms.money_before(self.text, number) if number > at else None
        return (money, number) if money and money.start == at else None

    def _priced(self, at: int, numeral: Numeral, before: Money | None, money: Money | None) -> Piece | None:
        if money is None:
            return None
        unit, end, factor = self.forms.behind_money(money, self.text, numeral.end)
        compound = self.forms.compound(self.text, unit, end) if unit else None
        if unit is None or (compound and self._is_made_up(compound[0])):
            return None
        unit, end = compound or (unit, end)
        return Piece(before.start if before else at, end, numeral, unit, money, factor)

    def _unit_behind(self, numeral: Numeral) -> tuple[Unit | None, int, float] | None:
        """The unit behind a number with its end and a factor; None where what stands there rules the number out."""
        text, end = self.text, numeral.end
        article = _ARTICLE.match(text, end) if numeral.fraction else None
        end = article.end() if article else end + (text[end : end + 1] == "+" and numeral.in_digits)
        letter = _SPACED_LETTER.match(text, end) if numeral.in_digits else None
        scaled = self.forms.at(text, letter.end()) if letter else None
        if letter and scaled:
            return *scaled, LETTERS[letter[1]]  # "15 T tokens"
        found = self.forms.at(text, end, in_digits=numeral.in_digits) or self._counted_of_those(end)
        if found is None and numeral.value >= _MANY:
            found = self._noun(end)
        if found and found[0].id == TIMES:
            found = self._multiplied(found)
        if found is None:
            return None, numeral.end, 1.0
        millions = self._count_behind(found[1]) if found[0].id == METRE and found[1] == numeral.end + 1 else None
        if millions:
            return *millions, LETTERS["M"]  # "1.2m tokens"
        if found[0].dimension == "count" and text[end : end + 1] == " ":
            found = self._counted_last(found)
        word = _SCALE_BEHIND.match(text, found[1]) if found[0].dimension.startswith("price") else None
        if word:
            return found[0], word.end(), SCALES[word[1]]  # "75 USD million"
        compound = self.forms.compound(text, *found)
        if compound and self._is_made_up(compound[0]) and compound[0].dimension != found[0].dimension:
            return None  # "1 g/cm3" is no mass
        return *(compound or found), 1.0

    def _multiplied(self, times: tuple[Unit, int]) -> tuple[Unit, int] | None:
        """What stands behind "8x" where it counts that; None where the "x" is of a product."""
        text, end = self.text, times[1]
        counted = self.forms.at(text, end)
        spelled = text[end - 1] in "sd"  # "times", "fold"
        product = None if spelled else _PRODUCT.match(text, counted[1] if counted else end)
        if counted and counted[0].dimension == "count" and not product and not _ITS_MERIT.match(text, counted[1]):
            return counted  # "8x H100 GPUs", but "2x A100 performance"
        # "8x NVIDIA H100", "2 x 1,216"
        return None if product or (not counted and _SHOUTED.match(text, end)) else times

    def _count_behind(self, at: int) -> tuple[Unit, int] | None:
        """What a number that ends at `at` counts, in the table or made up."""
        found = self.forms.at(self.text, at) if self.text[at : at + 1] == " " else None
        return found if found and found[0].dimension == "count" else self._noun(at)

    def _noun(self, at: int) -> tuple[Unit, int] | None:
        """The plural behind a number as a unit, "13,000 workers", where units may be made up."""
        noun = _PLURAL.match(self.text, at) if self.made_up else None
        return (Unit(noun[1], "count", 1.0, noun[1]), noun.end()) if noun else None

    def _is_made_up(self, unit: Unit) -> bool:
        """True for a unit that no table knows, where none may be made."""
        return not self.made_up and not self.forms.has(unit)

    def _counted_of_those(self, at: int) -> tuple[Unit, int] | None:
        """ "16 of those chips": a count of what was told before."""
        told = _OF_THOSE.match(self.text, at)
        found = self.forms.at(self.text, told.end()) if told else None
        return found if found and found[0].dimension == "count" else None

    def _counted_last(self, found: tuple[Unit, int]) -> tuple[Unit, int]:
        """ "two GPU dies" counts dies: a noun in the singular only says of which kind."""
        last = self.forms.at(self.text, found[1]) if self.text[found[1] - 1] != "s" else None
        counts = last and last[0].dimension == "count" and self.text[last[1] - 1] == "s"
        return last if last and counts else found
