"""The claims evaluation counts what it says it counts, and keeps no text of the documents it was judged on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks import BenchmarkMissing

from chipwise.claims.extract import extract
from chipwise.claims.model import Claim
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_bytes
from chipwise.splitting import split
from claims import (
    GOLD,
    LABELS,
    Found,
    Read,
    key_of,
    match_rows,
    measure,
    missed,
    precision_figures,
    read_rows,
    recall_figures,
)

TEXT = "# H100\n\nThe NVIDIA H100 has 80 GB of HBM3.\n\nThe NVIDIA H100 runs PyTorch."
CAPACITY = {
    "id": "a",
    "source": "a.md",
    "line": 3,
    "kind": "numeric",
    "subjects": ["nvidia-h100"],
    "metrics": ["memory_capacity"],
    "low": 80e9,
    "high": 80e9,
}


def part(polarity: bool) -> dict[str, object]:
    """That an H100 runs PyTorch, or that it does not."""
    return {
        "subjects": ["nvidia-h100"],
        "metrics": ["framework_support"],
        "objects": ["pytorch"],
        "polarity": polarity,
    }


RUNS = {"id": "b", "source": "a.md", "line": 5, "kind": "categorical"}


@pytest.fixture(scope="module")
def read() -> Read:
    document = read_bytes(TEXT.encode(), name="a.md", origin="a.md")
    return Read(document, extract(split(document), shipped_domain())[1])


def capacity(read: Read) -> Claim:
    return next(c for c in read.claims if c.metric == "memory_capacity" and c.quantity)


def test_a_row_is_found_by_subject_metric_and_value_and_in_full_with_its_scope(read: Read) -> None:
    rows = [CAPACITY, {**CAPACITY, "scope": {"aggregation": ["node"]}}, {**CAPACITY, "low": 96e9, "high": 96e9}]
    assert [(f.value, f.full) for f in match_rows(rows, {"a.md": read})] == [
        (True, True),
        (True, False),
        (False, False),
    ]


def test_an_open_end_is_no_value(read: Read) -> None:
    (found,) = match_rows([{**CAPACITY, "low": None}], {"a.md": read})
    assert not found.value


def test_a_row_on_another_line_is_missed(read: Read) -> None:
    assert [f.value for f in match_rows([{**CAPACITY, "line": 5}], {"a.md": read})] == [False]


def test_one_alternative_is_enough_of_any_and_each_is_needed_of_all(read: Read) -> None:
    rows = [{**RUNS, "any": [part(True), part(False)]}, {**RUNS, "all": [part(True), part(False)]}]
    assert [f.value for f in match_rows(rows, {"a.md": read})] == [True, False]


def test_what_no_metric_says_is_missed_and_what_is_excluded_is_not_counted(read: Read) -> None:
    rows = [{**RUNS, "kind": "beyond", "reason": ""}, {**RUNS, "kind": "excluded", "reason": ""}]
    found = match_rows(rows, {"a.md": read})
    assert [f.value for f in found] == [False]
    figures = recall_figures([*found, Found(CAPACITY, value=True, full=True, certain=True)])
    assert (figures["all rows"].value, figures["beyond any metric"]) == (0.5, 1)
    assert not list(missed(found))


def test_a_label_holds_for_the_very_same_claim_alone(read: Read) -> None:
    right = {"document": "a.md", "sample": 1, "use": "tune", "verdict": "right", "slots": []}
    same = {**right, **key_of(read, capacity(read))}
    changed = {**same, "state": "another"}
    gone = {**same, "start": 0}
    unjudged = {**same, "verdict": ""}
    figures = precision_figures([same, changed, gone, unjudged], {"a.md": read})["sample 1 (tune)"]
    assert (figures["right"].value, figures["right"].count) == (1.0, 1)
    assert (figures["changed since"], figures["gone"], figures["not judged yet"]) == (1, 1, 1)
    assert figures["gone or changed, was right"] == 2


def test_a_wrong_modality_alone_is_told_apart(read: Read) -> None:
    label = {"document": "a.md", "sample": 1, "use": "tune", "verdict": "wrong", "slots": ["modality"]}
    figures = precision_figures([{**label, **key_of(read, capacity(read))}], {"a.md": read})["sample 1 (tune)"]
    assert (figures["right"].value, figures["right but for modality"].value) == (0.0, 1.0)


def test_samples_are_disjoint_and_labels_are_told_by_hashes() -> None:
    labels = read_rows(LABELS)
    places = Counter(
        (label["document"], label["start"], label["end"], label["kind"], label["sample"] == 3) for label in labels
    )
    by_sample = Counter(str(label["sample"]) for label in labels)
    assert by_sample["1"] == 150 <= by_sample["2"], "a claim that was judged anew may stand beside what was drawn"
    numeric = [place for place in places if place[3] == "numeric"]
    assert all(places[place] <= 2 for place in numeric), (
        "a figure of two subjects is two claims; sample 3 judges anew what had changed"
    )
    keys = Counter(
        (*(label[k] for k in ("document", "start", "end", "subject", "metric", "state")),) for label in labels
    )
    assert max(keys.values()) == 1
    assert all(len(label["quote"]) == 16 and len(label["reason"]) < 100 for label in labels)
    assert all(label["reason"] and label["slots"] for label in labels if label["verdict"] == "wrong")


def test_every_gold_row_can_be_scored() -> None:
    rows = read_rows(GOLD)
    assert len({row["id"] for row in rows}) == len(rows) == 102
    domain = shipped_domain()
    for row in rows:
        if row["kind"] in {"beyond", "excluded"}:
            assert row["reason"]
            continue
        for wanted in row.get("any") or row.get("all") or [row]:
            assert {*wanted["metrics"]} <= domain.metrics.keys(), row["id"]


def test_without_the_folders_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkMissing):
        measure(tmp_path / "bench")
