"""What a heading makes of the section below it."""

from __future__ import annotations

import pytest

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
