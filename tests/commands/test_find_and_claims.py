"""What `find` and `claims` print, to the letter, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder

from ..answering.lookups import lines
from ..conftest import Chipwise


class TestFind:
    def test_what_states_it_stands_with_its_counterpart(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
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
            (
                "900",
                "H200, link bandwidth (one way, per chip), 900 GB/s / 450 GB/s = 2.00: both directions count twice",
            ),
            (
                "312",
                "A100, peak compute (BF16, 2:4 sparsity, per chip), 624 TFLOPS / 312 TFLOPS = 2.00: 2:4 sparsity doubles",
            ),
            ("7200 Gbit/s", "900 GB/s = 7,200 Gbit/s: H100 SXM, link bandwidth (both directions, per chip)"),
            ("102", "TPU v5p, memory capacity (usable, per chip), 95 GiB = 102.01 GB"),
            ("1836", "TPU v5p, peak compute (BF16, per chip), 459 TFLOPS x 4 chips = 1,836 TFLOPS"),
            ("16.9k", "16,896 cores rounds to 16.9k: H100 SXM, cores"),
        ],
    )
    def test_known_arithmetic_is_shown(self, chipwise: Chipwise, kb: KnowledgeFolder, number: str, said: str) -> None:
        result = chipwise("find", number, kb=kb)
        assert said in " ".join(result.output.split())
        assert result.exit_code == 0

    def test_twice_a_figure_of_a_chip_that_has_no_sparsity_is_not_explained(
        self, chipwise: Chipwise, kb: KnowledgeFolder
    ) -> None:
        assert "TPU v5p, peak compute (BF16, per chip)" in " ".join(chipwise("find", "459", kb=kb).output.split())
        assert "TPU v5p, peak compute (BF16, per chip)" not in " ".join(chipwise("find", "918", kb=kb).output.split())

    @pytest.mark.parametrize("number", ["1978", "1980", "1.979 TFLOPS", "1979 GB", "95 GB"])
    def test_what_the_writing_excludes_is_not_found(self, chipwise: Chipwise, kb: KnowledgeFolder, number: str) -> None:
        assert "Facts" not in chipwise("find", number, kb=kb).output

    def test_what_is_just_that_goes_before_what_rounds_to_it(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        output = chipwise("find", "1.98 PFLOPS", kb=kb).output
        assert "rounds to" not in output, "the conversion tells already"
        places = [chipwise("find", n, kb=kb).output.find("rounds to") for n in ("16,896", "16.9k")]
        assert places[0] < 0 < places[1]

    def test_a_long_list_is_cut_unless_all_is_wanted(
        self, chipwise: Chipwise, kb: KnowledgeFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("chipwise_cli.lookup_commands._SHOWN", 1)
        assert "  and 1 more; --all lists them\n" in chipwise("find", "1979", kb=kb).output
        assert "more" not in chipwise("find", "1979", "--all", kb=kb).output

    def test_nothing_known_ends_with_one(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("find", "31,337", kb=kb)
        assert (result.exit_code, result.output) == (1, "no known figure is 31,337\n")

    @pytest.mark.parametrize(
        ("number", "message", "hint"),
        [
            ("many", "'many' is not a number", "give one, such as"),
            ("", "'' is not a number", "give one, such as"),
            ("1e400", "'1e400' is not a number", "give one, such as"),
            ("-5", "'-5' is negative, and no figure is", "give it without its sign"),
            ("-5 TFLOPS", "'-5 TFLOPS' is negative, and no figure is", "give it without its sign"),
            ("5 TFLOPZ", "no unit is called 'TFLOPZ'", "did you mean TFLOPS?"),
        ],
    )
    def test_what_is_no_number_is_an_error(
        self, chipwise: Chipwise, kb: KnowledgeFolder, number: str, message: str, hint: str
    ) -> None:
        result = chipwise("find", number, kb=kb)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}\nhelp: {hint}")

    def test_an_option_that_find_has_not_is_no_number(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("find", "--al", "5", kb=kb)
        assert result.exit_code == 2
        assert "No such option" in result.stderr

    def test_json_has_facts_arithmetic_and_claims(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        value = json.loads(chipwise("find", "80 GB", "--json", kb=kb).stdout)
        assert (value["schema"], value["low"], value["high"], value["unit"]) == ("chipwise.find/1", 79.5, 80.5, "GB")
        assert [m["fact"]["id"] for m in value["facts"]] == ["h100-sxm-memory"]
        assert value["derived"] == [], "what the same chip states needs no arithmetic"
        assert value["claims"] == [
            {"subject": "h100-sxm", "metric": "memory_capacity", "claims": 1, "sources": ["note"]}
        ]


class TestClaims:
    def test_each_claim_is_a_block_with_its_quote(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
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
        self, chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
    ) -> None:
        draft = tmp_path / "draft.md"
        draft.write_text("# Draft\n\nThe H200 has up to 141 GB of memory.\n")
        result = chipwise("claims", str(draft), kb=kb)
        assert "\nline 3 · H200 · memory capacity · 141 GB (at most)\n" in result.output
        assert chipwise("sources", kb=kb).output.endswith("1 source, 1 passage\n")

    def test_a_file_tells_how_many_figures_it_left_out_why_and_which_names_it_does_not_know(
        self, chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
    ) -> None:
        draft = tmp_path / "draft.md"
        said = "The Zorgon X900 has 96 GB of memory. A program needs 20 GB of an H200."
        draft.write_text(f"# Draft\n\n{said}\n\n| Chip | Memory (GB) |\n|---|---|\n| H200 | 141 |\n| Acme A9 | 48 |\n")
        result = chipwise("claims", str(draft), kb=kb)
        last = " ".join(result.output.partition("1 claim\n")[2].split())
        assert last.startswith("3 figures left out: 2 (no known chip is named), 1 (it is a setting, a need,")
        assert "not known: Zorgon X900, Acme A9 (an [[entity]] in domain/entities.toml" in last
        value = json.loads(chipwise("claims", str(draft), "--json", kb=kb).stdout)
        assert [(c["value"], c["line"]) for c in value["left_out"]] == [("96 GB", 3), ("20 GB", 3), ("48", 8)]
        assert value["unknown"] == ["Zorgon X900", "Acme A9"]

    def test_a_file_that_names_no_known_chip_is_no_empty_page(
        self, chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
    ) -> None:
        draft = tmp_path / "draft.md"
        draft.write_text("# Draft\n\nThe Zorgon X900 has 96 GB of memory.\n")
        result = chipwise("claims", str(draft), kb=kb)
        assert result.exit_code == 1
        assert "1 figure left out: 1 (no known chip is named)" in result.output

    def test_subject_and_metric_narrow_the_list(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        assert chipwise("claims", "note", "--metric", "memory", kb=kb).output.endswith("\n1 of 2 claims\n")
        assert chipwise("claims", "note", "--subject", "h100", kb=kb).output.endswith("\n2 claims\n")
        result = chipwise("claims", "note", "--subject", "h200", kb=kb)
        assert (result.exit_code, result.output) == (1, "note: A note\n\n0 of 2 claims\n")
        result = chipwise("claims", "note", "--metric", "h200", kb=kb)
        assert (result.exit_code, result.stderr.splitlines()[0]) == (2, "error: there is no metric 'h200'")

    def test_an_unknown_source_is_an_error_with_the_nearest(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        result = chipwise("claims", "notes", kb=kb)
        assert result.exit_code == 2
        assert result.stderr == "error: there is no source or file 'notes'\nhelp: did you mean note?\n"

    def test_json_spans_point_into_the_source(self, chipwise: Chipwise, kb: KnowledgeFolder) -> None:
        value = json.loads(chipwise("claims", "note", "--json", kb=kb).stdout)
        assert (value["schema"], value["source"]) == ("chipwise.claims/1", "note")
        with open_store(kb.generation_folder(kb.read_seal()) / TEXT) as store:
            text = store.source_text("note")
        for claim in value["claims"]:
            assert text[claim["start"] : claim["end"]] == claim["quote"]
            assert text[claim["value_start"] : claim["value_end"]] == claim["value"]
            assert text.count("\n", 0, claim["start"]) + 1 == claim["line"]
        assert value["claims"][1]["modality"] == "reported"
