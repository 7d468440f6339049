"""Peaks of matrix and of vector units: like beside like, and which of two is meant where the question names none."""

from __future__ import annotations

from functools import partial

import pytest

from chipwise.answering.answer import Told, written
from chipwise.answering.parse import understand
from chipwise.answering.query import Wish
from chipwise.answering.sums import work_out
from chipwise.lookups.compare import Comparison, compare
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import answered, index_on, row_of, told_by_facts

SAID = {
    "mi250-matrix": "The matrix FP64 peak of the MI250 is 90.5 TFLOPS.",
    "mi250-vector": "The vector FP64 peak of the MI250 is 45.3 TFLOPS.",
    "v100s-fp64": "The V100S has an FP64 peak of 8.2 TFLOPS.",
    "h100-matrix": "The H100 SXM reaches 66.9 TFLOPS of FP64 on tensor cores.",
    "h100-fp64-vector": "The vector units of the H100 SXM reach 33.5 TFLOPS of FP64.",
    "h100-bf16": "The H100 SXM has a dense BF16 peak of 989 TFLOPS.",
    "h100-bf16-vector": "The vector units of the H100 SXM reach 133.8 TFLOPS of BF16.",
    "h100-memory": "The memory bandwidth of the H100 SXM is 3.35 TB/s.",
    "a100-fp16": "The A100 reaches 312 TFLOPS of dense FP16 on tensor cores.",
    "a100-vector": "The vector units of the A100 reach 78 TFLOPS of FP16.",
    "t4-fp16": "The T4 has an FP16 peak of 65 TFLOPS.",
    "radeon-fp16": "The vector units of the RX 7900 XT reach 103 TFLOPS of FP16.",
    "radeon-fp32": "The vector units of the RX 7900 XT reach 51.48 TFLOPS of FP32.",
    "h100-fp32": "The H100 SXM has an FP32 peak of 67 TFLOPS.",
    "mi300x-fp32": "The matrix FP32 peak of the MI300X is 163.4 TFLOPS.",
}
row = partial(row_of, SAID)
PEAK = {"metric": "peak_compute", "unit": "TFLOPS", "basis": "peak"}
FP64, FP32, FP16, BF16 = (PEAK | {"dtype": dtype} for dtype in ("fp64", "fp32", "fp16", "bf16"))
MATRIX, VECTOR = {"engine": "matrix"}, {"engine": "vector"}

index = index_on(
    SAID.values(),
    csv_of(
        row("mi250-matrix", "amd-mi250", value="90.5", **FP64, **MATRIX),
        row("mi250-vector", "amd-mi250", value="45.3", **FP64, **VECTOR),
        row("v100s-fp64", "nvidia-v100s", value="8.2", **FP64),
        row("h100-matrix", "nvidia-h100-sxm", value="66.9", **FP64, **MATRIX),
        row("h100-fp64-vector", "nvidia-h100-sxm", value="33.5", **FP64, **VECTOR),
        row("h100-bf16", "nvidia-h100-sxm", value="989", sparsity="dense", **BF16),
        row("h100-bf16-vector", "nvidia-h100-sxm", value="133.8", sparsity="dense", **BF16, **VECTOR),
        row("h100-memory", "nvidia-h100-sxm", "memory_bandwidth", "3.35", "TB/s"),
        row("a100-fp16", "nvidia-a100", value="312", sparsity="dense", **FP16, **MATRIX),
        row("a100-vector", "nvidia-a100", value="78", sparsity="dense", **FP16, **VECTOR),
        row("t4-fp16", "nvidia-t4", value="65", **FP16),
        row("radeon-fp16", "amd-rx-7900-xt", value="103", **FP16, **VECTOR),
        row("radeon-fp32", "amd-rx-7900-xt", value="51.48", **FP32, **VECTOR),
        row("h100-fp32", "nvidia-h100-sxm", value="67", **FP32),
        row("mi300x-fp32", "amd-mi300x", value="163.4", **FP32, **MATRIX),
    ),
)


def compared(index: OpenIndex, *subjects: str, dtype: str) -> Comparison:
    return compare(index.store, index.names, subjects, metrics=["peak_compute"], dtype=dtype)


def ranked(index: OpenIndex, question: str) -> list[str]:
    """The figures of a ranking, as the table writes them, in its order."""
    found = told_by_facts(index, question)
    return [f.value for f in found.facts] if found is not None else []


def test_of_two_that_have_both_the_matrix_rates_stand_in_a_row_that_says_so(index: OpenIndex) -> None:
    (line,) = compared(index, "amd-mi250", "nvidia-h100-sxm", dtype="fp64").rows
    assert [number for number in line.numbers if number] == ["90.5", "66.9"]
    assert "matrix" in line.words


def test_beside_a_chip_that_names_no_units_in_fp64_stands_a_vector_rate(index: OpenIndex) -> None:
    (line,) = compared(index, "amd-mi250", "nvidia-v100s", dtype="fp64").rows
    assert [number for number in line.numbers if number] == ["45.3", "8.2"]
    assert "vector" not in line.words  # which only one of the two states


def test_a_vector_rate_is_never_set_beside_a_matrix_rate(index: OpenIndex) -> None:
    found = compared(index, "nvidia-a100", "amd-rx-7900-xt", dtype="fp16")
    (line,) = found.rows
    assert line.filled == 1
    assert any("left out" in note.text and "vector" in note.text for note in line.notes) or found.empty


def test_an_fp32_rate_without_a_name_is_of_the_vector_units(index: OpenIndex) -> None:
    (line,) = compared(index, "nvidia-h100-sxm", "amd-rx-7900-xt", dtype="fp32").rows
    assert [number for number in line.numbers if number] == ["67", "51.48"]
    (line,) = compared(index, "nvidia-h100-sxm", "amd-mi300x", dtype="fp32").rows
    assert line.filled == 1


def test_an_fp16_rate_without_a_name_stands_beside_that_of_matrix_units(index: OpenIndex) -> None:
    (line,) = compared(index, "nvidia-a100", "nvidia-t4", dtype="fp16").rows
    assert [number for number in line.numbers if number] == ["312", "65"]


def test_a_peak_in_fp64_is_told_for_both_kinds_of_units(index: OpenIndex) -> None:
    text = answered(index, "What is the FP64 peak of the MI250?")
    assert "90.5 TFLOPS (FP64, matrix" in text
    assert "45.3 TFLOPS (FP64, vector" in text


@pytest.mark.parametrize(
    ("question", "value", "not_told"),
    [
        ("What is the FP64 peak of the MI250 on its vector units?", "45.3", "90.5"),
        ("What is the FP64 peak of the MI250 on its matrix cores?", "90.5", "45.3"),
        ("How many TFLOPS does the H100 SXM do in BF16 on its tensor cores?", "989", "133.8"),
        ("How many TFLOPS does the H100 SXM do in BF16 on its CUDA cores?", "133.8", "989"),
    ],
)
def test_the_units_that_a_question_names_are_answered_for(
    index: OpenIndex, question: str, value: str, not_told: str
) -> None:
    text = answered(index, question)
    assert f"{value} TFLOPS" in text
    assert f"{not_told} TFLOPS" not in text


def test_the_rate_of_the_matrix_units_goes_first_where_none_are_named(index: OpenIndex) -> None:
    text = answered(index, "What is the FP16 peak of the A100?")
    assert 0 < text.index("312 TFLOPS") < (text.find("78 TFLOPS") % 10_000)


def test_a_ranking_holds_figures_of_one_kind_of_units(index: OpenIndex) -> None:
    assert ranked(index, "Which GPUs have the highest FP16 peak?") == ["312", "65"]
    assert ranked(index, "Which GPUs have the highest FP64 peak on vector units?") == ["45.3", "33.5", "8.2"]
    assert ranked(index, "Which GPUs have the highest FP64 peak on tensor cores?") == ["90.5", "66.9"]


@pytest.fixture
def ridge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that want a ridge point; the vectors of this knowledge base are made up."""
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"ridge": 1.0}))


def test_a_reckoning_takes_the_rate_of_the_matrix_units(index: OpenIndex, ridge: None) -> None:
    question = understand("What is the ridge point of the H100 SXM in BF16?", index.domain)
    found = work_out(question, index)
    assert isinstance(found, Told)
    text = written(found)
    assert "989 TFLOPS" in text
    assert f"{989 / 3.35:.1f}" in text


def test_a_reckoning_in_fp64_says_whose_rate_it_takes(index: OpenIndex, ridge: None) -> None:
    question = understand("What is the ridge point of the H100 SXM in FP64?", index.domain)
    found = work_out(question, index)
    assert isinstance(found, Told)
    assert "66.9 TFLOPS" in written(found)
    assert "matrix" in written(found)
    assert f"{66.9 / 3.35:.2f}" in written(found)


def test_a_reckoning_takes_the_rate_of_the_units_that_are_named(index: OpenIndex, ridge: None) -> None:
    question = understand("What is the ridge point of the H100 SXM in FP64 on its vector units?", index.domain)
    found = work_out(question, index)
    assert isinstance(found, Told)
    assert "33.5 TFLOPS" in written(found)
    assert "= 10 FLOP/byte" in written(found)


def test_both_kinds_of_units_that_a_question_names_are_answered_for(index: OpenIndex) -> None:
    text = answered(index, "What is the FP16 peak of the A100 on tensor cores and on vector units?")
    assert "312 TFLOPS" in text
    assert "78 TFLOPS" in text
