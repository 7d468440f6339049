"""The kind of a memory beside its figure is said of the chip."""

from __future__ import annotations

import pytest

from .texts import claims_of, document

TABLE = "| | MI300X | B200 |\n|---|---|---|\n| Memory | 192 GB HBM3 | 180 GB HBM3e |\n"


def kinds(text: str) -> list[tuple[str, str, str]]:
    """Each claim of a memory kind: the chip, the kind, and the words that it stands for."""
    told = [c for c in claims_of(document(text)) if c.metric == "memory_kind"]
    return [(c.subject, c.object, text[c.value_start : c.value_end]) for c in told]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Maia 200: 216 GB HBM3, 7 TB/s.", [("microsoft-maia-200", "hbm3", "HBM3")]),
        ("Maia 200 comes with 216 GB (HBM3e).", [("microsoft-maia-200", "hbm3e", "HBM3e")]),
        ("Maia 200 comes with 216 GB of fast HBM3e.", [("microsoft-maia-200", "hbm3e", "HBM3e")]),
        ("The H200 has 141 GB of HBM3e.", [("nvidia-h200", "hbm3e", "HBM3e")]),
        (TABLE, [("amd-mi300x", "hbm3", "HBM3"), ("nvidia-b200", "hbm3e", "HBM3e")]),
    ],
)
def test_a_kind_right_behind_a_figure_is_a_claim_of_its_own_and_told_once(
    text: str, said: list[tuple[str, str, str]]
) -> None:
    assert kinds(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "There are 48 MiB of SRAM on the Gaudi 2.",  # beside its HBM
        "The GB200 NVL72 has 17 TB of LPDDR5X.",  # beside that of its chips
        "Suppose that the H100 had 141 GB HBM4.",
        "The H100 has 80 GB.",
    ],
)
def test_what_a_chip_may_have_besides_is_no_kind_of_its_memory(text: str) -> None:
    assert kinds(text) == []
