"""A figure of a chip beside those of its variants in the shipped table."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from ..building.test_facts import facts
from .test_values import COMMENTED, findings


def conflicts(text: str) -> list[Finding]:
    return [f for f in findings({"a": text}, "CW701", facts()) if f.verdict == "contradiction"]


@pytest.mark.parametrize(
    "text",
    [
        "The H100 draws 500 W.",
        "The V100 has a TDP of 400 W.",
        "The B200 SXM has 250 GB of memory.",  # the table has one figure for all B200
        "The H100 comes in two forms. The PCIe card draws 450 W.",
        "The H100 NVL has 96 GB of memory.",  # as some H100s have, and no H100 NVL
        "The H100 NVL has 80 GB of memory.",  # as each of eight H100s with 640 GB has
        "The H100 PCIe reads its memory at 3.35 TB/s.",  # at least 2 TB/s, says the brief, and 2 TB/s all others
        "The MI300X has a TDP of 740 W.",  # the table knows its board power alone, and that is its rating by any name
        "The MI300X has a TDP of 900 W.",
        "The MI300X has a TDP of 7,500 W.",
        "The MI300X has a TDP of 75 W.",
        "The MI250X has a TDP of 600 W.",
        "The Intel Gaudi 3 peaks at 3,670 TFLOPS in FP8.",  # twice its dense figure, and it has no other
        "The NVLink of an A100 carries 300 GB/s bidirectional.",  # which is what it has one way
        "The GTX 1080 Ti has 12 GB of memory.",  # a driver counts less than 11, and no more
        "| GPU | Memory | Bandwidth |\n|---|---|---|\n| A100 | 40 GB | 1,935 GB/s |\n",  # as those with 80 GB have
    ],
)
def test_what_no_variant_has_contradicts(text: str) -> None:
    assert len(conflicts(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The H100 draws 350 W.",
        "The H100 has 96 GB of memory.",
        "The H100 reads its memory at 3 TB/s.",  # what is known of some early H100s does not speak against it
        "The A100 80GB reads its memory at 1.9 TB/s.",  # as PCIe card
        "The A100 80GB reads its memory at 2.0 TB/s.",  # as SXM module
        "The H100 draws 700 W.",
        "The H100 draws up to 700 W.",
        "The H100 has 94 GB of memory.",
        "The H100 comes in two forms. The SXM version draws 700 W, the PCIe version 350 W.",
        "Our H100 could draw 500 W.",
        "The H100 drew 500 W in our test.",
        "The MI300X has a TDP of 750 W.",  # which is its board power
        "The MI250X has a TDP of 560 W.",  # which is its board power
        "The MI250X has a TDP of 500 W.",
        "The MI250 reads its memory at 3,277 GB/s.",  # of which AMD prints 3.2 TB/s
        "| GPU | Memory | Bandwidth |\n|---|---|---|\n| A100 | 40 GB | 1,555 GB/s |\n",
        "Each H100 reaches 1,513 TFLOPS in FP16.",  # the BF16 of the PCIe card, with sparsity
        "| GPU | HBM/VRAM |\n|---|---|\n| RTX 4090 | 24 GB |\n| Jetson AGX Orin | 64 GB |\n",
    ],
)
def test_what_some_variant_has_or_was_measured_does_not(text: str) -> None:
    assert conflicts(text) == []


LISTING = """# BF16 tensor core peak by device, dense

```python
BF16_PEAK = {
    "H100 SXM": 989e12,
    "A100": 213e12,
}
```
"""


def test_a_listing_is_held_against_the_table_and_is_of_low_severity() -> None:
    (found,) = conflicts(LISTING)
    assert "213 TFLOPS" in found.title
    assert found.severity == "low"
    assert "may not stand behind one of the two sides (code)" in found.explanation


def test_so_is_a_comment() -> None:
    (found,) = conflicts(COMMENTED.format(body="Nothing is said here.", comment="The H100 SXM has 120 GB of memory."))
    assert found.severity == "low"
    assert "may not stand behind one of the two sides (comment)" in found.explanation


def test_a_row_of_a_table_is_of_its_own_chip_whatever_machines_stand_in_others() -> None:
    rows = "| Constant | Value |\n|---|---|\n| B200 FP16 dense | 4500 TFLOPS |\n| GB200 NVL72 FP4 | 1.4 EFLOPS |\n"
    (found,) = (f for f in conflicts(f"# Constants\n\nAll values are dense.\n\n{rows}") if "4500 TFLOPS" in f.title)
    assert "4,500 TFLOPS is its figure for BF16 with 2:4 sparsity" in found.explanation


def test_a_version_is_told_as_it_is_written_and_has_no_unit() -> None:
    (found,) = conflicts("| GPU | Compute capability |\n|---|---|\n| RTX 5090 | 10.0 |\n")
    assert found.title.endswith("compute capability disagrees: 10.0 against 12.0")
