"""Rates that no memory feeds and models that no memory holds; and the generation of a chip, the peaks beside one, ranks."""

from __future__ import annotations

import pytest

from chipwise.types import Finding

from ..building.test_facts import facts
from .test_values import findings

DECODES = "A single RTX 3090 decodes Llama 3 8B in {} at {} tokens/s for one user."
ROWS = "# Speed with Ollama\n\n| GPU | Model | Format | tokens/s |\n|---|---|---|---|\n| RTX 4090 | Llama 3 8B | FP16 | {} |\n"


def found(text: str, codes: str) -> list[Finding]:
    return [f for f in findings({"a": text}, codes, facts()) if f.verdict == "contradiction"]


@pytest.mark.parametrize("text", [DECODES.format("FP16", 95), ROWS.format(140)])
def test_one_sequence_reads_all_weights_for_each_token(text: str) -> None:
    (finding,) = found(text, "CW410")
    assert "tokens/s at most" in finding.explanation


@pytest.mark.parametrize(
    "text",
    [
        DECODES.format("FP16", 50),
        DECODES.format("FP8", 95),
        ROWS.format(55),
        ROWS.format(140).replace("with Ollama", "of a server"),  # of how many sequences is not said
        "An H100 serves Llama 3 8B in FP16 at 12,000 tokens/s at batch size 64.",
        "An RTX 3090 runs a model in FP16 at 95 tokens/s for one user.",
        "Two RTX 3090 decode Llama 3 8B in FP16 at 95 tokens/s for one user.",
    ],
)
def test_what_memory_can_feed_or_what_is_not_said_to_be_of_one_sequence_is_no_error(text: str) -> None:
    assert found(text, "CW410") == []


@pytest.mark.parametrize(
    "text",
    [
        "Llama 3 70B in FP16 fits on one A100 80GB.",
        "A 70B model in FP16 runs on a single 80 GB card.",
        "Mixtral 8x7B in FP16 fits on an 80 GB H100.",
    ],
)
def test_a_model_larger_than_the_memory_that_holds_it_does_not_fit(text: str) -> None:
    assert len(found(text, "CW411")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Llama 3 70B in FP16 does not fit on one 80 GB card.",
        "Llama 3 70B in INT4 fits on one 48 GB card.",
        "Llama 3.1 8B in FP16 fits in 24 GB.",
        "Two 80 GB cards hold Llama 3 70B in FP16.",
        "With tensor parallelism Llama 3 70B in FP16 runs on 80 GB cards.",
        "Llama 3.1 405B in FP8 fits in the 640 GB of one DGX H100.",
        "Llama 3 70B in FP16 runs on a 24 GB card with offloading.",
        "Llama 3 70B fits in 24 GB if it is quantized to 2 bits.",
    ],
)
def test_what_fits_is_denied_split_or_offloaded_is_no_error(text: str) -> None:
    assert found(text, "CW411") == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The RTX 4090 is built on the Ampere architecture.", True),
        ("| GPU | Architecture |\n|---|---|\n| A100 | Hopper |\n| H100 | Hopper |", True),
        ("The H100 is built on the Hopper architecture, the A100 on Ampere.", False),
        ("Unlike Ampere GPUs, the H100 supports FP8. It succeeds the A100 and its Ampere architecture.", False),
        ("The H100 is a step up from the Ampere architecture.", False),
        ("| GPU | Architecture |\n|---|---|\n| B300 | Blackwell |\n| L40S | Ada |", False),
    ],
)
def test_a_chip_is_of_one_architecture(text: str, wrong: bool) -> None:
    assert bool(found(text, "CW701")) is wrong


def test_a_sparse_peak_beside_the_dense_ones_of_its_own_row_or_of_a_list_is_none() -> None:
    head = "| GPU | FP8 TFLOPS | FP16 TFLOPS | BF16 TFLOPS | TF32 TFLOPS |\n|---|---|---|---|---|\n"
    row = head + "| H100 SXM | {} | 989.5 | 989.5 | 494.7 |"
    listed = "- A100: 312 TFLOPS (FP16)\n- H100: 989 TFLOPS (FP16)\n- H200: {} TFLOPS (FP16)\n"
    assert len(found(row.format(3958), "CW207")) == len(found(listed.format("1,979"), "CW207")) == 1
    assert found(row.format(1979), "CW207") == found(listed.format("989"), "CW207") == []
    assert found(f"{listed.format('1,979')}\nThe last is with sparsity.", "CW207") == []


def test_a_rank_is_no_figure_and_ray_tracing_has_peaks_of_its_own() -> None:
    table = (
        "## Ranking by TFLOPS\n\n| Rank | GPU | TFLOPS (FP32) |\n|---|---|---|\n| 1 | A100 | 19.5 |\n| 2 | T4 | 8.1 |\n"
    )
    assert found(table, "CW701") == []
    assert found("| GPU | RT core TFLOPS |\n|---|---|\n| RTX 4090 | 191 |", "CW701") == []
    assert found('```json\n{"name": "L4", "fp32": 30.3, "fp16": 30.3, "fp16_tensor_core": 121}\n```', "CW701") == []
