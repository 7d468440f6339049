"""What a draft is told where sources are divided, or where a price is of other terms, and what not."""

from __future__ import annotations

import pytest

from chipwise.figures.judge import Standing
from chipwise.knowledge import KnowledgeFolder

from .checked_base import base_on, checked, standings

DIVIDED = {
    "a.md": """TPUs can't run PyTorch at all.

TPUs are only available on Google Cloud.

The TPU v5p trains up to 2.8x faster than the H100.

The MI300X has 192 GB of memory.
""",
    "b.md": """---
title: B
kind: datasheet
---

PyTorch runs on TPUs.

TPUs are available on Azure. TPUs are available on CoreWeave. TPUs are available on Oracle Cloud.

The TPU v5p trains 2.8x faster than the H100.

The MI300X has 160 GB of memory.
""",
}
AT_AWS = "AWS rents a p5.48xlarge at 55.04 USD per hour on demand."
NODES = {
    "n.md": f"---\ntitle: N\n---\n\n{AT_AWS}\n\nCoreWeave rents an HGX H100 node at 49.24 USD per hour on demand.\n\n"
    "The H100 costs 98.32 USD per hour.\n\nMaia 200 has 216 GB of HBM3e per chip.\n"
}
PRICED = {"metric": "price_per_hour", "unit": "USD/hour", "price_terms": "on-demand", "modality": "priced"}
NODE_ROW = PRICED | {"id": "p5", "subject": "aws-p5", "value": "55.04", "aggregation": "node", "count": "8"}
KIND_ROW = {"id": "kind", "subject": "microsoft-maia-200", "metric": "memory_kind", "value": "hbm3e", "unit": ""}

divided = base_on(DIVIDED)
nodes = base_on(
    NODES,
    NODE_ROW | {"source": "n", "provider": "aws", "quote": AT_AWS},
    KIND_ROW | {"source": "n", "quote": NODES["n.md"].splitlines()[-1]},
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("TPUs cannot run PyTorch.", "CW501"),
        ("TPUs run PyTorch.", "CW501"),
        ("TPUs are also available on AWS.", "CW502"),
        ("The TPU v5p trains 2.8x faster than the H100.", "CW302"),
        ("The MI300X has 160 GB of memory.", "CW101"),
    ],
)
def test_what_the_knowledge_base_is_divided_about_is_still_told_of_a_draft(
    divided: KnowledgeFolder, text: str, code: str
) -> None:
    audit = checked(divided, text)
    assert code in {f.code for f in audit.findings}
    assert audit.judgements[0].standing is Standing.CONTRADICTED


@pytest.mark.parametrize(
    "text",
    [
        # two providers have two prices, each its own
        f"{AT_AWS}\n\nCoreWeave rents an HGX H100 node at 49.24 USD per hour on demand.",
        # what another source leaves open is the other's to mend
        "Azure asks 98.32 USD per hour for its ND H100 v5 with eight H100 GPUs.",
    ],
)
def test_a_true_memo_of_prices_is_told_nothing(nodes: KnowledgeFolder, text: str) -> None:
    audit = checked(nodes, text)
    assert audit.claims > 0
    assert audit.findings == ()


def test_a_number_does_not_support_another_kind_of_memory(nodes: KnowledgeFolder) -> None:
    told = [(j.reading.split(", ")[1], j.standing) for j in checked(nodes, "Maia 200 has 216 GB HBM3.").judgements]
    assert told == [("memory capacity: 216 GB", Standing.UNKNOWN), ("memory type: HBM3", Standing.CONTRADICTED)]
    assert set(standings(nodes, "Maia 200 has 216 GB HBM3e.")) == {Standing.SUPPORTED}
    assert set(standings(nodes, "Maia 200 has 216 GB of HBM.")) == {Standing.SUPPORTED}  # less is said, nothing else


def test_one_cause_is_told_once(divided: KnowledgeFolder) -> None:
    findings = checked(divided, "TPUs cannot run PyTorch.").findings
    assert len({(f.metric, f.evidence[0].start, f.evidence[0].mark) for f in findings}) == len(findings)
