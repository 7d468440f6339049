"""What `facts` prints, to the letter, and how it ends."""

from __future__ import annotations

import json

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..answering.lookups import lines
from ..conftest import Chipwise


class TestFacts:
    def test_without_a_name_it_lists_what_there_are_facts_about(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("facts", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
           7  H100 SXM   h100-sxm
           1  H100 PCIe  h100-pcie
           1  DGX H100   dgx-h100
           4  H200       h200
           2  A100       a100
           3  TPU v5p    v5p
        18 facts about 6 subjects
        """)

    def test_a_chip_has_the_facts_of_its_variants(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("facts", "h100", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
        peak compute
          H100 SXM
            989 TFLOPS    BF16, dense, per chip · 2026-08 · datasheets:12
            1,979 TFLOPS  BF16, 2:4 sparsity, per chip · datasheets:12
            1,979 TFLOPS  FP8, dense, per chip · datasheets:13
          H100 PCIe
            756 TFLOPS  BF16, dense, per chip · datasheets:14

        memory capacity
          H100 SXM
            80 GB  per chip, HBM3 · datasheets:16

        link bandwidth
          H100 SXM
            900 GB/s  both directions, per chip · datasheets:17

        cores
          H100 SXM
            16,896 cores  datasheets:18

        1 deprecated fact left out; --all shows them
        """)

    def test_deprecated_ones_and_quotes_are_shown_on_request(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("facts", "h100 sxm", "bf16", "--all", "--quotes", kb=kb)
        assert result.output == lines("""
        peak compute
          989 TFLOPS    BF16, dense, per chip · 2026-08 · datasheets:12
                        "The H100 SXM has a dense BF16 peak of 989 TFLOPS, and 1,979 TFLOPS with sparsity."
          1,979 TFLOPS  BF16, 2:4 sparsity, per chip · datasheets:12
                        "The H100 SXM has a dense BF16 peak of 989 TFLOPS, and 1,979 TFLOPS with sparsity."
          1,000 TFLOPS  BF16, dense, per chip · datasheets:15
                        deprecated: rounded up
                        "Some write 1,000 TFLOPS for the dense BF16 peak of the H100 SXM."
        """)

    def test_a_figure_that_is_not_preferred_says_why(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        assert chipwise("facts", "A100", "memory", kb=kb).output == lines("""
        memory capacity
          40 GB  per chip · datasheets:20
                 normal: the first edition
        """)

    def test_in_a_narrow_terminal_the_place_stands_below(
        self, chipwise: Chipwise, kb: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "36")
        assert chipwise("facts", "v5p", "memory", kb=kb).output == lines("""
        memory capacity
          95 GiB  usable, per chip · 2026 ·
                  datasheets:21
        """)

    @pytest.mark.parametrize("command", ["h100 sxm memory", "h100-sxm memory_capacity", "memory of the H100 SXM"])
    def test_names_are_understood_in_any_order(self, chipwise: Chipwise, kb: KnowledgeFolder, command: str) -> None:
        expected = "memory capacity\n  80 GB  per chip, HBM3 · datasheets:16\n"
        assert chipwise("facts", command, kb=kb).output == expected
        assert chipwise("facts", *command.split(), kb=kb).output == expected

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["frobnicator"], "no fact about Frobnicator\n"),
            (["v5p", "link"], "no fact about TPU v5p: link bandwidth; there are others about TPU v5p\n"),
            (["v5p", "fp8"], "no fact about TPU v5p: FP8; there are others about TPU v5p\n"),
            (["gpu"], "no fact about GPU; there are others about H100 SXM, H100 PCIe, H200, A100\n"),
        ],
    )
    def test_known_names_without_a_fact_end_with_one(
        self, chipwise: Chipwise, kb: KnowledgeFolder, words: list[str], said: str
    ) -> None:
        result = chipwise("facts", *words, kb=kb)
        assert (result.exit_code, result.output) == (1, said)

    def test_an_unknown_name_is_an_error_with_the_nearest(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("facts", "h1000", kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "error: nothing is called 'h1000'\nhelp: did you mean H100 or H200 or A100?\n"
        assert "help: `chipwise facts` lists" in chipwise("facts", "qwertyuiop", kb=kb).stderr

    @pytest.mark.parametrize(
        ("words", "named"),
        [
            (["zephyr x1"], "zephyr x1"),
            (["zephyr x1", "acme"], "zephyr x1"),
            (["h200 zephyr x1 memory"], "zephyr x1"),
            (["h200", "zephyr", "x1"], "zephyr"),
        ],
    )
    def test_an_unknown_name_of_several_words_is_named_whole(
        self, chipwise: Chipwise, kb: KnowledgeFolder, words: list[str], named: str
    ) -> None:
        assert chipwise("facts", *words, kb=kb).stderr.startswith(f"error: nothing is called {named!r}\n")

    def test_json_has_all_slots(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        value = json.loads(chipwise("facts", "v5p", "memory", "--json", kb=kb).stdout)
        (fact,) = value.pop("facts")
        assert value == {
            "schema": "chipwise.facts/1",
            "subjects": ["v5p"],
            "metrics": ["memory_capacity"],
            "left_out": 0,
        }
        citation = fact.pop("citation")
        assert fact == {
            "id": "v5p-memory",
            "subject": "v5p",
            "metric": "memory_capacity",
            "value": "95",
            "unit": "GiB",
            "dimension": "information",
            "low": 95 * 2**30,
            "high": 95 * 2**30,
            "bound": "exact",
            "qualifiers": {"aggregation": "chip", "capacity": "usable"},
            "baseline": "",
            "modality": "specified",
            "rank": "preferred",
            "reason": "",
            "as_of": "2026",
            "row": "chips.csv:18",
        }
        assert (citation["source"], citation["line"]) == ("datasheets", 21)
        assert json.loads(chipwise("facts", "--json", kb=kb).stdout)["subjects"][0] == {
            "subject": "h100-sxm",
            "name": "H100 SXM",
            "facts": 7,
        }


def test_the_digest_of_a_fact_is_shown_where_it_is_no_source(chipwise: Chipwise, kb: KnowledgeFolder) -> None:
    value = json.loads(chipwise("facts", "h100 sxm", "memory", "--json", kb=kb).stdout)
    cited = [fact["citation"] for fact in value["facts"]]
    shown = chipwise("show", "datasheets", kb=kb)
    assert shown.exit_code == 0
    assert shown.stderr.startswith("note: datasheets is not a source in this knowledge base")
    assert cited
    assert all(c["quote"] in shown.stdout.splitlines()[c["line"] - 1] for c in cited)
    assert chipwise("show", "datasheets#1", kb=kb).exit_code == 2


def test_what_an_empty_knowledge_base_keeps_is_told_by_help(chipwise: Chipwise) -> None:
    said = " ".join(chipwise("init", "--help").output.split())
    assert "answers quote only your documents" in said
    assert "still use the shipped facts table" in said
