"""Measured and priced figures that clash, how sure a finding is, and what was not compared."""

from __future__ import annotations

import pytest

from chipwise.audit.auditing import audit_documents

from ..building.test_facts import facts
from .test_relations import document, shipped


def verdicts(text: str) -> set[str]:
    audit = audit_documents([document(text)], shipped(), facts())
    return {f.verdict for f in audit.findings if f.metric in ("throughput", "price_per_hour")}


def test_what_was_not_compared_is_counted_with_its_reason() -> None:
    text = "The H200 could have 90 GB of memory. The H200 has 141 GB of memory."
    audit = audit_documents([document(text)], shipped())
    assert any("one side is a forecast" in note for note in audit.uncompared)


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("On Google Cloud a TPU v5p chip costs $3.40 per chip-hour on demand.", True),
        ("A TPU v5p is $3.40 per chip-hour on demand.", True),  # which one seller alone has
        ("A TPU v5p is $5.10 per chip-hour.", False),  # on which terms it does not say
        ("A TPU v5p is $3.40 per chip-hour.", False),  # between the spot price and the list price
        ("A TPU v5p is $2.10 per chip-hour on demand.", True),  # the price on other terms
        ("In 2023 a TPU v5p was $3.40 per chip-hour on demand.", False),
        ("A TPU v5p is around $3.40 per chip-hour on demand.", False),
        ("A TPU v5p is $4.20 per chip-hour on demand.", False),
        ("At AWS a TPU v5p is $3.40 per chip-hour on demand.", False),
    ],
)
def test_a_price_that_its_seller_has_at_no_time_is_contradicted(text: str, is_wrong: bool) -> None:
    audit = audit_documents([document(text)], shipped(), facts())
    assert any(f.code == "CW701" for f in audit.findings) == is_wrong
