"""Sources against the curated table: what departs from it, and what repeats what it calls wrong (CW7xx)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_values import LESS, MORE, audited, fact, facts, findings


def test_a_source_against_a_preferred_fact_is_a_matter_of_the_record(tmp_path: Path) -> None:
    facts = fact(tmp_path, LESS, aggregation="chip")
    (finding,) = audited({"a": "The H200 has 160 GB of memory per GPU."}, facts).findings
    assert (finding.code, finding.verdict, finding.severity) == ("CW701", "contradiction", "medium")
    assert {e.quote for e in finding.evidence} == {LESS, "The H200 has 160 GB of memory per GPU."}
    assert "t.csv:2" in finding.explanation


def test_a_source_that_agrees_with_the_table_is_no_finding(tmp_path: Path) -> None:
    assert audited({"a": LESS}, fact(tmp_path, LESS, aggregation="chip")).findings == ()


def test_repeating_a_deprecated_figure_is_told_with_the_reason(tmp_path: Path) -> None:
    facts = fact(tmp_path, MORE, value="160", rank="deprecated", reason="a slip of the launch slides")
    (finding,) = audited({"a": MORE}, facts).findings
    assert (finding.code, finding.verdict) == ("CW702", "contradiction")
    assert "a slip of the launch slides" in finding.explanation


def test_a_deprecated_figure_is_held_against_nobody(tmp_path: Path) -> None:
    facts = fact(tmp_path, MORE, value="160", rank="deprecated", reason="a slip of the launch slides")
    assert audited({"a": LESS}, facts).findings == ()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The A100 has a peak of 78 TFLOPS in dense FP16.", ["CW702"]),
        ("The A100 has a peak of 78 TFLOPS in dense FP16 on its tensor cores.", ["CW702"]),
        ("The A100 has a peak of 78 TFLOPS in dense FP16 on its CUDA cores.", []),
        ("The A100 has a peak of 312 TFLOPS in dense FP16.", []),
    ],
)
def test_a_rate_of_the_vector_units_is_no_peak_where_no_units_are_named(
    text: str, codes: list[str], tmp_path: Path
) -> None:
    peak = {"subject": "nvidia-a100", "metric": "peak_compute", "unit": "TFLOPS", "dtype": "fp16", "sparsity": "dense"}
    peak |= {"aggregation": "chip", "basis": "peak"}
    slow = {**peak, "value": "78", "quote": "The vector units of the A100 reach 78 TFLOPS of FP16."}
    made = facts(
        tmp_path,
        {**peak, "value": "312", "engine": "matrix", "quote": "The tensor cores of the A100 reach 312 TFLOPS of FP16."},
        {**slow, "engine": "vector", "rank": "normal"},
        {**slow, "rank": "deprecated", "reason": "a rate of the vector units"},
    )
    assert [finding.code for finding in audited({"a": text}, made).findings] == codes


def test_repeating_a_kind_that_the_table_calls_deprecated_is_told_beside_the_right_one(tmp_path: Path) -> None:
    kind = {"metric": "memory_kind", "unit": ""}
    right, wrong = "The H200 uses HBM3e.", "Some say that the H200 uses HBM4."
    made = facts(
        tmp_path,
        {**kind, "value": "hbm3e", "quote": right},
        {**kind, "value": "hbm4", "quote": wrong, "rank": "deprecated", "reason": "a rumour"},
    )
    (finding,) = audited({"a": "The H200 uses HBM4."}, made).findings
    assert (finding.code, finding.metric) == ("CW702", "memory_kind")
    assert "a rumour" in finding.explanation


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The H200 has no support for FP8.", ["CW501"]),
        ("The H200 supports FP4.", ["CW501"]),
        ("The H200 supports FP8 and INT8.", []),
        ("The H200 has no FP8 in PyTorch yet.", []),
    ],
)
def test_each_of_what_a_fact_lists_is_held_against_its_denial(tmp_path: Path, text: str, codes: list[str]) -> None:
    formats = {"metric": "dtype_support", "unit": ""}
    quotes = "The H200 computes in BF16, FP8 and INT8.", "The H200 has no FP4."
    made = facts(
        tmp_path,
        {**formats, "value": "BF16, FP8 and INT8", "quote": quotes[0]},
        {**formats, "value": "no FP4", "quote": quotes[1]},
    )
    assert [f.code for f in audited({"a": text}, made).findings] == codes


def test_a_fact_that_says_more_than_a_list_is_not_taken_apart(tmp_path: Path) -> None:
    quote = "An old page knows TensorFlow as the one framework of the H200."
    only = {"metric": "framework_support", "unit": "", "value": "only tensorflow", "quote": quote}
    made = facts(tmp_path, {**only, "rank": "deprecated", "reason": "out of date"})
    assert audited({"a": "The H200 supports TensorFlow."}, made).findings == ()


def test_a_figure_that_the_table_has_from_reports_alone_contradicts_nobody(tmp_path: Path) -> None:
    sure = fact(tmp_path, "The H200 has 141 GB of memory.")
    hearsay = fact(tmp_path, "The H200 has 141 GB of memory.", modality="reported")
    assert len(findings({"a": MORE}, "CW701", sure)) == 1
    assert findings({"a": MORE}, "CW701", hearsay) == []


def test_what_a_maker_says_and_a_further_fact_repeats_contradicts_no_other_fact(tmp_path: Path) -> None:
    table = facts(
        tmp_path,
        {"value": "141", "quote": LESS},
        {"value": "160", "quote": MORE, "rank": "normal"},
    )
    manual = f"---\ntitle: Manual\nkind: documentation\n---\n\n{MORE}\n"
    assert audited({"manual": manual}, table).findings == ()
    assert [f.code for f in audited({"manual": manual}, table[:1]).findings] == ["CW701"]


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ("The H200 has up to 141 GB of memory.", []),
        ("The H200 has up to 150 GB of memory.", []),  # GiB, or rounded up
        ("The H200 has up to 282 GB of memory.", ["CW701"]),
        ("The H200 has at least 100 GB of memory.", []),
        ("The H200 has <282 GB of memory.", []),
    ],
)
def test_a_most_is_what_there_is_and_no_number_above_it(tmp_path: Path, said: str, codes: list[str]) -> None:
    known = fact(tmp_path, LESS)
    assert [f.code for f in findings({"a": said}, "CW101 CW701", known)] == codes


def test_the_day_of_a_variant_is_not_that_of_the_chip(tmp_path: Path) -> None:
    known = facts(
        tmp_path,
        {
            "subject": "nvidia-a100-pcie-40gb",
            "metric": "availability_date",
            "value": "2020-06",
            "unit": "",
            "quote": "The A100 PCIe 40GB came in June 2020.",
        },
        {
            "subject": "nvidia-a100-pcie-80gb",
            "metric": "availability_date",
            "value": "2021-06",
            "unit": "",
            "quote": "The A100 PCIe 80GB came in June 2021.",
        },
    )
    assert findings({"a": "The A100 was released in May 2020."}, "CW101 CW105 CW701", known) == []
    told = findings({"a": "The A100 PCIe 80GB was released in May 2020."}, "CW105 CW701", known)
    assert [f.code for f in told] == ["CW701"]


def test_a_documentation_s_words_do_not_hide_the_fact_that_was_read_off_them(tmp_path: Path) -> None:
    known = facts(
        tmp_path,
        {"value": "141", "quote": LESS},
        {"value": "160", "rank": "normal", "reason": "As some list it.", "quote": MORE},
    )
    sheet = f"---\ntitle: A sheet\nkind: documentation\n---\n\n# A sheet\n\n{MORE}\n"
    assert findings({"sheet": sheet, "a": "Each H200 GPU has 160 GB of memory."}, "CW101 CW701", known) == []
