"""What `compare` prints, to the letter, and how it ends."""

from __future__ import annotations

import json

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..answering.lookups import lines
from ..conftest import Chipwise


class TestCompare:
    def test_rows_hold_figures_of_one_kind(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("compare", "h100", "h200", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
                                                          H100          H200        ratio
        peak compute (BF16, dense, per chip), TFLOPS      989 [1:12]    989 [1:19]  1x
        peak compute (FP8, dense, per chip), TFLOPS       1,979 [1:13]  -
        memory capacity (per chip), GB                    80 [1:16]     141 [1:19]  1.76x
        link bandwidth (both directions, per chip), GB/s  900 [1:17]    -

        - H100: figures include those of its variant H100 SXM
        - H200: peak compute: no figure for FP8
        - H200: link bandwidth, both directions: left out: only 450 GB/s (one way, per chip) is known
        - 2 rows left out because only one subject has a figure; --all shows them

        Sources, in brackets with the line:
        [1]  datasheets: Example Press, Datasheets, collected, 2026-08
        """)

    def test_a_note_tells_what_is_converted_left_out_or_not_stated(
        self, chipwise: Chipwise, kb: KnowledgeFolder
    ) -> None:
        output = chipwise("compare", "h200", "a100", "v5p", kb=kb).output
        for note in (
            "TPU v5p: peak compute, BF16: sparsity not stated",
            "A100: peak compute, BF16: left out: only 624 TFLOPS (BF16, 2:4 sparsity, per chip) is known",
            "TPU v5p: memory capacity, per chip: 95 GiB as cited, 1 GiB = 1.0737 GB",
        ):
            assert f"- {note}\n" in output
        assert "40 [1:20]  102 [1:21]" in output

    def test_a_sparse_figure_beside_one_that_may_be_dense_is_no_comparison(
        self, chipwise: Chipwise, kb: KnowledgeFolder
    ) -> None:
        result = chipwise("compare", "a100", "v5p", "--metric", "peak", kb=kb)
        assert result.exit_code == 1
        assert "-     459 [1:2" in result.output
        assert (
            "- A100: peak compute, BF16: left out: only 624 TFLOPS (BF16, 2:4 sparsity, per chip) is known"
            in result.output
        )

    def test_a_node_is_not_compared_with_a_chip(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("compare", "dgx h100", "h100 sxm", "--metric", "memory", kb=kb)
        assert result.exit_code == 1
        assert "DGX H100: memory capacity, per chip: left out: only 640 GB (per node of 8) is known" in result.output

    def test_all_adds_what_only_one_has_and_counts_stay_apart(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        output = chipwise("compare", "h100", "v5p", "--all", kb=kb).output
        assert "cores, cores" in output
        assert "cores, TensorCores" in output
        assert "--all" not in output

    def test_one_number_format_can_be_asked_for(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        output = chipwise("compare", "h100", "h200", "--dtype", "BF16", kb=kb).output
        assert "BF16, dense" in output
        assert "FP8" not in output

    def test_a_terminal_too_narrow_for_columns_gets_blocks(
        self, chipwise: Chipwise, kb: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "30")
        output = chipwise("compare", "h100", "h200", "--metric", "memory", kb=kb).output
        assert output.startswith(
            "memory capacity (per chip), GB\n  H100   80 [1:16]\n  H200   141 [1:19]\n  ratio  1.76x\n"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["h100"], "H100 alone cannot be compared"),
            (["h100", "h100"], "H100 alone cannot be compared"),
            (["h100", "zzz"], "nothing is called 'zzz'"),
            (["h100", "h200", "--metric", "zzz"], "nothing is called 'zzz'"),
            (["h100", "h200", "--metric", "a100"], "nothing is called 'a100'"),
            (["h100", "h200", "--dtype", "memory"], "nothing is called 'memory'"),
        ],
    )
    def test_what_cannot_be_compared_is_an_error(
        self, chipwise: Chipwise, kb: KnowledgeFolder, arguments: list[str], message: str
    ) -> None:
        result = chipwise("compare", *arguments, kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}\nhelp: ")

    def test_nothing_in_common_ends_with_one(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("compare", "h100", "frobnicator", kb=kb)
        assert (result.exit_code, result.stdout[:18]) == (1, "nothing to compare")

    def test_json_has_the_cells_by_subject(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        value = json.loads(chipwise("compare", "h100", "h200", "--metric", "memory", "--json", kb=kb).stdout)
        (row,) = value.pop("rows")
        assert value == {
            "schema": "chipwise.compare/1",
            "subjects": ["h100", "h200"],
            "notes": ["H100: figures include those of its variant H100 SXM"],
            "left_out": 0,
        }
        assert row["ratio"] == pytest.approx(141 / 80)
        assert {s: c["value"] for s, c in row["cells"].items()} == {"h100": "80", "h200": "141"}
        assert row["cells"]["h100"]["fact"]["citation"]["line"] == 16
