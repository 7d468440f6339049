"""Questions whose answer follows from facts and figures by the network of equations, and what is left to the passages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from chipwise.answering.answer import Told, written
from chipwise.answering.givens import ALL, CHIP, givens
from chipwise.answering.parse import understand
from chipwise.answering.query import FIT, Wish
from chipwise.answering.sums import work_out
from chipwise.corpus import shipped_folder
from chipwise.figures.format import number
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from ..conftest import ROOT
from .tabled_base import tabled_base

GOLDEN = [json.loads(line) for line in (ROOT / "tests/golden/sums_asked.jsonl").read_text("utf-8").splitlines()]
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


def told(index: OpenIndex, question: str) -> str:
    """The answer's text; "" where no sum is made."""
    found = work_out(understand(question, index.domain), index)
    return written(found) if isinstance(found, Told) else ""


@pytest.mark.parametrize("case", GOLDEN, ids=[case["question"] for case in GOLDEN])
def test_a_sum_comes_out_and_cites_each_fact_in_it(
    index: OpenIndex, case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "wants" in case:  # words alone do not tell; the vectors of this knowledge base are made up
        monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({case["wants"]: 1.0}))
    found = work_out(understand(case["question"], index.domain), index)
    assert isinstance(found, Told)
    assert f"= {case['result']}" in written(found) or f"so {case['result']}" in written(found)
    quotes = {**SAID, "six": SIX}
    assert {c.evidence.quote for c in found.cited} >= {quotes[name] for name in case["cited"]}
    for cited in found.cited:
        evidence = cited.evidence
        assert index.store.source_text(evidence.source)[evidence.start : evidence.end] == evidence.quote


LEFT = {
    "chip-hours of a training": "How many H100-hours does it take to train a 70B model on 2T tokens at 40% MFU in 30 days?",
    "a card's price": "What do 500 H100 hours cost if the card is $30,000?",
    "memory speed": "memory speed per watt of the H100 SXM",
    "no sum is asked for": "How much memory does an H100 have?",
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
    "a ratio of three": "How many times the BF16 peak of a TPU v4 do a v5p and an H100 SXM have?",
}


@pytest.mark.parametrize("question", LEFT.values(), ids=LEFT)
def test_what_is_no_plain_sum_is_left_to_the_passages(index: OpenIndex, question: str) -> None:
    assert told(index, question) == ""


def test_variants_that_differ_have_a_sum_each(index: OpenIndex) -> None:
    text = told(index, "How many TFLOPS is 40% MFU on an H100?")
    assert text.startswith("NVIDIA H100 SXM: 395.6 TFLOPS; NVIDIA H100 PCIe: 302.4 TFLOPS.\n- ")
    assert "Achieved compute = peak x MFU: 756 TFLOPS [2] x 40% = 302.4 TFLOPS (NVIDIA H100 PCIe)" in text


def test_what_nobody_gives_is_assumed_as_a_range_and_said(index: OpenIndex) -> None:
    text = told(index, "How long does it take to train an 8B model on 15T tokens with 256 H100 SXM?")
    days = [6 * 8e9 * 15e12 / (256 * 989e12 * mfu) / 86400 for mfu in (0.5, 0.35)]
    assert f"about {days[0]:.0f} to {days[1]:.0f} days" in text
    assert "Assumed: an MFU of 35% to 50%" in text


@pytest.mark.parametrize(
    "question",
    ["memory for a 70B model", "how much vram 70b", "How much memory do I need for a 70 billion parameter model?"],
)
def test_weights_are_told_in_each_usual_format_where_none_is_named(index: OpenIndex, question: str) -> None:
    text = told(index, question)
    assert all(f"= {size} " in text for size in (140, 70, 35))
    assert "KV cache" in text


def test_a_model_that_is_named_brings_its_shape(index: OpenIndex) -> None:
    text = told(index, "KV cache of Llama 3 70B in BF16 at 8,192 tokens of context")
    assert f"= {2 * 80 * 8 * 128 * 2 * 8192 / 1e9:.4g} GB" in text


@pytest.mark.parametrize("question", ["weights of Llama 3 70B in FP8", "does Llama 3 70B in FP8 fit on one H100?"])
def test_the_figures_of_a_model_are_cited_by_its_row_of_the_table_of_models(index: OpenIndex, question: str) -> None:
    found = work_out(understand(question, index.domain), index)
    assert isinstance(found, Told)
    rows = [n for n, c in enumerate(found.cited, start=1) if c.evidence.source == "models.csv"]
    assert len(rows) == 1
    assert f"billion parameters [{rows[0]}]" in written(found)
    row = found.cited[rows[0] - 1].evidence
    assert "70553706496" in row.quote
    assert (shipped_folder() / "models" / row.source).read_text("utf-8")[row.start : row.end] == row.quote


def test_a_mixture_of_experts_computes_with_its_active_parameters(index: OpenIndex) -> None:
    text = told(index, "training compute of an MoE with 47B total and 13B active parameters on 1T tokens")
    assert f"= {6 * 13e9 * 1e12:.3g} FLOP".replace("e+", "e") in text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does a 70B model in FP8 fit on one H100?", "Yes: "),
        ("can I run a 70B model in FP8 on one H100", "Yes: "),
        ("will 200B in bf16 fit on 4 H100", "No: "),
    ],
)
def test_whether_something_fits_is_a_verdict_with_both_sides(
    index: OpenIndex, question: str, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({FIT: 1.0}))
    found = work_out(understand(question, index.domain), index)
    assert isinstance(found, Told)
    assert written(found).startswith(verdict)
    assert "80 GB" in written(found)


@pytest.mark.parametrize("question", ["Can I fine-tune a 70B model on 8 H100s?", "8xH100 enough for finetuning a 70b?"])
def test_what_questions_like_it_want_is_worked_out(
    index: OpenIndex, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({FIT: 1.0}))
    found = work_out(understand(question, index.domain), index)
    assert isinstance(found, Told)
    assert written(found).startswith(
        "It depends: full training needs 1,120 to 1,260 GB plus the activations, which does not fit"
    )


def test_two_figures_of_a_kind_are_not_added_where_nothing_says_what_each_is_of(index: OpenIndex) -> None:
    question = "my node shows 640 GB total, 80 GB per gpu - how much memory does each have?"
    assert "640 GB + 80 GB" not in told(index, question)


def test_what_somebody_reckoned_is_judged_by_what_the_figures_come_to(
    index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"mfu": 1.0}))
    doubted = told(index, "The log says 396 TFLOPS per H100 SXM, is my utilization really only 20%?")
    assert (doubted.startswith("No: "), "40.04%" in doubted) == (True, True)
    assert told(index, "The log says 396 TFLOPS per H100 SXM, is my utilization 40%?").startswith("Yes: ")


def test_a_context_that_is_given_is_reckoned_with_where_only_the_size_of_the_model_is(index: OpenIndex) -> None:
    assert "16,384 tokens" in told(index, "Will a 70B model in FP8 with 16k context fit in 96 GB?")


def test_the_time_of_one_token_is_a_rate(index: OpenIndex) -> None:
    assert index.ask("27 ms per token, how many tokens per second is that?").text == "1 / 27 ms = 37 tokens/s."


@pytest.mark.parametrize(
    ("question", "wants", "first"),
    [
        (
            "Which has the better BF16 TFLOPS per dollar at $1 an hour, a TPU v5p or a TPU v4?",
            "peak_per_dollar",
            "TPU v5p: 459 TFLOPS",
        ),
        (
            "memory per dollar at $2 an hour: which is worse, an H100 or a B200?",
            "memory_per_dollar",
            "NVIDIA H100: 40 GB per USD/hour",
        ),
        (
            "price of a PFLOPS in BF16 at $1 an hour: which is best, TPU v5p or TPU v4?",
            "price_of_compute",
            "TPU v5p: 2.179 USD/hour per PFLOPS",
        ),
    ],
)
def test_sums_of_several_are_set_in_the_order_that_is_asked_for(
    index: OpenIndex, question: str, wants: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({wants: 1.0}))
    assert told(index, question).startswith(first)


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


def test_one_is_a_number_where_it_does_not_go_without_saying(index: OpenIndex) -> None:
    found = givens("32 layers, 1 KV head, head dim 128 at 8k context and batch 1", index.domain)
    assert found is not None
    assert [(g.kind, g.value) for g in found] == [
        ("layers", 32),
        ("kv-heads", 1),
        ("head-dimension", 128),
        ("tokens", 8000),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("8x H100", {"chips": 8}),
        ("256xH100 for 3 days", {"chips": 256, "time": 3 * 86_400}),
        ("a 4 * RTX A6000 (48 GB) machine", {"chips": 4, "information": 48e9}),
        ("3 GB300 NVL72 racks", {"systems": 3}),
        ("3 racks of GB300 NVL72", {"systems": 3}),
        ("500 H100 hours at $2.50", {"chip-hours": 500, "price": 2.5}),
        ("two 24 GB cards", {"chips": 2, "information": 24e9}),
        ("over 1.4T tokens", {"tokens": 1.4e12}),
    ],
)
def test_a_number_before_a_name_counts_it(index: OpenIndex, text: str, kinds: dict[str, float]) -> None:
    found = givens(text, index.domain)
    assert found is not None
    assert {g.kind: g.value for g in found} == kinds


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


def test_a_sum_over_nothing_ends_no_answer(index: OpenIndex) -> None:
    for question in ("1/0 TFLOPS", "1/0 * MI300X bf16", "How many H100s fit into 0 kW?"):
        assert "inf" not in index.ask(question).text


def test_a_rate_is_told_behind_what_keeps_the_weights_from_being_there(
    index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"decode_rate": 1.0}))
    held, none = (told(index, f"How fast is a {size}B model in BF16 on one H100 SXM?") for size in (8, 405))
    assert held.startswith("At most 209.4 tokens/s.")
    assert none.startswith("It does not fit: ")
    assert "at most 4.136 tokens/s" in none
