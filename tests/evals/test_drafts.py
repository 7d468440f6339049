"""The drafts are what they say: offsets that hold, ids that exist, changes of known families."""

from __future__ import annotations

import pytest
from drafts import SETS, read_set

from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain

FAMILIES = {
    "another value",
    "record",
    "scope",
    "unit",
    "arithmetic",
    "baseline",
    "modality",
    "category",
    "price",
    "self",
    "sparsity",
}
RECORDS = [record for name in SETS for record in read_set(name)]
DOMAIN = read_domain(domain_folder())


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_what_a_draft_says_stands_in_it_and_its_changes_are_changes(record: dict) -> None:
    for said in record["said"]:
        assert record["text"][said["at"] : said["end"]].strip()
        assert said["subject"] in DOMAIN.entities
        assert said["metric"] in DOMAIN.metrics
    for planted in record["planted"]:
        assert planted["family"] in FAMILIES
        assert record["changed"][planted["at"] : planted["end"]] not in record["text"]
