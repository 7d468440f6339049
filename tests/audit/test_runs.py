"""Figures that were measured contradict where they are of one run, and are explained by what two runs differ in."""

from __future__ import annotations

import pytest

from .test_values import findings

ONE = "On a single MI300X, Llama 3.1 70B in FP8 with vLLM at batch 64 reaches 3,100 output tokens per second."


@pytest.mark.parametrize(
    ("other", "contradicts"),
    [
        ("With vLLM one MI300X gave us 1,900 output tokens per second on Llama 3.1 70B in FP8 at batch 64.", True),
        ("With vLLM one MI300X gave us 1,900 output tokens per second on Llama 3.1 70B in FP8 at batch 8.", False),
        ("With vLLM one MI300X gave us 1,900 output tokens per second on Llama 3.1 8B in FP8 at batch 64.", False),
        ("With vLLM one MI300X gave us 3,100 output tokens per second on Llama 3.1 70B in FP8 at batch 64.", False),
        ("With vLLM one MI300X gave us 1,900 output tokens per second on Llama 3.1 (70B) in FP8 at batch 64.", True),
        # what stands in brackets behind a model is its size only where it is written as one
        ("With vLLM one MI300X gave 1,900 output tokens/s on Llama 3.1 70B (99.9% accuracy) in FP8 at batch 64.", True),
        ("One MI300X gave us 1,900 output tokens per second.", False),
    ],
)
def test_only_figures_of_one_run_contradict_each_other(other: str, contradicts: bool) -> None:
    found = [f for f in findings({"a": ONE, "b": other}, "CW101") if f.verdict == "contradiction"]
    assert bool(found) is contradicts
    assert all({e.source for e in f.evidence} == {"a", "b"} for f in found)
