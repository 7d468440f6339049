"""Sentences with their figures, alone and as they stand together, for checks of what a text reckons.

A figure is one with a unit, or one that counts something; whether it makes a claim does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from chipwise.audit.book import Book
from chipwise.claims import voice
from chipwise.claims.model import DOUBTED, Claim
from chipwise.figures.statement import Statement
from chipwise.figures.statement import place as located
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, asks, blanked, words
from chipwise.types import Passage, Role

_WIDEST, _APART = 3, 100  # sentences that are taken together, and characters between two of them
_HALF_PERCENT = 0.005
_ROUND, _THOUSAND = 2, 1000  # a number with so few digits before its zeros is a round one, if it is as large
_CHIP_HOURS, _HOUR = "chip-hours", 3600.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at `span` of the passage, in base units; `rounded` is what it stands for where it is a result.

    `kind` is its dimension, or what it counts ("chips"); it is `of_one` chip where its unit says so ("USD/GPU-hour").
    """

    text: str
    span: Span
    kind: str
    value: Interval
    rounded: Interval
    of_one: bool
    said: Statement | None = None  # the claim that it makes, if any


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence or an item at `[start, end)` of a passage."""

    book: Book
    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        """As the source has it."""
        return self.passage.text[self.start : self.end]

    @cached_property
    def quantities(self) -> list[Quantity]:
        """What has a unit in it."""
        found = self.book.domain.unit_table.find(self.text)
        done = {q.start for q in found if q.bound == "at least" and q.dimension == "time"}  # "over 24 hours"
        return [replace(q, low=q.middle, high=q.middle, bound="exact") if q.start in done else q for q in found]

    @cached_property
    def figures(self) -> list[Figure]:
        """Its figures, in order."""
        return [self._figure(q, *self._kind(q)) for q in self.quantities]

    @cached_property
    def readings(self) -> list[list[Figure]]:
        """For each figure what it may be: itself, and what the words beside it say, "$0.37" of a million tokens."""
        implied = ([self._figure(q, *i)] if (i := self._implied(q)) else [] for q in self.quantities)
        return [[f, *more] for f, more in zip(self.figures, implied, strict=True)]

    @property
    def is_its_own(self) -> bool:
        """False for a question and for what the source itself calls wrong."""
        return not (asks(self.text) or voice.attribution(self.book.domain, self.text, self.passage.heading) == DOUBTED)

    @property
    def is_plain(self) -> bool:
        """True where nothing but single figures is reckoned with, and the source stands behind them."""
        single = all(q.form in ("value", "share") and q.is_single and not q.compares for q in self.quantities)
        added = self.book.domain.find_phrase("adds", self.text)  # "$199,000, plus $39,800 for support"
        if not single or added or any(q.count > 1 for q in self.quantities):
            return False
        taken = [(f.span[0] - self.start, f.span[1] - self.start) for f in self.figures]
        left = blanked(self.text, [*taken, *((m.start, m.end) for m in self.book.domain.find_entities(self.text))])
        bare = [w for w in words(left) if w[0].isdigit()]
        return not bare and self.is_its_own

    def _kind(self, q: Quantity) -> tuple[str, float, int]:
        """Its dimension or what it counts, what its unit is to be multiplied by, and where its words end."""
        if q.dimension != "count":
            return q.dimension, 1.0, q.end
        kind = self.book.domain.counted(q.unit)
        behind = self.text[q.end :].lstrip(" -").split(" ")[0].strip(".,;:)")
        if kind == "chips" and behind in ("hour", "hours"):
            return _CHIP_HOURS, _HOUR, self.text.index(behind, q.end) + len(behind)
        return ("parameters" if kind == "models" else kind), 1.0, q.end

    def _implied(self, q: Quantity) -> tuple[str, float, int] | None:
        claimed, domain = self._claim(q), self.book.domain
        metric = domain.metrics.get(claimed.claim.metric) if claimed is not None else None
        if metric is None or q.dimension not in metric.implied_by:
            return None
        return metric.dimension, domain.units[metric.unit].scale, q.end

    def _claim(self, q: Quantity) -> Statement | None:
        return self.book.claimed.get((self.passage.source, self.passage.start + self.start + q.start))

    def _figure(self, q: Quantity, kind: str, scale: float, end: int) -> Figure:
        unit = self.book.domain.units.get(q.unit)
        value = Interval(q.low, q.high) * Interval.of(scale)
        if kind == "ratio":
            value = value + Interval(-_HALF_PERCENT, _HALF_PERCENT)
        written = q.middle / (unit.scale if unit is not None else 1.0)
        half = _half(written) / written if kind != "ratio" and q.dimension != "count" and written > 0 else 0.0
        rounded = value * Interval(1 - half, 1 + half) if half else value
        text = " ".join(self.text[q.start : end].split())
        said = self._claim(q)
        one = "GPU" in q.unit.partition("/")[2]
        return Figure(text, (self.start + q.start, self.start + end), kind, value, rounded, one, said)


def sentences_of(
    book: Book, source: str, *, widest: int = _WIDEST, tables: bool = False
) -> Iterator[Sequence[Sentence]]:
    """Sentences of a source, each alone, and then two and three that stand together; with `tables` its rows as well."""
    silent = (Role.CODE,) if tables else (Role.CODE, Role.TABLE)
    spoken = (p for p in book.passages_of(source) if p.role.speaks_for_the_source and p.role not in silent)
    parts = [[Sentence(book, p, *span) for span in p.sentences] for p in spoken]
    for width in range(1, widest + 1):
        for sentences in parts:
            for at in range(len(sentences) - width + 1):
                run = sentences[at : at + width]
                if all(_stand_together(a, b) for a, b in pairwise(run)):
                    yield run


def _stand_together(a: Sentence, b: Sentence) -> bool:
    between = a.passage.text[a.end : b.start]
    return len(between) <= _APART and "\n\n" not in between


def _half(written: float) -> float:
    """Half of the last digit before the zeros of a round number, 0 of one that is none."""
    digits = f"{written:.10g}".replace(".", "").strip("0")
    round_ = len(digits) == 1 or (len(digits) == _ROUND and written >= _THOUSAND)
    if not round_ or "e" in digits or written < 1:
        return 0.0
    return 0.5 * 10.0 ** (math.floor(math.log10(written)) - len(digits) + 1)


def statement_at(book: Book, passage: Passage, line: tuple[int, int], start: int, end: int) -> Statement:
    """The claim on the figure at a place of a passage, or one of nothing that is known; how it is read decides nothing here."""
    at = passage.start
    known = book.claimed.get((passage.source, at + start))
    q = Quantity(at + start, at + end, "number", "", 0.0, 0.0)
    places = at + line[0], at + line[1], at + start, at + end
    if known is not None:
        return replace(known, claim=replace(known.claim, confidence=1.0))
    return located(book.domain, Claim(passage.source, passage.ordinal, *places, "", "", q), passage.role)
