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

# a run of words as a letter for each: t twenty to ninety, d one to nine, z zero and ten to nineteen, h hundred,
# s a scale, p a part, o point, n and, a an article
_LETTERS = {word: "t" if value >= 20 else "d" if 0 < value < 10 else "z" for word, value in SMALL.items()}  # noqa: PLR2004
_LETTERS |= dict.fromkeys(SCALES, "s") | dict.fromkeys(PARTS, "p")
_LETTERS |= {"hundred": "h", "point": "o", "and": "n", "a": "a", "an": "a"}
_BELOW_HUNDRED = r"(?:td?|[dz])"
_GROUP = re.compile(rf"(a|{_BELOW_HUNDRED})h(?:n?({_BELOW_HUNDRED})(?!h))?|a(?=s)|({_BELOW_HUNDRED})")
_PART = re.compile(r"p(?:a(?=s))?(s?)")
_AND_PART = re.compile(r"n(?:a|d)p(s?)")
_DECIMALS = re.compile(rf"o((?:{_BELOW_HUNDRED})+)(s?)")


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
    found = [(word[0].lower(), word.end()) for word in _WORD.finditer(text, run.start(), run.end())]
    words = [word for word, _ in found]
    letters = "".join(_LETTERS[word] for word in words)
    read = _part(words, letters, int(letters[0] == "a"), 1.0) if letters[0] == "a" or words[0] == "half" else None
    read = read or _whole(words, letters)
    return Words(found[read[0] - 1][1], *read[1:]) if read else None


_Read = tuple[int, float, float, bool]  # words taken, value, scale, fraction


def _scale(words: list[str], start: int, end: int) -> float:
    return SCALES[words[start]] if end > start else 1.0


def _part(words: list[str], letters: str, at: int, times: float) -> _Read | None:
    """Read "half", "third" after "a" or "thirds" after "two", then "a million" or a scale."""
    part = _PART.match(letters, at)
    if part is None:
        return None
    scale = _scale(words, *part.span(1))
    return part.end(), times * PARTS[words[at]] * scale, scale, True


def _whole(words: list[str], letters: str) -> _Read | None:
    """Read groups of thousands, "two million three hundred thousand", and what follows the last."""
    total, scale, last, at, taken = 0.0, 1.0, 1e18, 0, 0
    while (group := _GROUP.match(letters, at)) and (at == 0 or letters[at] != "a"):
        value, at, factor = _below_thousand(words, group), group.end(), 1.0
        counted = letters[at : at + 1] == "p" and taken > 0
        while letters[at : at + 1] == "s" and not counted:
            factor, at = factor * SCALES[words[at]], at + 1
        if counted or factor >= last or (taken and value >= last):
            break
        total, scale, last, taken = total + value * factor, max(scale, factor), factor, at
        if factor == 1.0:
            break
        at += letters[at : at + 1] == "n"
    return _with_rest(words, letters, taken, total, scale) if taken else None


def _below_thousand(words: list[str], group: re.Match[str]) -> float:
    def summed(number: int) -> float:
        return sum(SMALL.get(word, 1.0) for word in words[slice(*group.span(number))]) if group[number] else 0.0

    return 100.0 * summed(1) + summed(2) + summed(3) if group[1] or group[3] else 1.0


def _with_rest(words: list[str], letters: str, at: int, value: float, scale: float) -> _Read:
    """Read the rest after a whole number: "point five", "and a half", or "thirds" that it counts."""
    if decimals := _DECIMALS.match(letters, at):
        parts = re.findall(_BELOW_HUNDRED, decimals[1])
        digits, first = "", decimals.start(1)
        for part in parts:
            digits += f"{sum(SMALL[word] for word in words[first : first + len(part)]):.0f}"
            first += len(part)
        factor = _scale(words, *decimals.span(2))
        return decimals.end(), (value + float(f"0.{digits}")) * factor, factor if factor > 1 else scale, False
    if letters[at : at + 1] == "p" and value < 20 and scale == 1.0 and (value == 1.0 or words[at].endswith("s")):  # noqa: PLR2004
        return _part(words, letters, at, value) or (at, value, scale, False)
    tail = _AND_PART.match(letters, at)
    if tail and words[at + 1] in ("a", "one"):
        factor = _scale(words, *tail.span(1))
        whole = value if factor == 1.0 or scale > 1.0 else value * factor
        return tail.end(), whole + PARTS[words[at + 2]] * (factor if factor > 1 else scale), max(factor, scale), True
    return at, value, scale, False
