"""The label format of texts for the claim reader, and that every label file of the corpus can be read."""

from __future__ import annotations

import random

import pytest
from evals.training.claims import gold
from evals.training.claims.labels import Label, parse

from chipwise.domain.files import shipped_domain

MARKED = "The H200 has [[141 GB|nvidia-h200|memory_capacity|scope=node:8,dtype=fp8]], [[1.6x|nvidia-h200|speedup|ratio,baseline=nvidia-h100]], not [[140 GB|-|requirement]].\n"


def test_a_label_is_read_with_where_it_stands_in_the_unmarked_text() -> None:
    read = parse("x", "blog", MARKED)
    assert read.text == "The H200 has 141 GB, 1.6x, not 140 GB.\n"
    assert [read.text[label.start : label.end] for label in read.labels] == ["141 GB", "1.6x", "140 GB"]
    assert read.labels[0] == Label(
        13, 19, "memory_capacity", "", "nvidia-h200", "node", "8", (("dtype", "fp8"),), "", None, False
    )
    assert (read.labels[1].ratio, read.labels[1].baseline) == (True, "nvidia-h100")
    assert (read.labels[2].metric, read.labels[2].reason) == ("", "requirement")


def test_a_label_without_a_metric_is_told_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"x: .*80 GB"):
        parse("x", "blog", "[[80 GB|nvidia-h100]]")


def test_every_label_of_the_corpus_names_what_the_domain_has() -> None:
    domain, labels = shipped_domain(), [(d.id, label) for d in gold.written() for label in d.labels]
    assert len(labels) > 500
    wrong = [
        (i, label.metric, label.subject) for i, label in labels if label.metric and label.metric not in domain.metrics
    ]
    known = {*domain.entities, *domain.terms}
    wrong += [
        (i, label.metric, label.subject)
        for i, label in labels
        if label.metric and not label.subject.startswith("?") and label.subject not in known
    ]
    assert wrong == []


def test_redrawn_digits_stand_in_the_same_places_and_leave_the_rest() -> None:
    read = parse("x", "blog", MARKED)
    redrawn = gold.redrawn(read, random.Random(0))  # noqa: S311
    assert len(redrawn.text) == len(read.text)
    assert redrawn.text[20:] != read.text[20:]
    assert redrawn.text.endswith("not 140 GB.\n")
    assert redrawn.labels == read.labels
