"""A unit as tokens that hide which figure and which product it is.

    "The H100 has 80 GB."  ->  the [chip 1] has [10 to 99] gb .

Digits are replaced by their order of magnitude and names by a word for their kind, when the reader is trained and when it
reads: what it cannot see it cannot know by heart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from chipwise.claims.candidates import DIMENSIONS, KINDS, SPOKEN, Cue, Name, magnitude, number_in
from chipwise.claims.units import Unit
from chipwise.domain.model import Domain
from chipwise.text import Span

LONGEST = 200  # tokens of a unit
# word pieces of the stock vocabulary that stand for what is hidden
_WORDS = {
    "none": "name", "line": "hardware", "family": "family", "chip": "chip", "variant": "card", "system": "machine", "slice": "pod",
    "ambiguous": "name", "unknown": "product", "before": "predecessor", "after": "successor", "alias": "candidate",
}  # fmt: skip
_NUMBER = "number"
_HIDDEN = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+|" + SPOKEN.pattern, re.I)
_LOOSE = re.compile(r"(?<![A-Za-z])\d[\d,.]*(?![A-Za-z])")
TYPE, CUE, AXIS, MAGNITUDE = range(4)  # what the tags of a token are
NO_TAGS = (0, 0, 0, 0)


@dataclass
class Piece:
    """A unit as tokens with their tags, (tokens, 4), and the tokens of its figures, names and axis values: first and last, -1 for none."""

    ids: list[int] = field(default_factory=list)
    tags: list[list[int]] = field(default_factory=list)
    offsets: list[Span] = field(default_factory=list)
    figures: list[Span] = field(default_factory=list)
    names: list[Span] = field(default_factory=list)
    axes: list[Span] = field(default_factory=list)

    def add(self, ids: Sequence[int], offsets: Iterable[Span], tags: Sequence[int] = NO_TAGS) -> None:
        """Tokens that have the same tags."""
        self.ids += ids
        self.offsets += offsets
        self.tags += [list(tags) for _ in ids]

    def within(self, start: int, end: int) -> list[int]:
        """The tokens of a stretch of the text."""
        return [i for i, (s, e) in enumerate(self.offsets) if s < end and start < e]

    def ends(self, start: int, end: int) -> Span:
        """The first and the last of them."""
        tokens = self.within(start, end)
        return (tokens[0], tokens[-1]) if tokens else (-1, -1)


class Masker:
    """Makes pieces; `tokenizer` is a `tokenizers.Tokenizer` of the stock model, `metrics` the order of the cue tags."""

    def __init__(self, domain: Domain, tokenizer: Any, metrics: Sequence[str]) -> None:
        self.domain, self.tokenizer = domain, tokenizer
        self._metrics = {metric: n for n, metric in enumerate(metrics, 1)}
        self._axes = {axis: n for n, axis in enumerate(domain.axes, 1)}
        self._word = {kind: tokenizer.token_to_id(word) for kind, word in _WORDS.items()}
        self._number = tokenizer.token_to_id(_NUMBER)

    def name_token(self, kind: str) -> tuple[int, list[int]]:
        """The word that stands for a name of this kind, and its tags."""
        return self._word[kind], [len(DIMENSIONS) + KINDS.index(kind), 0, 0, 0]

    def piece(self, unit: Unit) -> Piece:
        """The tokens of a unit."""
        made, text, at = Piece(), unit.text, 0
        for start, end, what in sorted(self._hidden(unit), key=lambda h: h[:2]):
            if start < at:
                continue
            self._plain(made, text, at, start)
            if isinstance(what, Name):
                self._name(made, what)
            else:
                made.add([self._number], [(start, end)], (0, 0, 0, what))
            at = end
        self._plain(made, text, at, len(text))
        made.ids, made.tags, made.offsets = made.ids[:LONGEST], made.tags[:LONGEST], made.offsets[:LONGEST]
        self._tag(made, unit)
        return made

    def _hidden(self, unit: Unit) -> Iterator[tuple[int, int, Name | int]]:
        """What is hidden: names, and numbers with their orders of magnitude; the 16 of "FP16" is part of a format's name."""
        text, found = unit.text, unit.found
        yield from ((n.start, n.end, n) for n in found.names)
        figures = (m for f in found.figures for m in _HIDDEN.finditer(text, f.start, f.end))
        kept = [(c.start, c.end) for c in (*found.cues, *found.axes)]
        loose = (m for m in _LOOSE.finditer(text) if not any(s < m.end() and m.start() < e for s, e in kept))
        yield from ((m.start(), m.end(), magnitude(number_in(m[0]))) for group in (figures, loose) for m in group)

    def _plain(self, piece: Piece, text: str, start: int, end: int) -> None:
        if text[start:end].strip():
            encoded = self.tokenizer.encode(text[start:end], add_special_tokens=False)
            piece.add(encoded.ids, [(s + start, e + start) for s, e in encoded.offsets])

    def _name(self, piece: Piece, name: Name) -> None:
        """A word for its kind, and of a variant its form factor: "SXM" tells it from the PCIe card beside it."""
        token, tags = self.name_token(name.kind)
        form = self.domain.entities[name.ids[0]].form_factor if name.kind == "variant" else ""
        more = self.tokenizer.encode(form, add_special_tokens=False).ids if form else []
        piece.add([token, *more], [(name.start, name.end)] * (1 + len(more)), tags)

    def _tag(self, piece: Piece, unit: Unit) -> None:
        found = unit.found
        for f in found.figures:
            for i in piece.within(f.start, f.end):
                piece.tags[i][TYPE] = piece.tags[i][TYPE] or DIMENSIONS.index(f.dimension)
        groups: tuple[tuple[Sequence[Cue], int, dict[str, int]], ...] = (
            (found.cues, CUE, self._metrics),
            (found.axes, AXIS, self._axes),
        )
        for cues, column, numbers in groups:
            for cue in cues:
                for i in piece.within(cue.start, cue.end):
                    piece.tags[i][column] = numbers.get(cue.ids[0].split("=")[0], 0)
        piece.figures = [piece.ends(f.start, f.end) for f in found.figures]
        piece.names = [piece.ends(n.start, n.end) for n in found.names]
        piece.axes = [piece.ends(a.start, a.end) for a in found.axes]
