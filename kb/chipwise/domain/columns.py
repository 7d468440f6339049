"""What a column of a domain file may hold: limits, which pydantic checks, and references to what other rows define.

`records` and `formulas` name these in their annotations; only the reader of the files resolves them.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationInfo

from chipwise.domain.kinship import MACHINES

K = TypeVar("K")
V = TypeVar("V")


class Reference(NamedTuple):
    """The id of a row of one of the `tables`, or a value that they imply, see `files`; `what` a message calls it."""

    what: str
    tables: tuple[str, ...] = ()
    prefix: str = ""  # that may stand before an id


_WILD = ("?", "…", "#")  # of a cue, see `cues`


def _machines_hold_chips(chips: int, info: ValidationInfo) -> int:
    if chips > 1 and info.data.get("kind") not in MACHINES:
        raise ValueError("only a system or a slice can hold several chips")
    return chips


def _variants_have_forms(form: str, info: ValidationInfo) -> str:
    if form and info.data.get("kind") != "variant":
        raise ValueError("only a variant has a form factor")
    return form


def _among_qualifiers(axes: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    if not set(axes) <= set(info.data.get("qualifiers", ())):
        raise ValueError("each of these must be among the metric's qualifiers")
    return axes


def _pairs(table: object) -> object:
    if not isinstance(table, dict):
        raise ValueError("it must be a table")
    return tuple(table.items())


def _each_once(words: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({w for w in words if words.count(w) > 1 or w != w.lower() or not w.strip()})
    if twice or not words:
        raise ValueError(f"empty list, or duplicate or upper-case words: {', '.join(twice)}")
    return words


def _is_cue(cue: str) -> str:
    parts = cue.split()
    parts = parts[1:] if parts[:1] == ["^"] else parts
    if not parts or parts[0] in _WILD:
        raise ValueError(f"{cue!r}: it must begin with a word")
    for word in (word.rstrip("~") for part in parts if part not in _WILD for word in part.split("/")):
        if not (word in ("#", ",", ":") or word.isalnum()) or word != word.lower():
            raise ValueError(f"{cue!r}: {word!r} is not a lower-case word")
    return cue


NOT_EMPTY = Field(min_length=1)
Some = Annotated[str, NOT_EMPTY]
Id = Annotated[str, Field(min_length=1, pattern=r"^[A-Za-z0-9$€£%/^²·._-]+$")]
Pairs = Annotated[tuple[tuple[K, V], ...], BeforeValidator(_pairs)]  # of a table in a row
Texts = Annotated[tuple[str, ...], NOT_EMPTY]
Words = Annotated[tuple[str, ...], AfterValidator(_each_once)]
Cue = Annotated[str, AfterValidator(_is_cue)]
Code = Annotated[str, Field(pattern=r"^(CW\d{3})?$")]
Template = Annotated[str, Field(pattern=r"\{\}")]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Digits = Annotated[int, Field(ge=2, le=6)]
Chips = Annotated[int, Field(ge=1), AfterValidator(_machines_hold_chips)]

Puts = Annotated[
    str, Field(pattern=r"^(hypothetical|promised|estimated|reported|measured|reckoned|doubted|speech|plain)$")
]
OperatorKind = Annotated[
    str,
    Field(
        pattern=r"^(question|opener|states|judge|compare|rank|top|place|relate|bound|multiple|not|except|or|and|versus|than|with"
        r"|kind|group|each|number|relative|both|verb|hint|present|refuse|filler|only|state)$"
    ),
]

EntityId = Annotated[str, Reference("entity", ("entity",))]
MetricId = Annotated[str, Reference("metric", ("metric",))]
AxisId = Annotated[str, Reference("axis", ("axis",))]
TermId = Annotated[str, Reference("term", ("term",))]
UnitId = Annotated[str, Reference("unit", ("unit",))]
DimensionId = Annotated[str, Reference("dimension", ("dimension",))]
VariableId = Annotated[str, Reference("variable", ("variable",))]
KindOfTerm = Annotated[str, Reference("kind of term")]
KindOfEntity = Annotated[str, Reference("kind of entity")]
Object = Annotated[str, Reference("term or value", ("term", "value"))]
FormFactor = Annotated[str, Reference("form factor"), AfterValidator(_variants_have_forms)]
SolvedUnit = Annotated[str, Reference("unit", ("unit",), "chip-")]
Entities = Annotated[tuple[EntityId, ...], Field(min_length=2)]
TurnsOn = Annotated[tuple[str, ...], AfterValidator(_among_qualifiers)]


def checker(record: Any) -> TypeAdapter[Any]:
    """Return the validator that turns a row into a `record`: exactly its fields, each within its limits."""
    hints = _hints(record)
    for field in fields(record):
        field.type = hints[field.name]
    record.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(record)


def references(record: Any) -> list[tuple[str, Reference]]:
    """The columns that hold ids of other rows; of a column with a table of its own, each part that does."""
    return [(name, found) for name, hint in _hints(record).items() for found in _references_in(hint)]


def _hints(record: Any) -> dict[str, Any]:
    known = {"column": sys.modules[__name__], "Annotated": Annotated, "Literal": Literal}  # as the records call them
    return get_type_hints(record, localns=known, include_extras=True)


def _references_in(hint: Any) -> list[Reference]:
    own = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Reference)]
    return own + [found for inner in get_args(hint) for found in _references_in(inner)]
