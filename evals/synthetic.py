"""Text of realistic length and vocabulary, as much as wanted, the same every time, and stores of it.

A walk over the word pairs of the shipped corpus, so that chips, figures and
units follow one another as they do there; invented words stand in for the long
tail of rare words that a larger corpus brings (Zipf's law).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from chipwise.claims.model import Sentence
from chipwise.corpus import shipped_documents
from chipwise.domain.model import Domain
from chipwise.domain.names import names_notes
from chipwise.files import FileState
from chipwise.index.store import Store, create_store
from chipwise.index.vectors import Matrix, pack
from chipwise.knowledge import DOMAIN_NOTE
from chipwise.text import sentences
from chipwise.types import Passage, Role, SourceInfo

IN_A_SOURCE = 100  # passages
WRITTEN = 100_000  # passages with text of their own; beyond that it repeats, as its words would anyway
SHIFT = 0.03  # standard deviation of each of 384 components: a cosine of 0.86 with the vector shifted
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


def write_store(path: Path, size: int, vectors: Matrix, domain: str) -> None:
    """A store of `size` synthetic passages, whose vectors are `vectors`."""
    with create_store(path) as store:
        counts = write_passages(store, size, domain)
        rows = [row for row, *_ in store.embedded()]
        write_meanings(store, rows, counts, vectors)
        store.number_vectors(rows)
        store.commit()


def write_passages(store: Store, size: int, domain: str) -> list[int]:
    """Writes sources and passages; how many sentences each passage has."""
    counts: list[int] = []
    writer = Writer(seed=1)
    written = [writer.section() for _ in range(min(size, WRITTEN))]
    for key, value in {DOMAIN_NOTE: domain, **names_notes(Domain.from_json(domain))}.items():
        store.write_note(key, value)
    for first in range(0, size, IN_A_SOURCE):
        count = min(IN_A_SOURCE, size - first)
        source = f"synthetic-{first // IN_A_SOURCE:05}"
        sections = [written[n % WRITTEN] for n in range(first, first + count)]
        store.write_source(SourceInfo(source, source, ""), "\n\n".join(t for _, t in sections), FileState("", 0, 0))
        passages = list(_passages(source, sections))
        counts += [len(passage.sentences) for passage, *_ in passages]
        store.write_passages(passages)
    return counts


def write_meanings(store: Store, rows: Sequence[int], counts: Sequence[int], vectors: Matrix) -> None:
    """Gives each passage the vectors of its sentences: its own for each, as what counts is how long a row is."""
    store.write_meanings((row, counts[n] * pack(vectors[n : n + 1])) for n, row in enumerate(rows))


def _passages(
    source: str, sections: Sequence[tuple[str, str]]
) -> Iterator[tuple[Passage, tuple[Sentence, ...], str, bytes]]:
    start = 0
    for ordinal, (heading, text) in enumerate(sections, start=1):
        spans = tuple(sentences(text))
        end = start + len(text)
        passage = Passage(source, ordinal, start, end, 1, Role.BODY, (heading,), None, text, "", spans)
        yield passage, tuple(Sentence(*span) for span in spans), f"{source} > {heading}", f"{source}#{ordinal}".encode()
        start = end + 2


def shifted(real: Matrix, size: int) -> Matrix:
    """`size` vectors of length 1: the real ones, then copies of them, each moved at random."""
    random = np.random.default_rng(0)
    made = np.empty((size, real.shape[1]), dtype=np.float32)
    for start in range(0, size, len(real)):
        part = real[: size - start]
        if start:
            part = part + random.normal(0, SHIFT, part.shape).astype(np.float32)
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        made[start : start + len(part)] = part
    return made
