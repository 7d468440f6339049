"""Comparatives and superlatives, and which way each of them looks.

    "larger", "largest" look up, "smaller", "smallest" down; of a "larger" figure the other is "smaller"

"better" and "best" are none: which way they look depends on what is measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chipwise import patterns as re


class _Pair(NamedTuple):
    """What one says of the larger and of the smaller of two figures, and of the largest and the smallest of several."""

    more: str
    most: str
    less: str
    least: str
    general: bool = True  # False where only some figures are that: a weight is "heavier"


_PAIRS = (
    _Pair("more", "most", "less", "least"),
    _Pair("more", "most", "fewer", "fewest"),
    _Pair("higher", "highest", "lower", "lowest"),
    _Pair("larger", "largest", "smaller", "smallest"),
    _Pair("bigger", "biggest", "smaller", "smallest"),
    _Pair("greater", "greatest", "smaller", "smallest"),
    _Pair("faster", "fastest", "slower", "slowest"),
    _Pair("quicker", "quickest", "slower", "slowest"),
    _Pair("longer", "longest", "shorter", "shortest", general=False),
    _Pair("heavier", "heaviest", "lighter", "lightest", general=False),
    _Pair("stronger", "strongest", "weaker", "weakest"),
    _Pair("wider", "widest", "narrower", "narrowest", general=False),
    _Pair("dearer", "dearest", "cheaper", "cheapest"),
)
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
PLACES = (
    {word: n for n, word in enumerate(_ORDINALS, start=2)} | {"2nd": 2, "3rd": 3} | {f"{n}th": n for n in range(4, 11)}
)
# what is said of the smaller figure, by what a metric says of the larger one
OPPOSITE = {pair.more: pair.less for pair in reversed(_PAIRS)} | {"more expensive": "cheaper"}


def _one_of(words: Iterable[str]) -> str:
    return "|".join(dict.fromkeys(words))


# alternatives of a pattern; "most" and "least" by themselves may be no superlatives: "most chips", "at least"
COMPARATIVE = _one_of(word for pair in _PAIRS for word in (pair.more, pair.less))
SUPERLATIVE = _one_of(word for pair in _PAIRS[1:] for word in (pair.most, pair.least) if word != "most")

MORE = re.compile(rf"\b(?:{_one_of(pair.more for pair in _PAIRS)})\b", re.I)
LESS = re.compile(rf"\b(?:{_one_of(pair.less for pair in _PAIRS)})\b", re.I)
UPWARD = re.compile(rf"\b(?:{_one_of(word for pair in _PAIRS for word in (pair.more, pair.most))})\b", re.I)
DOWNWARD = re.compile(rf"\b(?:{_one_of(word for pair in _PAIRS for word in (pair.less, pair.least))})\b", re.I)
# one word that sets several things in order, "better" among them
RANKING = re.compile(rf"\b(?:{COMPARATIVE}|{SUPERLATIVE}|most|better|best|worse|worst)\b", re.I)


def ranks(bigger_is: str) -> frozenset[str]:
    """The words that rank the figures of a metric, of which the larger one is said to be `bigger_is`."""
    fitting = (pair for pair in _PAIRS if pair.general or pair.more == bigger_is)
    return frozenset(word for pair in fitting for word in (pair.more, pair.most, pair.less, pair.least))
