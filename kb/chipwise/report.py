"""The JSON contract: plain values for `--json`, whose shape is stable.

A breaking change raises the number after the slash of `schema`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from chipwise.answering.json import claims_value, compare_value, fact_value, facts_value, find_value, interval_value

if TYPE_CHECKING:
    from chipwise.answering.model import Answer, Row
    from chipwise.answering.searching import Hit
    from chipwise.audit.model import Audit, Judgement
    from chipwise.domain.model import Domain
    from chipwise.domain.names import Names
    from chipwise.figures.derivation import Derivation
    from chipwise.learning.figures import Cited
    from chipwise.learning.steps import Course, Step
    from chipwise.sizing.worksheet import Worksheet
    from chipwise.types import Evidence, Finding

ANSWER_SCHEMA = "chipwise.answer/3"
AUDIT_SCHEMA = "chipwise.audit/1"
LEARN_SCHEMA = "chipwise.learn/1"
SOLVE_SCHEMA = "chipwise.solve/1"
_EVIDENCE = (
    *("source", "title", "origin", "publisher", "published", "heading", "role", "quote", "start", "end", "line"),
    *("column", "mark", "page", "passage", "digest"),
)


def value_of(result: Any, names: Callable[[], Names], domain: Callable[[], Domain]) -> dict[str, Any]:
    """Return the JSON value of any result. The result's class is looked up by name, so that no module is loaded for it."""
    kind = type(result).__name__
    if kind == "Answer":
        return answer_value(result, names())
    if kind == "Listing":
        return claims_value(result, domain())
    return _SHAPES[kind](result)


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
        "citations": [{"n": c.n, **evidence_value(c.evidence)} for c in answer.citations],
        "disagreements": [finding_value(f) for f in answer.disagreements],
        "nearest": evidence_value(answer.nearest) if answer.nearest is not None else None,
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


def evidence_value(evidence: Evidence) -> dict[str, Any]:
    """A quote, verbatim at [start, end) of the source's text."""
    value = {name: getattr(evidence, name) for name in _EVIDENCE}
    heading, mark = " > ".join(evidence.heading), None if evidence.mark is None else list(evidence.mark)
    return value | {"heading": heading, "role": evidence.role.value, "mark": mark}


def finding_value(finding: Finding) -> dict[str, Any]:
    """A finding, in the shape shared by `ask`, `audit` and `check`."""
    values = {field.name: getattr(finding, field.name) for field in fields(finding)}
    return values | {"evidence": [evidence_value(e) for e in finding.evidence]}


def audit_value(audit: Audit) -> dict[str, Any]:
    """`audit --json` and `check --json`; only a check has judgements."""
    return {
        "schema": AUDIT_SCHEMA,
        "findings": [finding_value(f) for f in audit.findings],
        "checked": {"sources": audit.sources, "claims": audit.claims, "pairs": audit.pairs},
        "unchecked": list(audit.unchecked),
        "remarks": [asdict(remark) for remark in audit.remarks],
        "uncompared": list(audit.uncompared),
        "judgements": [_judgement_value(j) for j in audit.judgements],
    }


def _judgement_value(judgement: Judgement) -> dict[str, Any]:
    return {
        "claim": evidence_value(judgement.claim),
        "reading": judgement.reading,
        "standing": judgement.standing.value,
        "because": judgement.because,
        "against": [evidence_value(e) for e in judgement.against],
    }


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
        "lines": [asdict(line) for line in sheet.lines],
        "fits": [asdict(fit) for fit in sheet.fits],
        "notes": list(sheet.notes),
        "assumptions": list(sheet.assumptions),
        "citations": [{"n": r.n, "source": r.source, **asdict(r.citation)} for r in sheet.references],
        "missing": list(sheet.missing),
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
    cited = [
        {"n": c.n, "fact": c.id, "value": c.text, "of": c.what, "note": c.note, **_where(c)} for c in step.citations
    ]
    return {
        **{name: getattr(step, name) for name in ("id", "topic", "title", "scene", "question")},
        "options": [
            {"letter": o.letter, "text": o.text, "trap": o.trap or None, "arithmetic": list(o.sums)}
            for o in step.options
        ],
        "right": step.right,
        "why": step.why,
        "arithmetic": list(step.sums),
        "assumptions": list(step.assumptions),
        "rule": step.rule,
        "primer": step.read,
        "commands": [f"chipwise {line}" for line in step.tries],
        "citations": cited,
    }


def _where(cited: Cited) -> dict[str, Any]:
    return {"as_of": cited.as_of, "source": cited.source, **asdict(cited.citation)}


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
    "Finding": finding_value,
    "FactList": facts_value,
    "Hit": hit_value,
    "SourceInfo": lambda info: asdict(info) | {"lineage": list(info.lineage)},
    "Trace": find_value,
    "Worksheet": worksheet_value,
}
