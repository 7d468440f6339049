"""The schema of each TOML file: which fields a row may have, and their limits.

`records` and `formulas` say which fields are optional and what they mean.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, create_model

from chipwise.domain import formulas, records
from chipwise.domain.kinship import MACHINES

_SOME = Field(min_length=1)
_POSITIVE, _NOT_NEGATIVE = Field(gt=0), Field(ge=0)
_NAMED = {"id": Field(min_length=1, pattern=r"^[A-Za-z0-9$€£%/^²·._-]+$"), "name": _SOME}


def _one_of(*values: str) -> Any:
    return Field(pattern=f"^({'|'.join(values)})$")


def _schema(record: type, **limits: Any) -> type[BaseModel]:
    """Build the model of a row that becomes a `record`: exactly its fields, each within its limits."""
    hints = get_type_hints(record)
    limits = (_NAMED if "name" in hints else {"id": _SOME} if "id" in hints else {}) | limits
    columns: dict[str, Any] = {}
    for field in fields(record):
        kind = _in_toml(hints[field.name])
        default = ... if field.default is MISSING else kind() if field.default == () else field.default
        limit = limits.get(field.name)
        own = limit if isinstance(limit, tuple) else (limit,)
        columns[field.name] = (kind if limit is None else Annotated[(kind, *own)], default)
    return create_model(record.__name__, __config__=ConfigDict(extra="forbid", frozen=True), **columns)


def _in_toml(hint: Any) -> Any:
    """Return a field's type in TOML: a list for a tuple, a table for a tuple of pairs."""
    if get_origin(hint) is UnionType:
        return _in_toml(get_args(hint)[0]) | None
    if get_origin(hint) is not tuple:
        return hint
    one = get_args(hint)[0]
    return dict[get_args(one)] if get_origin(one) is tuple else list[one]  # type: ignore[misc, valid-type]


def _machines_hold_chips(chips: int, info: ValidationInfo) -> int:
    if chips > 1 and info.data.get("kind") not in MACHINES:
        raise ValueError("only a system or a slice can hold several chips")
    return chips


def _variants_have_forms(form: str, info: ValidationInfo) -> str:
    if form and info.data.get("kind") != "variant":
        raise ValueError("only a variant has a form factor")
    return form


def _turns_on_qualifiers(axes: list[str], info: ValidationInfo) -> list[str]:
    if not set(axes) <= set(info.data.get("qualifiers", ())):
        raise ValueError("each of these must be among the metric's qualifiers")
    return axes


def _each_once(words: list[str]) -> list[str]:
    twice = sorted({w for w in words if words.count(w) > 1 or w != w.lower() or not w.strip()})
    if twice or not words:
        raise ValueError(f"empty list, or duplicate or upper-case words: {', '.join(twice)}")
    return words


_UNITS = {"unit": _schema(records.UnitForms, scale=_POSITIVE, forms=_SOME), "dimension": _schema(records.Dimension)}
_WORDS = {"words": _schema(formulas.Words, words=_SOME)}
SCHEMAS: dict[str, dict[str, type[BaseModel]]] = {
    "entities.toml": {
        "entity": _schema(
            records.Entity,
            kind=_one_of("line", "family", "chip", "variant", "system", "slice"),
            chips=(Field(ge=1), AfterValidator(_machines_hold_chips)),
            dies=_NOT_NEGATIVE,
            form_factor=AfterValidator(_variants_have_forms),
        ),
        "ambiguous": _schema(records.Ambiguous, entities=Field(min_length=2)),
    },
    "metrics.toml": {
        "metric": _schema(
            records.Metric,
            nature=_one_of("specified", "measured", "priced", "estimated"),
            turns_on=AfterValidator(_turns_on_qualifiers),
        )
    },
    "units.toml": _UNITS,
    "units_general.toml": _UNITS,
    "terms.toml": {"term": _schema(records.Term)},
    "axes.toml": {
        "axis": _schema(records.Axis, of=_one_of("", "run", "offer")),
        "qualifier": _schema(records.Qualifier),
        "needs": _schema(records.Needs, of=_SOME, axes=_SOME),
        "explanation": _schema(formulas.Explanation, factors=_SOME),
    },
    "relations.toml": {
        "relation": _schema(records.Relation, subjects=_SOME, objects=_SOME),
        "value": _schema(records.Value),
    },
    "equations.toml": {
        "variable": _schema(
            formulas.Variable,
            of=_one_of("", "chip", "all"),
            whole=_one_of("up", "down"),
            digits=Field(ge=2, le=6),
            least=_NOT_NEGATIVE,
            better=_one_of("more", "less"),
            code=Field(pattern=r"^(CW\d{3})?$"),
        ),
        "equation": _schema(
            formulas.Equation,
            powers=_SOME,
            factor=_POSITIVE,
            bound=_one_of("", "at most"),
            tolerance=_NOT_NEGATIVE,
            cost=_POSITIVE,
        ),
        "convention": _schema(formulas.Convention, cost=_NOT_NEGATIVE),
        "duration": _schema(formulas.Duration, seconds=_POSITIVE, words=_SOME),
        "numbered": _schema(records.Numbered, says=Field(pattern=r"\{\}")),
        **_WORDS,
    },
    "voice.toml": {
        "voice": _schema(
            records.Voice,
            puts=_one_of(
                *("hypothetical", "promised", "estimated", "reported", "measured", "reckoned", "doubted", "speech"),
                "plain",
            ),
            governs=_one_of("complement", "clause", "rest", "sentence"),
            cues=_SOME,
        )
    },
    "phrases.toml": _WORDS,
    "neutral.toml": {"neutral": _schema(records.Neutral, words=AfterValidator(_each_once))},
    "operators.toml": {
        "operator": _schema(
            records.Operator,
            kind=_one_of(
                *(
                    "question",
                    "opener",
                    "states",
                    "judge",
                    "compare",
                    "rank",
                    "top",
                    "place",
                    "relate",
                    "bound",
                    "multiple",
                ),
                *(
                    "not",
                    "except",
                    "or",
                    "and",
                    "versus",
                    "than",
                    "with",
                    "kind",
                    "group",
                    "each",
                    "number",
                    "relative",
                ),
                *("both", "verb", "hint", "present", "refuse", "filler", "only", "state"),
            ),
            words=_SOME,
        )
    },
}
