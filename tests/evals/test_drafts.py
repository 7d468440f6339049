"""The drafts are what they say: offsets that hold, ids that exist, changes of known families."""

from __future__ import annotations

from drafts import SETS, read_set

from chipwise.domain.files import shipped_domain

from ..each import each, key

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


def records() -> list[dict]:
    return [record for name in SETS for record in read_set(name)]


@each("record", records, name=key("id"))
def test_what_a_draft_says_stands_in_it_and_its_changes_are_changes(record: dict) -> None:
    domain = shipped_domain()
    for said in record["said"]:
        assert record["text"][said["at"] : said["end"]].strip()
        assert said["subject"] in domain.entities
        assert said["metric"] in domain.metrics
    for planted in record["planted"]:
        assert planted["family"] in FAMILIES
        assert record["changed"][planted["at"] : planted["end"]] not in record["text"]
