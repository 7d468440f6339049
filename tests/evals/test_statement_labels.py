"""The labelled statements that are no figures: that every label can be what it says, and that reading is measured by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals.training.statements.__main__ import read_from, score, told_of
from evals.training.statements.texts import LABELLED, REPORT, Text, Told, golden, read_texts

from chipwise.domain.files import shipped_domain

DOMAIN = shipped_domain()
FILES = pytest.mark.parametrize("path", [LABELLED, REPORT], ids=lambda p: p.stem)


@FILES
def test_every_label_is_one_that_its_relation_allows_and_quotes_its_text(path: Path) -> None:
    texts = list(read_texts(path))
    assert len({t.id for t in texts}) == len(texts) > 250
    assert [(t.id, told) for t in texts for told in t.told if not _is_allowed(t, told)] == []


def _is_allowed(text: Text, told: Told) -> bool:
    relation = DOMAIN.relations.get(told.relation)
    if told.quote not in text.text or told.subject not in DOMAIN.entities:
        return False
    if relation is None:
        return DOMAIN.metrics[told.relation].dimension == "date"
    kind = DOMAIN.terms[told.object].kind if told.object in DOMAIN.terms else ""
    return DOMAIN.kind(told.subject) in relation.subjects and bool({told.object, kind} & set(relation.objects))


@FILES
def test_a_third_of_the_texts_say_nothing_and_a_quarter_of_what_is_said_is_denied(path: Path) -> None:
    texts = list(read_texts(path))
    told = [t for text in texts for t in text.told]
    assert sum(not t.told for t in texts) > 0.25 * len(texts)
    assert sum(not t.polarity for t in told) > 0.2 * len(told)


def test_what_is_read_is_compared_with_what_is_told_polarity_included() -> None:
    text = Text("x", "The A100 doesn't support FP8.\n", (Told("nvidia-a100", "dtype_support", "fp8", polarity=False),))
    assert read_from(DOMAIN, text) == told_of(text) == {("nvidia-a100", "dtype_support", "fp8", False)}
    affirmed = {("nvidia-a100", "dtype_support", "fp8", True)}
    assert score([told_of(text)], [affirmed]).startswith("P 0.000  R 0.000")


def test_the_golden_sentences_are_documents_that_name_whom_they_are_about() -> None:
    texts = list(golden(DOMAIN))
    assert len(texts) > 250
    assert any(t.text.startswith("# ") for t in texts)
