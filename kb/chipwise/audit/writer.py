"""Findings from statements: evidence, a fingerprint, and the words for figures and subjects."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from chipwise.audit import confidence as model
from chipwise.audit.book import Book
from chipwise.domain.catalogue import SCOPE
from chipwise.figures.format import SAID
from chipwise.figures.statement import Statement
from chipwise.text import grouped
from chipwise.types import Finding

_HAS_UNIT = re.compile(r"[^\W\d]{2}|[^\W\de_]|[$%€£°]")  # a number in a table or in code mostly has none


def draft(
    book: Book,
    code: str,
    verdict: str,
    severity: str,
    title: str,
    explanation: str,
    statements: Sequence[Statement],
    *,
    help: str = "",  # noqa: A002
) -> Finding:
    """A finding with a quote for each statement, in their order, each place once.

    One of whose statements is a reader's comment, advertising, a bio or a listing is of low severity whatever it is: nobody
    may stand behind it.
    """
    outsiders = [s for s in statements if not s.role.speaks_for_the_source]
    if outsiders and severity != "info":
        severity = "low"
        names = ", ".join(sorted({s.role.value for s in outsiders}))
        explanation = f"{explanation}\nThe publisher may not stand behind one of the two sides ({names})."
    first = statements[0].claim
    return Finding(
        code=code,
        verdict=verdict,
        severity=severity,
        title=title,
        explanation=explanation,
        evidence=tuple(dict.fromkeys(map(book.find_evidence, statements))),
        fingerprint=fingerprint(code, statements),
        help=help,
        subject=first.subject,
        metric=first.metric,
        confidence=model.confidence(book, code, statements),
    )


def fingerprint(code: str, statements: Sequence[Statement]) -> str:
    """Twelve hex digits of what the statements say, not of where or in what words they say it."""
    parts = sorted(_identity(s) for s in statements)
    return hashlib.sha256("\n".join((code, *dict.fromkeys(parts))).encode()).hexdigest()[:12]


def _identity(s: Statement) -> str:
    c, q = s.claim, s.claim.quantity
    value = c.object if q is None else f"{q.dimension} {q.low:.6g} {q.high:.6g}"
    return f"{c.source}|{c.subject}|{c.metric}|{value}|{c.baseline}|{c.polarity}|{dict(c.qualifiers)}"


def figure(book: Book, s: Statement) -> str:
    """The figure as its source writes it; the category's name where it is none."""
    quote = book.find_evidence(s)
    if s.claim.quantity is None:
        return name(book, s.claim.object)
    exact = s.claim.metric != "" and book.domain.metrics[s.claim.metric].exact  # a version has no unit
    if s.fact is not None:
        ends = (grouped(end) for end in s.fact.value.split(".."))
        return f"{' to '.join(ends)} {'' if exact else s.fact.unit}".strip()
    said = " ".join(quote.quote[slice(*quote.mark)].split()) if quote.mark else f"{s.low:g}"
    unit = book.domain.units.get(s.claim.quantity.unit) if not (exact or _HAS_UNIT.search(said)) else None
    return f"{grouped(f'{s.claim.quantity.middle / unit.scale:.10g}')} {unit.id}" if unit is not None else said


def label(book: Book, s: Statement, axes: Sequence[str]) -> str:
    """A figure with its values on axes, as where two that are one number differ in those: "72 PFLOPS (dense)"."""
    labels = [value for axis in axes if (value := s.claim.qualifier(axis))]
    return f"{figure(book, s)} ({', '.join(labels)})" if labels else figure(book, s)


def read_as(book: Book, s: Statement) -> str:
    """The axes that a figure was read with: ", taken as: BF16, 2:4 sparsity, per chip"."""
    axes = book.domain.metrics[s.claim.metric].qualifiers
    words = [SAID.get(q) or name(book, q[1]) for q in s.claim.qualifiers if q[0] in axes and q[0] not in SCOPE]
    words += [f"of {s.count} chips" if (s.count or 1) > 1 else f"per {s.scope}"] if s.scope else []
    return f", taken as: {', '.join(words)}" if words else ""


def name(book: Book, subject: str) -> str:
    """How answers print an entity, a term or a metric."""
    domain = book.domain
    for table in (domain.entities, domain.terms, domain.values, domain.metrics):
        if subject in table:
            return table[subject].name
    return subject or "not stated"


def place(book: Book, s: Statement) -> str:
    """ "note.md:12", or for a fact its row: "nvidia.csv:12"."""
    if s.fact is not None:
        return s.fact.place
    evidence = book.find_evidence(s)
    checked = evidence.source.startswith("./")  # a document that is no source
    return f"{evidence.origin if checked else evidence.source}:{evidence.line}"
