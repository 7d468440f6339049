"""Passages for a question: BM25 beside dense vectors, fused into one ranking.

Each side proposes candidates, and both score all of them; the scores are standardized per question and added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

import Stemmer

from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.index.vectors import Vector, cosines, nearest, packed_cosines
from chipwise.text import STOP_WORDS, content_words, words
from chipwise.types import Role
from chipwise.values import dataclass

CANDIDATES = 100  # from each side; with fewer, what scaling takes for the lowest score is not low
RAREST_WORDS = 12  # of a question go to FTS5: its time grows with the postings, the gain does not
PROPOSING = 20_000  # postings read to propose candidates: 15 ms; every word of a question is 70 at 100,000 passages
PAIR = 2  # words that propose together where they are too common to do so alone
SCORING = 200_000  # postings read to score them, which costs a third as much for each: 40 ms
DENSE_WEIGHT = 0.6  # of 250 questions that tune, 79% find what answers within ten, and 77% with half
SENTENCE_WEIGHT = 0.5  # of a passage's closeness; chosen on SQuAD and our own questions, as is the next
NEIGHBOUR_WEIGHT = 0.5  # of BM25 over pairs of words, beside BM25 over words

# What does not speak for the source ranks below what does, however well it matches.
ROLE_WEIGHT = {Role.CODE: 0.8, Role.COMMENT: 0.6, Role.BIO: 0.4, Role.BOILERPLATE: 0.3}

_STEMMER = Stemmer.Stemmer("porter")


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found: `score` in [0, 1] orders, `cosine` in [-1, 1] and `bm25` >= 0 are what it was made of."""

    stored: StoredPassage
    score: float
    cosine: float
    bm25: float


def stem(word: str) -> str:
    """The Porter stem of one lower-case word, to compare words by; the index has its own, slightly different."""
    return str(_STEMMER.stemWord(word))


def frequencies(store: Store, asked: Iterable[str]) -> dict[str, int]:
    """Count the passages that hold each word, and of one that stands in none its parts: "gtx1660", "128gb", "8xh100"."""
    found = store.document_frequencies(asked)
    for word in [word for word, count in found.items() if not count]:
        many, _, of = word.partition("x")
        apart = [of] if of and many.isdigit() else ["".join(part) for _, part in groupby(word, str.isdigit)]
        parts = store.document_frequencies(apart)
        if any(count for part, count in parts.items() if not part.isdigit()):
            del found[word]
            found |= parts
    return found


def rarest_words(store: Store, question: str) -> dict[str, int]:
    """The content words of a question that occur in the fewest passages, the rarest first, with in how many."""
    found = frequencies(store, content_words(question))
    rarest = sorted((word for word, count in found.items() if count), key=lambda word: found[word])[:RAREST_WORDS]
    return {word: found[word] for word in rarest}


def _within(frequencies: dict[str, int], postings: int, at_least: int = 0) -> list[str]:
    """The rarest words that occur `postings` times in all; `at_least` so many however often they do."""
    kept: list[str] = []
    for word, count in frequencies.items():
        postings -= count
        if postings < 0 and len(kept) >= at_least:
            break
        kept.append(word)
    return kept


def search(
    store: Store,
    index: Any,
    question: str,
    vector: Vector,
    count: int,
    *,
    stressed: Sequence[str] = (),
    also: Mapping[int, float] = MappingProxyType({}),
) -> list[Hit]:
    """The best `count` passages, best first, with `score` in [0, 1], and the passages `also`, however good.

    To the BM25 of those `also` that of a known question which they answer is added. `vector` is the question's, (dim,)
    float32 of length 1. Words in `stressed` count twice in BM25: the name in "when does it make sense to pick Trainium".
    """
    frequencies = rarest_words(store, question)
    proposing, scoring = _within(frequencies, PROPOSING), _within(frequencies, SCORING, at_least=PAIR)
    query = [*scoring, *(word for word in stressed if word in scoring)]
    proposed = [*proposing, *(word for word in stressed if word in proposing)]
    lexical = dict(store.match(proposed, CANDIDATES))
    # few passages hold both of two common words, and they are those that either would propose
    pair = [*frequencies][:PAIR] if len(proposing) < PAIR <= len(frequencies) else []
    paired = dict(store.match(pair, CANDIDATES, every=True))
    dense_rows = nearest(index, vector, CANDIDATES)
    by_vector = dict(zip(store.rows_of_vectors([row for row, _ in dense_rows]), dense_rows, strict=True))
    dense = {row: score for row, (_, score) in by_vector.items()}
    both = dense.keys() | paired.keys() | set(also)
    unjudged = both - lexical.keys() if proposed == query else both | lexical.keys()
    lexical |= store.match_among(query, unjudged)
    unscored = store.vectors_of_rows(sorted((lexical.keys() | set(also)) - dense.keys()))
    dense |= dict(zip(unscored, cosines(index, vector, list(unscored.values())), strict=True))
    together = store.match_among(neighbours(question), dense)
    lexical = {row: score + NEIGHBOUR_WEIGHT * together.get(row, 0.0) for row, score in lexical.items()}
    lexical |= {row: lexical.get(row, 0.0) + score for row, score in also.items()}
    standing = store.standing(list(dense))
    # a passage's own cosine blurs the sentence that matters
    best_of = {row: max(packed_cosines(standing[row][1], vector), default=cosine) for row, cosine in dense.items()}
    closest = {row: (1 - SENTENCE_WEIGHT) * dense[row] + SENTENCE_WEIGHT * best for row, best in best_of.items()}
    fused = fuse(lexical, closest)
    roles = {row: role for row, (role, _) in standing.items()}
    weighted = {row: score * ROLE_WEIGHT.get(roles[row], 1.0) for row, score in fused.items()}
    order = sorted(weighted, key=lambda row: (-weighted[row], row))
    best = [row for n, row in enumerate(order) if n < count or row in also]
    stored = store.passages(best)
    return [Hit(stored[row], weighted[row], dense[row], lexical.get(row, 0.0)) for row in best]


def neighbours(question: str) -> list[str]:
    """Pairs of words that stand side by side in a question and both carry topic: "memory bandwidth"."""
    asked = words(question)
    return [f"{a} {b}" for a, b in pairwise(asked) if not {a, b} & STOP_WORDS]


def fuse(lexical: dict[int, float], dense: dict[int, float]) -> dict[int, float]:
    """One score in [0, 1] for each row of either side, 1 for the best.

    The weighted sum of both sides' standard scores, so that a lead counts alike on both; a row without a lexical match has 0 there.
    """
    rows = list(dict.fromkeys([*dense, *lexical]))
    words, meaning = _standard(lexical, rows), _standard(dense, rows)
    fused = {row: (1 - DENSE_WEIGHT) * words[row] + DENSE_WEIGHT * meaning[row] for row in rows}
    low, high = min(fused.values(), default=0.0), max(fused.values(), default=0.0)
    return {row: (score - low) / (high - low) if high > low else 1.0 for row, score in fused.items()}


def _standard(scores: dict[int, float], rows: Sequence[int]) -> dict[int, float]:
    """How many standard deviations each row's score lies from the mean; 0 where all are equal."""
    values = [scores.get(row, 0.0) for row in rows]
    middle = sum(values) / max(len(values), 1)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / max(len(values), 1))
    return {row: (value - middle) / spread if spread else 0.0 for row, value in zip(rows, values, strict=True)}
