"""A figure with a format and no density beside the peaks of that format in the shipped table."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from ..building.test_facts import facts
from .test_values import findings


def conflicts(text: str) -> list[Finding]:
    return [f for f in findings({"a": text}, "CW701", facts()) if f.verdict == "contradiction"]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("The H100 does 2,500 TFLOPS in BF16.", "1,979"),  # beyond every variant with sparsity
        ("The H100 does 5,000 TFLOPS in FP16.", "1,979"),
        ("The H100 peaks at 500 TFLOPS in BF16.", "989"),  # called a peak, and no variant's
        ("The H100 does 500 TFLOPS in dense BF16.", "989"),
        ("The MI300X does 3,000 TFLOPS in BF16.", "1,307.4"),
        ("The TPU v5e does 250 TFLOPS in BF16.", "197"),
        ("The H100 does 3,958 TFLOPS in BF16.", "1,979"),  # what it does in FP8 explains nothing
    ],
)
def test_a_figure_beyond_all_peaks_of_its_format_or_called_one_that_none_is_contradicts(
    text: str, nearest: str
) -> None:
    (finding,) = conflicts(text)
    assert nearest in finding.title


@pytest.mark.parametrize(
    "text",
    [
        "A B200 reaches 500 TFLOPS in BF16.",
        "The H100 does 500 TFLOPS in BF16.",
        "The H100 does 1,800 TFLOPS in BF16.",  # of 1,979 with sparsity
        "The MI300X does 1,500 TFLOPS in BF16.",  # more than is dense, less than with sparsity
        "The H100 does 989 TFLOPS in BF16.",
        "The H100 peaks at 1,513 TFLOPS in BF16.",  # its PCIe variant, with sparsity
        "The H100 peaks at 990 TFLOPS in INT4.",  # a format of which nothing is known
        "The H100 does 7,900 TFLOPS in BF16.",  # eight of them
        "Eight H100 do 7,900 TFLOPS in BF16.",
        "The H100 could do 2,500 TFLOPS, were it twice as large.",
    ],
)
def test_a_figure_that_may_be_what_is_reached_or_of_another_variant_or_count_is_no_contradiction(text: str) -> None:
    assert conflicts(text) == []


def test_half_of_a_dense_peak_is_not_explained_by_sparsity() -> None:
    texts = {"a": "The TPU v5p peaks at 459 TFLOPS in dense BF16.", "b": "The TPU v5p peaks at 230 TFLOPS in BF16."}
    (finding,) = findings(texts, "CW101", everything=True)
    assert finding.verdict == "contradiction"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (  # the table has the sparse figure alone
            "The DGX B200 has a dense FP8 peak of 72 PFLOPS.",
            "NVIDIA DGX B200 peak compute disagrees: 72 PFLOPS (dense) against 72 PFLOPS (2:4)",
        ),
        (  # and here both, one of which is as much as two chips' other
            "The B200 SXM has a dense BF16 peak of 4,500 TFLOPS.",
            "NVIDIA B200 SXM peak compute disagrees: 4,500 TFLOPS against 2,250 TFLOPS",
        ),
    ],
)
def test_a_figure_under_another_density_than_the_tables_contradicts(text: str, title: str) -> None:
    (finding,) = conflicts(text)
    assert finding.title == title
    assert "listed as 2:4, not dense" in finding.explanation


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The H100 SXM does 1,979 TFLOPS in BF16.", "in BF16 with 2:4 sparsity; the dense peak is 989 TFLOPS"),
        ("The L40S reaches 1,466 TFLOPS in FP8.", "in FP8 with 2:4 sparsity; the dense peak is 733 TFLOPS"),
        ("The H100 SXM has 3,958 TFLOPS.", "with 2:4 sparsity"),
    ],
)
def test_a_sparse_peak_without_its_label_is_a_finding_of_its_own(text: str, told: str) -> None:
    (finding,) = findings({"a": text}, "CW207", facts())
    assert told in finding.explanation


def test_twice_a_dense_peak_is_told_once_and_its_place_quoted_once() -> None:
    (finding,) = findings({"a": "The H200 does 1,979 TFLOPS in FP16."}, "CW207", facts())
    assert "1,979 TFLOPS is twice the dense FP16 peak of 989 TFLOPS (" in finding.explanation
    assert len(finding.evidence) == len({*finding.evidence}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "The H100 SXM does 989 TFLOPS in BF16.",
        "The H100 SXM does 1,979 TFLOPS in BF16 with sparsity.",
        "The H100 SXM does 1,979 TFLOPS in FP8.",
        "The H100 SXM has 989 TFLOPS.",
        "The TPU v5e does 394 TOPS.",
    ],
)
def test_a_dense_peak_and_one_with_its_label_go_without_saying(text: str) -> None:
    assert findings({"a": text}, "CW207", facts()) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The TDP of the H100 SXM is 70 W.", "10 times apart, a misplaced decimal point?"),
        ("The TDP of the H100 SXM is 21 kW.", "30 times apart"),
        ("The H200 has 14.1 GB of memory.", "10 times apart, a misplaced decimal point?"),
    ],
)
def test_a_figure_of_a_checked_text_that_is_many_times_off_is_the_surest_error(text: str, why: str) -> None:
    (finding,) = conflicts(text)
    assert why in finding.explanation


def test_among_sources_a_figure_that_is_many_times_off_is_an_error_too() -> None:
    texts = {"a": "The TDP of the H100 SXM is 70 W.", "b": "The H100 SXM is popular."}
    assert [f.verdict for f in findings(texts, "CW701", facts())] == ["contradiction"]


SHEET = "| GPU | {head} |\n|---|---|\n{rows}\n"


def sheet(head: str, **rows: str) -> str:
    return SHEET.format(
        head=head, rows="\n".join(f"| {chip.replace('_', ' ')} | {cell} |" for chip, cell in rows.items())
    )


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (sheet("BF16 TFLOPS", L40S="366"), "362"),  # what the table knows of another format
        (sheet("BF16 TFLOPS", RTX_5090="380"), "209.5"),
        (sheet("INT8 TOPS", A100="312"), "624"),
        (sheet("Memory bandwidth", B200="64 TB/s", H100_SXM="3.35 TB/s"), "8.0"),  # eight of them, put as one's
    ],
)
def test_a_cell_of_specifications_that_no_variant_has_contradicts(text: str, right: str) -> None:
    (finding,) = conflicts(text)
    assert right in finding.title


@pytest.mark.parametrize(
    "text",
    [
        sheet("FP16 TFLOPS", RTX_4090="82.6"),  # what its vector units reach: a finding of another kind
        sheet("FP32 TFLOPS", L20="59.8"),  # worked out from another clock than the table's 59.35
        sheet("FP8 TFLOPS", L4="0"),  # nothing known
        sheet("BF16 TFLOPS, measured", L40S="300"),
        sheet("BF16 TFLOPS", H100_PCIe="756", H100="989", L40S="362"),
        sheet("TFLOPS", RTX_4090="83"),
    ],
)
def test_a_cell_that_may_be_of_other_units_or_measured_is_no_contradiction(text: str) -> None:
    assert conflicts(text) == []


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (sheet("BF16 TFLOPS", A100="312", H100_SXM="1979"), "contradiction"),
        (
            sheet("BF16 TFLOPS", A100="312", GH200="1979"),
            "contradiction",
        ),  # of which the table has the dense peak alone
        (sheet("BF16 TFLOPS", H100_SXM="1979"), "unresolved"),
        (sheet("NVFP4 TFLOPS", B200="18000"), "unresolved"),  # a kind of FP4
        (sheet("FP16 TFLOPS", A100="312", H100="989", RTX_4090="82.6"), "contradiction"),
        (sheet("BF16 TFLOPS", V100="125", H100_SXM="1979"), "unresolved"),  # a chip that skips no zeros tells nothing
    ],
)
def test_a_sparse_peak_beside_dense_ones_contradicts(text: str, verdict: str) -> None:
    (finding,) = findings({"a": text}, "CW207", facts())
    assert finding.verdict == verdict


@pytest.mark.parametrize("peak", ["82.6", "330.3"])  # of vector units, and with sums in FP16
def test_a_peak_among_no_dense_ones_that_the_chip_reaches_in_another_way_is_left_alone(peak: str) -> None:
    assert list(findings({"a": sheet("FP16 TFLOPS", RTX_4090=peak)}, "CW207", facts())) == []


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (sheet("INT4 TOPS", A100="1248", H100_SXM="3958", B200="9000"), ["3958", "9000"]),
        (sheet("FP8 TFLOPS", TPU_v4="275", H100_SXM="1979"), ["275"]),
        (sheet("FP64 TFLOPS", Trainium2="181", A100="9.7"), ["181"]),
        (sheet("FP8 TFLOPS", A100="0"), []),
        (sheet("INT8 TOPS", A100="624", V100="62"), []),
    ],
)
def test_a_peak_in_a_format_that_the_chip_lacks_contradicts(text: str, cells: list[str]) -> None:
    found = findings({"a": text}, "CW501", facts())
    assert sorted(f.evidence[0].quote.rsplit("|", 2)[-2].strip() for f in found) == cells
