"""What else a figure could be written as: sparse or dense, one way or both, in bits, for a whole node.

    989.4 TFLOPS, dense  ->  2 x 989.4 with 2:4 sparsity
    459 TFLOPS per chip of v5p  ->  8 x 459 for the 8 chips of a v5p-16

A transformation whose result is a fact itself is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from chipwise.domain.names import Names
from chipwise.figures.alike import ENGINE, MATRIX, VECTOR
from chipwise.lookups.figuring import Written

_OPPOSITE = {  # by axis and value: the other value, the factor to it, how one says that
    ("sparsity", "dense"): ("2:4", 2.0, "with 2:4 sparsity"),
    ("sparsity", "2:4"): ("dense", 0.5, "dense"),
    ("direction", "one way"): ("both", 2.0, "both directions together"),
    ("direction", "both"): ("one way", 0.5, "one way"),
}
_BITS = ("information", "information_rate")
_BINARY = "information"
_NOT_ADDITIVE = frozenset(("ratio", "number", "text", "date", "time", "length", "area", "frequency", "count"))
_EPSILON = 1e-9
_NAMED = 2  # systems that a count is explained by


@cache
def _by_axis(stated: str) -> Mapping[str, str]:
    """Of the thousands of figures nearly all state what others do, too."""
    return dict(json.loads(stated))


@cache
def _stating(stated: str, axis: str, value: str, engine: str) -> frozenset[tuple[str, str]]:
    """What is stated, with another value on one axis, and of those units of the chip, or of none that are named."""
    said = {**_by_axis(stated), axis: value, ENGINE: engine}
    return frozenset((a, v) for a, v in said.items() if v)


class Figure(NamedTuple):
    """A row of `Store.fact_figures`."""

    row: int
    subject: str
    metric: str
    low: float | None
    high: float | None
    unit: str
    bound: str
    form: str
    stated: str
    deprecated: bool

    @property
    def qualifiers(self) -> Mapping[str, str]:
        """By axis."""
        return _by_axis(self.stated)

    @property
    def of_several(self) -> bool:
        """True for a figure of a stated number of chips."""
        return '"count"' in self.stated

    def written(self, names: Names) -> list[Written]:
        """Its value in its unit, or both ends of a range."""
        unit = names.units.get(self.unit)
        if unit is None:
            return []
        ends = dict.fromkeys(_ends(self.low, self.high, self.form))
        return [Written(value / unit.scale, self.unit) for value in ends]


def _ends(low: float | None, high: float | None, form: str) -> list[float]:
    """Both ends of a range, and the middle of anything else."""
    if low is None or high is None:
        return [value for value in (low, high) if value is not None]
    return [low, high] if form == "range" else [(low + high) / 2]


class Way(NamedTuple):
    """One transformation: the factor, the arithmetic in words with {} for the figure as written, the unit of the result.

    `order` puts conventions of writing before units, and units before the number of chips.
    """

    factor: float
    says: str
    unit: str
    order: int


class Ways:
    """The transformations that a figure allows, given all the others."""

    def __init__(self, names: Names, figures: Sequence[Figure]) -> None:
        self._names, self._figures = names, figures

    @cached_property
    def _kinds(self) -> dict[tuple[str, str, frozenset[tuple[str, str]]], Figure]:
        """By subject, metric and qualifiers, what stands there."""
        # the first of a kind in the table is the best one: later ones are other editions
        known = (f for f in reversed(self._figures) if not f.deprecated)
        return {(f.subject, f.metric, frozenset(f.qualifiers.items())): f for f in known}

    @cached_property
    def _sparse(self) -> set[str]:
        """The chips that have 2:4 sparsity, with their kin."""
        found = {
            f.subject for f in self._figures if '["sparsity", "2:4"]' in f.stated or '["sparsity","2:4"]' in f.stated
        }
        return {i for subject in found for i in self._kin(subject)}

    @cached_property
    def _holders(self) -> dict[str, dict[int, list[str]]]:
        """By chip, the numbers of chips that systems and slices of it hold, with those."""
        holders: dict[str, dict[int, list[str]]] = {}
        for id_, entity in self._names.entities.items():
            if self._names.holds_several(id_):
                for above in self._names.ancestors(id_)[1:]:
                    holders.setdefault(above, {}).setdefault(entity.chips, []).append(id_)
        return holders

    def _kin(self, subject: str) -> list[str]:
        return [*(i for i in self._names.ancestors(subject) if self._names.is_chip(i)), *self._names.members(subject)]

    def opposite(self, figure: Figure) -> tuple[str, Figure] | None:
        """The same figure dense where this is sparse, one way where this is both; and how one says that."""
        stated = figure.qualifiers
        # a row may leave open that it is of the matrix units where its counterpart says so
        engines = dict.fromkeys((stated.get(ENGINE, ""), *(("", MATRIX) if stated.get(ENGINE) != VECTOR else ())))
        for (axis, value), (other, _, says) in _OPPOSITE.items():
            for engine in engines if stated.get(axis) == value else ():
                like = _stating(figure.stated, axis, other, engine)
                found = self._kinds.get((figure.subject, figure.metric, like))
                if found is not None:
                    return says, found
        return None

    def of(self, figure: Figure) -> Iterator[Way]:
        """All transformations of one figure."""
        if figure.deprecated or figure.bound not in ("exact", "about"):
            return
        yield from self._by_convention(figure)
        yield from self._by_unit(figure)
        yield from self._by_count(figure)

    def _by_convention(self, figure: Figure) -> Iterator[Way]:
        stated = figure.qualifiers
        if self.opposite(figure) is not None:
            return  # the other one is a fact itself
        for (axis, value), (_, factor, says) in _OPPOSITE.items():
            if stated.get(axis) != value or (axis == "sparsity" and not self._may_be_sparse(figure)):
                continue
            yield Way(factor, f"{says}: 2 x {{}}" if factor > 1 else f"{says}: {{}} / 2", figure.unit, 0)

    def _may_be_sparse(self, figure: Figure) -> bool:
        """True on a chip with 2:4 sparsity, which its matrix units alone make use of."""
        return figure.subject in self._sparse and figure.qualifiers.get(ENGINE) != VECTOR

    def _by_unit(self, figure: Figure) -> Iterator[Way]:
        dimension, scale = self._names.units[figure.unit]
        if dimension in _BITS:
            if math.log10(scale * 8) % 3 < _EPSILON:  # a unit of bits
                yield Way(1 / 8, "in bytes: {} / 8", self._unit(dimension, scale * 8), 1)
            else:
                yield Way(8.0, "in bits: 8 x {}", self._unit(dimension, scale / 8), 1)
        if dimension == _BINARY:
            for power, (binary, decimal) in enumerate(
                (("KiB", "KB"), ("MiB", "MB"), ("GiB", "GB"), ("TiB", "TB")), start=1
            ):
                factor = 1.024**power
                if figure.unit == binary:
                    yield Way(factor, f"{{}} x {factor:.5g}", decimal, 1)
                elif figure.unit == decimal:
                    yield Way(1 / factor, f"{{}} / {factor:.5g}", binary, 1)

    def _unit(self, dimension: str, scale: float) -> str:
        """The first unit of that size, or "" where there is none."""
        return next((i for i, u in self._names.units.items() if u == (dimension, scale)), "")

    def _by_count(self, figure: Figure) -> Iterator[Way]:
        metric, stated = self._names.metrics[figure.metric], figure.qualifiers
        if (
            "aggregation" not in metric.qualifiers
            or metric.dimension in _NOT_ADDITIVE
            or not metric.nature.startswith(("spec", "priced"))
        ):
            return
        scope, count = stated.get("aggregation", ""), int(stated.get("count") or 0)
        if scope in ("", "chip") and self._names.is_chip(figure.subject):
            for number, holders in self._counts(figure.subject).items():
                named = ", ".join(self._names.name(h) for h in holders[:_NAMED])
                yield Way(float(number), f"{number:,} chips ({named}): {number:,} x {{}}", figure.unit, 2)
        elif scope in ("node", "slice", "pod", "rack", "pair") and count > 1:
            yield Way(1 / count, f"per chip: {{}} / {count:,}", figure.unit, 2)

    def _counts(self, subject: str) -> dict[int, list[str]]:
        counts: dict[int, list[str]] = {}
        for chip in self._kin(subject):
            for number, holders in self._holders.get(chip, {}).items():
                counts.setdefault(number, []).extend(h for h in holders if h not in counts.get(number, ()))
        return counts
