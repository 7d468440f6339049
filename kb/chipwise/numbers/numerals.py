"""Numbers as people write them: in digits, in words, or mixed.

    "1,979"  "3.35"  ".5"  "2 1/2"  "½"  "5.5x10-3"  "1.5k"  "70 billion"  "eighty"  "a hundred and two"  "two thirds"

`numeral_at` reads one number at one place, with the precision that its writing implies.
It knows no units and doesn't judge whether the number counts or measures anything.
"""

from __future__ import annotations

from math import gcd

from chipwise import patterns as re
from chipwise.numbers.spoken import NUMBER_WORD, SCALES, SEVERAL, read_words
from chipwise.values import dataclass

__all__ = ["LETTERS", "NUMBER_WORD", "SCALES", "SEVERAL", "Numeral", "numeral_at"]

LETTERS = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}  # glued to the digits: 1.5k, 100B
_VULGAR = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅙": 1 / 6}
_VULGAR |= {"⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")

_LONGEST = 40  # characters; a longer run of digits is a key or a checksum
_GREATEST_POWER = 300  # of ten, so that every value is finite
_COUNTED = 100  # whole numbers below this are exact

_GROUPS = r"\d{1,3}(?:[,\u202f\u2009\u00a0]\d{3})+(?!\d)|\d{1,2}(?:,\d\d)+,\d{3}(?!\d)|\d{2,3}[ ]000(?!\d)|\d{1,3}(?:[ ]\d{3}){2,4}(?!\d)"
_DIGITS = re.compile(
    rf"(?P<whole>{_GROUPS}|\d+)?(?P<decimals>\.\d+)?"
    r"(?:(?P<e>[eE][+\-−]?\d{1,3}(?!\w))|\s?[x×·*]\s?10(?:\s?\^\s?(?P<p>[+\-−–]?\d{1,3})|(?P<q>[\-−–]\d{1,2})(?!\d)"
    r"|(?P<r>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))|\^(?P<power>[+\-−]?\d{1,3})|(?P<tens>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))?"
)
_LOST_POWER = re.compile(r"\s?×\s?10(\d{1,2})(?![\d,.])")  # "3.7 × 106": plain text lost the superscript
_FRACTION = re.compile(r"([ -])?(\d{1,2})\s?[/⁄]\s?(\d{1,3})(?![\d/.,]\d|[\d/])|([ -])?([½⅓⅔¼¾⅕⅙⅛⅜⅝⅞])")
_OVER = re.compile(r"\s?[/⁄]\s?(\d{1,4})(?![\d/⁄]|[.,]\d)")
_DENOMINATORS = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 40, 50, 64, 100, 1000}
_LETTER = re.compile(r"[kKMBT](?![\w])")
_BEHIND_DIGITS = SCALES | {"hundred": 100.0}
_SCALE = re.compile(rf"[\s-]?({'|'.join(sorted(_BEHIND_DIGITS, key=len, reverse=True))})s?(?!\w)", re.I)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number at `[start, end)` with the value `value` ± `half`; `scale` is the factor from "million" or "k"."""

    start: int
    end: int
    value: float
    half: float = 0.0
    scale: float = 1.0
    in_digits: bool = True
    fraction: bool = False

    @property
    def looks_like_a_year(self) -> bool:
        """True for 1900 to 2099 in four digits."""
        year = 1900 <= self.value < 2100 and self.half == 0.5 and self.scale == 1.0  # noqa: PLR2004
        return year and self.in_digits and self.end - self.start == 4  # noqa: PLR2004


def numeral_at(text: str, at: int) -> Numeral | None:
    """Return the number that begins at `at`, or None."""
    if at >= len(text):
        return None
    if text[at] in _VULGAR:
        return _scaled(text, Numeral(at, at + 1, _VULGAR[text[at]], fraction=True))
    if text[at].isdecimal() or (text[at] == "." and text[at + 1 : at + 2].isdecimal()):
        return _in_digits(text, at)
    return _in_words(text, at)


def _in_digits(text: str, at: int) -> Numeral | None:
    match = _DIGITS.match(text, at)
    if match is None or match.end() - at > _LONGEST:
        return None
    whole, decimals = match["whole"] or "", match["decimals"] or ""
    plain = float("".join(filter(str.isdecimal, whole)) + decimals)
    half = 0.5 * 10.0 ** (1 - len(decimals)) if decimals else 0.5 if plain >= _COUNTED else 0.0
    read = _powered(text, match, plain, half)
    if read is None or (not decimals and read.end == match.end() and (part := _fraction(text, read))):
        return part if read is not None else None
    return _scaled(text, read)


def _powered(text: str, match: re.Match[str], plain: float, half: float) -> Numeral | None:
    """Apply the number's exponent or power of ten. None if the result is out of range."""
    start, end = match.start(), match.end()
    ten = match["p"] or match["q"] or match["r"] or (match["e"] or "")[1:]
    lost = _LOST_POWER.match(text, end) if match["decimals"] and not ten else None
    if lost:
        ten, end = lost[1], lost.end()
    if ten:
        power = int(ten.translate(_RAISED))
        return Numeral(start, end, plain * 10.0**power, half * 10.0**power) if abs(power) <= _GREATEST_POWER else None
    own = match["power"] or match["tens"]
    if not own:
        return Numeral(start, end, plain, half)
    try:
        value = plain ** int(own.translate(_RAISED))
    except (OverflowError, ZeroDivisionError):
        return None
    return Numeral(start, end, value) if value < 10.0**_GREATEST_POWER else None


def _fraction(text: str, whole: Numeral) -> Numeral | None:
    """Read "2 1/2" or "2½", or "1/2" with `whole` as its numerator."""
    match = _FRACTION.match(text, whole.end)
    if match and match[5]:
        return _scaled(text, Numeral(whole.start, match.end(), whole.value + _VULGAR[match[5]], fraction=True))
    if match and match[1] and _proper(int(match[2]), int(match[3])):
        value = whole.value + int(match[2]) / int(match[3])
        return _scaled(text, Numeral(whole.start, match.end(), value, fraction=True))
    over = _OVER.match(text, whole.end)
    if over and _proper(int(whole.value), int(over[1])):
        return _scaled(text, Numeral(whole.start, over.end(), whole.value / int(over[1]), fraction=True))
    return None


def _proper(numerator: int, denominator: int) -> bool:
    """True for a fraction in lowest terms, as people write them; "40/80" and "24/7" are two numbers each."""
    return 0 < numerator < min(denominator, 10) and denominator in _DENOMINATORS and gcd(numerator, denominator) == 1


def _scaled(text: str, read: Numeral) -> Numeral:
    """Apply a "k" attached to the number or a "million" after it."""
    end, scale = read.end, 1.0
    letter = _LETTER.match(text, end)
    if letter:
        end, scale = letter.end(), LETTERS[letter[0]]
    while word := _SCALE.match(text, end):
        end, scale = word.end(), scale * _BEHIND_DIGITS[word[1].lower()]
        if scale > SCALES["quadrillion"]:
            break
    return Numeral(read.start, end, read.value * scale, read.half * scale, scale, read.in_digits, read.fraction)


def _in_words(text: str, at: int) -> Numeral | None:
    read = read_words(text, at)
    if read is None:
        return None
    rounded = read.value >= _COUNTED and read.scale == 1.0 and not read.fraction
    half = 0.5 if rounded else 0.0
    return Numeral(at, read.end, read.value, half, read.scale, in_digits=False, fraction=read.fraction)
