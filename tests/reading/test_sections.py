"""What a heading makes of the section below it."""

from __future__ import annotations

import tomllib

import pytest
from pydantic import TypeAdapter

from chipwise.corpus import domain_folder
from chipwise.domain import columns
from chipwise.reading.sections import section_role
from chipwise.types import Role


@pytest.mark.parametrize(
    "heading", ["Terms of use", "Terms of Service", "Terms and conditions", "5. Terms & Conditions"]
)
def test_the_terms_of_a_site_are_boilerplate(heading: str) -> None:
    assert section_role(heading) is Role.BOILERPLATE


@pytest.mark.parametrize("heading", ["Terms", "Key terms", "Terms and symbols", "3. Terms:"])
def test_the_terms_of_a_field_are_body(heading: str) -> None:
    assert section_role(heading) is None


def test_every_wording_of_a_page_is_written_as_the_lexicon_reads_it() -> None:
    cue = TypeAdapter(columns.Cue)
    rows = tomllib.loads((domain_folder() / "pages.toml").read_text("utf-8"))["wording"]
    assert all(cue.validate_python(words) for row in rows for words in row["words"])
