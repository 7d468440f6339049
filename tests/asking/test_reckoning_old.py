"""Answers that are sums: of facts, of figures in the question, or none where an input is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chipwise.figures.amounts import number
from chipwise.asking.givens import ALL, CHIP, givens
from chipwise.asking.question import understand
from chipwise.asking.sums import reckon
from chipwise.domain.files import read_domain
from chipwise.errors import DomainInvalid
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import tabled_base

SAID = {
    "v5p": "The TPU v5p chip peaks at 459 TFLOPS in BF16.",
    "v4": "The TPU v4 chip peaks at 275 TFLOPS in BF16.",
    "pod": "A TPU v5p pod has 8,960 chips.",
    "h100": "The H100 has 80 GB of memory per GPU.",
    "sxm": "The H100 SXM peaks at 989 TFLOPS in dense BF16.",
    "sparse": "The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.",
    "pcie": "The H100 PCIe peaks at 756 TFLOPS in dense BF16.",
    "bandwidth": "The H100 SXM has 3.35 TB/s of memory bandwidth.",
    "watts": "The H100 SXM has a TDP of 700 W.",
    "node": "A DGX H100 has 640 GB of GPU memory.",
    "usable": "The B200 has 180 GB of usable memory.",
    "fitted": "The B200 has 192 GB of fitted memory.",
    "lambda": "Lambda rents the H100 at 2.99 USD per hour on demand.",
    "gcp": "Google Cloud rents the H100 at 11.06 USD per hour on demand.",
    "before": "Google Cloud rented the H100 at 10.80 USD per hour on demand.",
    "v5e": "A TPU v5e costs 1.20 USD per hour on demand.",
    "hgx": "CoreWeave rents a node of eight H200 GPUs at 50.44 USD per hour on demand.",
    "p5": "A p5.48xlarge costs 55.04 USD per hour on demand.",
}
ELSEWHERE = "The MI300X has 192 GB of HBM3 per GPU."
SIX = (
    "The 6ND rule estimates the training compute of a dense transformer as 6 x N x D FLOPs, "
    "where N is the number of parameters and D the number of training tokens."
)


def row(said: str, value: str, **more: str) -> dict[str, str]:
    quote = SAID.get(said, said)
    return (
        ROW
        | {"id": said if said in SAID else "elsewhere", "quote": quote, "value": value, "aggregation": "chip"}
        | more
    )


def prices() -> Iterator[dict[str, str]]:
    price = {"metric": "price_per_hour", "unit": "USD/hour", "modality": "priced", "price_terms": "on-demand"}
    yield row("lambda", "2.99", subject="nvidia-h100", provider="lambda-labs", as_of="2026-03", **price)
    yield row("gcp", "11.06", subject="nvidia-h100", provider="gcp", as_of="2026-09", **price)
    yield row("before", "10.80", subject="nvidia-h100", provider="gcp", as_of="2025-02", **price)
    yield row("v5e", "1.20", subject="google-tpu-v5e", provider="gcp", as_of="2025-02", **price)
    yield row("hgx", "50.44", subject="nvidia-hgx-h200", provider="coreweave", count="8", as_of="2026-09", **price) | {
        "aggregation": "node"
    }
    yield row("p5", "55.04", subject="aws-p5", provider="aws", count="8", as_of="2026-09", **price) | {
        "aggregation": "node"
    }


def table() -> str:
    peak = {"metric": "peak_compute", "unit": "TFLOPS", "dtype": "bf16"}
    sxm, pcie = ({"subject": f"nvidia-h100-{form.lower()}", "form_factor": form} for form in ("SXM", "PCIe"))
    return csv_of(
        row("v5p", "459", subject="google-tpu-v5p", **peak),
        row("v4", "275", subject="google-tpu-v4", **peak),
        row("pod", "8960", subject="google-tpu-v5p-pod", metric="pod_size", unit="chips") | {"aggregation": "pod"},
        row("h100", "80", subject="nvidia-h100"),
        row("sxm", "989", sparsity="dense", **sxm, **peak),
        row("sparse", "1979", sparsity="2:4", **sxm, **peak),
        row("pcie", "756", sparsity="dense", **pcie, **peak),
        row("bandwidth", "3.35", metric="memory_bandwidth", unit="TB/s", **sxm),
        row("watts", "700", metric="tdp", unit="W", **sxm),
        row("node", "640", subject="nvidia-dgx-h100", count="8") | {"aggregation": "node"},
        row("usable", "180", subject="nvidia-b200", capacity="usable"),
        row("fitted", "192", subject="nvidia-b200", capacity="physical"),
        *prices(),
        row(ELSEWHERE, "192", subject="amd-mi300x", source="elsewhere"),
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
    """The shipped domain with a table of a few rows, of whose two sheets the knowledge base holds one, and a primer."""
    folder = tmp_path_factory.mktemp("reckoned")
    digests = {
        "sheet.md": "# A sheet\n\n" + "\n\n".join(SAID.values()) + "\n",
        "elsewhere.md": f"# Another sheet\n\n{ELSEWHERE}\n",
        "mfu.md": f"---\nid: mfu\ntitle: MFU\n---\n\n# MFU\n\n{SIX}\n",
    }
    with tabled_base(folder, digests, table(), held=["sheet.md", "mfu.md"], added={}) as found:
        yield found


def reckoned(index: OpenIndex, question: str) -> tuple[str, list[str]] | None:
    """The text and the quotes of its citations; None where no sum is made."""
    found = reckon(understand(question, index.domain), index.store, index.domain, index.names)
    return None if found is None else (found[0], [c.evidence.quote for c in found[1]])


SUMS = [
    ("What is the combined BF16 peak of eight TPU v5p chips?", f"8 chips x 459 TFLOPS [1] = {8 * 459:,} TFLOPS", ["v5p"]),
    (
        "Peak BF16 compute of a full v5p pod?",
        f"8,960 chips [1] x 459 TFLOPS [2] = {8960 * 459:,} TFLOPS, that is 4.113 EFLOPS",
        ["pod", "v5p"],
    ),
    ("How much memory does an 8-GPU node of H100 have altogether?", f"8 chips x 80 GB [1] = {8 * 80} GB", ["h100"]),
    ("How much memory do eight B200s have together?", f"8 chips x 180 GB [1] = {8 * 180:,} GB", ["usable"]),
    ("How many H100s hold a 405B model at 8 bit?", "405 billion parameters x 8 bits / 8 bits/byte / 80 GB [1] = 5.062, so 6 GPUs", ["h100"]),
    ("What fraction of an H100 SXM's bf16 peak is 400 TFLOPS?", "400 TFLOPS / 989 TFLOPS [1] = 40.44%", ["sxm"]),
    ("My cluster of 256 H100 SXM achieves 90 PFLOPS in bf16. What MFU?", "90 PFLOPS / (256 chips x 989 TFLOPS [1]) = 35.55%", ["sxm"]),
    ("8 GPUs at $2.10/hr per GPU, monthly cost?", "2.10 USD/hour x 8 chips x 730 hours (a twelfth of a year) = 12,264 USD", []),
    ("What memory bandwidth do I need for 400 tok/s of a 70B model in FP8, batch 1?", "400 tokens/s x 70 billion parameters x 8 bits/parameter / 8 bits/byte = 28 TB/s", []),
    ("How many H100 SXM can 5 MW power with a PUE of 1.25?", "5 MW / (700 W [1] x PUE of 1.25) = 5,714, so 5,714 GPUs", ["watts"]),
    ("What do 4 p5.48xlarge nodes cost for 10 days on demand?", "x 55.04 USD/hour [1] x 240 hours (10 days) = 52,838.40 USD", ["p5"]),
    ("What do 64 H100 SXM draw with a PUE of 1.3?", "64 chips x 700 W [1] x PUE of 1.3 = 58.24 kW", ["watts"]),
    (
        "If 8 H100 SXM pull 700 W each, what's the annual electricity cost at $0.10/kWh with a PUE of 1.2?",
        "8 chips x 700 W x PUE of 1.2 x 24 x 365 hours x 0.10 USD/kWh = 5,886.72 USD",
        [],
    ),
    (
        "break even: buying an H100 at $30,000 versus renting it at $2.50 an hour, after how many hours?",
        "30,000 USD / 2.50 USD/hour = 12,000 hours",
        [],
    ),
    ("I was quoted $3.20 per GPU hour for 64 H100s over 6 months. What's the total?", "3.20 USD/hour x 64 chips x 4,380 hours (6 months) = 897,024 USD", []),
    ("Our quote: 8x H100 for $290,000. What's that per GPU?", "290,000 USD / 8 chips = 36,250 USD", []),
    ("Price of 128 TPU v5e chips per hour", "128 chips x 1.20 USD/hour [1] = 153.60 USD/hour", ["v5e"]),
    ("memory of an 8x H100 node", f"8 chips x 80 GB [1] = {8 * 80} GB", ["h100"]),
    ("How many times the BF16 peak of a TPU v4 does a v5p have?", "459 TFLOPS [1] / 275 TFLOPS [2] = 1.67 times", ["v5p", "v4"]),
    ("H100 SXM in BF16: where is the ridge point?", "989 TFLOPS [1] / 3.35 TB/s [2] = 295.2 FLOP/byte", ["sxm", "bandwidth"]),
    ("BF16 compute per byte of memory bandwidth of an H100 SXM?", "989 TFLOPS [1] / 3.35 TB/s [2] = 295.2 FLOP/byte", ["sxm", "bandwidth"]),
    ("How much memory is left on 8 H100 once a 20B model is loaded in BF16?", "8 chips x 80 GB [1] - (20 billion parameters x 16 bits/parameter / 8 bits/byte) = 600 GB", ["h100"]),
    ("A 20B model in BF16 on 8 H100: how much memory is left once the weights are loaded?", "8 chips x 80 GB [1] - (20 billion parameters x 16 bits/parameter / 8 bits/byte) = 600 GB", ["h100"]),
    ("What is the ridge point of an H100 SXM in BF16?", "989 TFLOPS [1] / 3.35 TB/s [2] = 295.2 FLOP/byte", ["sxm", "bandwidth"]),
    ("BF16 TFLOPS per watt of an H100 SXM", "989 TFLOPS [1] / 700 W [2] = 1.413 TFLOPS/W", ["sxm", "watts"]),
    ("If MFU is 46.2% on a TPU v4, how many TFLOPS is that?", "46.2% x 275 TFLOPS [1] = 127.1 TFLOPS", ["v4"]),
    ("What MFU is 400 TFLOPS on an H100 SXM?", "400 TFLOPS / 989 TFLOPS [1] = 40.44%", ["sxm"]),
    ("How many H100s hold a 405B model in BF16?", "8 bits/byte / 80 GB [1] = 10.12, so 11 GPUs", ["h100"]),
    (
        "tokens per dollar of an 8x H100 node at $12 an hour and 3,800 tokens/s per chip",
        "3,800 tokens/s x 8 chips x 3,600 s/hour / 12 USD/hour = 9.12 million tokens per USD",
        [],
    ),
    ("What does an hour of an 8-GPU node at 98.32 dollars come to per GPU?", "98.32 USD / 8 chips = 12.29 USD", []),
    ("At 4.20 USD per chip-hour, what does a slice of 8 v5p chips cost per hour?", "8 chips x 4.20 USD/hour = 33.60 USD/hour", []),
    (
        "What do 16 H100s cost at $2.50 per GPU-hour for a week?",
        f"2.50 USD/hour x 16 chips x 24 x 7 hours = {2.5 * 16 * 24 * 7:,.0f} USD",
        [],
    ),
    ("cost per million tokens at $2 per hour and 4,000 tokens/s", "= 0.1389 USD per million tokens", []),
    (
        "How much would 256 v5e chips cost for 24 hours on demand?",
        f"256 chips x 1.20 USD/hour [1] x 24 hours = {256 * 1.2 * 24:,.2f} USD",
        ["v5e"],
    ),
    (
        "cost of 8 H100 for a week",
        f"Lambda Labs (lowest of 2 providers): 8 chips x 2.99 USD/hour [1] x 24 x 7 hours = {8 * 2.99 * 168:,.2f} USD. "
        f"Google Cloud (highest): 8 chips x 11.06 USD/hour [2] x 24 x 7 hours = {8 * 11.06 * 168:,.2f} USD.",
        ["lambda", "gcp"],
    ),
    ("What do 8 H100 on Google Cloud cost for 3 days?", f"x 72 hours (3 days) = {8 * 11.06 * 72:,.2f} USD", ["gcp"]),
    ("How much is a p5.48xlarge per month?", f"= {55.04 * 730:,.2f} USD", ["p5"]),
    ("rental price of a TPU v5e for a year", f"1.20 USD/hour [1] x 24 x 365 hours = {1.2 * 8760:,.0f} USD", ["v5e"]),
    (
        "How much would 16 H200 on CoreWeave cost for three days?",
        f"16 chips x (50.44 USD/hour [1] / 8 chips) x 72 hours (3 days) = {16 * 50.44 / 8 * 72:,.2f} USD",
        ["hgx"],
    ),
    ("what does one 8x H200 node cost per month on CoreWeave", f"50.44 USD/hour [1] x 730 hours (a twelfth of a year) = {50.44 * 730:,.2f} USD", ["hgx"]),
    ("What do 16 H100s on Google Cloud cost for 3 months?", f"16 chips x 11.06 USD/hour [1] x 2,190 hours (3 months) = {16 * 11.06 * 3 * 730:,.2f} USD", ["gcp"]),
    (
        "cost of a DGX H100 on Google Cloud for a day",
        f"8 chips x 11.06 USD/hour [1] x 24 hours = {8 * 11.06 * 24:,.2f} USD",
        ["gcp"],
    ),
    (
        "tokens per dollar of an 8x H200 node on CoreWeave at 2,000 tokens/s per GPU",
        "2,000 tokens/s x 8 chips x 3,600 s/hour / 50.44 USD/hour [1] = 1,142,000 tokens per USD",
        ["hgx"],
    ),
    ("tokens per dollar of an 8x H100 node at 20000 tokens/s and $98 an hour", "20,000 tokens/s x 3,600 s/hour / 98 USD/hour = 734,700 tokens per USD", []),
    (
        "How much does the electricity of an H100 SXM for a year cost at 0.12 USD/kWh?",
        f"700 W [1] x 24 x 365 hours x 0.12 USD/kWh = {0.7 * 8760 * 0.12:.2f} USD",
        ["watts"],
    ),
    ("how many chips are in 3 v5p pods", f"3 TPU v5p pods x 8,960 chips [1] = {3 * 8960:,} chips", ["pod"]),
    ("BF16 compute of 2 v5p pods", f"= {2 * 8960 * 459:,} TFLOPS, that is 8.225 EFLOPS", ["pod", "v5p"]),
    ("how many H100 for 1.5 TB of memory", "1.5 TB / 80 GB [1] = 18.75, so 19 GPUs", ["h100"]),
    ("How much memory do the weights of a 70B model take in FP8?", "70 billion parameters x 8 bits/parameter / 8 bits/byte = 70 GB", []),
    ("What do 2,000 TPU v5e chip hours cost?", "2,000 chip-hours x 1.20 USD/hour [1] = 2,400 USD", ["v5e"]),
    ("How many hours of an 8x H100 node at $2.20 per GPU-hour does $100,000 buy?", "100,000 USD / (8 chips x 2.20 USD/hour) = 5,682 hours", []),
    ("how much do 500 H100 GPU-hours cost at $2.50?", "500 chip-hours x 2.50 USD = 1,250 USD", []),
    ("memory bandwidth to TDP ratio of the H100 SXM", "3.35 TB/s [1] / 700 W [2] = 4.786 GB/s per W", ["bandwidth", "watts"]),
    ("700 tokens per second per user times 40 users, a node at $12/hr: what does a million tokens cost?", "12 USD/hour x 1 million tokens / (700 tokens/s x 40 users x 3,600 s/hour) = 0.119 USD", []),
    ("How much electricity do 64 H100 SXM use in 30 days at 650 W each?", f"64 chips x 650 W x 30 days = {64 * 0.65 * 720:,.0f} kWh", []),
    ("How much electricity do 64 H100 SXM use in 30 days?", f"64 chips x 700 W [1] x 30 days = {64 * 0.7 * 720:,.0f} kWh", ["watts"]),
    ("What does running 8 H100 SXM for one year cost if electricity costs 9 cents per kWh?", f"x 1 year x 9 cent/kWh = {8 * 0.7 * 8760 * 0.09:,.2f} USD", ["watts"]),
    ("ratio of memory bandwidth to memory capacity of the H100 SXM", "3.35 TB/s [1] / 80 GB [2] = 41.9 times a second", ["bandwidth", "h100"]),
    ("At 3.35 TB/s, what is the upper bound on tokens per second for a 70B model in FP8 at batch size 1?", "3.35 TB/s / (70 billion parameters x 8 bits/parameter / 8 bits/byte) = 47.86 tokens/s", []),
    ("Electricity for 1000 H100 SXM at 700 W for a year at 8 cents/kWh?", f"1,000 chips x 700 W x 24 x 365 hours x 8 cent/kWh = {1000 * 0.7 * 8760 * 0.08:,.0f} USD", []),
    (
        "If a TPU v4 is $1 an hour and a v5p is $4 an hour, which has more BF16 FLOPS per dollar?",
        "459 TFLOPS [2] / 4 USD/hour = 114.8 TFLOPS per USD/hour",
        ["v4", "v5p"],
    ),
    ("At what arithmetic intensity does an H100 SXM go from memory bound to compute bound in bf16?", "= 295.2 FLOP/byte", ["sxm", "bandwidth"]),
    ("what is the max tokens/s for decoding a 70B fp8 model on one H100 SXM just from bandwidth", "3.35 TB/s [1] / (70 billion parameters x 8 bits/parameter / 8 bits/byte) = 47.86 tokens/s", ["bandwidth"]),
    ("How many v5p pods for 10 exaflops of BF16?", "10 EFLOPS / (8,960 chips [1] x 459 TFLOPS [2]) = 2.432, so 3 ", ["pod", "v5p"]),
]  # fmt: skip


@pytest.mark.parametrize(("question", "told", "cited"), SUMS, ids=[q for q, _, _ in SUMS])
def test_a_sum_shows_its_inputs_each_as_given_or_cited(
    index: OpenIndex, question: str, told: str, cited: list[str]
) -> None:
    found = reckoned(index, question)
    assert found is not None
    assert told in found[0]
    assert found[1] == [SAID[name] for name in cited]


def test_a_constant_is_cited_from_the_source_that_states_it(index: OpenIndex) -> None:
    found = reckoned(
        index, "How long would 8,960 v5p chips at 40% MFU take to train a 70B model on 15 trillion tokens?"
    )
    assert found is not None
    assert found[1] == [SIX, SAID["v5p"]]
    assert f"= {round(6 * 70e9 * 15e12 / (8960 * 459e12 * 0.4) / 3600):,} hours, about 44 days" in found[0]


def test_the_numbers_of_a_kv_cache_are_known_by_the_words_around_them(index: OpenIndex) -> None:
    found = givens("KV cache of 80 layers, 8 KV heads, head dim 128 at 8k context, batch size of 4", index.domain)
    assert found is not None
    assert [(g.kind, g.value) for g in found] == [
        ("layers", 80),
        ("kv-heads", 8),
        ("head-dimension", 128),
        ("tokens", 8000),
        ("sequences", 4),
    ]


def test_the_chips_that_a_training_takes_in_some_time_are_whole_ones(index: OpenIndex) -> None:
    found = reckoned(index, "How many H100 SXM do we need to train a 7B model on 1T tokens within 3 weeks at 40% MFU?")
    assert found is not None
    assert "(989 TFLOPS [2] x 40% x 3 weeks) = 58.51, so 59 GPUs" in found[0]
    assert found[1] == [SIX, SAID["sxm"]]


def test_a_training_time_may_be_asked_for_by_name(index: OpenIndex) -> None:
    found = reckoned(index, "training time for 70B parameters on 15 trillion tokens using 2048 H100 SXM at 40% MFU")
    assert found is not None
    assert f"= {round(6 * 70e9 * 15e12 / (2048 * 989e12 * 0.4) / 36000) * 10:,} hours, about 90 days" in found[0]


@pytest.mark.parametrize(
    ("question", "result"),
    [
        # what one of many costs, by what is known of one: 512 x 2.50 x 720
        ("What would 512 H100s for 30 days cost at $2.50 an hour?", 512 * 2.50 * 720),
        ("What would 512 H100s for 30 days cost at $2.50 per GPU-hour?", 512 * 2.50 * 720),
        ("Electricity cost of running 1000 H100 SXM at TDP for a year at 8 cents per kWh", 1000 * 0.7 * 8760 * 0.08),
        ("When does buying an H100 for $30,000 break even against renting at $2.50 an hour?", 30_000 / 2.50),
    ],
)
def test_what_is_asked_in_passing_goes_into_the_sum(index: OpenIndex, question: str, result: float) -> None:
    told = reckoned(index, question)
    assert told is not None
    assert f"= {number(result, 6)} " in told[0]


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("How long does it take to read 140 GB of weights once on an H100 SXM?", 140 / 3.35),
        ("time to read the weights of a 70B model in fp16 once on an H100 SXM", 70 * 16 / 8 / 3.35),
        ("time to read the weights of llama-70b in fp16 once on an H100 SXM", 70 * 16 / 8 / 3.35),
    ],
)
def test_weights_are_read_once_in_their_bytes_by_the_bandwidth(index: OpenIndex, question: str, result: float) -> None:
    told = reckoned(index, question)
    assert told is not None
    assert f"= {number(result)} ms" in told[0]


def test_a_price_that_may_be_of_two_as_well_as_of_one_makes_no_sum(index: OpenIndex) -> None:
    assert reckoned(index, "What do two H100 cost for a day at $5 an hour?") is None


def test_variants_that_differ_have_a_sum_each(index: OpenIndex) -> None:
    found = reckoned(index, "How many TFLOPS is 40% MFU on an H100?")
    assert found is not None
    assert (
        "NVIDIA H100 SXM: 40% x 989 TFLOPS [1] = 395.6 TFLOPS. NVIDIA H100 PCIe: 40% x 756 TFLOPS [2] = 302.4 TFLOPS."
        in found[0]
    )


def test_quotes_stand_where_citations_say(index: OpenIndex) -> None:
    for question, _, _ in SUMS:
        found = reckon(understand(question, index.domain), index.store, index.domain, index.names)
        for citation in found[1] if found else []:
            e = citation.evidence
            assert index.store.source_text(e.source)[e.start : e.end] == e.quote


LEFT = {
    "chip-hours of a training": "How many H100-hours does it take to train a 70B model on 2T tokens at 40% MFU in 30 days?",
    "epochs": "How many epochs can I train a 70B model on 2T tokens in 30 days on H100 at 40% MFU?",
    "a card's price": "What do 500 H100 hours cost if the card is $30,000?",
    "memory speed": "memory speed per watt of the H100 SXM",
    "no sum is asked for": "How much memory does an H100 have?",
    "a fact states it": "How much memory does the DGX H100 have in total?",
    "why": "Why is 8 x 459 TFLOPS the peak of eight v5p chips?",
    "a source that is not here": "How much memory do eight MI300X have together?",
    "no such fact": "What is the combined FP8 peak of eight TPU v4 chips?",
    "an unknown name": "What is the combined BF16 peak of eight Zyxel9 v5p chips?",
    "a figure to spare": "tokens per dollar of an H100 at $2 an hour, 3,000 tokens/s and 40% MFU",
    "a missing figure": "What is the cost per million tokens of an 8x H100 node at $12 an hour?",
    "of one or of all": "What do 8 v5p chips cost at $12 an hour for a day?",
    "of one": "How much memory does each of the 8 H100s have?",
    "another metric": "How many H100s are needed to serve a 70B FP8 model with a latency under a second?",
    "another matter": "What is the combined BF16 peak of eight immersion-cooled v5p chips?",
    "measured, not computed": "How many tokens per second do eight H100s reach on a 70B model in FP8?",
    "left over": "How much memory is left on an H100 after loading a 34B model in FP16?",
    "a bound": "How many H100s hold a model of over 70B parameters in FP8?",
    "a ratio of three": "How many times the BF16 peak of a TPU v4 do a v5p and an H100 SXM have?",
}


@pytest.mark.parametrize("question", LEFT.values(), ids=LEFT)
def test_what_is_no_plain_sum_is_left_to_the_passages(index: OpenIndex, question: str) -> None:
    assert reckoned(index, question) is None


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (
            "Which has the better BF16 TFLOPS per dollar at $1 an hour, a TPU v5p or a TPU v4?",
            "Higher: TPU v5p, 459 TFLOPS",
        ),
        ("memory per dollar at $2 an hour: which is worse, an H100 or a B200?", "Lower: NVIDIA H100, 40 GB"),
        ("price of a PFLOPS in BF16 at $1 an hour: which is best, TPU v5p or TPU v4?", "Lower: TPU v5p, 2.18 USD"),
    ],
)
def test_sums_of_several_are_set_in_the_order_that_is_asked_for(index: OpenIndex, question: str, first: str) -> None:
    found = reckoned(index, question)
    assert found is not None
    assert found[0].startswith(first)


@pytest.mark.parametrize(
    "question",
    [
        "Electricity for 2 H100 SXM at 1400 W for a year at 8 cents/kWh?",  # of each, or of both
        "What is the min tokens per second from bandwidth of a 70B model in FP8 on one H100 SXM?",
    ],
)
def test_what_may_be_meant_otherwise_makes_no_sum(index: OpenIndex, question: str) -> None:
    assert reckoned(index, question) is None


def test_one_is_a_number_where_it_does_not_go_without_saying(index: OpenIndex) -> None:
    found = givens("32 layers, 1 KV head, head dim 128 at 8k context and batch 1", index.domain)
    assert found is not None
    assert [(g.kind, g.value) for g in found] == [
        ("layers", 32),
        ("kv-heads", 1),
        ("head-dimension", 128),
        ("tokens", 8000),
    ]


def test_figures_of_one_kind_belong_to_the_products_that_they_are_said_of(index: OpenIndex) -> None:
    found = givens("If the H100 is $3 an hour and the H200 costs $4 an hour, or $5/hour for a B200", index.domain)
    assert found is not None
    assert [g.of for g in found] == ["nvidia-h100", "nvidia-h200", "nvidia-b200"]
    both = givens("the H100 at $3 and then $4 an hour", index.domain)
    assert both is not None
    assert {g.of for g in both} == {""}


def test_asking_answers_with_the_sum_where_the_table_names_no_figure(index: OpenIndex) -> None:
    answer = index.ask("What is the combined BF16 peak of eight TPU v5p chips?")
    assert answer.answered
    assert "= 3,672 TFLOPS" in answer.text
    assert [c.evidence.quote for c in answer.citations] == [SAID["v5p"]]


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("$2 per GPU-hour", CHIP),
        ("3,800 tokens/s per chip", CHIP),
        ("$12 an hour for the whole node", ALL),
        ("a node at $12 an hour", ALL),
        ("p5.48xlarge at $98.32 an hour", ALL),
        ("$12 an hour", ""),
    ],
)
def test_a_figure_is_of_what_stands_with_it(index: OpenIndex, text: str, scope: str) -> None:
    found = givens(text, index.domain)
    assert found is not None
    assert [g.scope for g in found] == [scope]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3672, "3,672"),
        (70e9, "70 billion"),
        (9.12e6, "9.12 million"),
        (6.3e24, "6.3e24"),
        (0.46234, "0.4623"),
        (4112640, "4,112,640"),
    ],
)
def test_numbers_read_as_people_write_them(value: float, text: str) -> None:
    assert number(value) == text


DERIVATION = '[[derivation]]\nid = "x"\nasks = [{asks}]\nformula = "{formula}"\nsays = "x"\n{more}inputs = [{{ symbol = "a", {input} }}]\n'


@pytest.mark.parametrize(
    ("told", "asks", "formula", "input_", "more"),
    [
        ("nothing is called 'b'", "'x'", "a * b", "value = 1", ""),
        ("no arithmetic", "'x'", "print(a)", "value = 1", ""),
        ("nothing is called 'wealth'", "'x'", "a", 'metrics = ["wealth"]', ""),
        ("nothing is called 'stones'", "'x'", "a", "value = 1", 'unit = "stones"\n'),
        ("words_of 'ages' is no wording", "'x'", "a", 'words_of = "ages"', ""),
        ("unterminated", "'('", "a", "value = 1", ""),
    ],
)
def test_a_derivation_that_cannot_work_is_an_error(
    tmp_path: Path, told: str, asks: str, formula: str, input_: str, more: str
) -> None:
    text = DERIVATION.format(asks=asks, formula=formula, input=input_, more=more)
    (tmp_path / "derivations.toml").write_text(text)
    with pytest.raises(DomainInvalid, match=told):
        read_domain(tmp_path)
