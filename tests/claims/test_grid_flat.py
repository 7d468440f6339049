"""Tables that have no bars: tabs, wide blanks, and what lost its columns."""

from __future__ import annotations

import pytest

from ..reading.builders import pdf_of
from .grids import grid, passage_of, read_grid, said


@pytest.mark.parametrize(
    "text",
    [
        "Spec\tH100\tTPU v5p\nMemory\t80 GB\t95 GB\nMaker\tNVIDIA\tGoogle\nPower\t700 W\tn/a\n",
        "Spec      H100    TPU v5p\nMemory    80 GB   95 GB\nMaker     NVIDIA  Google\nPower     700 W   n/a\n",
        "Spec | H100 | TPU v5p\nMemory | 80 GB | 95 GB\nMaker | NVIDIA | Google\nPower | 700 W | n/a\n",
    ],
)
def test_text_parted_by_tabs_or_wide_blanks_or_bars_keeps_its_cells(text: str) -> None:
    assert said(grid(text, "a.txt")) == {
        "Memory": ["H100: 80 GB", "TPU v5p: 95 GB"],
        "Maker": ["H100: NVIDIA", "TPU v5p: Google"],
        "Power": ["H100: 700 W"],
    }


def test_a_row_of_another_width_has_no_cells_where_only_the_width_tells() -> None:
    made = read_grid(passage_of("Spec  H100  H200\nMemory  80 GB  141 GB\nPower  700 W\nTDP  1 W  2 W", rows_from=1))
    assert made is not None
    assert [len(row.cells) for row in made.rows] == [2, 0, 2]


FLAT = """Property AMD MI300X Google TPU v5e
Kind Accelerator with chiplets Inference ASIC
Memory (per chip/node) 192GB HBM3 128GB (8-chip config)
Generation ~2,900 tokens/sec ~2,150 tokens/sec
Utilization (MFU) ~41% ~47%
Price per hour (8-chip) $16.00 - $24.00 $9.60 - $11.20
"""


def test_a_table_that_lost_its_columns_is_told_by_names_and_values() -> None:
    assert said(grid(FLAT, "a.txt")) == {
        "": [],
        "Memory (per chip/node)": ["AMD MI300X: 192GB HBM3", "Google TPU v5e: 128GB (8-chip config)"],
        "Generation": ["AMD MI300X: ~2,900 tokens/sec", "Google TPU v5e: ~2,150 tokens/sec"],
        "Utilization (MFU)": ["AMD MI300X: ~41%", "Google TPU v5e: ~47%"],
        "Price per hour (8-chip)": ["AMD MI300X: $16.00 - $24.00", "Google TPU v5e: $9.60 - $11.20"],
    }


def test_the_header_of_a_flattened_table_may_stand_apart() -> None:
    made = read_grid(
        passage_of("Memory 80 GB 95 GB", context="Feature NVIDIA H100 Google TPU v5p"),
    )
    assert made is not None
    assert said(made) == {"Memory": ["NVIDIA H100: 80 GB", "Google TPU v5p: 95 GB"]}


def flat_row(row: str, header: str = "Feature H100 TPU v5p") -> list[str]:
    made = read_grid(passage_of(f"{header}\n{row}", rows_from=1))
    assert made is not None
    return [cell.text for cell in made.rows[0].cells]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("TDP up to 700 W 300 W/350 W", ["up to 700 W", "300 W/350 W"]),
        ("Power 700 W at 2 kWh 600 W at 1 kWh", ["700 W at 2 kWh", "600 W at 1 kWh"]),
        ("Boards 8 x 80 GB 4 x 95 GB", ["8 x 80 GB", "4 x 95 GB"]),
        ("Memory 80 GB / 94 GB 95 GB", ["80 GB / 94 GB", "95 GB"]),
        ("Cores 16896 14592", ["16896", "14592"]),
        ("Sparse 1,979 TFLOPS N/A", ["1,979 TFLOPS"]),
        ("Predecessor memory A100 80GB 40 GB 32 GB", ["40 GB", "32 GB"]),
        ("Memory HBM3 80 GB HBM2e 95 GB", ["80 GB", "95 GB"]),
    ],
)
def test_what_belongs_to_a_value_stays_with_it(row: str, cells: list[str]) -> None:
    assert flat_row(row) == cells


@pytest.mark.parametrize(
    "row",
    [
        "Type General Purpose GPU AI-Specific ASIC",
        "Memory 80 GB",
        "Memory 80 GB 94 GB 95 GB",
        "Tokens per 1 kWh 300 unknown",
        "PCIe 5 yes 128 GB/s",
        "PCIe 5 yes 16896",
        "PCIe 5 16896 unknown",
        "PCIe 5 N/A unknown",
        "80 GB 95 GB",
        "Memory (80 GB 95 GB",
    ],
)
def test_an_ambiguous_row_has_no_cells_rather_than_wrong_ones(row: str) -> None:
    assert flat_row(row) == []


def test_rows_that_begin_with_their_subject_take_their_columns_from_the_words_of_the_header() -> None:
    header = "Chip Memory (GB) Bandwidth TDP"
    assert flat_row("H100 80 3.35 TB/s 700 W", header) == ["80", "3.35 TB/s", "700 W"]
    assert flat_row("Gaudi 2 96 GB 2.45 TB/s 600 W", header) == ["96 GB", "2.45 TB/s", "600 W"]
    assert flat_row("Gaudi 3 128 GB 3.7 TB/s unknown", header) == []


def test_a_table_in_a_pdf_keeps_its_rows_and_values() -> None:
    made = grid(pdf_of("# A note\n\nTwo chips are compared in this note, in their figures.\n\n" + FLAT), "a.pdf")
    assert made.headers == ("Property", "AMD MI300X", "Google TPU v5e")
    assert sum(len(row.cells) for row in made.rows) == 2 * 4
