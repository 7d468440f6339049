"""What the freeze keeps of each case: an answer, the findings on a text, the claims of a document.

A case has an id that begins with its set ("dev/D001", "drafts/third/C04/changed", "corpus/sources/anandtech-h200"), and
`observe` makes its records with the code of this checkout. Nothing is kept of pages that lie beside the project but
spans, figures and digests: their sentences are their authors'.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import drafts
from audit_suite import Judge, concerns, documents, fits, shipped_judge
from frozen_suite import read_suite
from questions import PUBLIC, RAW, SHIPPED, find_raw_pages, read_set
from records import shipped

from asking import ask
from chipwise.audit.auditing import run_audit
from chipwise.audit.checking import run_check
from chipwise.claims.model import Claim
from chipwise.corpus import shipped_documents
from chipwise.knowledge import KnowledgeFolder
from chipwise.numbers.quantity import Quantity
from chipwise.opening import OpenIndex, opened
from chipwise.types import Finding
from claims import read_document

Record = dict[str, Any]
_OPEN: list[Any] = []  # what keeps an index open as long as the process lives


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything lies: `kb` holds the shipped corpus, `raw` the raw pages, `bench` the public benchmarks."""

    kb: Path
    raw: Path
    bench: Path


@dataclass(frozen=True, slots=True)
class Case:
    """Something to be observed; `given` is what its part needs for that."""

    id: str
    given: Any


def find_cases(part: str, places: Places) -> list[Case]:
    """All cases of a part, in a fixed order; those of pages that are not there are left out."""
    return list({"answers": _questions, "findings": _texts, "claims": _documents}[part](places))


def observe(part: str, case: Case, places: Places) -> list[Record]:
    """The records of a case."""
    return {"answers": _answer, "findings": _findings, "claims": _claims}[part](case, places)


# Answers


def _questions(places: Places) -> Iterator[Case]:
    raw = RAW if find_raw_pages(places.bench) else ()
    for name in (*SHIPPED, *PUBLIC, *raw):
        for record in read_set(name):
            yield Case(f"{name}/{record['id']}", record)


def _answer(case: Case, places: Places) -> list[Record]:
    ours = case.id.split("/")[0] not in RAW
    result = ask(_index(places.kb if ours else places.raw), case.given)
    answer = result.answer
    return [
        {
            "case": case.id,
            "question": answer.question,
            "status": "answered" if answer.answered else "refused",
            "right": result.right,
            "text": _kept(answer.text, ours),
            **({} if ours else {"_text": answer.text}),
            "reason": answer.reason,
            "citations": [
                [c.evidence.source, c.evidence.start, c.evidence.end, _kept(c.evidence.quote, ours)]
                for c in answer.citations
            ],
            "disagreements": [[f.code, f.fingerprint, f.title] for f in answer.disagreements],
        }
    ]


def _kept(text: str, ours: bool) -> str:
    """The text, or its digest where it is not ours."""
    return text if ours or not text else f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


@cache
def _index(folder: Path) -> OpenIndex:
    context = opened(KnowledgeFolder(folder))
    _OPEN.append(context)
    return context.__enter__()


# Findings: `planted` are the planted changes that a finding tells, `alarm` marks a contradiction where all is right


def _texts(_places: Places) -> Iterator[Case]:
    yield Case("corpus/all", None)
    for name in drafts.SETS:
        for record in drafts.read_set(name):
            yield Case(f"drafts/{name}/{record['id']}/true", record)
            yield Case(f"drafts/{name}/{record['id']}/changed", record)
    yield from (Case(*pair) for pair in read_suite())


def _findings(case: Case, places: Places) -> list[Record]:
    base = KnowledgeFolder(places.kb)
    kind = case.id.split("/")[0]
    if kind == "corpus":
        return [_finding(case, f) for f in run_audit(base).findings]
    if kind == "suite":
        made = case.given
        found = _judge()(documents(made), made.facts)
        told = [(f, (0,) if fits(made, f) else (), not (made.harmful and concerns(made, f))) for f in found]
    elif case.id.endswith("/true"):
        told = [(f, (), True) for f in run_check(base, None, case.given["text"]).findings]
    else:
        planted = list(enumerate(case.given["planted"]))
        found = run_check(base, None, case.given["changed"]).findings
        told = [(f, tuple(n for n, p in planted if drafts.tells(f, p)), False) for f in found]
    return [_finding(case, f, planted, alarm and f.verdict == "contradiction") for f, planted, alarm in told]


def _finding(case: Case, finding: Finding, planted: Sequence[int] = (), alarm: bool = False) -> Record:
    first = finding.evidence[0] if finding.evidence else None
    return {
        "case": case.id,
        "code": finding.code,
        "severity": finding.severity,
        "verdict": finding.verdict,
        "title": finding.title,
        "fingerprint": finding.fingerprint,
        "place": f"{first.source}:{first.line}:{first.column}" if first else "",
        **({"planted": list(planted)} if planted else {}),
        **({"alarm": True} if alarm else {}),
    }


@cache
def _judge() -> Judge:
    return shipped_judge()


# Claims: `says` are the statements of a draft that a claim bears out


def _documents(places: Places) -> Iterator[Case]:
    for path in shipped_documents():
        yield Case(f"corpus/{path.parent.name}/{path.stem}", path)
    for path in find_raw_pages(places.bench):
        yield Case(f"pages/{path.stem}", path)
    for path in sorted((places.bench / "hardware" / "docs").glob("*.md")):
        yield Case(f"books/{path.stem}", path)
    for name in drafts.SETS:
        for record in drafts.read_set(name):
            yield Case(f"drafts/{name}/{record['id']}", record)


def _claims(case: Case, _places: Places) -> list[Record]:
    if isinstance(case.given, Path):
        read = read_document(case.given)
        return [_claim(case, claim, read.document.text) for claim in read.claims]
    domain, text, statements = shipped()[0], case.given["text"], list(enumerate(case.given["said"]))
    claims = drafts.read_claims(domain, case.given)
    return [_claim(case, c, text, [n for n, said in statements if drafts.says(domain, c, said)]) for c in claims]


def _claim(case: Case, claim: Claim, text: str, says: Sequence[int] = ()) -> Record:
    """What is empty is left out; of a doubt only whether there is one."""
    q = claim.quantity
    slots = {
        "text": text[claim.value_start : claim.value_end],
        "subject": claim.subject,
        "metric": claim.metric,
        "value": f"{q.low:.6g}..{q.high:.6g}" if q else claim.object,
        "unit": q.unit if q else "",
        "form": _form(q) if q else "",
        "qualifiers": ";".join(f"{axis}={value}" for axis, value in sorted(claim.qualifiers)),
        "modality": str(claim.modality),
        "denied": not claim.polarity,
        "baseline": claim.baseline,
        "doubted": bool(claim.doubt),
        "says": list(says),
    }
    return {
        "case": case.id,
        "span": [claim.value_start, claim.value_end],
        **{name: value for name, value in slots.items() if value},
    }


def _form(quantity: Quantity) -> str:
    """Bound, form and count, as far as they are not those of one plain number."""
    parts = (quantity.bound, "exact"), (quantity.form, "value"), (str(quantity.count), "1")
    return ", ".join(part for part, plain in parts if part != plain)
