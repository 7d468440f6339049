"""Tables whose shape rules out one of their cells: it is found with its arithmetic, and tables without a pattern are left alone."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from .test_sums import sums

RATIOS = "| GPU | tokens/s, 8 GPUs | per GPU | against H100 |\n|---|---|---|---|\n| H100 | 24,525 | 3,066 | 1.00 |\n| H200 | 34,864 | 4,358 | 1.42 |\n| B200 | 102,725 | 12,841 | {} |\n"
COSTS = "| GPU | Price ($/h) | tokens/s | $ per Mtok |\n|---|---|---|---|\n| A | 2.50 | 4,415 | 0.157 |\n| B | 3.60 | 6,120 | 0.163 |\n| C | 5.50 | 12,310 | {} |\n| D | 2.10 | 3,890 | 0.150 |\n"
EACH = "| Run | tokens/s, 8 GPUs | per GPU |\n|---|---|---|\n| a | 24,525 | 3,066 |\n| b | 34,864 | 4,358 |\n| c | 102,725 | 12,841 |\n| d | 98,800 | {} |\n"
PARTS = "| Part | GB |\n|---|---|\n| Weights | 140 |\n| KV cache | 21.5 |\n| Activations | 6 |\n| Total | {} |\n"


def shapes(text: str) -> list[Finding]:
    return [f for f in sums(text) if f.code in ("CW407", "CW408")]


@pytest.mark.parametrize(
    ("table", "right", "wrong", "made"),
    [
        (RATIOS, "4.19", "3.19", f"102,725 / 24,525 = {102725 / 24525:.2f}"),
        (COSTS, "0.124", "0.214", f"5.50 / 12,310 x 278 = {5.5 / 12310 / 3600 * 1e6:.2f}"),
        (EACH, "12,350", "11,350", f"98,800 / 8 = {98800 / 8:,.0f}"),
        (PARTS, "167.5", "177.5", "140 + 21.5 + 6 = 168"),
    ],
)
def test_a_number_that_breaks_what_all_others_of_its_column_are_is_shown_with_what_it_should_be(
    table: str, right: str, wrong: str, made: str
) -> None:
    assert shapes(table.format(right)) == []
    (finding,) = shapes(table.format(wrong))
    assert made in finding.explanation
    assert wrong in {e.quote[slice(*e.mark or (0, 0))] for e in finding.evidence}


def test_a_row_with_a_cell_too_many_or_too_few_is_found_and_a_heading_across_the_table_is_none() -> None:
    head = "| GPU | Memory | Power |\n|---|---|---|\n| H100 | 80 GB | 700 W |\n| Older |\n| L4 | 24 GB | 72 W |\n"
    assert shapes(head) == []
    assert [f.title for f in shapes(f"{head}| H200 | 141 GB | SXM | 700 W |\n")] == ["a row with 1 cell too many"]
    assert [f.title for f in shapes(f"{head}| H200 | 141 GB |\n| A10 | 24 GB | 150 W |\n")] == [
        "a row with 1 cell too few"
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| GPU | BF16 | FP8 |\n|---|---|---|\n| A | 989 | 1979 |\n| B | 2250 | 4500 |\n| C | 459 | 918 |\n| D | 312 | 500 |\n",  # formats are no multiples
        "| Generation | Gbps | GB/s |\n|---|---|---|\n| HBM | 1.0 | 128 |\n| HBM2 | 2.4 | 307 |\n| HBM3 | 6.4 | 819 |\n| HBM4 | 8.0 | 2048 |\n",  # wider
        "| Run | Chips | Hours |\n|---|---|---|\n| Total | 8 | 24 |\n| b | 16 | 12 |\n",
    ],
)
def test_columns_that_only_happen_to_go_together_rule_out_nothing(table: str) -> None:
    assert shapes(table) == []
