"""How a figure stands to a name or to an axis value: the features of the reader's pair heads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chipwise.claims.candidates import Candidate, Cue, Name
from chipwise.claims.units import Unit
from chipwise.text import Span

# how many values each feature has: units apart, tokens apart, others between; the weights know two of a table's rows besides, always 0
FEATURES = (7, 16, 6, 5, 2)
ABOUT = -1  # the number of the unit of what a text is about as a whole
_MOST_BETWEEN, _MOST_APART, _BUCKETS = 5, 6, 8
Placed = Sequence[tuple[int, int, Candidate]]
Others = Sequence[tuple[int, int, Name | Cue]]


def pair_features(
    units: Sequence[Unit],
    figures: Placed,
    places: Sequence[Span],
    others: Others,
    where: Sequence[Span],
    order: Sequence[int],
) -> npt.NDArray[np.int64]:
    """(figures, others, 5). `places` and `where` are the tokens of both, `order` the first tokens of what may stand between."""
    made = np.zeros((len(figures), len(others), len(FEATURES)), dtype=np.int64)
    for i, ((unit, _, _), at) in enumerate(zip(figures, places, strict=True)):
        for j, ((other, _, _), there) in enumerate(zip(others, where, strict=True)):
            low, high, tokens = _apart(at, there)
            between = min(_MOST_BETWEEN, sum(low < x < high for x in order))
            made[i, j, :3] = _units_apart(units, unit, other), tokens, between
    return made


def _apart(figure: Span, other: Span) -> tuple[int, int, int]:
    """The tokens between two, and how many they are: in the first 8 buckets for what stands before the figure."""
    if other[1] < figure[0]:
        return other[1], figure[0], _bucket(figure[0] - other[1])
    if other[0] > figure[1]:
        return figure[1], other[0], _BUCKETS + _bucket(other[0] - figure[1])
    return 0, 0, 0


def _units_apart(units: Sequence[Unit], unit: int, other: int) -> int:
    if other == unit:
        return 0
    if other == ABOUT or units[other].zone == "heading":
        return 1
    return 2 if other > unit else min(2 + unit - other, _MOST_APART)


def _bucket(tokens: int) -> int:
    return 0 if tokens == 0 else min(_BUCKETS - 1, 1 + int(math.log2(tokens)))
