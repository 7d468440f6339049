"""Drafts as people write them, checked against the shipped corpus: what is understood, what is found, what is a false alarm.

    python evals/drafts.py [--kb DIR] [--missed]

Each record has a `text` whose statements are true by the facts table, with where its figures stand and what they say,
and the same text `changed` in one or two places, with the family of each change. They were written without sight of the
rules: those of `tuned`, `third` to `sixth` were looked at afterwards, of the others only the counts and the false alarms.

A statement is *understood* when an undoubted claim on its chip (or a kin of it) and its metric stands there. A change is
*found* when a contradiction quotes its sentence. Each contradiction about a true text is a false alarm.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import json_lines
from indexing import CACHE
from metrics import share
from records import shipped
from results import Tree, markdown

from chipwise.audit.checking import run_check
from chipwise.audit.submitted import STDIN
from chipwise.claims.extract import extract
from chipwise.claims.model import Claim
from chipwise.domain.model import Domain
from chipwise.knowledge import KnowledgeFolder
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Finding

FOLDER = Path(__file__).parent / "drafts"
SETS = ("tuned", "other", "third", "fourth", "fifth", "sixth", "seventh")


@dataclass(frozen=True)
class Checked:
    """What became of one draft; the changes by family, with whether each was found."""

    record: Mapping[str, Any]
    understood: int
    alarms: tuple[Finding, ...]
    changes: tuple[tuple[str, bool], ...]


def measure(_bench: Path, kb: Path | None = None) -> dict[str, Tree]:
    """Figures by set; `kb` is built or brought up to date first."""
    base, domain = KnowledgeFolder(kb or CACHE / "kb"), shipped()[0]
    return {name: _figures([_check(base, domain, record) for record in read_set(name)]) for name in SETS}


def read_set(name: str) -> list[Mapping[str, Any]]:
    """The records of one set."""
    return [dict(record) for record in json_lines(FOLDER / f"{name}.jsonl")]


def _check(base: KnowledgeFolder, domain: Domain, record: Mapping[str, Any]) -> Checked:
    alarms = tuple(_contradictions(base, record["text"]))
    found = list(_contradictions(base, record["changed"]))
    changes = tuple((p["family"], any(tells(f, p) for f in found)) for p in record["planted"])
    return Checked(record, sum(_understood(domain, record)), alarms, changes)


def tells(finding: Finding, planted: Mapping[str, Any]) -> bool:
    """True for a contradiction that quotes the sentence of a planted change."""
    quoted = (e for e in finding.evidence if e.source == STDIN)
    return finding.verdict == "contradiction" and any(
        e.start < planted["end"] and planted["at"] < e.end for e in quoted
    )


def _contradictions(base: KnowledgeFolder, text: str) -> Iterator[Finding]:
    yield from (f for f in run_check(base, None, text).findings if f.verdict == "contradiction")


def _understood(domain: Domain, record: Mapping[str, Any]) -> Iterator[bool]:
    claims = read_claims(domain, record)
    for said in record["said"]:
        yield any(says(domain, claim, said) for claim in claims)


def says(domain: Domain, claim: Claim, said: Mapping[str, Any]) -> bool:
    """True for an undoubted claim at the place of a statement, on its chip or a kin of it, and its metric."""
    there = claim.value_start < said["end"] and said["at"] < claim.value_end
    fits = claim.metric == said["metric"] and domain.are_kin(claim.subject, said["subject"])
    return there and fits and not claim.doubt


def read_claims(domain: Domain, record: Mapping[str, Any]) -> Sequence[Claim]:
    """What the true text of a draft claims."""
    document = read_bytes(record["text"].encode(), name="draft.md", origin="draft.md", source_id="draft")
    return extract(split(document), domain, document.info.title)[1]


def _figures(drafts: Sequence[Checked]) -> Tree:
    of, found = (
        Counter(f for d in drafts for f, _ in d.changes),
        Counter(f for d in drafts for f, hit in d.changes if hit),
    )
    return {
        "drafts": len(drafts),
        "true statements understood": share(
            sum(d.understood for d in drafts), sum(len(d.record["said"]) for d in drafts)
        ),
        "true drafts without a contradiction": share(sum(not d.alarms for d in drafts), len(drafts)),
        "changes found": {
            **{family: share(found[family], of[family]) for family in sorted(of)},
            "all": share(found.total(), of.total()),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, default=CACHE / "kb", help="a knowledge base of the shipped corpus")
    parser.add_argument("--missed", action="store_true", help="list what is missed in the set that is looked at")
    options = parser.parse_args()
    if not options.missed:
        print(markdown(measure(FOLDER, options.kb)))
        return
    base, domain = KnowledgeFolder(options.kb), shipped()[0]
    for record in read_set(SETS[0]):
        checked = _check(base, domain, record)
        for planted, (family, hit) in zip(record["planted"], checked.changes, strict=True):
            if not hit:
                print(record["id"], family, record["changed"][planted["at"] : planted["end"]], sep="  ")


if __name__ == "__main__":
    main()
