"""The records of how figures hang together: what explains two, what several must satisfy, what can be reckoned from some."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """A known transformation between two figures: one is `factors` of the other because they differ on `axis`.

    The greater one has `more` there and the lesser one `less`, where that is known. What must be `stated` holds only where one of them says a value of it other than a chip's.
    It holds for metrics that have the axis `where`, if one is given, and for claims with a value `among` those of it, if some
    are given; what can only be `supposed` leaves a gap unresolved. With `same_digits` only between equal numbers. With
    `both_ways` a figure of one way counts twice beside one that may be of both.
    """

    id: str
    axis: str
    factors: tuple[float, ...]
    says: str
    dimensions: tuple[str, ...] = ()
    stated: bool = False
    where: str = ""
    among: tuple[str, ...] = ()
    more: str = ""
    less: str = ""
    same_digits: bool = False
    supposed: bool = False
    both_ways: bool = False


@dataclass(frozen=True, slots=True)
class IdentityTerm:
    """A quantity in an identity: a metric, with the qualifiers that it must not contradict.

    `facts` lets the curated table give it where a source is silent. `per_chip`
    divides it by the chips that it is of. With `any_of_dimension`, every figure of the
    metric's dimension may stand for it: hours of whatever.
    """

    symbol: str
    metric: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    facts: bool = False
    per_chip: bool = False
    any_of_dimension: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """An equation between metrics that figures of one source must satisfy together.

    `left` and `right` are arithmetic over `symbol_a` and `symbol_b`, for a subject a and,
    where the equation compares two, a subject b. They hold within `tolerance` (a share).
    What holds only `beside` one another is asked of neighbouring sentences alone.
    """

    id: str
    code: str
    left: str
    right: str
    says: str
    terms: tuple[IdentityTerm, ...]
    tolerance: float = 0.1
    beside: bool = False


@dataclass(frozen=True, slots=True)
class DerivationInput:
    """Where the value of a symbol in a derivation comes from; derivations.toml says what each field means."""

    symbol: str
    given: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()
    chips: bool = False
    by: str = ""
    values: tuple[tuple[str, float], ...] = ()
    words: tuple[tuple[str, float, str], ...] = ()
    value: float = 0.0
    text: str = ""
    unit: str = ""
    of: int = 0
    per: str = ""
    alone: bool = False
    offers: str = ""
    machine: bool = False
    source: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A sum that a question can ask for: `formula` is arithmetic over the symbols of `inputs`, in base units."""

    id: str
    asks: tuple[str, ...]
    formula: str
    says: str
    inputs: tuple[DerivationInput, ...]
    never: tuple[str, ...] = ()
    unit: str = ""
    larger: str = ""
    above: float = 10_000.0
    ends: str = ""
    whole: bool = False
    room: bool = False
    needs: str = ""
    digits: int = 4
    least: float = 0.0
    better: str = "more"
    beside: tuple[str, ...] = ()
