"""Sums of neighbouring sentences: what the figures of a passage rule out is found with every step, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chipwise.audit.auditing import audit_documents
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_bytes
from chipwise.types import Finding

from ..each import each, key
from .test_values import fact, findings


def cases() -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(__file__).with_name("sums.jsonl").read_text("utf-8").splitlines()]


def sums(text: str) -> list[Finding]:
    document = read_bytes(text.encode(), name="note.md", origin="note.md", source_id="note.md")
    return [f for f in audit_documents([document], shipped_domain()).findings if f.code.startswith("CW4")]


@each("case", cases, name=key("text"))
def test_a_sum_is_reported_if_and_only_if_its_figures_do_not_make_it(case: dict[str, object]) -> None:
    assert [f.code for f in sums(str(case["text"]))] == case["codes"]


def test_a_cut_that_the_two_prices_do_not_make_is_shown_with_both_of_them() -> None:
    (finding,) = sums("The H100 used to cost $2.25 an hour.\nIt now costs $1.31, which is 72% less.")
    assert finding.title == "NVIDIA H100: 72% does not match $2.25 an hour and $1.31"
    lines = finding.explanation.splitlines()
    assert lines[0] == f"1 - $1.31 / $2.25 an hour = {100 * (1 - 1.31 / 2.25):.1f}%   [note.md:1, note.md:2]"
    assert lines[1:] == ["claimed: 72%   [note.md:2]", "72% would be the difference as a share of the lower value"]
    assert [e.quote[slice(*e.mark or (0, 0))] for e in finding.evidence] == ["72%", "$2.25 an hour", "$1.31"]


def test_a_total_is_shown_with_the_count_and_the_unit_that_it_should_come_from() -> None:
    (finding,) = sums("Eight GPUs with 80 GB of memory each give the DGX H100 a total of 760 GB.")
    assert finding.title == "760 GB does not follow from Eight GPUs and 80 GB"
    assert finding.explanation.splitlines() == [
        f"Total memory = chips x memory: Eight GPUs x 80 GB = {8 * 80} GB   [note.md:1]",
        "claimed: 760 GB   [note.md:1]",
    ]


def test_a_figure_of_a_sentence_without_a_name_is_of_the_chip_beside_it() -> None:
    (finding,) = sums(
        "The H100 peaks at 989 TFLOPS in dense BF16.\nOur run reached 58% MFU, which is 820 TFLOPS per GPU."
    )
    assert finding.title == "820 TFLOPS does not follow from 989 TFLOPS and 58%"
    assert f"peak x MFU: 989 TFLOPS x 58% = {0.58 * 989:.1f} TFLOPS   [note.md:1, note.md:2]" in finding.explanation


def test_energy_is_shown_in_the_units_that_the_text_uses() -> None:
    (finding,) = sums("Running one V100 at 250 W for 24 hours takes 3.6 kWh.")
    assert finding.title == "3.6 kWh does not follow from 250 W and 24 hours"
    assert f"250 W x 24 hours = {0.25 * 24:g} kWh   [note.md:1]" in finding.explanation


def test_sums_under_different_headings_are_not_put_together() -> None:
    assert sums("# Then\n\nThe H100 cost $2.25 an hour.\n\n# Now\n\nIt costs $1.31, which is 72% less.") == []


@pytest.mark.parametrize(("rate", "codes"), [(150, ["CW401"]), (118, []), (120, [])])
def test_the_peak_of_the_one_chip_of_a_sentence_is_looked_up(tmp_path: Path, rate: int, codes: list[str]) -> None:
    quote = "The TPU v5e peaks at 197 TFLOPS in dense BF16."
    peak = {"metric": "peak_compute", "unit": "TFLOPS", "dtype": "bf16", "sparsity": "dense"}
    facts = fact(tmp_path, quote, subject="google-tpu-v5e", value="197", aggregation="chip", **peak)
    text = f"On the TPU v5e our run reached 60% MFU, which is {rate} TFLOPS per chip."
    assert [f.code for f in findings({"a": text}, "CW401", facts)] == codes
