"""Measured rates are answered with the rows that match, and never with those of another chip or model."""

from __future__ import annotations

import pytest

from chipwise.answering.parse import understand
from chipwise.measured.matching import matching
from chipwise.measured.rows import read_measurements
from chipwise.opening import OpenIndex
from chipwise.types import Evidence

from ..asking.tabled_base import index_on
from ..building.test_facts import ROW, csv_of
from ..conftest import ROOT

QUOTE = ROW["quote"]


def test_a_row_is_quoted_as_its_file_has_it() -> None:
    texts: dict[str, str] = {}
    for row in read_measurements():
        path = ROOT / "corpus" / "facts" / "measured" / f"{row.source.file}.csv"
        text = texts.setdefault(row.source.file, path.read_text("utf-8"))
        assert text[row.start : row.start + len(row.text)] == row.text
        assert row.per_chip * row.chips == pytest.approx(row.total)


index = index_on([QUOTE], csv_of(ROW))


@pytest.mark.parametrize(
    ("question", "first", "never"),
    [
        ("tokens/s of the MI300X on Llama 3.1 405B", "MI300X", "H100"),
        ("Llama 2 70B on 8 H100, MLPerf Offline", "24,530 tokens/s", "H200"),
        ("tokens per second of Llama 3.3 70B on one B200 with TensorRT-LLM", "11,147 tokens/s", "GB200"),
        (
            "1 H200 with Llama 3.1 8B at 1000 input and 1000 output tokens: how many tokens/s?",
            "17,744 tokens/s",
            "to 27,911",
        ),
        ("what throughput do people get training DeepSeek-V3 on GB200", "4,018 tokens/s per chip", "TensorRT"),
        ("Llama 2 70B tokens per second on 8 H200 in MLPerf, Offline", "34,860 tokens/s", "H100"),
        ("Llama 2 70B in MLPerf Inference v4.1 on 8 H200", "8 x NVIDIA H200 SXM", "TPU"),
        ("Llama 2 70B on 3 H200 in MLPerf", "No known run has chips 3", "H100"),
        ("what MFU do people reach with a 70B on H200s", "No MFU follows", "H100"),
        ("MFU of Llama 3.1 405B on H100 in FP8", "6 x 405.9 billion parameters x 292 tokens/s", "H200"),
        ("what did dstack measure for Llama 3.1 405B on MI300X at batch 128?", "batch 128", "batch 256"),
        ("images per second of a TPU v5e on Stable Diffusion XL in MLPerf", "1.753 samples/s", "v6e"),
        ("BERT training time on 8 H100 PCIe in MLPerf", "11.12 min", "SXM"),
        ("tokens/s per GPU of Megatron-Bridge on DeepSeek-V3 with GB300", "4,357 tokens/s per chip", "GB200"),
        ("MI300X vs H100 SXM on Llama 2 70B: throughput", "8 x NVIDIA H100 SXM: 24,010", "1 x AMD"),
        ("compare 8 H100 and 8 H200 on Llama 2 70B in MLPerf, Offline", "8 x NVIDIA H200 SXM", "4 x"),
    ],
)
def test_a_measured_rate_is_told_from_its_rows(index: OpenIndex, question: str, first: str, never: str) -> None:
    found = _matching(index, question)
    assert found is not None
    text, quotes = found
    assert first in text
    assert never not in text
    for quote in quotes:
        assert quote.mark is not None
        assert float(quote.quote[slice(*quote.mark)]) > 0


@pytest.mark.parametrize(
    "question",
    ["tokens/s of the MI355X on DeepSeek", "why is Llama 2 70B slow on an H100", "How much memory has an H100?"],
)
def test_what_no_row_has_or_nobody_measures_is_left_to_others(index: OpenIndex, question: str) -> None:
    assert _matching(index, question) is None


def _matching(index: OpenIndex, text: str) -> tuple[str, list[Evidence]] | None:
    asked = understand(text, index.domain)
    return matching(text, asked.metrics, asked.terms, read_measurements(), index.names, index.domain)
