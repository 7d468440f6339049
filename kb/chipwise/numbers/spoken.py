"""Numbers in English words: "eighty", "a hundred and two", "two and a half million", "two thirds", "five point five".

`read_words` takes as many words as form one number, starting at the first.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.values import dataclass

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
SMALL = {word: float(n) for n, word in enumerate(_ONES.split())}
SMALL |= {"nought": 0.0, "naught": 0.0} | {
    word: 10.0 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15}
SCALES |= {"lakh": 1e5, "crore": 1e7, "mn": 1e6, "mln": 1e6, "bn": 1e9, "bln": 1e9, "tn": 1e12}
SCALES |= {"dozen": 12.0, "dozens": 12.0}
_ORDINALS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
PARTS = {word: 1 / n for word, n in zip(_ORDINALS, (2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True)} | {"fourth": 1 / 4}
PARTS |= {"hundredth": 0.01, "thousandth": 0.001}
PARTS |= {f"{word}s": value for word, value in PARTS.items()} | {"halves": 1 / 2}

_WORDS_AT_MOST = 16  # "nine hundred and ninety-nine trillion ..."; a longer run becomes several numbers
_BELOW_HUNDRED = 100
_VOCABULARY = "|".join(sorted({*SMALL, *SCALES, *PARTS, "hundred", "point", "and", "an", "a"}, key=len, reverse=True))
_RUN = re.compile(
    rf"(?:{_VOCABULARY})(?:(?:\s{{1,3}}|\s?-\s?)(?:{_VOCABULARY})(?!\w)){{0,{_WORDS_AT_MOST}}}(?!\w)", re.I
)
_WORD = re.compile(r"[a-z]+", re.I)
SEVERAL = "|".join(
    sorted((word for word, value in SMALL.items() if value > 1), key=len, reverse=True)
)  # "two", "ninety"
# the first word of a number in words
NUMBER_WORD = "|".join(sorted({*SMALL, "half"}, key=len, reverse=True))
NUMBER_WORD += rf"|an?(?=[\s-](?:hundred|{'|'.join(sorted({*SCALES, *PARTS}, key=len, reverse=True))})(?!\w))"


@dataclass(frozen=True, slots=True)
class Words:
    """A number in words up to `end`; `scale` is the factor from words like "million"."""

    end: int
    value: float
    scale: float
    fraction: bool


def read_words(text: str, at: int) -> Words | None:
    """Return the number in words that begins at `at`, or None."""
    run = _RUN.match(text, at)
    if run is None:
        return None
    words = [(word[0].lower(), word.end()) for word in _WORD.finditer(text, run.start(), run.end())]
    spoken = _Spoken([word for word, _ in words])
    return Words(words[spoken.at - 1][1], spoken.value, spoken.scale, spoken.fraction) if spoken.read() else None


class _Spoken:
    """Reads words while they form one number; `at` is how many words that took."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0
        self.value = 0.0
        self.scale = 1.0
        self.fraction = False

    def read(self) -> bool:
        article = self.words[0] in ("a", "an")
        if article:
            self.at = 1
        if self._part(1.0):
            return True
        if article and not (self._next("hundred") or self._next(*SCALES)):
            return False
        group = self._below_thousand(article)
        if group is None:
            return False
        self._scales(group)
        self._tail()
        return True

    def _next(self, *wanted: str) -> str:
        word = self.words[self.at] if self.at < len(self.words) else ""
        return word if word in wanted else ""

    def _take(self, table: dict[str, float]) -> float | None:
        value = table.get(self.words[self.at]) if self.at < len(self.words) else None
        self.at += value is not None
        return value

    def _part(self, times: float) -> bool:
        """Read "half", "third" after "a" or "thirds" after "two", then "a million" or a scale."""
        many = self.words[self.at : self.at + 1] != ["half"] and self.at == 0
        part = None if many else self._take(PARTS)
        if part is None:
            return False
        self.value, self.fraction = self.value + times * part, True
        if self._next("a") and self.at + 1 < len(self.words) and self.words[self.at + 1] in SCALES:
            self.at += 1
        scale = self._take(SCALES)
        self.value, self.scale = self.value * (scale or 1.0), scale or 1.0
        return True

    def _below_hundred(self) -> float | None:
        value = self._take(SMALL)
        if value is not None and value >= 20:  # noqa: PLR2004
            ones = SMALL.get(self.words[self.at], 0.0) if self.at < len(self.words) else 0.0
            if 0 < ones < 10:  # noqa: PLR2004
                self.at += 1
                value += ones
        return value

    def _below_thousand(self, article: bool) -> float | None:
        value = self._below_hundred()
        if value is None and not article:
            return None
        if value is None and not self._next("hundred"):
            return 1.0  # "a million"
        if (value is None or value < _BELOW_HUNDRED) and self._next("hundred"):
            self.at += 1
            value = 100.0 * (1.0 if value is None else value)
            before = self.at
            self.at += bool(self._next("and"))
            rest = self._below_hundred()
            if rest is None or self._next("hundred"):
                self.at = before
            else:
                value += rest
        return value

    def _scales(self, group: float) -> None:
        """Add up groups of thousands: "two million three hundred thousand"."""
        last = 1e18
        while True:
            before, scale = self.at, 1.0
            while factor := self._take(SCALES):
                scale *= factor
            if scale >= last or (scale == 1.0 and last < 1e18 and group >= last):  # noqa: PLR2004
                self.at = before
                return
            self.value, self.scale, last = self.value + group * scale, max(self.scale, scale), scale
            if scale == 1.0:
                return
            before = self.at
            self.at += bool(self._next("and"))
            following = self._below_thousand(article=False)
            if following is None or following >= last or self._next(*PARTS):
                self.at = before
                return
            group = following

    def _tail(self) -> None:
        """Read the rest after a whole number: "point five", "and a half", or "thirds" that it counts."""
        if self._next("point"):
            self._decimals()
        elif self._next(*PARTS) and self.value < 20 and self.scale == 1.0:  # noqa: PLR2004
            value, self.value = self.value, 0.0
            if value == 1.0 or self.words[self.at].endswith("s"):
                self._part(value)
            else:
                self.value = value
        elif self._next("and") and self.words[self.at + 1 : self.at + 2] in (["a"], ["one"]):
            part = PARTS.get(self.words[self.at + 2]) if self.at + 2 < len(self.words) else None
            if part is not None:
                self.at, self.fraction = self.at + 3, True
                scale = self._take(SCALES)
                whole = self.value if scale is None or self.scale > 1.0 else self.value * scale
                self.value, self.scale = whole + part * (scale or self.scale), max(scale or 1.0, self.scale)

    def _decimals(self) -> None:
        before, digits = self.at, ""
        self.at += 1
        while (value := self._below_hundred()) is not None:
            digits += f"{value:.0f}"
        if not digits:
            self.at = before
            return
        self.value += float(f"0.{digits}")
        scale = self._take(SCALES)
        self.value, self.scale = self.value * (scale or 1.0), scale or self.scale
