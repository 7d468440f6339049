"""A single number of a text with its own unit or currency.

    "80 GB"  "$12 per hour"  "8x H100 GPUs"  "−5 °C"  "15 T tokens"

`measures` combines neighbors: the ends of a range, a tolerance, a list that shares one unit.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.numbers.numerals import LETTERS, SCALES, Numeral, numeral_at
from chipwise.numbers.unitforms import Forms, Money, Unit
from chipwise.values import dataclass

PERCENT, TIMES, METER = "%", "x", "m"  # ids of units with rules of their own
HOLDERS = "system|machine|instance|rack|node|server|pod|slice|cluster|box"  # of several chips
NUMBER = Unit("", "number", 1.0)  # the unit of a bare number

_SIGNED = frozenset({"temperature", "ratio", "number", "angle", "voltage", "parts"})
_NEGATIVE = re.compile(r"(?:^|[\s(=<>~∼≈,;:$€£±])(-|−\s?)$|\b(minus|negative)\s$", re.I)
_ARTICLE = re.compile(r"\s(?:of\s)?an?(?=\s)", re.I)
_OF_THOSE = re.compile(r"\s(?:of\s(?:those|these)|such)(?=\s[a-z])")
_SPACED_LETTER = re.compile(r"\s([kKMBT])(?=\s)")
_ITS_MERIT = re.compile(
    rf"(?:['’]s)?\s(?:(?!(?:{HOLDERS})(?:e?s)?\b)\w+\s)?"
    r"(?:perf\w*|throughput|speeds?|bandwidth|memory|power|costs?|price|efficiency|capacity)\b",
    re.I,
)
_PRODUCT = re.compile(r"\s?\d|\s(?:[x×*]|[A-Za-z]+\s[x×*])\s")
_BEFORE_DIGITS = re.compile(r"\D{0,5}")
_MANY = 2  # a noun after one is none that is counted: "one says"
_PLURAL = re.compile(r" ([a-z]{3,}[a-rt-z]s)(?![\w'’-])")  # not "less", "across"
_SCALE_BEHIND = re.compile(r"\s(thousand|million|billion|trillion)\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """A number at `[start, end)`. `unit` is its own unit or None; `money` is the currency sign before it."""

    start: int
    end: int
    numeral: Numeral
    unit: Unit | None
    money: Money | None = None
    factor: float = 1.0
    negative: bool = False

    @property
    def value(self) -> float:
        """The signed value, in the unit as written."""
        return self.numeral.value * self.factor * (-1 if self.negative else 1)

    @property
    def half(self) -> float:
        """Half the last digit: the rounding error to either side."""
        return self.numeral.half * self.factor

    @property
    def is_small_count(self) -> bool:
        """True for a whole number below 100 in digits, the kind that names and references contain."""
        return self.numeral.in_digits and self.numeral.value < 100 and self.numeral.half == 0.0  # noqa: PLR2004


class Pieces:
    """Reads the numbers of one text. With `made_up`, units that the table lacks ("W/m2") are built from known ones."""

    def __init__(self, text: str, forms: Forms, *, made_up: bool) -> None:
        self.text = text
        self.forms = forms
        self.made_up = made_up
        # reads the same text with table units only
        self.known: Pieces = Pieces(text, forms, made_up=False) if made_up else self
        self._read: dict[int, Piece | None] = {}  # lists and ranges read the same number many times

    def at(self, at: int, money: Money | None = None) -> Piece | None:
        """Return the number at `at`, or None. `money` is the currency if the number ends a price range."""
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
        own = self._unit_behind(numeral)
        if own is None:
            return None
        unit, end, factor = own
        signed = _NEGATIVE.search(text, max(0, at - 10), at)
        kind = unit.dimension if unit else NUMBER.dimension if self.made_up else ""
        if signed is None or not (kind in _SIGNED or (signed[1] or "")[:1] == "−" or signed[2]):
            return Piece(at, end, numeral, unit, factor=factor)
        return Piece(signed.start(1 if signed[1] else 2), end, numeral, unit, factor=factor, negative=True)

    def _leading_money(self, at: int) -> tuple[Money, int] | None:
        """Return the currency at `at` and the place of its number: the "$15" of "$12 to $15"."""
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
        """Return the unit after a number, its end and a factor; None if the words there rule the number out."""
        text, end = self.text, numeral.end
        article = _ARTICLE.match(text, end) if numeral.fraction else None
        end = article.end() if article else end + (text[end : end + 1] == "+" and numeral.in_digits)
        letter = _SPACED_LETTER.match(text, end) if numeral.in_digits else None
        scaled = self.forms.at(text, letter.end()) if letter else None
        if letter and scaled:
            return *scaled, LETTERS[letter[1]]  # "15 T tokens"
        behind = self.forms.at(text, end, in_digits=numeral.in_digits) or self._counted_of_those(end)
        if behind is None and numeral.value >= _MANY:
            behind = self._noun(end)
        if behind and behind[0].id == TIMES:
            behind = self._multiplied(behind)
        if behind is None:
            return None, numeral.end, 1.0
        millions = self._count_behind(behind[1]) if behind[0].id == METER and behind[1] == numeral.end + 1 else None
        if millions:
            return *millions, LETTERS["M"]  # "1.2m tokens"
        if behind[0].dimension == "count" and text[end : end + 1] == " ":
            behind = self._counted_last(behind)
        word = _SCALE_BEHIND.match(text, behind[1]) if behind[0].dimension.startswith("price") else None
        if word:
            return behind[0], word.end(), SCALES[word[1]]  # "75 USD million"
        compound = self.forms.compound(text, *behind)
        if compound and self._is_made_up(compound[0]) and compound[0].dimension != behind[0].dimension:
            return None  # "1 g/cm3" is no mass
        return *(compound or behind), 1.0

    def _multiplied(self, times: tuple[Unit, int]) -> tuple[Unit, int] | None:
        """Return the unit that "8x" counts, or "x" itself; None if the "x" belongs to a product ("2 x 1,216")."""
        text, end = self.text, times[1]
        counted = self.forms.at(text, end)
        spelled = text[end - 1] in "sd"  # "times", "fold"
        product = None if spelled else _PRODUCT.match(text, counted[1] if counted else end)
        if counted and counted[0].dimension == "count" and not product and not _ITS_MERIT.match(text, counted[1]):
            return counted  # "8x H100 GPUs", but "2x A100 performance"
        # "8x NVIDIA H100", "2 x 1,216"
        return None if product else times

    def _count_behind(self, at: int) -> tuple[Unit, int] | None:
        """Return the counted unit right after `at`, from the table or made up."""
        unit = self.forms.at(self.text, at) if self.text[at : at + 1] == " " else None
        return unit if unit and unit[0].dimension == "count" else self._noun(at)

    def _noun(self, at: int) -> tuple[Unit, int] | None:
        """Return the plural noun after a number as a unit ("13,000 workers"), if units may be made up."""
        noun = _PLURAL.match(self.text, at) if self.made_up else None
        return (Unit(noun[1], "count", 1.0, noun[1]), noun.end()) if noun else None

    def _is_made_up(self, unit: Unit) -> bool:
        """True for a unit missing from the table where none may be made up."""
        return not self.made_up and not self.forms.has(unit)

    def _counted_of_those(self, at: int) -> tuple[Unit, int] | None:
        """Read the unit of "16 of those chips": a count of something mentioned before."""
        match = _OF_THOSE.match(self.text, at)
        unit = self.forms.at(self.text, match.end()) if match else None
        return unit if unit and unit[0].dimension == "count" else None

    def _counted_last(self, first: tuple[Unit, int]) -> tuple[Unit, int]:
        """Return the unit that is counted: "two GPU dies" counts dies, and the singular noun before says which kind."""
        last = self.forms.at(self.text, first[1]) if self.text[first[1] - 1] != "s" else None
        counts = last and last[0].dimension == "count" and self.text[last[1] - 1] == "s"
        return last if last and counts else first
