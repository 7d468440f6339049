"""Sentences that share words with a question and answer another one are no answer."""

from __future__ import annotations

import pytest

from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on

SAID = (
    "PyTorch runs on NVIDIA GPUs and on AMD GPUs without any change.",
    "Gaudi 3 runs PyTorch through a bridge of its own.",
    "TPUs are offered only on Google Cloud.",
    "AMD GPUs are offered by Vultr and by Azure.",
    "The H100 was announced in March 2022.",
    "The Rubin GPU has 36 links with 1,800 GB/s in one direction.",
    "A GPU is the better choice while the architecture of a model changes often.",
    "A TPU suits large and stable training jobs better than anything else.",
    "The H200 is the better choice where decoding is limited by memory bandwidth.",
    "The A100 has 600 GB/s of NVLink 3 bandwidth per GPU.",
    "The V100 has 300 GB/s of NVLink 2 bandwidth per GPU.",
    "Gemini 1.0 was trained on TPU v4 chips by Google.",
    "Many a server with an H100 runs GPT-4.",
    "Goodput is the share of the time of a Gemini job on which the training of Gemini makes progress.",
    "Megatron-LM trained a 22B model on A100 GPUs.",
    "Megatron-LM trained GPT-3 on 96 H100 GPUs.",
    "The B200 reached 99% of linear scaling on 512 chips in the training of GPT-3.",
    "PaLM was trained on 6,144 TPU v4 chips.",
    "Microsoft used 25,000 A100 GPUs in training GPT-4.",
    "The MI350X is air-cooled, and the MI355X is liquid-cooled.",
    "A TPU v5p chip costs 4.20 USD per hour on demand in the list of Google Cloud.",
    "The Gaudi 2 has the better price per token for inference, ahead of the H100.",
)
index = index_on(SAID, csv_of())


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Does Oracle offer AMD GPUs?", "Oracle and AMD"),
        ("Which clouds rent out the Gaudi 3?", "cloud availability"),
        ("What does TSMC charge per wafer for Blackwell?", "NVIDIA Blackwell"),
        ("Can I run PyTorch on Cerebras?", "PyTorch and Cerebras"),
        ("Does Google Cloud rent out AMD GPUs?", "Google Cloud and AMD"),
        ("When did NVIDIA announce Rubin?", "announcement date"),
        ("Which cloud offers Rubin?", "cloud availability"),
        ("BF16 TFLOPS of the A100 and of the V100?", "peak compute"),
        ("Was GPT-3 trained on TPUs?", "what GPT-3 was trained on"),
        ("How many GPUs was GPT-3 trained on?", "what GPT-3 was trained on"),
        ("What does a TPU v5p cost per hour with a 3 year commitment?", "TPU v5p (3-year commitment)"),
        ("Is the H200 air cooled?", "NVIDIA H200"),
        ("Can you write me a CUDA kernel for the H100?", "something to be written or done"),
    ],
)
def test_another_things_answer_is_none(index: OpenIndex, question: str, missing: str) -> None:
    found = index.ask(question)
    assert (found.answered, missing in found.reason) == (False, True)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Gaudi 3 run PyTorch?", "Gaudi 3 runs PyTorch"),
        ("NVLink 3 bandwidth per GPU?", "600 GB/s"),
        ("Is the MI355X liquid cooled?", "the MI355X is liquid-cooled"),
        ("Was GPT-4 trained on A100 GPUs?", "Microsoft used 25,000 A100 GPUs"),
        ("How many chips were used to train PaLM?", "PaLM was trained on 6,144 TPU v4 chips."),
        ("Are TPUs offered on AWS?", "only on Google Cloud"),
        ("Was Gemini trained on NVIDIA GPUs?", "Gemini 1.0 was trained on TPU v4"),
        (
            "My colleague claims that Google trained Gemini on Nvidia GPUs. Correct?",
            "Gemini 1.0 was trained on TPU v4",
        ),
    ],
)
def test_what_is_said_of_both_answers(index: OpenIndex, question: str, answer: str) -> None:
    assert answer in index.ask(question).text


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("When would I choose a TPU over a GPU?", "A TPU suits", "A GPU is the better choice"),
        ("When should I use a GPU instead of a TPU?", "A GPU is the better choice", "A TPU suits"),
        ("Is the H200 better for inference than the H100?", "The H200 is the better choice", "Gaudi 2"),
    ],
)
def test_advice_is_on_the_one_asked_about(index: OpenIndex, question: str, said: str, unsaid: str) -> None:
    text = index.ask(question).text
    assert (said in text, unsaid in text) == (True, False)
