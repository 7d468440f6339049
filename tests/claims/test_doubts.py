"""Claims that are kept with a doubt: what stands beside their figure may make it one of something else."""

from __future__ import annotations

import pytest

from chipwise.audit.auditing import audit_documents

from .texts import document, figures, shipped

CERTAIN = (
    "With 162 GiB on every TPU7x chip we had headroom.",
    "The H100 SXM has 80 GB of HBM3.",
    "With 141 GB of memory, the H200 holds larger models.",
    "The A100 is made in a 7 nm process.",
    "## H200\n\n- Memory: 141 GB\n- **TDP:** 700 W\n",
    "The TPU v5p is fast. It has 95 GB of HBM per chip.",
    "| GPU | Memory (GB) | Bandwidth, GB/s |\n|---|---|---|\n| H100 | 80 | 3,350 |\n| H200 | 141 | 4,800 |\n",
    "An H100 trains at 52% MFU, the TPU v5p at 58%.",
    "The H100 is fast. It trains at 52% MFU.",
    "As Table 4 and section 3.2 set out [17], the H100 trains at 52% MFU.",
    "The B200 gives a 35% reduction in serving cost against the H200.",
    "In price-performance, the L40S is 1.4 times ahead of the A100.",
    "Believe it or not:\n\n- The H200 has 141 GB of memory.\n",
    "What it won't:\n\n- The H200 has 141 GB of memory.\n",
    "## Custom GPU servers\n\nThe H200 has 141 GB of memory.\n",
    "Against the V100, the A100 holds a 2.3x lead in performance per dollar.",
    "The V100 takes 3.1x longer than the A100 to train BERT.",
    "With 141 GB of HBM3e and 4.8 TB/s of bandwidth, the H200 beats the H100.",
    "The L4 (24 GB of memory, a TDP of 72 W) is smaller than the L40S (48 GB of memory, a TDP of 350 W).",
    "The A100, which rents for $1.20 per hour and draws 400 W, is beaten by the H100.",
    "Over NVLink, the V100 SXM2 reaches its neighbours at 150 GB/s one way.",
    "The L4 is small. It reads from its memory at 300 GB/s.",
    "The A100 exceeds the peak dense BF16 compute of the V100 by a factor of 2.5.",
    "The H100 trains at 12,000 tokens per second per GPU (52% MFU) and the A100 at 4,000 tokens per second per GPU.",
)


@pytest.mark.parametrize("text", CERTAIN)
def test_plain_statements_are_not_doubted(text: str) -> None:
    found = figures(text)
    assert found
    assert {claim.doubt for claim in found} == {""}


DOUBTFUL = {
    "# Costs\n\n- **Cost per H100 per year:** $35,000\n": "a year",
    "The Ryzen host has fast memory. The H100 sits in it.\n\n- **CPU**: AMD Ryzen 9 7950X3D\n- TDP: 170 W\n": "something else",
    "## H100\n\nThe CPU is an EPYC.\n\n- Up to 192 GB of memory\n": "something else",
    "## RTX 3090\n\n- Spare slot: 24 GB of memory\n": "before it",
    "The H100 runs at 1.9 GHz fabric speed.": "behind it",
    "| Line | MFU |\n|---|---|\n| GPUs | 52% |\n| TPUs | 58% |\n": "no product",
    "Each MI250X contains 2 GPUs, where each GPU has a peak memory bandwidth of 1.6 TB/s.": "a part",
    "The T4 is in an instance with 208 GB of host memory.": "a machine",
    "Suppose that an H100 had 100 GB of memory.": "supposition",
    "The H100 does not have 141 GB of memory.": "deny",
    "The H100 reaches 450 tokens per second with vLLM at batch size 32.": "vLLM",
    "## H100\n\n- Utilization: 85-90%\n": "what was run",
    "The H100 reaches a throughput of 450 tokens per second at a batch of 32.": "'32.'",
    "The B200 wins with larger batches and double concurrency, being 57% faster than the H100.": "around it",
    "The H200 is fast. It has NVLink on all sides, 141 GB on its package, and 900 GB/s.": "stands apart",
    "The L4 is small. It reaches 120 TFLOPS.": "number format",
    "| GPU | Hourly price |\n|---|---|\n| A10G - large | $1.50 |\n| T4 | $0.50 |\n": "a variant",
    "| GPU | Batch | Throughput (tokens/s) |\n|---|---|---|\n| A100 | 8 | 2437 |\n| V100 | 8 | 1460 |\n": "Batch 8",
    "| GPU | Shared L1 memory |\n|---|---|\n| A100 | 40 GB |\n| H100 | 80 GB |\n": "over it",
    "| System | GPU memory |\n|---|---|\n| 8 * V100 | 32 GB |\n| 4 * A100 | 80 GB |\n": "one or of all",
    "| GPU | FP16 TFLOPS, peak |\n|---|---|\n| H100 | 1,979* |\n| A100 | 624* |\n": "a note",
    "| GPU | Memory |\n|---|---|\n| GH200 | 96 GB / 144 GB |\n| H100 | 80 GB |\n": "several figures",
    "Example: the H200 has 160 GB of memory.": "it is put as a supposition",
    "Use a TPU v5e or a v6e.\n\n- 32 GB\n- 10 GB\n": "the item does not say of what",
    "## Modified NVIDIA cards\n\n- RTX 4090: 48 GB of memory\n": "it may be of another one",
    "The H200 of a Grace Hopper has an interconnect bandwidth of 900 GB/s via NVLink-C2C.": "it may be of the link to the CPU",
    "Blackwell delivers up to 5x AI inference throughput versus Hopper H100.": "it may be of what is compared with it",
    "The V100 node has an Intel Xeon Gold 6148 at 2.4 GHz.": "it may be of the machine's CPU",
    "It does **not**:\n\n- make the H200 a card with 160 GB of memory\n": "the sentence may deny it",
    "- Training time: 30 to 60 minutes on an RTX 4090\n": "what was run is not said",
    "With it we attain a staggering 64 teraflops of single GPU performance on a V100, over 50% of the hardware peak.": "was reached",
    "The MI300X is large. Each XCD contains 38 Compute Units.": "a part only",
    "Options for the edge: Coral Edge TPU @ 3W": "was set to",
    "| Job | GPU | Duration | On-demand |\n|---|---|---|---|\n| Tuning | A100 | 4 hours | $14.08 |\n| Training | H100 | 16 hours | $111.68 |\n": "a run of",
    "# Build\n\n- GPU: RTX 3090\n\n## System Memory (RAM)\n\n| Property | Value |\n|---|---|\n| Memory bandwidth | 96 GB/s |\n": "host's memory",
    "The MI300X offers 2.4x the memory of an H100.\n\n- The MI300X comes at 40-60% lower cost\n": "whom it compares",
}


@pytest.mark.parametrize(("text", "reason"), DOUBTFUL.items())
def test_what_may_be_of_something_else_is_kept_with_the_reason(text: str, reason: str) -> None:
    doubts = [claim.doubt for claim in figures(text)]
    assert any(reason in doubt for doubt in doubts), doubts


def test_a_doubtful_claim_contradicts_nobody() -> None:
    certain = document("The H100 has 80 GB of memory.", "a.md")
    wrong = "The H100 has 94 GB of memory."
    assert audit_documents([certain, document(wrong, "b.md")], shipped()).contradicts
    doubtful = document("Each board carries an EPYC 9654 and an H100.\n\n- Up to 94 GB of memory\n", "b.md")
    assert not audit_documents([certain, doubtful], shipped()).contradicts


def test_a_listing_makes_no_claims() -> None:
    assert figures("```\nNVIDIA H100 | 72770MiB / 81559MiB\n```\n") == []
    text = "- Run it:\n  ```shell\n  docker run --shm-size=4GB h100\n  ```\n- An H100 has 80 GB of memory.\n"
    assert [text[c.value_start : c.value_end] for c in figures(text)] == ["80 GB"]


@pytest.mark.parametrize(
    ("name", "doubted"),
    [
        ("GeForce RTX 4090 (Ada)", False),
        ("V100 (Volta GV100)", False),
        ("RTX 2080 Ti (Turing TU102)", False),
        ("GeForce RTX 4090 eGPU (AD102)", True),
        ("RTX 4090 (Ada, modified)", True),
    ],
)
def test_a_family_or_a_die_in_brackets_tells_no_variant(name: str, doubted: bool) -> None:
    found = figures(f"| Card | Cores |\n|---|---|\n| {name} | 5,120 CUDA cores |\n", "cores_per_chip")
    assert [bool(c.doubt) for c in found] == [doubted]


def test_a_product_with_the_name_of_a_family_in_its_own_is_not_the_family() -> None:
    table = "| Card | Memory |\n|---|---|\n| RTX PRO 1000 Blackwell | 8 GB |\n| H100 | 80 GB |\n"
    assert {claim.subject for claim in figures(table)} == {"nvidia-h100"}


def test_a_column_of_generations_names_no_subjects() -> None:
    table = (
        "| Link | Bandwidth (GB/s) | For |\n|---|---|---|\n| NVLink 3 | 600 | Ampere |\n| NVLink 4 | 900 | Hopper |\n"
    )
    assert figures(table) == []


def test_a_price_is_hourly_only_where_that_is_said() -> None:
    metrics = {c.metric for c in figures("| GPU | Price |\n|---|---|\n| H200 | $30,000 |\n| H100 | $25,000 |\n")}
    assert metrics == {"purchase_price"}
    metrics = {c.metric for c in figures("| GPU | Price per hour |\n|---|---|\n| H200 | $3.20 |\n| H100 | $2.10 |\n")}
    assert metrics == {"price_per_hour"}


def test_what_was_before_and_what_is_required_are_no_levels() -> None:
    assert [c.value_start for c in figures("## MI325X\n\n- 256 GB of memory (from 192 GB)\n")] == [13]
    assert figures("For the H100, the host should have at least 200 GB of memory available.") == []


def test_a_number_repeats_no_figure_of_nothing() -> None:
    text = "The H100 draws 700 W, 0 W when off, and 650 in my test.\n"
    assert [text[c.value_start : c.value_end] for c in figures(text)] == ["700 W", "0 W"]


@pytest.mark.parametrize(
    "text",
    ["½ H100 chips have 80 GB of memory.\n", "| Chip | Memory |\n|---|---|\n| H100 | ½ GPUs with 80 GB |\n"],
    ids=["sentence", "cell"],
)
def test_part_of_a_chip_is_no_count(text: str) -> None:
    assert [c.qualifiers for c in figures(text)] == [()]
    assert audit_documents([document(text)], shipped()).findings == ()


def test_what_a_property_counts_is_of_the_kind_that_it_names() -> None:
    text = "# Cards\n\n## RTX A5000\n\nA card.\n\n- **CUDA Cores**: 8192\n- **Tensor Cores**: 256\n"
    assert [c.quantity.unit for c in figures(text) if c.quantity] == ["CUDA cores", "tensor cores"]


def test_what_a_column_counts_is_not_what_it_counts_them_per() -> None:
    text = "| GPU | Cores per SM |\n|---|---|\n| H100 PCIe | 128 |\n| A100 | 64 |\n"
    assert "SMs" not in {c.quantity.unit for c in figures(text) if c.quantity}


@pytest.mark.parametrize(
    ("text", "put"),
    [
        ("Each TPU v5e has 16 GB of HBM which will require us to shard.", "specified"),
        ("With these assumptions, since each TPU v5p has 95 GB of HBM, we need 225.", "specified"),
        ("The H200 will have 141 GB of memory.", "promised"),
        ("141 GB of memory is what the H200 will have.", "promised"),
        ("The H100 SXM may reach 800 TFLOPS in dense BF16.", "estimated"),
    ],
)
def test_a_built_in_figure_is_put_as_its_own_clause_says(text: str, put: str) -> None:
    (claim,) = figures(text)[:1]
    assert claim.modality.value == put


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The H100 draws 350 to 700 W.", "of which one, or when"),
        ("The H100 draws 700 W.", ""),
        ("The latency of the A100 was 35 ms.", "what was run"),
        ("The A100 trains at 52% MFU.", ""),
        ("## H100\n\n- SM utilization in its best run: 60%\n", ""),
        ("## H100\n\n- SM utilization in the best run: 60%\n", "what was run"),
    ],
)
def test_ranges_and_tests_without_what_was_run_are_doubted(text: str, reason: str) -> None:
    (claim,) = figures(text)[:1]
    assert (reason in claim.doubt) if reason else not claim.doubt, claim.doubt
