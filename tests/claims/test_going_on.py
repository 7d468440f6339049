"""Whom a text goes on about, where a sentence names others only to set something against them."""

from __future__ import annotations

import pytest

from .texts import figures


def whose(text: str) -> dict[str, str]:
    """By figure as it is written, the subject of its claim; "" where it may be misread."""
    return {text[c.value_start : c.value_end]: "" if c.doubt else c.subject for c in figures(text, by_facts=True)}


@pytest.mark.parametrize(
    ("text", "figure", "subject"),
    [
        (  # a yardstick, and no slice of 16 chips
            "A v6e chip has 32 GB, so we double the capacity of our v5e's (16 GB). It reads at 1,638 GB/s.\n",
            "1,638 GB/s",
            "google-tpu-v6e",
        ),
        ("A v6e chip has 32 GB, so we double the capacity of our v5e's (16 GB).\n", "16 GB", "google-tpu-v5e"),
        (
            "The Gaudi 3 peaks at 1,835 TFLOPS, four times the BF16 of Gaudi 2. It has 128 GB of HBM2e.\n",
            "128 GB",
            "intel-gaudi-3",
        ),
        (  # behind the colon it comes back to what it is about
            "The Gaudi 3 has 128 GB. The H100 manages 3.35 TB/s: Gaudi 3 offers more. It draws 900 W.\n",
            "900 W",
            "intel-gaudi-3",
        ),
    ],
)
def test_a_text_goes_on_about_what_it_speaks_of(text: str, figure: str, subject: str) -> None:
    assert whose(text)[figure] == subject


def test_a_family_takes_over_from_the_chip_before_it() -> None:
    found = whose("The A100 has 12 NVLinks. Hopper went to 18 links and 900 GB/s.\n")
    assert found["12 NVLinks"] == "nvidia-a100"
    assert "nvidia-a100" not in (found.get("18 links"), found.get("900 GB/s"))


@pytest.mark.parametrize(
    "text",
    [
        "Eight L40S have 384 GB of memory.\n",
        "8 Gaudi 3 have 1,024 GB of memory.\n",
        "Sixteen Trainium2 have 1,536 GB of memory.\n",
    ],
)
def test_the_number_before_any_chips_name_counts_it(text: str) -> None:
    (claim,) = figures(text, "memory_capacity")
    assert claim.qualifier("count") in ("8", "16")


def test_below_a_heading_of_two_products_a_range_is_neithers() -> None:
    text = "### RTX 4060 / RTX 4060 Ti\n\n| Spec | Value |\n|---|---|\n| VRAM | 8-16 GB |\n"
    assert [c for c in figures(text, "memory_capacity") if not c.doubt] == []
