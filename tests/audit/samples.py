"""An audit and a check that nobody ran: what outputs are made from in the tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from chipwise.audit.model import Audit, Judgement
from chipwise.errors import ChipwiseError
from chipwise.figures.judge import Standing
from chipwise.types import Evidence, Finding, Role


def evidence(text: str, quote: str, mark: str = "", **known: Any) -> Evidence:
    """Evidence for `quote` in `text`, the first `mark` in it marked; its lines, columns and offsets are true."""
    start = text.index(quote)
    first = quote.index(mark)
    at = start + first if mark else start
    values: dict[str, Any] = {
        "source": "note",
        "title": "Notes",
        "origin": "note.md",
        "publisher": "",
        "published": "",
        "heading": (),
        "role": Role.BODY,
        "page": None,
        "passage": "note#1",
    }
    return Evidence(
        **{**values, **known},
        quote=quote,
        start=start,
        end=start + len(quote),
        line=text.count("\n", 0, at) + 1,
        column=at - text.rfind("\n", 0, at),
        mark=(first, first + len(mark)) if mark else None,
    )


NOTE = f"# Notes\n{chr(10) * 10}The H200 carries 141 GB of HBM3e.\nIt is sold by many.\n"
DIGEST = "# Digest\n\nSaid:\n\nThe H200 is the same die with 144 GB of HBM3e. An hour of it costs $3.10.\n"
TABLE = "| H200 | memory |\n|---|---|\n| HBM3e | 0.144 TB |\n"

IN_NOTE = evidence(NOTE, "The H200 carries 141 GB of HBM3e.", "141 GB", heading=("Notes", "Memory"))
IN_DIGEST = evidence(
    DIGEST,
    "The H200 is the same die with 144 GB of HBM3e.",
    "144 GB",
    source="digest",
    title="A digest",
    origin="https://example.org/a b?x=[1]#y",
    publisher="Example Press",
    published="2024-11",
    passage="digest#1",
)
IN_COMMENT = replace(
    evidence(DIGEST, "An hour of it costs $3.10.", "", source="digest", origin="digest.md"), role=Role.COMMENT
)

VALUES = Finding(
    code="CW101",
    verdict="contradiction",
    severity="high",
    title="H200 memory capacity disagrees: 141 GB against 144 GB",
    explanation="144 / 141 = 1.021\n  GiB against GB would be 1.074",
    evidence=(IN_NOTE, IN_DIGEST),
    fingerprint="3f2a91c04bd1",
    help="same chip, same metric, both per GPU; no qualifier explains 3 GB",
    subject="nvidia-h200",
    metric="memory_capacity",
)
SPREAD = Finding(
    code="CW103",
    verdict="spread",
    severity="low",
    title="H200 price varies: $2.50 to $3.10",
    explanation="",
    evidence=(IN_COMMENT,),
    fingerprint="aa00bb11cc22",
)
AUDIT = Audit((VALUES, SPREAD), sources=12, claims=841, pairs=312, unchecked=("statements",))
CHECK = replace(
    AUDIT,
    findings=(VALUES,),
    claims=4,
    judgements=(
        Judgement(IN_NOTE, "NVIDIA H200, memory capacity: 141 GB", Standing.CONTRADICTED, "144 GB in 1 source"),
        Judgement(
            evidence(NOTE, "It is sold by many."), "NVIDIA H200, sold by: many", Standing.UNKNOWN, "no source says"
        ),
        Judgement(IN_DIGEST, "NVIDIA H200, memory capacity: 144 GB", Standing.SUPPORTED, "", (IN_NOTE,)),
    ),
)

# what a hostile document may try against a terminal, a workflow, SARIF's messages and Markdown
EVIL = (
    "\x1b[31mred\x1b[0m \u202e00001$ \x07::error::owned\r::set-output name=a::b\n::warning::100% "
    "[click](http://evil.example) {0} **bold** <img src=x onerror=alert(1)> `code` | cell ~~gone~~ "
    "@everyone www.evil.example mailto:a@b.c #12 &lt; $x$ 1. one"
)
HOSTILE = Finding(
    code="CW501",
    verdict="contradiction",
    severity="high",
    title=EVIL,
    explanation=EVIL,
    evidence=(
        Evidence("evil", EVIL, EVIL, EVIL, EVIL, (EVIL,), Role.BODY, EVIL, 0, len(EVIL), 1, None, "evil#1", 1, (5, 20)),
        Evidence("evil", EVIL, "/x/\x1b\u202ey.md", EVIL, EVIL, (EVIL,), Role.BIO, EVIL, 0, len(EVIL), 1, 3, "evil#1"),
    ),
    fingerprint="badbadbadbad",
    help=EVIL,
)


class Fakes:
    """Stands in for the audit and the check; `calls` tells what they were asked."""

    def __init__(self) -> None:
        self.audit = AUDIT
        self.check: Callable[[Path | None, str | None], Audit] = lambda file, text: CHECK
        self.calls: list[dict[str, Any]] = []
        self.error: ChipwiseError | None = None

    def run_audit(self, knowledge: Any, **asked: Any) -> Audit:
        self._called(folder=knowledge.folder, **asked)
        return self.audit

    def run_check(self, knowledge: Any, file: Path | None, text: str | None, **asked: Any) -> Audit:
        self._called(folder=knowledge.folder, file=file, text=text, **asked)
        return self.check(file, text)

    def _called(self, **asked: Any) -> None:
        self.calls.append(asked)
        if self.error is not None:
            raise self.error


def install(patch: pytest.MonkeyPatch) -> Fakes:
    """Puts the fakes where the commands look for the audit and the check."""
    fakes = Fakes()
    for name, function in (("auditing", "run_audit"), ("checking", "run_check")):
        module = ModuleType(f"chipwise.audit.{name}")
        setattr(module, function, getattr(fakes, function))
        patch.setitem(sys.modules, module.__name__, module)
    return fakes
