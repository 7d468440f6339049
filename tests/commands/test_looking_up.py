"""What `facts`, `compare`, `find` and `claims` print, to the letter, and how they end."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from chipwise.knowledge import TEXT, KnowledgeBase
from chipwise.store import open_store

from ..conftest import Chipwise
from ..fakes import install
from ..lookups import make, use
from .test_terminal_safety import drives_a_terminal


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The small facts table and one note."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        use(patch)
        yield make(tmp_path_factory.mktemp("lookups"))


def lines(text: str) -> str:
    """An expected output, written with the margin of the test."""
    return textwrap.dedent(text)[1:]


class TestFacts:
    def test_without_a_name_it_lists_what_there_are_facts_about(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
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

    def test_a_chip_has_the_facts_of_its_variants(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("facts", "h100", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
        peak compute
          H100 SXM
            989 TFLOPS    BF16, dense, per chip         2026-08  datasheets:12
            1,979 TFLOPS  BF16, 2:4 sparsity, per chip  datasheets:12
            1,979 TFLOPS  FP8, dense, per chip          datasheets:13
          H100 PCIe
            756 TFLOPS  BF16, dense, per chip  datasheets:14

        memory capacity
          H100 SXM
            80 GB  per chip, HBM3  datasheets:16

        link bandwidth
          H100 SXM
            900 GB/s  both directions, per chip  datasheets:17

        cores
          H100 SXM
            16,896 cores    datasheets:18

        1 deprecated fact left out; --all shows them
        """)

    def test_deprecated_ones_and_quotes_are_shown_on_request(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("facts", "h100 sxm", "bf16", "--all", "--quotes", kb=kb)
        assert result.output == lines("""
        peak compute
          989 TFLOPS    BF16, dense, per chip         2026-08  datasheets:12
                        "The H100 SXM has a dense BF16 peak of 989 TFLOPS, and 1,979 TFLOPS with sparsity."
          1,979 TFLOPS  BF16, 2:4 sparsity, per chip  datasheets:12
                        "The H100 SXM has a dense BF16 peak of 989 TFLOPS, and 1,979 TFLOPS with sparsity."
          1,000 TFLOPS  BF16, dense, per chip         datasheets:15
                        deprecated: rounded up
                        "Some write 1,000 TFLOPS for the dense BF16 peak of the H100 SXM."
        """)

    def test_a_figure_that_is_not_preferred_says_why(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        assert chipwise("facts", "A100", "memory", kb=kb).output == lines("""
        memory capacity
          40 GB  per chip  datasheets:20
                 normal: the first edition
        """)

    def test_in_a_narrow_terminal_the_place_stands_below(
        self, chipwise: Chipwise, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "36")
        assert chipwise("facts", "v5p", "memory", kb=kb).output == lines("""
        memory capacity
          95 GiB  usable, per chip
                  2026  datasheets:21
        """)

    @pytest.mark.parametrize("command", ["h100 sxm memory", "h100-sxm memory_capacity", "memory of the H100 SXM"])
    def test_names_are_understood_in_any_order(self, chipwise: Chipwise, kb: KnowledgeBase, command: str) -> None:
        expected = "memory capacity\n  80 GB  per chip, HBM3  datasheets:16\n"
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
        self, chipwise: Chipwise, kb: KnowledgeBase, words: list[str], said: str
    ) -> None:
        result = chipwise("facts", *words, kb=kb)
        assert (result.exit_code, result.output) == (1, said)

    def test_an_unknown_name_is_an_error_with_the_nearest(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("facts", "h1000", kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "error: nothing is called 'h1000'\nhelp: did you mean H100 or H200 or A100?\n"
        assert "help: `chipwise facts` lists" in chipwise("facts", "qwertyuiop", kb=kb).stderr

    def test_json_has_all_slots(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
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


class TestCompare:
    def test_rows_hold_figures_of_one_kind(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("compare", "h100", "h200", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
                                                          H100          H200        ratio
        peak compute (BF16, dense, per chip), TFLOPS      989 [1:12]    989 [1:19]  1x
        peak compute (FP8, dense, per chip), TFLOPS       1,979 [1:13]  -
        memory capacity (per chip), GB                    80 [1:16]     141 [1:19]  1.76x
        link bandwidth (both directions, per chip), GB/s  900 [1:17]    -

        - H100: of its variants, H100 SXM
        - H200: link bandwidth, both directions: only 450 GB/s (one way, per chip), left out
        - H200: no FP8 (peak compute)
        - 2 rows with a figure for one of them only; --all shows them

        Sources, in brackets with the line:
        [1]  datasheets: Example Press, Datasheets, collected, 2026-08
        """)

    def test_a_note_tells_what_is_converted_left_out_or_not_stated(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        output = chipwise("compare", "h200", "a100", "v5p", kb=kb).output
        for note in (
            "TPU v5p: peak compute, BF16: sparsity not stated",
            "A100: peak compute, BF16: only 624 TFLOPS (BF16, 2:4 sparsity, per chip), left out",
            "TPU v5p: memory capacity, per chip: 95 GiB as cited, 1 GiB = 1.0737 GB",
        ):
            assert f"- {note}\n" in output
        assert "40 [1:20]  102 [1:21]" in output

    def test_a_sparse_figure_beside_one_that_may_be_dense_is_no_comparison(
        self, chipwise: Chipwise, kb: KnowledgeBase
    ) -> None:
        result = chipwise("compare", "a100", "v5p", "--metric", "peak", kb=kb)
        assert result.exit_code == 1
        assert "624 [1:20]  -" in result.output
        assert "- TPU v5p: peak compute, BF16: only 459 TFLOPS (BF16, per chip), left out" in result.output

    def test_a_node_is_not_compared_with_a_chip(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("compare", "dgx h100", "h100 sxm", "--metric", "memory", kb=kb)
        assert result.exit_code == 1
        assert "DGX H100: memory capacity, per chip: only 640 GB (per node of 8), left out" in result.output

    def test_all_adds_what_only_one_has_and_counts_stay_apart(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        output = chipwise("compare", "h100", "v5p", "--all", kb=kb).output
        assert "cores, cores" in output
        assert "cores, TensorCores" in output
        assert "--all" not in output

    def test_one_number_format_can_be_asked_for(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        output = chipwise("compare", "h100", "h200", "--dtype", "BF16", kb=kb).output
        assert "BF16, dense" in output
        assert "FP8" not in output

    def test_a_terminal_too_narrow_for_columns_gets_blocks(
        self, chipwise: Chipwise, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
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
        self, chipwise: Chipwise, kb: KnowledgeBase, arguments: list[str], message: str
    ) -> None:
        result = chipwise("compare", *arguments, kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}\nhelp: ")

    def test_nothing_in_common_ends_with_one(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("compare", "h100", "frobnicator", kb=kb)
        assert (result.exit_code, result.stdout[:18]) == (1, "nothing to compare")

    def test_json_has_the_cells_by_subject(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        value = json.loads(chipwise("compare", "h100", "h200", "--metric", "memory", "--json", kb=kb).stdout)
        (row,) = value.pop("rows")
        assert value == {
            "schema": "chipwise.compare/1",
            "subjects": ["h100", "h200"],
            "notes": ["H100: of its variants, H100 SXM"],
            "left_out": 0,
        }
        assert row["ratio"] == pytest.approx(141 / 80)
        assert {s: c["value"] for s, c in row["cells"].items()} == {"h100": "80", "h200": "141"}
        assert row["cells"]["h100"]["fact"]["citation"]["line"] == 16


class TestFind:
    def test_what_states_it_stands_with_its_counterpart(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("find", "1979", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
        Facts
          1,979 TFLOPS: H100 SXM, peak compute (BF16, 2:4 sparsity, per chip); dense: 989 TFLOPS
            datasheets:12
          1,979 TFLOPS: H100 SXM, peak compute (FP8, dense, per chip)
            datasheets:13

        In documents
          H100 SXM, peak compute: 1 claim in note
        """)

    @pytest.mark.parametrize(
        ("number", "said"),
        [
            ("1.98 PFLOPS", "1,979 TFLOPS = 1.979 PFLOPS: H100 SXM, peak compute (FP8, dense, per chip)"),
            ("989 tflops", "0.989 PFLOPS = 989 TFLOPS: H200, peak compute (BF16, dense, per chip)"),
            ("918", "TPU v5p, peak compute (BF16, per chip)"),
            ("900", "H200, link bandwidth (one way, per chip), both directions together: 2 x 450 GB/s = 900 GB/s"),
            ("312", "A100, peak compute (BF16, 2:4 sparsity, per chip), dense: 624 TFLOPS / 2 = 312 TFLOPS"),
            ("7200 Gbit/s", "900 GB/s = 7,200 Gbit/s: H100 SXM, link bandwidth (both directions, per chip)"),
            ("7200", "H100 SXM, link bandwidth (both directions, per chip), in bits: 8 x 900 GB/s = 7,200 Gbit/s"),
            ("102", "TPU v5p, memory capacity (usable, per chip), 95 GiB x 1.0737 = 102.01 GB"),
            ("1836", "TPU v5p, peak compute (BF16, per chip), 4 chips (v5p-8): 4 x 459 TFLOPS = 1,836 TFLOPS"),
            ("80 GB", "DGX H100, memory capacity (per node of 8), per chip: 640 GB / 8 = 80 GB"),
            ("16.9k", "16,896 cores: H100 SXM, cores"),
        ],
    )
    def test_known_arithmetic_is_shown(self, chipwise: Chipwise, kb: KnowledgeBase, number: str, said: str) -> None:
        result = chipwise("find", number, kb=kb)
        if number == "918":  # twice a figure of a chip that has no sparsity
            assert said not in result.output
        else:
            assert said in " ".join(result.output.split())
            assert result.exit_code == 0

    @pytest.mark.parametrize("number", ["1978", "1980", "1.979 TFLOPS", "1979 GB", "95 GB"])
    def test_what_the_writing_excludes_is_not_found(self, chipwise: Chipwise, kb: KnowledgeBase, number: str) -> None:
        assert "Facts" not in chipwise("find", number, kb=kb).output

    def test_a_long_list_is_cut_unless_all_is_wanted(
        self, chipwise: Chipwise, kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("chipwise_cli.find_command._SHOWN", 1)
        assert "  and 1 more; --all lists them\n" in chipwise("find", "1979", kb=kb).output
        assert "more" not in chipwise("find", "1979", "--all", kb=kb).output

    def test_nothing_known_ends_with_one(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("find", "31,337", kb=kb)
        assert (result.exit_code, result.output) == (1, "nothing known is 31,337\n")

    @pytest.mark.parametrize(
        ("number", "message", "hint"),
        [
            ("many", "'many' is no number", "give one, such as"),
            ("", "'' is no number", "give one, such as"),
            ("1e400", "'1e400' has an exponent", "write it out"),
            ("-5", "'-5' is negative, and no figure is", "give it without its sign"),
            ("-5 TFLOPS", "'-5 TFLOPS' is negative, and no figure is", "give it without its sign"),
            ("5 TFLOPZ", "no unit is called 'TFLOPZ'", "did you mean TFLOPS or PFLOPS?"),
        ],
    )
    def test_what_is_no_number_is_an_error(
        self, chipwise: Chipwise, kb: KnowledgeBase, number: str, message: str, hint: str
    ) -> None:
        result = chipwise("find", number, kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}\nhelp: {hint}")

    def test_an_option_that_find_has_not_is_no_number(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("find", "--al", "5", kb=kb)
        assert result.exit_code == 2
        assert "No such option" in result.stderr

    def test_json_has_facts_arithmetic_and_claims(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        value = json.loads(chipwise("find", "80 GB", "--json", kb=kb).stdout)
        assert (value["schema"], value["low"], value["high"], value["unit"]) == ("chipwise.find/1", 79.5, 80.5, "GB")
        assert [m["fact"]["id"] for m in value["facts"]] == ["h100-sxm-memory"]
        assert [(m["fact"]["id"], m["arithmetic"]) for m in value["derived"]] == [
            ("dgx-h100-memory", "per chip: 640 GB / 8 = 80 GB")
        ]
        assert value["claims"] == [
            {"subject": "h100-sxm", "metric": "memory_capacity", "claims": 1, "sources": ["note"]}
        ]


class TestClaims:
    def test_each_claim_is_a_block_with_its_quote(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("claims", "note", kb=kb)
        assert result.exit_code == 0
        assert result.output == lines("""
        note: A note

        line 5 · H100 SXM · peak compute · 1,979 TFLOPS
            2:4 sparsity
            "The H100 SXM reaches 1,979 TFLOPS with sparsity \ufffd[31mtoday\ufffd[0m."

        line 6 · H100 SXM · memory capacity · 80 GB
            reported
            "Its memory is 80 GB, reportedly."

        2 claims
        """)

    def test_a_file_is_read_and_nothing_of_it_is_stored(
        self, chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path
    ) -> None:
        draft = tmp_path / "draft.md"
        draft.write_text("# Draft\n\nThe H200 has up to 141 GB of memory.\n")
        result = chipwise("claims", str(draft), kb=kb)
        assert "\nline 3 · H200 · memory capacity · 141 GB (at most)\n" in result.output
        assert chipwise("sources", kb=kb).output.endswith("1 sources, 1 passages\n")

    def test_subject_and_metric_narrow_the_list(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        assert chipwise("claims", "note", "--metric", "memory", kb=kb).output.endswith("\n1 of 2 claims\n")
        assert chipwise("claims", "note", "--subject", "h100", kb=kb).output.endswith("\n2 claims\n")
        result = chipwise("claims", "note", "--subject", "h200", kb=kb)
        assert (result.exit_code, result.output) == (1, "note: A note\n\n0 of 2 claims\n")
        result = chipwise("claims", "note", "--metric", "h200", kb=kb)
        assert (result.exit_code, result.stderr.splitlines()[0]) == (2, "error: there is no metric 'h200'")

    def test_an_unknown_source_is_an_error_with_the_nearest(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        result = chipwise("claims", "notes", kb=kb)
        assert result.exit_code == 2
        assert result.stderr == "error: there is no source or file 'notes'\nhelp: did you mean note?\n"

    def test_json_spans_point_into_the_source(self, chipwise: Chipwise, kb: KnowledgeBase) -> None:
        value = json.loads(chipwise("claims", "note", "--json", kb=kb).stdout)
        assert (value["schema"], value["source"]) == ("chipwise.claims/1", "note")
        with open_store(kb.generation_folder(kb.read_seal()) / TEXT) as store:
            text = store.source_text("note")
        for claim in value["claims"]:
            assert text[claim["start"] : claim["end"]] == claim["quote"]
            assert text[claim["value_start"] : claim["value_end"]] == claim["value"]
            assert text.count("\n", 0, claim["start"]) + 1 == claim["line"]
        assert value["claims"][1]["modality"] == "reported"


@pytest.mark.parametrize(
    "arguments",
    [
        ["facts", "\x1b[31mh100"],
        ["facts", "h100", "--quotes"],
        ["compare", "h100", "\x1b]0;x\x07"],
        ["find", "\x1b[2J"],
        ["find", "1979"],
        ["claims", "note"],
        ["claims", "note", "--json"],
        ["claims", "\x1b[31mnote\u202e"],
    ],
)
def test_neither_documents_nor_arguments_drive_a_terminal(
    chipwise: Chipwise, kb: KnowledgeBase, arguments: list[str]
) -> None:
    assert not any(map(drives_a_terminal, chipwise(*arguments, kb=kb).output))


@pytest.mark.parametrize(
    "arguments", [["facts", "h200"], ["compare", "h100", "h200"], ["find", "141"], ["claims", "note"]]
)
def test_a_knowledge_base_without_an_index_is_built_first(
    chipwise: Chipwise, kb: KnowledgeBase, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe H200 has 141 GB of memory.\n")
    chipwise("init", "--empty", kb=tmp_path / "new")
    chipwise("add", str(tmp_path / "note.md"), kb=tmp_path / "new")
    result = chipwise(*arguments, kb=tmp_path / "new")
    assert (result.exit_code, result.stderr) == (0, "")
