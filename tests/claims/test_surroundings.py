"""What stands around a figure, in its row, heading, list or bracket, that makes something else of it."""

from __future__ import annotations

import pytest

from .texts import figures

DOUBTED = [
    ("| Chip | Price | Run |\n|---|---|---|\n| Gaudi 3 (8x) | $32.77/hr | all |\n", "$32.77", "all 8"),
    ("| GPU | GPU Count | VRAM (GB) |\n|---|---|---|\n| B200 SXM | 8 | 1,536 |\n", "1,536", "all 8"),
    ("## A100\n\n- 40 GB or 80 GB of HBM2e\n", "40 GB", "one of two"),
    ("The network of the HGX H100 was measured at 390 GB/s.", "390 GB/s", "what was run"),
    ("## RTX 4090\n\n| Model | VRAM | tokens/s |\n|---|---|---|\n| Llama 3 8B | 9 GB | 120 |\n", "9 GB", "Llama 3 8B takes"),
    ("| NVLink | GPU | Bandwidth |\n|---|---|---|\n| NVLink 3.0 | A100 | 50 GB/s |\n", "50 GB/s", "of the link (NVLink"),
    ("| GPU | Price per hour | 12-Month Cost |\n|---|---|---|\n| H100 | $2.10 | $18,000 |\n", "$18,000", "what a month costs"),
    ("# Hall\n\n## Power\n\n**Total cluster (32 DGX H100):**\n\n- Networking: 20 kW\n- Total power: 500 kW\n", "500 kW", ""),
    ("| Model | GPU | VRAM |\n|---|---|---|\n| [acme/phix-4x2](https://x.org) | NVIDIA L4 | ~9 GB |\n", "9 GB", "takes"),
    ("| GPU | Instance type | Price per hour |\n|---|---|---|\n| V100 | p3.8xlarge | $12.24 |\n", "$12.24", "whole instance"),
    ("Loading it on the H100 consumes 50 GB of VRAM, and with 8 GPUs it amounts to 400 GB.", "400 GB", ""),
    ("* 4 x custom Ampere A100 GPU 64GB HBM2\n", "64GB", "another one"),
    ("Each instance comes with one Nvidia V100 GPU and 10Gbps Ethernet.", "10Gbps", "what holds it"),
    ("## RTX 3090\n\n- 20.213 GiB\n", "20.213 GiB", "in use"),
    ("The L40S has 91.6 FP32 TFLOPS, but its FP16 peak is 366 TFLOPS (less than H100's 989, more than A100's 312).", "312", "in which format"),
    ("The GB200 NVL72 is roughly 2 times more expensive than the H100.", "2 times", "of a price"),
    ("| GPU | CUDA cores | TENSOR cores / matrix cores |\n|---|---|---|\n| H100 | 16896 | 528 |\n", "528", "one kind of core"),
    ("| Name | vCPU | Memory (GiB) | GPU |\n|---|---|---|---|\n| p4d.24xlarge | 96 | 1152 | 8 x A100 |\n", "1152", "the host's"),
    ("An aggregate of 400 GB/s per DGX H100, as much as its intra-node NVLink (900GB/s).", "900GB/s", "of one of 8 chips"),
    ("The RTX 5090 also uses GDDR7, at a speed of 28Gbps.", "28Gbps", "one pin"),
    ("## A100 SM architecture\n\n- 192 KB of L1 cache in the A100\n", "192 KB", "of one SM"),
    ("## Napkin numbers\n\nThe H100 SXM has 3 TB/s of memory bandwidth.", "3 TB/s", "rough figure"),
    ("The H100 does 3.9 PFLOP/s in FP8 and 1.9 PFLOP/s in FP16 on one H100 SXM5.", "3.9 PFLOP/s", "H100 SXM only"),
    ("Questions on the A100:\n\n- (a) 0.083 FLOP/byte of arithmetic intensity on the A100\n", "0.083 FLOP/byte", "several answers"),
    ("10 hours on a p5.48xlarge ($348) for the last run.", "$348", "all those hours"),
    ("The A100 needs ~14 TB/s of memory bandwidth for peak performance.", "14 TB/s", "what is needed"),
    ("Results for the B200 with a 1,000 W power supply.", "1,000 W", "a machine"),
    ("Each H200 node has 2 TB of RAM.", "2 TB", "which machine"),
    ("The GPU server has 8x H100 80 GB HBM3.", "80 GB", "of one H100"),
    ("The job requires eight A100s with 80 GB of memory each.", "80 GB", "asked for"),
    ("- 2x H100 SXM GPUs with at least 80 GB of VRAM each", "80 GB", "asked for"),
    ("For an H200 node it is best to request 256 GB per H200.", "256 GB", "request"),
    ("We test **8x H200 + 16x 200Gb/s EFA** with each GPU connected to two **200 Gb/s EFA** network cards.", "200 Gb/s", "each gpu"),
    ("Memory of at least 80 GB (e.g., 8 x A100-80GB).", "80GB", "one A100"),
    ("The A100 decodes more slowly than Cerebras Cloud (1,800 tokens/s).", "1,800 tokens/s", "Cerebras Cloud"),
    ("H100 prices (AWS, GCP, Azure) are at $2.50 per hour.", "$2.50 per hour", "which cloud"),
    ("The B200 SXM may reach 1745 TFLOPS (BF16) out of a 2250 TFLOPS spec.", "1745 TFLOPS", "a part of"),
    ("The TPU v6e ran out of HBM (4 GiB over).", "4 GiB", "over"),
    ("## MI300X\n\n- Parameter memory: 26 GB per GPU (ZeRO-3 shard)\n", "26 GB", "zero-3"),
    ("## L40S\n\n- FP16: 140 GB (70B model)\n", "140 GB", "a model takes"),
    ("The H100 SXM requires a price of $3.10 per hour.", "$3.10 per hour", "requires"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written", "reason"), DOUBTED, ids=[written for _, written, _ in DOUBTED])
def test_what_makes_something_else_of_a_figure_is_told(text: str, written: str, reason: str) -> None:
    found = [c for c in figures(text) if c.subject and text[c.value_start : c.value_end].startswith(written)]
    assert all(c.doubt and reason in c.doubt for c in found), [c.doubt for c in found]
    assert found or not reason


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("| GPU | VRAM | Model |\n|---|---|---|\n| RTX 4090 | 24 GB | Llama 3 8B |\n", "24 GB"),
        ("| GPU | Bandwidth |\n|---|---|\n| H200 | 4.8 TB/s |\n", "4.8 TB/s"),
        ("| GPU | Price per hour | 12-Month Cost |\n|---|---|---|\n| H100 | $2.10 | $18,000 |\n", "$2.10"),
        ("# Hall\n\n**DGX H200:**\n\n- Memory: 1,128 GB\n", "1,128 GB"),
        ("| GPU | GPU Count | VRAM (GB) |\n|---|---|---|\n| L4 | 1 | 24 |\n", "24"),
        ("The H100 SXM has 80 GB or more.", "80 GB"),
        ("The DGX H100 has 2 TB of system memory.", "2 TB"),
        ("On request, the H200 has 141 GB of memory.", "141 GB"),
        ("As requested by many, the L4 has 24 GB.", "24 GB"),
        ("On AWS an H100 costs $6.88 an hour.", "$6.88"),
        ("The MI300X needs 750 W and delivers 1,307 TFLOPS in FP16.", "1,307 TFLOPS"),
        ("The H100 has 80 GB of memory; the H100 PCIe is a card.", "80 GB"),
        ("The H100 has 80 GB of memory, unlike the H100 NVL.", "80 GB"),
        ("## H100 specifications: SMs, caches, memory\n\nThe H100 has 80 GB of HBM3.", "80 GB"),
        ("## Realistic performance\n\nThe H100 SXM has 80 GB of HBM3.", "80 GB"),
        ("The MI300X has 192 GB of unified memory.", "192 GB"),
        ("| Name | vCPU | RAM | Memory | GPU |\n|---|---|---|---|---|\n| A | 16 | 64 GB | 24 GB | L4 |\n", "24 GB"),
    ],
)
def test_what_says_the_same_as_the_claim_is_no_reason_to_doubt_it(text: str, written: str) -> None:
    found = [c for c in figures(text) if text[c.value_start : c.value_end].startswith(written)]
    assert found
    assert not any(c.doubt for c in found), [c.doubt for c in found]


def test_a_format_in_the_heading_holds_where_a_row_or_a_sentence_states_none() -> None:
    text = "# Chips\n\n## Peaks (BF16, dense)\n\n| Chip | Peak TFLOPS |\n|---|---|\n| TPU v4 | 275 |\n\n## FP8\n\nThe H100 SXM peaks at 1,979 TFLOPS. In BF16 it peaks at 989 TFLOPS.\n"
    stated = {c.quantity.middle / 1e12: dict(c.qualifiers) for c in figures(text) if c.quantity}
    assert (stated[275]["dtype"], stated[275]["sparsity"]) == ("bf16", "dense")
    assert (stated[1979]["dtype"], stated[989]["dtype"]) == ("fp8", "bf16")


def test_the_heading_of_an_estimate_estimates_no_built_in_figure() -> None:
    text = "# Plans\n\n## Training estimate\n\nThe MI300X has 192 GB of memory, which leaves some room.\n"
    assert {c.modality.value for c in figures(text)} == {"specified"}
    assert {c.modality.value for c in figures("The trn2.48xlarge rents at $40 per hour (est.).")} == {"estimated"}


def test_what_would_be_even_with_a_figure_is_supposed() -> None:
    (claim,) = figures("Even with 96 GiB of memory, the AWS Trainium1 would be too small.")
    assert claim.modality.value == "hypothetical"


def test_a_heading_that_is_a_form_tells_the_variant() -> None:
    text = "# H100 prices\n\n## PCIe version\n\n- The H100 costs $25,000.\n\n## Others\n\n- The H100 costs $30,000.\n"
    assert [c.subject for c in figures(text)] == ["nvidia-h100-pcie", "nvidia-h100"]


@pytest.mark.parametrize("header", ["Approx. FP16 TFLOPS", "~FP16 TFLOPS", "FP16 TFLOPS (approx.)"])
def test_what_a_header_calls_rough_is_as_wide_as_what_a_sentence_does(header: str) -> None:
    (told,) = figures("The A100 peaks at ~300 TFLOPS in FP16.")
    (found,) = figures(f"| GPU | {header} |\n|---|---|\n| A100 | 300 |\n")
    assert (found.metric, found.doubt) == (told.metric, told.doubt) == ("peak_compute", "")
    assert told.quantity is not None
    assert found.quantity is not None
    assert (found.quantity.bound, found.quantity.low, found.quantity.high) == (
        told.quantity.bound,
        pytest.approx(told.quantity.low),
        pytest.approx(told.quantity.high),
    )
