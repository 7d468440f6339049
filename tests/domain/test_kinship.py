"""Of what kind the entities of the shipped domain are, and which of them are of one kin."""

from __future__ import annotations

import pytest

from chipwise.domain.files import shipped_domain
from chipwise.domain.kinship import Kinship
from chipwise.domain.model import Domain
from chipwise.domain.names import Names, names_notes

H100, SXM, PCIE, H200 = "nvidia-h100", "nvidia-h100-sxm", "nvidia-h100-pcie", "nvidia-h200"


@pytest.fixture(scope="module")
def domain() -> Domain:
    return shipped_domain()


@pytest.fixture(scope="module", params=["domain", "names"])
def kinship(request: pytest.FixtureRequest, domain: Domain) -> Kinship:
    return domain if request.param == "domain" else Names(names_notes(domain).__getitem__)


@pytest.mark.parametrize(
    ("a", "b", "kin"),
    [
        (H100, H100, True),
        (H100, SXM, True),
        (SXM, H100, True),
        ("nvidia-hopper", SXM, True),
        ("gpu", SXM, True),
        ("nvidia-a100-80gb", "nvidia-a100-sxm-80gb", True),
        ("nvidia-a100-sxm", "nvidia-a100-sxm-80gb", True),
        ("nvidia-a100-40gb", "nvidia-a100-sxm-80gb", False),
        ("nvidia-dgx-h100", H100, True),
        (SXM, PCIE, False),
        (H100, H200, False),
        (H100, "nvidia-ampere", False),
        (H100, "cpu", False),
        (H100, "nothing", False),
        ("", H100, False),
    ],
)
def test_kin_are_one_thing_seen_from_near_and_far(kinship: Kinship, a: str, b: str, kin: bool) -> None:
    assert kinship.are_kin(a, b) is kinship.are_kin(b, a) is kin


@pytest.mark.parametrize(
    ("id_", "chip", "nearest", "variant"),
    [
        (H100, H100, H100, ""),
        (SXM, H100, SXM, SXM),
        ("nvidia-gb200-nvl72", "nvidia-b200", "nvidia-gb200-gpu", "nvidia-gb200-gpu"),
        ("nvidia-hopper", "", "", ""),
        ("nothing", "", "", ""),
    ],
)
def test_what_something_is_made_of(kinship: Kinship, id_: str, chip: str, nearest: str, variant: str) -> None:
    assert (kinship.chip_of(id_), kinship.nearest_chip(id_), kinship.variant_of(id_)) == (chip, nearest, variant)


def test_every_entity_is_specific_or_many_and_a_specific_one_a_chip_or_a_machine(kinship: Kinship) -> None:
    for id_ in kinship.entities:
        assert kinship.is_specific(id_) is not kinship.is_many(id_)
        assert kinship.is_specific(id_) is (kinship.is_chip(id_) or kinship.is_machine(id_))
        assert kinship.is_machine(id_) or not kinship.holds_several(id_)
    assert not any(
        ask("nothing") for ask in (kinship.is_specific, kinship.is_many, kinship.is_chip, kinship.is_machine)
    )


def test_the_variants_of_a_chip_are_its_members(kinship: Kinship) -> None:
    assert kinship.variants(H100) == kinship.members(H100) == [SXM, PCIE, "nvidia-h100-nvl"]
    assert H100 in kinship.members("nvidia-hopper")
    assert H100 not in kinship.variants("nvidia-hopper")
    assert kinship.variants("nothing") == []
