"""The unit after a number, or the currency sign before it.

    "80 GB"  "80-gigabyte"  "80 (GB)"  "$12 per chip-hour"  "US$ 5"  "EUR 125"  "20 J/m2 per year"

The forms come from data; the longest match wins. A form that begins with a space
(" in") is also an English word: it counts only after digits and with no other word
after it. A one-letter form counts only directly after digits.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.values import dataclass

_GAP = 40  # white space between number and unit, where a name between them was blanked out
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_TO_SPACE = str.maketrans("\t\n\r\xa0\u202f\u2009", "      ")
# dimensions allowed after "/" or "per" in units that no form lists: "20 W/m2", but not "700 W per chip"
_DIVISORS = frozenset("time length area volume mass amount temperature power energy angle voltage pressure".split())
_DIVIDED = re.compile(r"\s?[/∕]\s?|\s(?:per|an?|each)\s|-per-")
_TIMES = re.compile(r"\s?[·⋅∙]\s?|\s")
_THEN = re.compile(r"\s(?:ago|earlier|later|before|after)\b")  # "$1 billion a year ago" is no rate
_POWER = re.compile(r"\s?\^?([−–-]?\d|[−–-][^\S\n]\d|[⁻⁺]?[¹²³⁴])(?![\w.])|\s(squared|cubed)\b")
_RAISED = str.maketrans("¹²³⁴⁻⁺−–", "1234-+--")
_NOT_A_WORD = re.compile(r"\s*(?:[).,;:×x]|$|by\b|thick|wide|long|tall|high|deep|diameter|round|more or less)", re.I)
# spellings that the forms don't list: spaces around a slash ("TB / s"), a chip's name for "GPU" ("per MI300X-hour")
_LOOSE = re.compile(
    r"[^\S\n]?(?P<slash>[/∕⁄])[^\S\n]?"
    r"|(?:(?<=[/∕⁄])|(?<=/ )|(?<=per )|(?<=\ba )|(?<=\ban ))(?:[A-Z]{1,4}\d{3}[A-Za-z]{0,2}|[ALTK]\d{1,2}[GS]?|TPU\s?v\d[ep]?|v\d[ep])"
    r"(?!\w|\.\d|-\d|\s(?:NVL|superchip|rack|instance|node|server|system|platform|pod|slice|cluster|box|machine))"
)
_SIGN_BEHIND = re.compile(r"\s?(\S)(?=\s?/\s?[A-Za-z]|\s?(?:per|an?|hourly|monthly)\b)")
_GREATEST_POWER = 4  # that a unit of physics is raised to: W/(m2 K4)
_MONEY = "price"
_REACH = 48  # characters after a number within which its unit must end
_CODE = re.compile(r"(?<![A-Za-z])([A-Z]{3})\s?$")
_SCALED_MONEY = re.compile(r"\s?(mm?|b|k)(?!\w)")
_MONEY_LETTERS = {"m": 1e6, "mm": 1e6, "b": 1e9, "k": 1e3}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: `scale` base units of `dimension`, offset by `offset`; `of` names the things that a count counts."""

    id: str
    dimension: str
    scale: float
    of: str = ""
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Money:
    """A currency sign before a number, starting at `start`."""

    start: int
    sign: str
    unit: Unit | None


class Forms:
    """The surface forms of all units, as (surface, case matters, unit); earlier ones win over later ones."""

    def __init__(self, surfaces: Sequence[tuple[str, bool, Unit]]) -> None:
        self.exact: dict[str, Unit] = {}
        self._folded: dict[str, Unit] = {}
        self._signs: dict[str, Unit | None] = {}
        self._behind: dict[str, dict[str, Unit]] = {}  # by the id of the currency, else by its sign
        self._words = {form[1:] for form, _, _ in surfaces if form.startswith(" ")}
        for written, case, unit in surfaces:
            form, sign = written.removeprefix(" "), _sign_of(written)
            if sign and form != sign:
                self._behind.setdefault(sign, {}).setdefault(_fold(form[len(sign) :].strip()), unit)
            elif sign:
                self._signs[sign] = unit
            if (not sign or form == sign) and form != "$":  # after a number, "$" ends a LaTeX formula
                self.exact.setdefault(form, unit)
                if not case or _is_word(form):
                    self._folded.setdefault(_fold(form), unit)
        for sign in list(self._behind):
            unit_of_sign = self._signs.setdefault(sign, None)
            if unit_of_sign:
                self._behind[unit_of_sign.id] = self._behind[sign]
        self._longest = max(map(len, self.exact), default=0)
        lengths: dict[str, set[int]] = {}
        for form in self.exact:
            for key in {form[:2].lower(), _fold(form[:2])}:
                lengths.setdefault(key, set()).add(len(form))
        # possible lengths of a form by its first two letters, longest first: most words begin no form
        self._lengths = {key: sorted(own | lengths.get(key[:1], set()), reverse=True) for key, own in lengths.items()}
        # "HK $" is written as well as "HK$"
        signs = sorted(self._signs, key=len, reverse=True)
        spaced = (re.escape(s) if len(s) == 1 else rf"{re.escape(s[:-1])}\s?{re.escape(s[-1])}" for s in signs)
        either = "|".join(spaced) or "(?!)"
        self._sign = re.compile(rf"(?<![A-Za-z])({either})\s?[-−]?$")

    def has(self, unit: Unit) -> bool:
        """True for this very unit of the table."""
        return self.exact.get(unit.id) is unit

    def money_before(self, text: str, at: int) -> Money | None:
        """Return the currency before the number at `at` ("$", "US$ ", "EUR "), or None."""
        before = text[max(0, at - 8) : at]
        match = self._sign.search(before)
        if match:
            sign = "".join(match[1].split())
            return Money(at - len(before) + match.start(), sign, self._signs[sign])
        code = _CODE.search(before)
        unit = self.exact.get(code[1]) if code else None
        if code and unit and unit.dimension.startswith("price"):
            return Money(at - len(before) + code.start(), code[1], unit)
        return None

    def behind_money(self, money: Money, text: str, at: int) -> tuple[Unit | None, int, float]:
        """Read the words after a price: its full unit ("/hour"), where that ends, and a factor ("m", "bn")."""
        letter = _SCALED_MONEY.match(text, at)
        factor, at = (_MONEY_LETTERS[letter[1]], letter.end()) if letter else (1.0, at)
        return (*self._rate_behind(money, text, at), factor)

    def _rate_behind(self, money: Money, text: str, at: int) -> tuple[Unit | None, int]:
        unit, end = self._behind_sign(money, text, at)
        if (loose := _as_in_forms(text, at)) is not None:
            other, beyond = self._behind_sign(money, loose[0], 0)
            if beyond and loose[1][beyond - 1] > end:
                return other, loose[1][beyond - 1]
        return unit, end

    def _behind_sign(self, money: Money, text: str, at: int) -> tuple[Unit | None, int]:
        suffixes = self._behind.get(money.unit.id if money.unit else money.sign, {})
        window = text[at : at + self._longest + 2].translate(_TO_SPACE)
        for length in _ends(window):
            behind = window[:length].lstrip(" -")
            unit = suffixes.get(_fold(behind)) if behind and not behind[-1].isspace() else None
            if unit and not _THEN.match(text, at + length):
                return unit, at + length
        again = self._lookup(text, at + 1) if text[at : at + 1] == " " else None
        if again and again[0] == money.unit:
            return money.unit, again[1]  # "$ 10 dollars"
        return money.unit, at

    def at(self, text: str, at: int, *, in_digits: bool = True) -> tuple[Unit, int] | None:
        """Return the unit after a number that ends at `at`, and where the unit ends."""
        behind = self._behind_number(text, at, in_digits=in_digits) or self._sign_behind(text, at)
        if behind and behind[0].dimension == _MONEY:  # "2.50 USD per million tokens" means "$2.50 per million tokens"
            unit, end = self._rate_behind(Money(at, "", behind[0]), text, behind[1])
            return (unit or behind[0], end)
        if (loose := _as_in_forms(text, at)) is not None:
            other = self._behind_number(loose[0], 0, in_digits=in_digits)
            if other and loose[1][other[1] - 1] > (behind[1] if behind else at):
                return other[0], loose[1][other[1] - 1]
        return behind

    def _sign_behind(self, text: str, at: int) -> tuple[Unit, int] | None:
        """Read the "$" of "2.50 $/h". A "$" alone ends a LaTeX formula instead."""
        sign = _SIGN_BEHIND.match(text, at)
        unit = self._signs.get(sign[1]) if sign else None
        return (unit, sign.end()) if sign and unit else None

    def _behind_number(self, text: str, at: int, *, in_digits: bool) -> tuple[Unit, int] | None:
        start = at
        if text[at : at + 1] in ("-", "‑") and text[at + 1 : at + 2].isalpha():
            start = at + 1
        else:
            while start < min(len(text), at + _GAP) and text[start].isspace():
                start += 1
            if text.count("\n", at, start) > 1:
                return None
        close = _BRACKETS.get(text[start : start + 1])
        if close:
            inner = self._lookup(text, start + 1)
            closed = inner and inner[0].dimension != "count" and text[inner[1] : inner[1] + 1] == close
            return (inner[0], inner[1] + 1) if inner and closed else None
        behind = self._lookup(text, start)
        if behind is None:
            return None
        form = text[start : behind[1]]
        if form in self._words and not (in_digits and start == at + 1 and _NOT_A_WORD.match(text, behind[1])):
            return None
        directly = start <= at + 1 and (start == at or text[at] in " \xa0\u202f\u2009-‑")
        return None if len(form) == 1 and form.isalpha() and not (in_digits and directly) else behind

    def _lookup(self, text: str, at: int) -> tuple[Unit, int] | None:
        begin = text[at : at + 2].translate(_TO_SPACE).lower()
        lengths = self._lengths.get(begin) or self._lengths.get(begin[:1]) or []
        window = text[at : at + self._longest + 1].translate(_TO_SPACE) if lengths else ""
        for length in lengths:
            form, beyond = window[:length], window[length : length + 1]
            if beyond.isalnum() and form[-1].isalnum():
                continue  # inside of a word or a number
            unit = self.exact.get(form) or self._folded.get(_fold(form))
            if unit and not (unit.of == "" and beyond.isdigit()):
                return unit, at + len(form)
        return None

    def compound(self, text: str, unit: Unit, end: int) -> tuple[Unit, int] | None:
        """Return the unit made with the text after it: "W" before "/m2" is "W/m2". None if nothing divides or raises it."""
        made, at = self._raised(text, unit, end)
        while (step := self._step(text, made, at)) is not None:
            made, at = step
        return (made, at) if at > end else None

    def _raised(self, text: str, unit: Unit, end: int) -> tuple[Unit, int]:
        power = _POWER.match(text, end) if unit.dimension in _DIVISORS else None
        if power is None or (power[0].strip()[:1].isdigit() and text[end : end + 1] == " "):
            return unit, end
        times = {"squared": 2, "cubed": 3}[power[2]] if power[2] else int("".join(power[1].split()).translate(_RAISED))
        if abs(times) > _GREATEST_POWER:
            return unit, end  # a "V-6" is an engine
        return Unit(f"{unit.id}^{times}", f"{unit.dimension}^{times}", unit.scale**times), power.end()

    def _step(self, text: str, unit: Unit, at: int) -> tuple[Unit, int] | None:
        divided = _DIVIDED.match(text, at)
        joint = divided or _TIMES.match(text, at)
        whole = unit.dimension in ("count", "ratio") or unit.dimension.endswith("rate")
        divisor = self._lookup(text, joint.end()) if joint and not whole else None
        if not joint or not divisor or divisor[0].dimension not in _DIVISORS or _THEN.match(text, divisor[1]):
            return None
        other, end = self._raised(text, *divisor)
        listed = self.exact.get(f"{unit.id}/{other.id.removesuffix('^-1')}")
        if listed and (divided or "^-" in other.id):
            return listed, end  # "terabytes per sec", "TB s-1"
        if divided:
            return Unit(f"{unit.id}/{other.id}", f"{unit.dimension}/{other.dimension}", unit.scale / other.scale), end
        if "^-" not in other.id and joint[0].isspace():
            return None
        return Unit(f"{unit.id} {other.id}", f"{unit.dimension} {other.dimension}", unit.scale * other.scale), end


def _as_in_forms(text: str, at: int) -> tuple[str, list[int]] | None:
    """Rewrite the text from `at` on as the forms spell it, with each character's end in `text`. None if nothing changes."""
    stop = min(len(text), at + _REACH)
    rewritten, ends, last = "", [], at
    for m in _LOOSE.finditer(text, at, stop):
        form = "/" if m["slash"] else "GPU"
        if form != m[0]:
            rewritten += text[last : m.start()] + form
            ends += [*range(last + 1, m.start() + 1), *[m.end()] * len(form)]
            last = m.end()
    return (rewritten + text[last:stop], [*ends, *range(last + 1, stop + 1)]) if rewritten else None


def _sign_of(form: str) -> str:
    """The currency sign that a form begins with, including letters before it: "$", "US$"."""
    for at, character in enumerate(form[:5]):
        if unicodedata.category(character) == "Sc":
            return form[: at + 1] if form[:at].isalpha() or at == 0 else ""
    return ""


def _is_word(form: str) -> bool:
    return " " in form or (len(form) >= 4 and form.islower())  # noqa: PLR2004


def _fold(surface: str) -> str:
    return surface.lower().replace("-", " ")


def _ends(window: str) -> range | list[int]:
    """List where a form may end in `window`, longest first: never inside a word or a number."""
    return [
        end
        for end in range(len(window), 0, -1)
        if end == len(window) or not (window[end - 1].isalnum() and window[end].isalnum())
    ]
