"""Text of realistic length and vocabulary, as much as wanted, the same every time.

A walk over the word pairs of the shipped corpus, so that chips, figures and
units follow one another as they do there; invented words stand in for the long
tail of rare words that a larger corpus brings (Zipf's law).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from chipwise.corpus import shipped_documents

RARE_SHARE = 0.08  # of the words are invented ones
RARE_WORDS = 40_000
_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"


class Writer:
    """Writes sections of running text about nothing."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311
        self._followers = _followers()
        self._starts = sorted(word for word in self._followers if word[0].isupper())
        self._rare = [self._invented() for _ in range(RARE_WORDS)]

    def section(self) -> tuple[str, str]:
        """A heading and a paragraph."""
        # the shipped passages have 74 words in the middle, 161 at the 95th percentile
        length = round(self._random.triangular(15, 175, 55))
        text = ". ".join(" ".join(self._sentence()) for _ in range(max(1, length // 18)))
        return " ".join(self._sentence())[:60].strip(), f"{text}."

    def _sentence(self) -> Iterator[str]:
        word = self._random.choice(self._starts)
        for _ in range(18):
            yield self._rare_word() if self._random.random() < RARE_SHARE else word
            word = self._random.choice(self._followers.get(word) or self._starts)

    def _rare_word(self) -> str:
        return self._rare[int(RARE_WORDS ** self._random.random()) - 1]  # log-uniform rank: frequency ~ 1 / rank

    def _invented(self) -> str:
        pick = self._random.choice
        return "".join(pick(_CONSONANTS) + pick(_VOWELS) for _ in range(self._random.randint(2, 4)))


def _followers() -> dict[str, list[str]]:
    """Which words came after each word, as often as they did; marks that Markdown would read are left out."""
    followers: dict[str, list[str]] = defaultdict(list)
    for path in shipped_documents():
        words = [word.strip('*_`#|>[]()".,;:') for word in path.read_text("utf-8").split()]
        words = [word for word in words if any(c.isalnum() for c in word) and "/" not in word]
        for word, follower in pairwise(words):
            followers[word].append(follower)
    return followers
