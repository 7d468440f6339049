"""The JSON contract: plain values for `--json`, whose shape is stable.

A breaking change raises the number after the slash of `schema`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from chipwise.lookups.json import claims_value, compare_value, fact_value, facts_value, find_value, interval_value
from chipwise.types import Evidence

if TYPE_CHECKING:
    from chipwise.answering.answer import Answer, Row
    from chipwise.answering.searching import Hit
    from chipwise.audit.model import Audit
    from chipwise.domain.model import Domain
    from chipwise.domain.names import Names
    from chipwise.figures.network import Derivation
    from chipwise.learning.steps import Course, Step
    from chipwise.sizing.worksheet import Worksheet

ANSWER_SCHEMA = "chipwise.answer/3"
AUDIT_SCHEMA = "chipwise.audit/1"
LEARN_SCHEMA = "chipwise.learn/1"
SOLVE_SCHEMA = "chipwise.solve/1"


def value_of(result: Any, names: Callable[[], Names], domain: Callable[[], Domain]) -> dict[str, Any]:
    """Return the JSON value of any result. The result's class is looked up by name, so that no module is loaded for it."""
    kind = type(result).__name__
    if kind == "Answer":
        return answer_value(result, names())
    if kind == "Listing":
        return claims_value(result, domain())
    return _SHAPES[kind](result)


def plain(value: Any) -> Any:
    """Fields by their names, enumerations by their values, a path of headings as one text."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if not is_dataclass(value):
        return value
    made = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return made | {"heading": " > ".join(value.heading)} if isinstance(value, Evidence) else made


def answer_value(answer: Answer, names: Names) -> dict[str, Any]:
    """`ask --json`."""
    return {
        "schema": ANSWER_SCHEMA,
        "question": answer.question,
        "status": answer.status,
        "confidence": round(answer.confidence, 2),
        "answer": answer.text,
        "reason": answer.reason or None,
        "verdict": answer.verdict,
        "rows": [answer_row_value(answer, row, names) for row in answer.rows],
        "unused": answer.unused or None,
        "citations": [{"n": c.n, **plain(c.evidence)} for c in answer.citations],
        "disagreements": plain(answer.disagreements),
        "nearest": plain(answer.nearest),
    }


def answer_row_value(answer: Answer, row: Row, names: Names) -> dict[str, Any]:
    """A value of an answer: a figure with its interval in the dimension's base unit, or a category."""
    key, figure = row.key, None if isinstance(row.value, str) else row.value
    return {
        "subject": row.subject,
        "name": names.name(row.subject) if row.subject else "",
        "metric": key.metric,
        "qualifiers": dict(key.axes),
        "scope": None if key.scope is None else {"unit": key.scope.unit, "count": key.scope.count},
        "text": row.text,
        "unit": row.unit,
        "category": row.value if figure is None else None,
        **interval_value(figure),
        "citation": next((c.n for c in answer.citations if row.rests_on(c.evidence)), None),
        "derived": row.is_derived,
        "note": row.note,
    }


def audit_value(audit: Audit) -> dict[str, Any]:
    """`audit --json` and `check --json`; only a check has judgements."""
    names = ("findings", "unchecked", "remarks", "uncompared")
    judgements = [{k: v for k, v in plain(j).items() if k != "is_claim"} for j in audit.judgements]
    checked = {"sources": audit.sources, "claims": audit.claims, "pairs": audit.pairs}
    values = {name: plain(getattr(audit, name)) for name in names}
    return {"schema": AUDIT_SCHEMA, **values, "checked": checked, "judgements": judgements}


def hit_value(hit: Hit) -> dict[str, Any]:
    """A passage of `search --json`."""
    passage = hit.stored.passage
    scores = {name: round(getattr(hit, name), 4) for name in ("score", "cosine", "bm25")}
    place = {name: getattr(passage, name) for name in ("text", "start", "end", "line", "page")}
    heading = {"heading": " > ".join(passage.heading), "role": passage.role.value}
    return {"passage": passage.id, "source": passage.source, **heading, **scores, **place}


def worksheet_value(sheet: Worksheet) -> dict[str, Any]:
    """`size --json` and `plan --json`. A line's value lies between `low` and `high` in its unit; a count has no unit."""
    return {
        "schema": f"chipwise.{sheet.command}/1",
        "title": sheet.title,
        "status": "follows" if sheet.follows else "incomplete",
        "inputs": dict(sheet.inputs),
        "answers": [line.id for line in sheet.answers],
        **{name: plain(getattr(sheet, name)) for name in ("lines", "fits", "notes", "assumptions", "missing")},
        "citations": [{"n": r.n, "source": r.source, **plain(r.citation)} for r in sheet.references],
        "limits": sheet.limits or None,
    }


def course_value(course: Course) -> dict[str, Any]:
    """`learn --json`. Each step numbers its own citations."""
    return {
        "schema": LEARN_SCHEMA,
        "topics": dict(course.topics),
        "steps": [_step_value(step) for step in course.steps],
        "left_out": list(course.left_out),
    }


def _step_value(step: Step) -> dict[str, Any]:
    names = ("id", "topic", "title", "scene", "question", "right", "why", "assumptions", "rule")
    return {
        **{name: plain(getattr(step, name)) for name in names},
        "options": [
            {"letter": o.letter, "text": o.text, "trap": o.trap or None, "arithmetic": plain(o.sums)}
            for o in step.options
        ],
        "arithmetic": plain(step.sums),
        "primer": step.read,
        "commands": [f"chipwise {line}" for line in step.tries],
        "citations": [
            {"n": c.n, "fact": c.id, "value": c.text, "of": c.what, "note": c.note, "as_of": c.as_of}
            | {"source": c.source, **plain(c.citation)}
            for c in step.citations
        ],
    }


def derivation_value(made: Derivation) -> dict[str, Any]:
    """The derivation of a quantity: the result, each step with its arithmetic, and the source of every input."""
    low, high = (value if math.isfinite(value) else None for value in (made.value.low, made.value.high))
    return {
        "schema": SOLVE_SCHEMA,
        "wanted": made.variable.name,
        "result": made.result(),
        "dimension": made.variable.dimension,
        "low": low,
        "high": high,
        "bound": made.bound or "exact",
        "steps": made.lines(),
        "inputs": [
            {
                "name": made.network.variables[b.variable].name,
                "value": made.text_of(b),
                "source": b.source,
                "fact": fact_value(b.origin) if type(b.origin).__name__ == "Fact" else None,
            }
            for b in made.bindings.values()
        ],
        "assumptions": [convention.says for convention in made.assumes],
    }


_SHAPES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "Audit": audit_value,
    "Comparison": compare_value,
    "Course": course_value,
    "Derivation": derivation_value,
    "Fact": fact_value,
    "Finding": plain,
    "FactList": facts_value,
    "Hit": hit_value,
    "SourceInfo": plain,
    "Trace": find_value,
    "Worksheet": worksheet_value,
}
