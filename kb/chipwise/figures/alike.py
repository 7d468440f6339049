"""Like for like: when two facts are of one kind, whose facts a product has, and which variant speaks for its chip.

    covered("A100 80GB")                ->  itself, the A100, the A100 SXM 80GB and the A100 PCIe 80GB
    speakers(["A100", "H100"])          ->  the A100 SXM 80GB, the H100 SXM: most is known of them
    speakers(["A100", "H100 PCIe"])     ->  the A100 PCIe 80GB: in the form that the other is made in

Some qualifiers make a row of a table, of others a row has one choice; `in_one_form` takes such a row from what is known of
several things. Everything is told from the facts that are handed in; nothing is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from chipwise.claims.model import Claim, Fact
from chipwise.domain.names import Names

SPLIT = ("dtype", "workload", "benchmark", "price_terms", "provider")  # rows of their own
# one choice a row
FIXED = ("sparsity", "engine", "direction", "aggregation", "count", "basis", "capacity", "power_basis")
# what may stand beside a figure that does not state the axis: that of a chip without 2:4 sparsity says nothing of it
_IMPLIED = {"sparsity": "dense", "aggregation": "chip"}
_NEVER_IMPLIED = "direction"  # half of it or all: not to be guessed
ENGINE, MATRIX, VECTOR = "engine", "matrix", "vector"
_ON_VECTOR_UNITS = ("fp32", "fp64")  # formats whose peak is that of the vector units where no units are named

# axes of FIXED on which figures may differ that stand beside each other, where each says how it is meant: board power and TDP
TOLD_APART = frozenset(("power_basis", "capacity"))

ON_DEMAND = "on-demand"  # the terms that are meant where none are named
_USUAL = ("dense", "matrix", "chip", "both", "usable")  # of equally good rows
_HABIT = frozenset(("bf16", ON_DEMAND))
_SEVERAL = 2

Values = tuple[str, ...]  # by axis, "" where it is not stated


class Claiming(Protocol):
    """What makes a claim, such as a fact."""

    @property
    def claim(self) -> Claim:
        """The claim."""


class OneForm(NamedTuple):
    """Figures of one kind, by column; None where one has none. `fixed` are the values on FIXED that most have."""

    kind: Values
    fixed: Values
    facts: tuple[Fact | None, ...]


def values(fact: Claiming, axes: Iterable[str]) -> Values:
    """What a fact states on each of `axes`, "" where nothing; of the units that reach a peak, those that go without saying."""
    stated = dict(fact.claim.qualifiers)
    return tuple(stated.get(axis, "") or (usual_engine(fact) if axis == ENGINE else "") for axis in axes)


def usual_engine(fact: Claiming) -> str:
    """The units that a peak is of where it names none: matrix units, but for FP32 and FP64; "" where a figure has no format."""
    dtype = fact.claim.qualifier("dtype")
    return (VECTOR if dtype in _ON_VECTOR_UNITS else MATRIX) if dtype else ""


def is_of_slower_units(fact: Fact) -> bool:
    """True for what the vector units reach in a format that is made for matrix units: FP16, BF16, FP8."""
    return fact.claim.qualifier(ENGINE) == VECTOR != usual_engine(fact)


def without_slower_units(facts: Sequence[Fact], names: Names) -> list[Fact]:
    """Less what vector units do in a format that a chip's matrix units have a figure for: 78 TFLOPS of FP16 beside an A100's 312."""

    def of(fact: Fact) -> Values:
        return (names.chip_of(fact.claim.subject), fact.claim.metric, fact.claim.qualifier("dtype"))

    slower = [f for f in facts if is_of_slower_units(f)]
    faster = {of(f) for f in facts if f not in slower} if slower else set()
    return [f for f in facts if f not in slower or of(f) not in faster]


def states(fact: Fact, wanted: Mapping[str, str]) -> bool:
    """True where a fact has what is wanted on each axis, or where that goes without saying."""
    return values(fact, wanted) == tuple(wanted.values())


def kind(fact: Fact, names: Names) -> Values:
    """What makes a row of its own; counts of different things ("CUDA cores", "TensorCores") are never one row."""
    unit = names.units.get(fact.unit)
    return (*values(fact, SPLIT), fact.unit if unit is not None and unit.dimension == "count" else "")


def compatible(found: Values, wanted: Values) -> bool:
    """True where no axis is stated otherwise, and what is stated on one side only goes without saying on the other."""
    for axis, a, b in zip(FIXED, found, wanted, strict=True):
        if a == b:
            continue
        if (a and b) or axis == _NEVER_IMPLIED or (a or b) != _IMPLIED.get(axis, a or b):
            return False
    return True


def in_one_form(names: Names, subjects: Sequence[str], pools: Sequence[Sequence[Fact]]) -> OneForm:
    """Of the kinds of figures in `pools` the one that fills most columns, dense before sparse, and BF16 or on demand of equals."""
    found = dict.fromkeys((kind(f, names), values(f, FIXED)) for pool in pools for f in pool)
    rows = sorted(found, key=lambda row: row[0])  # of equals the first kind by name, and what is known first
    if not rows:
        return OneForm((), (), (None,) * len(subjects))
    by_kind = {k: [[f for f in pool if kind(f, names) == k] for pool in pools] for k, _ in rows}

    def worth(row: tuple[Values, Values]) -> tuple[bool, bool, int, int, int, int, bool]:
        fitting = [[f for f in pool if compatible(values(f, FIXED), row[1])] for pool in by_kind[row[0]]]
        exact = [[f for f in pool if values(f, FIXED) == row[1]] for pool in fitting]
        return (
            sum(map(bool, fitting)) >= min(_SEVERAL, len(pools)),
            "2:4" not in row[1],
            sum(map(bool, fitting)),
            sum(map(bool, exact)),
            sum(any(f.rank == "preferred" for f in pool) for pool in exact),
            sum(value in _USUAL for value in row[1]),
            not _HABIT.isdisjoint(row[0]),
        )

    kind_, fixed = max(rows, key=worth)
    columns = zip(subjects, by_kind[kind_], strict=True)
    return OneForm(kind_, fixed, tuple(_nearest(subject, pool, fixed) for subject, pool in columns))


def _nearest(subject: str, pool: Sequence[Fact], fixed: Values) -> Fact | None:
    """The fact for `fixed`, else one that differs from it in what is told apart; of those what can be used goes first."""
    near = dict.fromkeys(own for f in pool if _is_near(own := values(f, FIXED), fixed))
    curated = [f for f in pool if f.place]
    if curated and len(curated) < len(pool) and (found := _nearest(subject, curated, fixed)) is not None:
        return found  # what an added document says is told beside it
    for wanted in (fixed, *sorted(near, key=lambda own: "physical" in own)):
        fitting = [f for f in pool if compatible(values(f, FIXED), wanted)]
        if fitting:
            return max(fitting, key=lambda f: _rank(subject, f, wanted))
    return None


def _rank(subject: str, fact: Fact, fixed: Values) -> tuple[bool | str, ...]:
    """Preferred, curated, about just that subject, stating just that, of what can be used, latest."""
    claim = fact.claim
    usable = claim.qualifier("capacity") != "physical"
    standing = fact.rank == "preferred", bool(fact.place)
    return *standing, claim.subject == subject, values(fact, FIXED) == fixed, usable, fact.as_of


def _is_near(found: Values, wanted: Values) -> bool:
    """True where they differ at most in what each says of itself when they stand beside each other."""
    return {axis for axis, a, b in zip(FIXED, found, wanted, strict=True) if a != b} <= TOLD_APART


def agree(a: Fact, b: Fact) -> bool:
    """True where two facts give one figure as far as they are rounded, or one category."""
    first, second = a.claim.quantity, b.claim.quantity
    return a.value == b.value if first is None or second is None else first.agrees_with(second)


def unstated(fact: Fact, key: Values) -> list[str]:
    """The axes on which `fact` and `key` differ and that are worth telling: "per chip" goes without saying."""
    pairs = zip(FIXED, values(fact, FIXED), key, strict=True)
    return [axis for axis, a, b in pairs if a != b and axis not in ("count", "aggregation")]


def covered(names: Names, subject: str, *, widely: bool = False) -> list[str]:
    """What facts about `subject` may be about: itself, of chips what it is a variant of and its variants; `widely`, all chips of a family."""
    if names.is_many(subject):
        return [subject, *(names.members(subject) if widely else ())]
    if not names.is_chip(subject):
        return [subject]
    return [*filter(names.is_chip, names.ancestors(subject)), *names.members(subject)]


def goes_by(names: Names, variant: str, chip: str) -> bool:
    """True where a variant is called by the chip's name: the GPU of a GB200 is no B200 that one can have by itself."""
    return name_words(names, chip) <= name_words(names, variant)


def name_words(names: Names, id_: str) -> set[str]:
    """What the name of an entity says, whatever the order."""
    return set(names.name(id_).lower().split())


def without_inherited(names: Names, subject: str, facts: Sequence[Fact]) -> list[Fact]:
    """Facts about a variant: its own before those of what it is a variant of, and no run of the wider chip as its own.

    The GPU of a GB200 is a B200 with more memory; what H100s reached in a benchmark is no result of the PCIe card.
    """
    above = names.ancestors(subject)[1:]
    own = {(f.claim.metric, kind(f, names)) for f in facts if f.claim.subject not in above}
    return [
        f
        for f in facts
        if f.claim.subject not in above
        or (names.metrics[f.claim.metric].nature == "specified" and (f.claim.metric, kind(f, names)) not in own)
    ]


def said_of(names: Names, variant: str, facts: Sequence[Fact]) -> list[Fact]:
    """Those of a chip's facts that hold for one variant: what is said of it, of wider ones if it has no other figure itself, and of no other form."""
    told = [f for f in facts if f.claim.subject in names.ancestors(variant)]
    own = [f for f in told if f.claim.subject == variant]
    forms = _forms(own)
    of_form = [f for f in told if not forms or f.claim.qualifier("form_factor") in ("", *forms)]
    return [f for f in of_form if f.claim.subject == variant or not any(_replaces(o, f) for o in own)]


def _replaces(own: Fact, wider: Fact) -> bool:
    """True where a variant has another figure than what is said of the chip: 9.5 TFLOPS of a P100 PCIe, 10.6 of a P100."""
    a, b = own.claim, wider.claim
    if a.metric != b.metric or a.quantity is None or b.quantity is None or a.quantity.agrees_with(b.quantity):
        return False
    shared = dict(a.qualifiers).keys() & dict(b.qualifiers).keys()
    return own.unit == wider.unit and own.rank == wider.rank and all(a.qualifier(x) == b.qualifier(x) for x in shared)


def speakers(
    names: Names,
    subjects: Sequence[str],
    pools: Sequence[Sequence[Fact]],
    is_asked: Callable[[Fact], bool] = lambda _: True,
) -> list[str]:
    """For each subject the variant that all its figures are to be of, "" where facts of fewer than two are known.

    `pools` holds all that is known of each; known by what `is_asked`, a variant goes before others.
    """
    forms = [_forms(pool) for pool in pools]
    chosen = [""] * len(subjects)
    for column, (subject, pool) in enumerate(zip(subjects, pools, strict=True)):
        variants = _variants(names, subject, pool)
        if len(variants) < _SEVERAL:
            continue
        rest = [n for n in range(len(subjects)) if n != column]
        # beside the A100 80GB an A100 is another one
        apart = [v for v in variants if not any(subjects[n] in names.ancestors(v) for n in rest)] or variants
        others = {form for n in rest if len(forms[n]) == 1 for form in forms[n]}
        # beside an A100 PCIe 80GB, or what speaks for it, an A100 SXM has 80 GB as well
        kin = {a for n in rest for a in names.ancestors(chosen[n] or subjects[n]) if names.kind(a) == "variant"}
        # of equals the later: the domain lists the one with less memory first
        ranked = [(_fitness(names, v, pool, is_asked, others, kin), n) for n, v in enumerate(apart)]
        chosen[column] = apart[max(ranked)[1]]
    return chosen


def _variants(names: Names, subject: str, pool: Sequence[Fact]) -> list[str]:
    """The variants with facts of their own, without those that another one is a kind of."""
    above = names.ancestors(subject)
    found = [s for s in dict.fromkeys(f.claim.subject for f in pool) if s not in above and names.is_chip(s)]
    return [v for v in found if not any(v != w and v in names.ancestors(w) for w in found)]


def _fitness(
    names: Names,
    variant: str,
    pool: Sequence[Fact],
    is_asked: Callable[[Fact], bool],
    forms: Collection[str],
    kin: Collection[str],
) -> tuple[bool, bool, bool, bool, int]:
    """Known by what is asked, called by the chip's name, of a kind with another, made in the one form that another is made in, and known best."""
    told = said_of(names, variant, pool)
    return (
        any(map(is_asked, told)),
        goes_by(names, variant, names.chip_of(variant)),
        not set(kin).isdisjoint(names.ancestors(variant)),
        any(f.claim.subject == variant and f.claim.qualifier("form_factor") in forms for f in told),
        len(told),
    )


def _forms(facts: Iterable[Fact]) -> set[str]:
    return {f.claim.qualifier("form_factor") for f in facts} - {""}
