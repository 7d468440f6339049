"""Figures that stand at a chip's name and are of something else: of what was run on it, of a part of it, of another sort of thing."""

from __future__ import annotations

import pytest

from chipwise.claims.model import Claim, Modality

from .texts import figures


def figure(text: str, written: str) -> Claim:
    """The one claim of a figure as it is written."""
    found = [c for c in figures(text) if text[c.value_start : c.value_end] == written]
    assert len(found) == 1, found
    return found[0]


REACHED = {
    "The library is now faster, achieving up to 660 TFLOPS on NVIDIA H800 GPUs.": ("660 TFLOPS", "reached on it"),
    "- Performance: 200-300 GB/s on A100; 60-80% of peak memory bandwidth.": ("200-300 GB/s", "reached on it"),
    "They run BF16 on the H100, so they only use 400 TFLOPS.": ("400 TFLOPS", "used of it"),
    "Flip the switch and an RTX 4090 will exceed 30 TFLOPS in FP16.": ("30 TFLOPS", "reached on it"),
    "The theoretical upper bound is 1,200 tokens/s per chip on the H800.": (
        "1,200 tokens/s per chip",
        "not have been measured",
    ),
    "The H100 drew 650 W under 95% GPU utilization.": ("95%", "condition of something else"),
}


@pytest.mark.parametrize(("text", "told"), REACHED.items())
def test_what_a_program_reaches_on_a_chip_is_nothing_that_the_chip_has(text: str, told: tuple[str, str]) -> None:
    written, reason = told
    assert reason in figure(text, written).doubt


@pytest.mark.parametrize(
    "text",
    [
        "The NVIDIA A100 reaches 312 TFLOPS of dense BF16.",
        "The book uses 989 TFLOPS as the dense BF16 peak of the H100.",
        "The BF16 figure is 989 TFLOPS on the H100.",
        "An H100 trains at 52% MFU.",
        "The H200 has 4.8 TB/s of memory bandwidth, of which the kernel uses most.",
    ],
)
def test_what_a_chip_reaches_by_its_rating_is_certain(text: str) -> None:
    assert [c.doubt for c in figures(text)] == [""]


def test_a_share_of_the_bandwidth_is_no_share_of_the_compute() -> None:
    assert figure("The sort reaches 60% of peak memory bandwidth on the A100.", "60%").metric == "bandwidth_utilization"
    assert figure("The H100 reaches 52% of its peak.", "52%").metric == "mfu"


OTHERS = {
    "With a 1,215 MHz (DDR) data rate the A100 is fast.": ("1,215 MHz", "clock of the memory"),
    "This took 13 minutes on Llama 3 70B with an A100.": ("13 minutes", "training"),
    "With EFA the Trn1 has lower latency and 2x the throughput of the P4d.": ("2x", "the network"),
    "# A100\n\nSparsity: A technique that leverages the sparse nature of AI mathematics to double the GPU's performance.": (
        "double",
        "with itself",
    ),
    "## B100\n\n- 2.4x the VRAM vs H100 (192GB vs 80GB)\n": ("192GB", "compared with"),
    "An RTX 4090 rig draws 650 W.": ("650 W", "the rig"),
    "It ran on an RX 7900 XTX + 128 GB RAM.": ("128 GB", "the machine"),
    "AMD GPUs cost $1,000.": ("$1,000", "a whole family"),
    "The TPU v5e has 45 GB/s of ICI bandwidth for each of its 2 axes.": ("45 GB/s", "a part"),
    "It is dearer than the H100, for its power (1,200 W per chip vs 700 W for H100).": ("1,200 W", "another figure"),
    "I can state power figures (DGX H100 ~10 kW, AI racks 40-120 kW).": ("40-120 kW", "another figure"),
}


@pytest.mark.parametrize(("text", "told"), OTHERS.items())
def test_a_figure_at_a_name_may_be_of_something_beside_it(text: str, told: tuple[str, str]) -> None:
    written, reason = told
    assert reason in figure(text, written).doubt


@pytest.mark.parametrize(
    "text",
    [
        "The H100 has a boost clock of 1,980 MHz and the A100 a memory clock of 1,215 MHz.",
        "The H100 draws 700 W and fits any board.",
        "The RTX 4090 costs $1,599.",
    ],
)
def test_its_own_figure_at_a_name_is_certain(text: str) -> None:
    assert figures(text)[0].doubt == ""


def test_what_a_saving_is_written_with_a_minus_is_no_price() -> None:
    text = "The A100 is dear.\n\n- Rent of it ({}$2,500/month)\n"
    assert "added or saved" in figure(text.format("-"), "$2,500/month").doubt
    assert "added or saved" not in figure(text.format(""), "$2,500/month").doubt


def test_a_row_of_a_kind_of_memory_tells_nothing_of_the_chip_that_it_names() -> None:
    kinds = "| Kind | Bandwidth | Year | Used in |\n|---|---|---|---|\n| HBM2 | 256 GB/s | 2016 | V100 |\n"
    assert all("HBM2" in c.doubt for c in figures(kinds))
    own = "| | H100 | H200 |\n|---|---|---|\n| HBM3 | 80 GB | 141 GB |\n"
    assert [c.doubt for c in figures(own)] == ["", ""]


def test_what_is_per_something_that_nobody_knows_is_doubted() -> None:
    assert "per" in figure("The H100 reads 600 GB/s/site from its memory.", "600 GB/s").doubt


def test_the_sort_of_each_card_in_a_machine_is_a_figure_of_each() -> None:
    assert figure("We took a DGX-1 with 8 V100 32GB GPUs.", "32GB").qualifier("aggregation") == "chip"


def test_eight_chips_of_each_instance_are_of_no_other_machine() -> None:
    found = figures("We used p5.48xlarge instances (each instance contains 8 x H100 GPUs).")
    assert "nvidia-hgx-h100" not in {c.subject for c in found if c.metric == "chips_per_node"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("With these assumptions, since each TPU v5p has 96 GB of HBM, we need 225 of them.", "96 GB"),
        ("To run the benchmark on an A100 with 80 GB of memory, call this.", "80 GB"),
        ("The Trn1 has the fastest network, clocked at 800 Gbps.", "800 Gbps"),
        ("The A100 is advertised as 312 TFLOPS in BF16.", "312 TFLOPS"),
    ],
)
def test_what_a_chip_has_is_no_guess_and_no_measurement(text: str, written: str) -> None:
    assert figure(text, written).modality is Modality.SPECIFIED


def test_a_multiple_of_that_of_another_is_of_what_stands_before() -> None:
    text = "The B300's memory is also 2x that of the H200, with memory bandwidth nearly doubled."
    assert figure(text, "2x").metric == "memory_capacity"


def test_who_is_compared_with_one_of_its_own_is_not_stated() -> None:
    text = "72 H100 GPUs are set against 72 others, and NVIDIA claims a 30x speedup of GPUs over NVIDIA GPUs."
    found = [c for c in figures(text) if c.quantity is not None and c.quantity.compares]
    assert found
    assert all(c.doubt for c in found)


def test_a_generation_compared_with_a_product_of_its_own_makes_no_claim() -> None:
    text = "## Blackwell\n\nFor FP4 it has 10x the performance per watt of the GB200."
    assert [c for c in figures(text) if c.quantity is not None and c.quantity.compares] == []


def test_the_half_of_a_machine_holds_not_all_of_its_chips() -> None:
    found = figures("The demo runs on half of a GB200 NVL72 (36x GPUs).")
    assert not [c for c in found if c.metric == "scale_up_domain"]


def test_what_could_be_of_something_is_no_guess_at_how_many_chips_it_has() -> None:
    text = "A GB200 NVL72 with 72 GPUs could cost $3 million."
    assert figure(text, "72 GPUs").modality is Modality.SPECIFIED
    assert figure("The next H100 could have 100 GB of memory.", "100 GB").modality is Modality.ESTIMATED


def test_a_heading_on_inference_says_nothing_of_what_was_trained() -> None:
    text = "## Inference\n\nIt is a model which trained in under 8 hours on an A100.\n"
    assert figure(text, "8 hours").qualifier("workload") != "inference"
