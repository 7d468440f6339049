"""Wrong figures that readers reported in public documents, rewritten in our own words, checked against the shipped corpus.

    python evals/reports.py [--kb DIR] [--set reported]

Each record is a small document with, by line and figure, the right verdict: `contradicted` wants a contradiction that quotes the
line with that figure, `supported` and `explained` want none. What else is called a contradiction is a false alarm.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import json_lines
from indexing import CACHE
from metrics import share
from results import Tree

from chipwise.audit.checking import run_check
from chipwise.audit.submitted import STDIN
from chipwise.knowledge import KnowledgeFolder
from chipwise.types import Evidence, Finding

FOLDER = Path(__file__).parent / "reports"


@dataclass(frozen=True)
class Outcome:
    """What became of one expectation: whether a contradiction quotes its place, and what it said."""

    record: str
    expected: Mapping[str, Any]
    contradicted: bool

    @property
    def right(self) -> bool:
        """True where it was contradicted and had to be, or neither."""
        return self.contradicted == (self.expected["verdict"] == "contradicted")


def measure(_bench: Path, kb: Path | None = None) -> dict[str, Tree]:
    """Figures by set; `kb` is built or brought up to date first."""
    base = KnowledgeFolder(kb or CACHE / "kb")
    return {
        path.stem: figures([judged(base, dict(r)) for r in json_lines(path)]) for path in sorted(FOLDER.glob("*.jsonl"))
    }


def judged(base: KnowledgeFolder, record: Mapping[str, Any]) -> tuple[list[Outcome], list[Finding]]:
    """What became of each expectation, and the contradictions that touch none of them."""
    found = [f for f in run_check(base, None, record["text"]).findings if f.verdict == "contradiction"]
    places = [(e, _place(record["text"], e)) for e in record["expected"]]
    # a sentence with an error in it may have a sound figure, too: of that the figure itself has to be marked
    outcomes = [
        Outcome(record["id"], e, any(_touches(f, place, marked=e["verdict"] != "contradicted") for f in found))
        for e, place in places
    ]
    return outcomes, [f for f in found if not any(_touches(f, place, marked=False) for _, place in places)]


def _place(text: str, expected: Mapping[str, Any]) -> tuple[int, int]:
    """The span of the line that an expectation is about."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: expected["line"] - 1]))
    at = start + lines[expected["line"] - 1].index(expected["figure"])
    return at, at + len(expected["figure"])


def _touches(finding: Finding, place: tuple[int, int], *, marked: bool) -> bool:
    return any(_overlaps(e, place, marked=marked) for e in finding.evidence if e.source == STDIN)


def _overlaps(evidence: Evidence, place: tuple[int, int], *, marked: bool) -> bool:
    whole = (0, evidence.end - evidence.start)
    first, last = (evidence.mark or whole) if marked else whole
    return evidence.start + first < place[1] and place[0] < evidence.start + last


def figures(results: Sequence[tuple[list[Outcome], list[Finding]]]) -> Tree:
    """Shares with their intervals, and how many alarms were false."""
    outcomes = [o for found, _ in results for o in found]
    wrong = [o for o in outcomes if o.expected["verdict"] == "contradicted"]
    sound = [o for o in outcomes if o.expected["verdict"] != "contradicted"]
    return {
        "contradicted": share(sum(o.contradicted for o in wrong), len(wrong)),
        "raised wrongly on sound lines": share(sum(o.contradicted for o in sound), len(sound)),
        "other contradictions": sum(len(others) for _, others in results),
    }


def _lines(base: KnowledgeFolder, record: Mapping[str, Any]) -> Iterator[str]:
    outcomes, others = judged(base, record)
    for o in outcomes:
        mark = "ok  " if o.right else "MISS" if o.expected["verdict"] == "contradicted" else "FALSE"
        yield f"{mark} {o.record} {o.expected['line']}: {o.expected['figure']} ({o.expected['why']})"
    yield from (f"OTHER {record['id']}: {f.code} {f.title}" for f in others)


def main() -> None:
    """Each expectation with what became of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, default=CACHE / "kb")
    parser.add_argument("--set", default="reported")
    options = parser.parse_args()
    base = KnowledgeFolder(options.kb)
    records = [dict(r) for r in json_lines(FOLDER / f"{options.set}.jsonl")]
    for record in records:
        print(*_lines(base, record), sep="\n")
    print(figures([judged(base, r) for r in records]))


if __name__ == "__main__":
    main()
