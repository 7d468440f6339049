"""Figures of a part, of one of many, or of one of several settings, which are no property of what is named."""

from __future__ import annotations

import pytest

from .texts import figures

DOUBTED = [
    ("The A100 gives the next 8 GB of memory to another job.", "8 GB", "a part (next)"),
    ("Checkpointing on the RTX 3090 gives 4.1 GB memory savings.", "4.1 GB", "won or lost"),
    ("The H100 SXM has 4 Tensor Cores per SM.", "4 Tensor Cores", "of a core"),
    ("The GB200 NVL72 has 192 GB of memory.", "192 GB", "one of 72 chips"),
    ("The maximum is reached at a grid size of around 216 SMs for the A100.", "216 SMs", "setting (grid size"),
    ("| Card | TDP (W) | Notes |\n|---|---|---|\n| H100 NVL | 400 | configurable to 350 W |\n", "400", "set otherwise"),
    ("The V100 (SXM2, 16Gb of memory) was cheap in 2020.", "16Gb", "in bytes"),
    (
        "## GH200\n\n| What | Value |\n|---|---|\n| CPU | Grace |\n| Threads | 72 |\n| Clock rate | 3.1 GHz |\n",
        "3.1 GHz",
        "the machine's CPU",
    ),
    (
        "| Path | Measured bandwidth |\n|---|---|\n| Local HBM of the GH200 | 3,700 GB/s |\n| Grace to GH200 | 380 GB/s |\n",
        "380 GB/s",
        "the way to GH200",
    ),
    (
        "| GPUs | Memory | Network |\n|---|---|---|\n| 8 x A100 | 320 GB | 100 Gb/s |\n| 8 x H100 | 640 GB | 400 Gb/s |\n",
        "400 Gb/s",
        "which machine",
    ),
    ("In Llama 3 inference the TPU v4 is 10x faster than the V100's 900 GB/s.", "10x", "another kind"),
]


@pytest.mark.parametrize(("text", "written", "reason"), DOUBTED, ids=[written for _, written, _ in DOUBTED])
def test_what_may_be_of_a_part_is_doubted(text: str, written: str, reason: str) -> None:
    found = [c for c in figures(text) if c.subject and text[c.value_start : c.value_end].startswith(written)]
    assert found
    assert all(reason in c.doubt and bool(c.doubt) == bool(reason) for c in found), [c.doubt for c in found]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("The first H100 had 80 GB of HBM3.", "80 GB"),
        ("A GB200 NVL72 has 13.4 TB of HBM3e.", "13.4 TB"),
        ("In total the v4-128 slice has 2,048 GiB of memory.", "2,048 GiB"),
        ("In the 72-GPU rack each B300 package keeps 288 GB of HBM3e.", "288 GB"),
        ("The H200 was the first 141 GB GPU.", "141 GB"),
        ("The L4 is the last 72 W card.", "72 W"),
        ("| Card | Memory bandwidth |\n|---|---|\n| H200 (up to 700 W) | 4.8 TB/s |\n", "4.8 TB/s"),
        ("With 141 GB of HBM3e vs. 80 GB before, the H200 holds larger models.", "141 GB"),
        ("The H100 NVL has a configurable TDP of up to 400 W.", "400 W"),
        ("The H100 SXM has 528 Tensor Cores.", "528 Tensor Cores"),
        ("| GPU | Clock rate |\n|---|---|\n| H100 SXM | 1.83 GHz |\n", "1.83 GHz"),
    ],
)
def test_what_is_of_all_of_it_is_not(text: str, written: str) -> None:
    found = [c for c in figures(text) if text[c.value_start : c.value_end].startswith(written)]
    assert found
    assert not any(c.doubt for c in found), [c.doubt for c in found]


def test_a_rate_per_link_is_of_a_link_and_a_pcie_link_is_the_hosts() -> None:
    (claim,) = figures("| Chip | ICI BW/link (one-way) |\n|---|---|\n| TPU v4 | 45 GB/s |\n")
    assert (claim.metric, claim.qualifier("direction")) == ("link_bandwidth", "one way")
    (claim,) = figures("The bandwidth of a single PCIe 5.0 link of the H100 is 128 GB/s.")
    assert claim.metric == "pcie_bandwidth"


def test_a_kind_in_the_bracket_of_another_figure_is_that_figures() -> None:
    text = "The MI300X (192 GB) and the MI350X (288 GB HBM3E) match it on memory."
    kinds = {c.subject: c.qualifier("memory_kind") for c in figures(text)}
    assert kinds == {"amd-mi300x": "", "amd-mi350x": "hbm3e"}


def test_what_is_asked_whether_it_is_so_is_not_stated() -> None:
    (claim,) = figures(
        "The page lists the B200 at 192 GB of memory without telling whether that is physical or usable."
    )
    assert claim.qualifier("capacity") == ""


def test_a_choice_of_forms_states_none() -> None:
    text = "| GPU | Memory | Form |\n|---|---|---|\n| A100 80GB | 80 GB | SXM/PCIe |\n| H200 | 141 GB | SXM |\n"
    assert [c.qualifier("form_factor") for c in figures(text)] == ["", "SXM"]


def test_what_converts_an_estimate_is_one() -> None:
    text = "The A100 weighs ~1.5 kg (3.3 lbs)."
    assert {c.quantity.bound for c in figures(text) if c.quantity} == {"about"}


def test_the_title_of_a_document_owns_no_figure_before_it() -> None:
    text = "Those are 8-GPU board figures (2.1 TB of total memory), so that the DGX B300 datasheet remains the source."
    assert not [c for c in figures(text) if c.subject == "nvidia-dgx-b300"]


def test_what_is_to_come_is_no_measure_and_a_bracket_no_place_for_what_stands_behind_it() -> None:
    (claim,) = figures("The above will give you more CPU RAM than the 32 GB of GPU memory of the V100.")
    assert claim.modality.value == "specified"
    (claim,) = figures("Performance per watt (H200: 10x over the A100) counts beside raw throughput.")
    assert claim.metric == "performance_per_watt"


def test_a_plus_makes_a_floor_of_an_estimate() -> None:
    (claim,) = figures("An A100 costs ~$10,000+ to buy.")
    assert claim.quantity is not None
    assert claim.quantity.bound == "at least"


def test_a_maximum_power_is_no_tdp_by_name_and_a_first_token_no_plain_latency() -> None:
    (claim,) = figures("The MI325X has a maximum power of 1000 W.")
    assert (claim.metric, claim.qualifier("power_basis")) == ("tdp", "")
    (claim,) = figures("The time to first token of Llama 3 70B on the H100 was 40 ms.")
    assert claim.metric == "time_to_first_token"


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("The launch price of the RTX 4090 was $1,599.", "purchase_price"),
        ("Gaudi 3 OAM modules are specified at 900 W.", "tdp"),
        ("FP8 on the B200 SXM hits 4.5 PFLOPS dense, 9 PFLOPS if you can exploit sparsity.", "peak_compute"),
        ("The RX 7900 XTX claims 61 TFLOPS of FP32 at the boost clock.", "peak_compute"),
    ],
)
def test_what_is_put_plainly_is_sure(text: str, metric: str) -> None:
    found = figures(text)
    assert found
    assert {(c.metric, c.doubt, c.qualifier("price_terms"), c.attribution) for c in found} == {(metric, "", "", "")}


def test_what_a_run_used_is_nothing_that_a_chip_or_a_machine_has() -> None:
    (claim,) = figures("Results on a DGX A100 with 1x A100 GPU are below.")
    assert "were used" in claim.doubt


@pytest.mark.parametrize(
    "text",
    [
        "If you add a second card, the H100 system has 160 GB of memory.",
        "If you enable overclocking, the RTX 4090 draws 600 W.",
        "The B300 will have more memory than its predecessor, with 288 GB of HBM3e.",
    ],
)
def test_what_is_supposed_or_promised_stays_so(text: str) -> None:
    found = [c for c in figures(text) if c.subject and c.quantity]
    assert found
    assert {c.modality.value for c in found} <= {"hypothetical", "promised"}


def test_what_is_so_whether_or_not_is_stated() -> None:
    (claim,) = figures("Whether for training or serving, the H100 SXM peaks at 989 TFLOPS of dense BF16.")
    assert (claim.qualifier("dtype"), claim.qualifier("sparsity")) == ("bf16", "dense")


def test_what_is_each_gpus_is_no_side_of_a_comparison() -> None:
    text = "The H100 SXM draws roughly double the power per GPU that the H100 PCIe card does."
    assert "gpu" not in {c.baseline for c in figures(text)}


def test_another_matter_has_no_owner_for_a_figure_before_it() -> None:
    text = "The modules cut the power by 66%, though comparisons for the GB300 superchip are missing."
    assert "nvidia-gb300-superchip" not in {c.subject for c in figures(text)}


def test_what_is_each_ones_is_of_a_chip() -> None:
    (claim,) = (c for c in figures("Nodes have 8x B300 SXM6 GPUs (288 GB VRAM each).") if c.metric == "memory_capacity")
    assert claim.qualifier("aggregation") == "chip"
