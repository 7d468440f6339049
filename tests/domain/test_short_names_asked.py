"""Names cut short in a question are read in full, and said so where that is a guess."""

from __future__ import annotations

import pytest

from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.domain.shortnames import in_full


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(domain_folder())


READ = {
    "tdp of the instinct 355x": ("tdp of the instinct AMD MI355X", (("355x", "AMD MI355X"),)),
    "memory of the AMD 325X": ("memory of the AMD AMD MI325X", (("325X", "AMD MI325X"),)),
    "TPU v5p vs v4 bandwidth": ("TPU v5p vs TPU v4 bandwidth", ()),
    "Gaudi 2 vs 3 memory": ("Gaudi 2 vs Gaudi 3 memory", ()),
    "inferentia 1 or 2?": ("inferentia 1 or inferentia 2?", ()),
}


@pytest.mark.parametrize(("question", "read"), READ.items(), ids=READ)
def test_a_short_name_is_read_in_full(
    domain: Domain, question: str, read: tuple[str, tuple[tuple[str, str], ...]]
) -> None:
    assert in_full(domain, question) == read


@pytest.mark.parametrize(
    "question", ["300x faster than what?", "is it 325x better?", "8x H100", "memory of the MI300X", "Gaudi 2 or 3 GPUs"]
)
def test_what_may_be_a_multiple_or_stands_in_full_is_left(domain: Domain, question: str) -> None:
    assert in_full(domain, question) == (question, ())
