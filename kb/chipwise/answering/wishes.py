"""What a question wants worked out, learned from questions that people ask.

Names and figures give way to their kinds. The rest is read by its vector and words, with weights of evals/training/sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from chipwise import patterns as re
from chipwise.answering.givens import givens
from chipwise.answering.naming import names_in
from chipwise.answering.query import Wish
from chipwise.domain.model import Domain
from chipwise.figures.llms import find_in
from chipwise.index.vectors import Vector
from chipwise.models import read_arrays

_VECTOR, _WORDS = 6.0, 2.0  # how long the two parts of what is read off a question are
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[$%/?]")
_FIRST, _LAST = "^", "$$"
_NUMBER = re.compile(r"\d[\d,.]*")
_ANY = "5"  # stands for any number
_CALLED = {"parameters": "7B", "active-parameters": "7B active", "width": "FP8"}  # kinds of figures that are names


class Wishes:
    """What was learned; its words alone tell, less surely, where questions have vectors of another model than `model_sha256`."""

    def __init__(self, path: Path, model_sha256: str) -> None:
        kept = read_arrays(path)
        self._labels, words = kept["labels"].tolist(), kept["words"].tolist()
        self._places = {word: n for n, word in enumerate(words)}
        self._weights, self._bias = kept["weights"].astype(np.float32), kept["bias"]
        self._has_vectors = str(kept["model"]) == model_sha256

    def wish(self, text: str, encode: Callable[[str], Vector]) -> Wish:
        """What a masked question wants; `encode` gives its vector, (dim,), where vectors tell anything."""
        dim = len(self._weights) - len(self._places)
        vector = encode(text) if self._has_vectors else np.zeros(dim, dtype=np.float32)
        logits = features(text, vector, self._places) @ self._weights + self._bias
        shares = np.exp(logits - logits.max())
        return Wish(dict(zip(self._labels, (shares / shares.sum()).tolist(), strict=True)))


def features(text: str, vector: Vector, words: dict[str, int]) -> Vector:
    """What the weights multiply: a question's vector beside which of the `words`, by their places, it has, (dim + words,)."""
    said = np.zeros(len(words), dtype=np.float32)
    said[[words[w] for w in words_of(text) if w in words]] = 1
    return np.concatenate([vector * _VECTOR, said * (_WORDS / max(1.0, float(np.linalg.norm(said))))])


def words_of(text: str) -> set[str]:
    """The words of a masked question, and each two that follow one another."""
    found = [_FIRST, *_WORD.findall(text.lower()), _LAST]
    return {*found, *map(" ".join, pairwise(found))}


def masked(text: str, domain: Domain) -> str:
    """A question with its names and figures as what kind they are: "does 7B FP8 fit on 5 GPUs with 5 GB"."""
    kinds: list[str] = []
    at = 0
    for start, end, kind in sorted(_kinds(text, domain), key=lambda k: (k[0], -k[1])):
        if start >= at:
            kinds += (text[at:start], kind)
            at = end
    return "".join((*kinds, text[at:]))


def _kinds(text: str, domain: Domain) -> Iterator[tuple[int, int, str]]:
    model = find_in(text)
    if model is not None:
        yield *model[1], _CALLED["parameters"]
    for name in names_in(text, domain):
        if name.ids and not all(map(domain.is_many, name.ids)):
            noun = "node" if all(map(domain.holds_several, name.ids)) else "GPU"
            yield name.start, name.end, f"{_ANY} {noun}s" if (name.count or 1) > 1 else noun
    for mention in domain.find_qualifiers(text):
        if mention.ids[0].startswith("dtype="):
            yield mention.start, mention.end, _CALLED["width"]
    given = givens(text, domain)
    for g in given or ():
        bare = _NUMBER.fullmatch(text, g.start, g.end)
        yield g.start, g.end, _ANY if bare else _CALLED.get(g.kind) or _NUMBER.sub(_ANY, g.text)
    if given is None:
        yield from ((*m.span(), _ANY) for m in _NUMBER.finditer(text))
