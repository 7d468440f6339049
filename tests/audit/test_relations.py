"""What two sentences are to each other. More cases need no Python: a line in golden/relations.jsonl each.

    {"a": sentence, "b": sentence, "metric": id, "verdict": "explained", "rule": "sparsity"}

Each sentence is a source of its own and says one thing of `metric`, which may be left
out where it says one thing at all. `rule`, where it is there, is what must have decided.
relations_wrong.jsonl holds what is judged wrongly today, with the "reason".
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from chipwise.audit.auditing import audit_documents
from chipwise.audit.book import placed
from chipwise.claims.extract import extract
from chipwise.domain.files import shipped_domain
from chipwise.figures.relate import Relation, Verdict, relate
from chipwise.figures.statement import Statement
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Document

from ..each import each

GOLDEN = Path(__file__).parents[1] / "golden"
Case = dict[str, str]


shipped = shipped_domain


def document(text: str, name: str = "note.md") -> Document:
    """A source called after its file: "note"."""
    return read_bytes(text.encode(), name=name, origin=name)


@cache
def statements(text: str, name: str = "note.md") -> list[Statement]:
    made = document(text, name)
    parts = split(made)
    return placed(shipped(), extract(parts, shipped(), made.info.title)[1], parts)


def rows(name: str) -> list[Case]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def name(case: Case) -> str:
    return f"{case['a']} <> {case['b']}"


def relation(case: Case, *, turned: bool = False) -> Relation:
    """The relation of the two; neither sentence may say more than one thing of the metric."""
    metric = case.get("metric", "")
    a, b = ([s for s in statements(case[side], f"{side}.md") if metric in (s.claim.metric, "")] for side in "ab")
    assert (len(a), len(b)) == (1, 1), "each sentence makes one claim"
    return relate(shipped(), b[0], a[0]) if turned else relate(shipped(), a[0], b[0])


@each("case", lambda: rows("relations.jsonl"), name=name)
def test_two_sentences_are_related_so(case: Case) -> None:
    found = relation(case)
    assert (found.verdict, found.rule) == (case["verdict"], case.get("rule", found.rule)), found.reason


@pytest.mark.xfail(reason="known to be judged wrongly")
@pytest.mark.parametrize("case", rows("relations_wrong.jsonl"), ids=name)
def test_two_sentences_should_be_related_so(case: Case) -> None:
    found = relation(case)
    assert (found.verdict, found.rule) == (case["verdict"], case.get("rule", found.rule)), found.reason


@each("case", lambda: rows("relations.jsonl"), name=name)
def test_the_order_of_two_sentences_decides_nothing(case: Case) -> None:
    assert relation(case).verdict is relation(case, turned=True).verdict


@each("case", lambda: rows("relations.jsonl"), name=name)
def test_only_what_contradicts_is_reported_as_a_contradiction(case: Case) -> None:
    """Without a facts table a pair of documents has a contradiction if and only if its sentences do."""
    audit = audit_documents([document(case["a"], "a.md"), document(case["b"], "b.md")], shipped())
    assert audit.contradicts is (case["verdict"] == "contradiction")


def test_every_verdict_and_every_explanation_has_its_case() -> None:
    known = [*rows("relations.jsonl"), *rows("relations_wrong.jsonl")]
    assert {row["verdict"] for row in known} == set(Verdict)
    assert {row.get("rule") for row in known} >= {*shipped().explanations, "rounded", "count"}
    assert all(row["reason"] for row in rows("relations_wrong.jsonl"))


@each("case", lambda: rows("relations.jsonl"), name=name)
def test_a_statement_is_the_same_as_itself(case: Case) -> None:
    for side in "ab":
        (s,) = [s for s in statements(case[side]) if case.get("metric", "") in (s.claim.metric, "")]
        assert relate(shipped(), s, s).verdict in (Verdict.SAME, Verdict.COMPATIBLE, Verdict.INCOMPARABLE)


WRONG_JOB = pytest.mark.xfail(reason="the largest job of a pod is taken for the pod's size")
NEAR_MISSES = [
    ("The H100 has 80 GB of memory.", "The H200 has 141 GB of memory."),
    ("The H100 has 80 GB of memory per GPU.", "The H100 NVL has 94 GB of memory per GPU."),
    (
        "The TPU v5p has a peak of 459 TFLOPS in BF16 per chip.",
        "Eight TPU v5p chips reach a peak of 3,672 TFLOPS in BF16.",
    ),
    ("An 8-chip H100 node rents for $12 to $15 per hour.", "A TPU v5p-8 slice rents for $8 to $11 per hour."),
    ("The H100 SXM peaks at 989 TFLOPS in dense BF16.", "The H100 SXM peaks at 1,979 TFLOPS in BF16 with sparsity."),
    ("The HBM bandwidth of the TPU v5p is 2,765 GB/s.", "The HBM bandwidth of the TPU v5p is 2,575 GiB/s."),
    (
        "The ICI bandwidth of a TPU v5e chip is 1,600 Gbps in one direction.",
        "The ICI bandwidth of a TPU v5e chip is 400 GB/s, counting both directions.",
    ),
    pytest.param(
        "A TPU v5p pod holds 8,960 chips.", "The largest job that a TPU v5p pod takes has 6,144 chips.", marks=WRONG_JOB
    ),
    ("PaLM reached 46.2% MFU on TPU v4.", "PaLM reached 57.8% HFU on TPU v4."),
    ("Neither GPUs nor TPUs are better for everybody.", "For very large models TPUs are a game-changer, and faster."),
    ("NCCL between GPUs is fast, but not perfect.", "Networking between GPU servers becomes a bottleneck."),
    ("The TPU v5e does 393 TOPS in INT8.", "The TPU v5e does 394 TOPS in INT8."),
    ("The B200 carries 192 GB of HBM3e.", "Of the B200's HBM3e, 180 GB are usable."),
    ("The B200 carries 192 GB of HBM3e.", "The B200 exposes 179 GB of usable memory."),
    (
        "The MI250X reaches a peak of 383 TFLOPS in FP16.",
        "One GCD of the MI250X reaches a peak of 191.5 TFLOPS in FP16.",
    ),
    ("The H100 and the H200 dominate the market.", "The H100 is the current workhorse of most labs."),
    ("Between GPUs NCCL carries the traffic.", "Between GPU servers InfiniBand carries the traffic."),
]


@pytest.mark.parametrize(("a", "b"), NEAR_MISSES)
def test_a_near_miss_is_no_contradiction(a: str, b: str) -> None:
    for texts in ((a, b), (b, a)):
        audit = audit_documents([document(t, f"{n}.md") for n, t in zip("ab", texts, strict=True)], shipped())
        assert [f.title for f in audit.findings if f.verdict == "contradiction"] == []
    together = audit_documents([document(f"{a}\n\n{b}")], shipped())
    assert [f.title for f in together.findings if f.verdict == "contradiction"] == []
