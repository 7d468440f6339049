"""When two facts are of one kind: the qualifiers that make a row of a table, and those that a row has one choice of.

Nothing here knows of tables; `likeforlike` makes those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chipwise.claims.model import Fact
from chipwise.domain.names import Names

SPLIT = ("dtype", "workload", "benchmark", "price_terms", "provider")  # rows of their own
FIXED = (
    "sparsity",
    "engine",
    "direction",
    "aggregation",
    "count",
    "basis",
    "capacity",
    "power_basis",
)  # one choice a row
_FIRST = ("dense", "matrix", "chip", "both", "usable")  # of equally good choices
# what may stand beside a figure that does not state the axis: that of a chip without 2:4 sparsity says nothing of it
_IMPLIED = {"sparsity": "dense", "aggregation": "chip"}
_NEVER_IMPLIED = "direction"  # half of it or all: not to be guessed
_ENGINE, _MATRIX, _VECTOR = "engine", "matrix", "vector"
_ON_VECTOR_UNITS = ("fp32", "fp64")  # formats whose peak is that of the vector units where no unit is named

# axes of FIXED on which figures may differ that stand beside each other, where each says how it is meant: board power and TDP
TOLD_APART = frozenset(("power_basis", "capacity"))

_BINARY = 1.1  # GiB are more than GB by 1.07, and TiB than TB by 1.10

Key = tuple[str, ...]


def values(fact: Fact, axes: Iterable[str]) -> Key:
    """What a fact states on each of `axes`, "" where nothing; of the units that reach a peak, those that go without saying."""
    stated = dict(fact.claim.qualifiers)
    return tuple(stated.get(axis, "") or (usual_engine(fact) if axis == _ENGINE else "") for axis in axes)


def usual_engine(fact: Fact) -> str:
    """The units that a peak is of where it names none: matrix units, but for FP32 and FP64; "" where a figure has no format."""
    dtype = fact.claim.qualifier("dtype")
    return (_VECTOR if dtype in _ON_VECTOR_UNITS else _MATRIX) if dtype else ""


def without_slower_units(facts: Sequence[Fact], names: Names) -> list[Fact]:
    """Less what vector units do in a format that a chip's matrix units have a figure for: 78 TFLOPS of FP16 beside an A100's 312."""

    def of(fact: Fact) -> Key:
        return (names.chip_of(fact.claim.subject), fact.claim.metric, fact.claim.qualifier("dtype"))

    slower = [f for f in facts if f.claim.qualifier(_ENGINE) == _VECTOR != usual_engine(f)]
    faster = {of(f) for f in facts if f not in slower} if slower else set()
    return [f for f in facts if f not in slower or of(f) not in faster]


def states(fact: Fact, wanted: Mapping[str, str]) -> bool:
    """True where a fact has what is wanted on each axis, or where that goes without saying."""
    return values(fact, wanted) == tuple(wanted.values())


def kind(fact: Fact, names: Names) -> Key:
    """What makes a row of its own; counts of different things ("CUDA cores", "TensorCores") are never one row."""
    unit = names.units.get(fact.unit)
    return (*values(fact, SPLIT), fact.unit if unit is not None and unit.dimension == "count" else "")


def worth(pools: Sequence[Sequence[Fact]], key: Key) -> tuple[int, int, int, int]:
    """How many columns have a figure under `key`, how many state just that, how many of those preferred, and habit."""
    fitting = [[f for f in pool if compatible(values(f, FIXED), key)] for pool in pools]
    exact = [[f for f in pool if values(f, FIXED) == key] for pool in fitting]
    preferred = sum(any(f.rank == "preferred" for f in pool) for pool in exact)
    return sum(map(bool, fitting)), sum(map(bool, exact)), preferred, sum(value in _FIRST for value in key)


def compatible(found: Key, wanted: Key) -> bool:
    """True where no axis is stated otherwise, and what is stated on one side only goes without saying on the other."""
    for axis, a, b in zip(FIXED, found, wanted, strict=True):
        if a == b:
            continue
        if (a and b) or axis == _NEVER_IMPLIED or (a or b) != _IMPLIED.get(axis, a or b):
            return False
    return True


def agree(a: Fact, b: Fact) -> bool:
    """True where two facts give one figure as far as they are rounded, or one category."""
    first, second = a.claim.quantity, b.claim.quantity
    return a.value == b.value if first is None or second is None else first.agrees_with(second)


def differ_by_label(a: Fact, b: Fact) -> bool:
    """True for 192 GB and 192 GiB: one number with a decimal and a binary prefix, which are easily mistaken."""
    if a.unit == b.unit or a.value != b.value or not a.is_single:
        return False
    few, many = sorted((a.amount, b.amount))
    return 0 < many < _BINARY * few


def best_fact(subject: str, pool: Sequence[Fact], key: Key) -> Fact | None:
    """The fact of `pool` to stand for `subject` under `key`: preferred, about just that subject, exact, of what can be used, latest."""

    def rank(fact: Fact) -> tuple[bool, bool, bool, bool, str]:
        c = fact.claim
        usable = c.qualifier("capacity") != "physical"
        return fact.rank == "preferred", c.subject == subject, values(fact, FIXED) == key, usable, fact.as_of

    return max((f for f in pool if compatible(values(f, FIXED), key)), key=rank, default=None)


def nearest_fact(subject: str, pool: Sequence[Fact], key: Key) -> Fact | None:
    """The fact for `key`, else one that differs from it on axes which are told apart; of those what can be used goes first."""
    near = dict.fromkeys(own for f in pool if _is_near(own := values(f, FIXED), key))
    keys = (key, *sorted(near, key=lambda own: "physical" in own))
    return next((f for own in keys if (f := best_fact(subject, pool, own)) is not None), None)


def _is_near(key: Key, other: Key) -> bool:
    return {axis for axis, a, b in zip(FIXED, key, other, strict=True) if a != b} <= TOLD_APART


def unstated(fact: Fact, key: Key) -> list[str]:
    """The axes on which `fact` and `key` differ and that are worth telling: "per chip" goes without saying."""
    pairs = zip(FIXED, values(fact, FIXED), key, strict=True)
    return [axis for axis, a, b in pairs if a != b and axis not in ("count", "aggregation")]
