"""What is shown by default is true, as far as labels of pages tell."""

from __future__ import annotations

import json
from pathlib import Path

from chipwise.audit.auditing import audit_documents
from chipwise.audit.confidence import chance
from chipwise.audit.model import Audit

from ..building.test_facts import facts
from .test_relations import document, shipped

LABELED = Path(__file__).parents[2] / "evals" / "training" / "findings" / "labeled.jsonl"


def test_nine_in_ten_of_the_labeled_findings_that_are_shown_are_true_and_most_true_ones_are_shown() -> None:
    rows = [json.loads(line) for line in LABELED.read_text("utf-8").splitlines()]
    shown = [row["label"] for row in rows if chance(row["code"], row["features"]) >= Audit.SURE_ENOUGH]
    assert sum(shown) >= 0.9 * len(shown)
    assert sum(shown) >= 0.75 * sum(row["label"] for row in rows)


def test_a_slip_among_supported_figures_is_likelier_than_one_among_others_that_contradict() -> None:
    right = "The H100 SXM has 80 GB of memory. The H100 SXM has a TDP of 700 W. The H200 has 141 GB of memory."
    wrong = "The H100 SXM has 33 GB of memory. The H100 SXM has a TDP of 123 W. The H200 has 55 GB of memory."
    slip = "The H100 SXM has a memory bandwidth of 2.5 TB/s."
    made = []
    for around in (right, wrong):
        audit = audit_documents([document(f"{around}\n\n{slip}")], shipped(), facts())
        made += [f.confidence for f in audit.findings if f.metric == "memory_bandwidth"]
    assert len(made) == 2
    assert made[0] > made[1]
