"""The records of the domain files: plain values, one class a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """A chip, a family, a system: anything that a figure can be about.

    `parent` leads from a variant to its chip, from a chip to its family, from a
    system to the chip that it is made of. `chips` is how many it holds.
    """

    id: str
    name: str
    kind: str
    vendor: str = ""
    parent: str = ""
    predecessor: str = ""
    chips: int = 1
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """A quantity that sources state: its dimension, and the wording that signals it.

    The `default` one of a dimension is meant where no wording tells; figures of
    those in `also` answer a casual question for this one.
    """

    id: str
    name: str
    dimension: str
    unit: str = ""
    cues: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    anti: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    bigger_is: str = "more"
    default: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """Anything else that has a name: a framework, a cloud, a technique, a company.

    Surfaces in `exact` count only in the case written there.
    """

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitForms:
    """A unit with the ways that people write it; `per` is the scope that those state ("chip")."""

    id: str
    dimension: str
    scale: float
    forms: tuple[str, ...]
    case_sensitive: bool = True
    of: str = ""
    per: str = ""
    offset: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A surface that names one of several entities and does not tell which."""

    surface: str
    entities: tuple[str, ...]
    case_sensitive: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class SliceNaming:
    """What the number in a slice's name counts: "v5p-8" TensorCores, "v6e-8" chips."""

    prefix: str
    entity: str
    counts: str
    cores_per_chip: int


@dataclass(frozen=True, slots=True)
class Dimension:
    """What kind of quantity a unit measures, and the unit that all are turned into."""

    id: str
    base: str


@dataclass(frozen=True, slots=True)
class Multiplier:
    """Letters and words that scale a number: 1.5k, 70 billion."""

    id: str
    scale: float
    forms: tuple[str, ...]
