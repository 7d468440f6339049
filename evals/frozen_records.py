"""What the freeze keeps of each case: an answer, the findings on a text, the claims of a document.

A case has an id that begins with its set ("dev/D001", "drafts/third/C04/changed", "corpus/sources/anandtech-h200"), and
`observe` makes its records with the code of this checkout. Nothing is kept of pages that lie beside the project but
spans, figures and digests: their sentences are their authors'.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from questions import PUBLIC, RAW, SHIPPED, find_raw_pages, read_set

from asking import ask
from chipwise.knowledge import KnowledgeBase
from chipwise.opening import OpenIndex, opened

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
    return list({"answers": _questions}[part](places))


def observe(part: str, case: Case, places: Places) -> list[Record]:
    """The records of a case."""
    return {"answers": _answer}[part](case, places)


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
    context = opened(KnowledgeBase(folder))
    _OPEN.append(context)
    return context.__enter__()
