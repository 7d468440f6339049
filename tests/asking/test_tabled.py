"""Answers that the facts table gives outright, when it says nothing, and what other sources say against them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.answer import written
from chipwise.answering.parse import understand
from chipwise.opening import OpenIndex

from ..building.test_facts import ROW, csv_of
from .tabled_base import tabled_base, told_by_facts

SAID = {
    "nvidia-h100-sxm": "The H100 SXM has 80 GB of HBM3 per GPU.",
    "nvidia-h200": "The H200 has 141 GB of HBM3e per GPU.",
    "nvidia-b200": "The B200 has 192 GB of HBM3e per GPU.",
    "dense": "The H100 SXM peaks at 989 TFLOPS in dense BF16.",
    "sparse": "The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.",
    "a100": "The A100 peaks at 312 TFLOPS in dense BF16.",
    "watts": "The H100 SXM has a TDP of 700 W.",
    "node": "A DGX H100 has 640 GB of GPU memory.",
    "cuda": "The H100 SXM has 16,896 CUDA cores per GPU.",
    "pod": "A TPU v4 pod has 4,096 chips.",
    "links": "The H100 SXM has 900 GB/s of NVLink bandwidth per GPU.",
    "sxm-40gb": "The A100 SXM 40GB has a memory bandwidth of 1,555 GB/s.",
    "pcie-80gb": "The A100 PCIe 80GB has a memory bandwidth of 1,935 GB/s.",
    "sms": "The H100 SXM has 132 streaming multiprocessors per GPU.",
}
ELSEWHERE = "The MI300X has 192 GB of HBM3 per GPU."
SHEET = "# A sheet\n\n" + "\n\n".join(SAID.values()) + "\n"
OTHER = f"# Another sheet\n\n{ELSEWHERE}\n"
AGAINST = "# A blog\n\nThe H200 has 170 GB of memory per GPU. It is sold by many.\n"


def row(id_: str, said: str, value: str, **more: str) -> dict[str, str]:
    return ROW | {"id": id_, "quote": said, "value": value} | more


def table() -> str:
    peak = {"metric": "peak_compute", "unit": "TFLOPS", "dtype": "bf16", "aggregation": "chip"}
    memory = [
        row(f"m{n}", SAID[chip], value, subject=chip, aggregation="chip", form_factor="SXM" if "sxm" in chip else "")
        for n, (chip, value) in enumerate([("nvidia-h100-sxm", "80"), ("nvidia-h200", "141"), ("nvidia-b200", "192")])
    ]
    return csv_of(
        *memory,
        row("mi300x", ELSEWHERE, "192", subject="amd-mi300x", aggregation="chip", source="elsewhere"),
        row("dgx", SAID["node"], "640", subject="nvidia-dgx-h100", aggregation="node", count="8"),
        row("dense", SAID["dense"], "989", sparsity="dense", form_factor="SXM", **peak),
        row("sparse", SAID["sparse"], "1979", sparsity="2:4", form_factor="SXM", **peak),
        row("tdp", SAID["watts"], "700", metric="tdp", unit="W", aggregation="chip"),
        row("cuda", SAID["cuda"], "16896", metric="cores_per_chip", unit="CUDA cores", aggregation="chip"),
        row("sms", SAID["sms"], "132", metric="cores_per_chip", unit="SMs", aggregation="chip"),
        *(
            row(form, SAID[form], value, subject=f"nvidia-a100-{form}", metric="memory_bandwidth", unit="GB/s")
            for form, value in [("sxm-40gb", "1555"), ("pcie-80gb", "1935")]
        ),
        row("pod", SAID["pod"], "4096", subject="google-tpu-v4", metric="pod_size", unit="chips", aggregation="pod"),
        row("links", SAID["links"], "nvlink", metric="interconnect_kind", unit="", form_factor="SXM"),
        row("a100", SAID["a100"], "312", subject="nvidia-a100", sparsity="dense", **peak),
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
    """The shipped domain with a table of a few rows, of whose two sheets the knowledge base holds one."""
    folder = tmp_path_factory.mktemp("tabled")
    digests = {"sheet.md": SHEET, "elsewhere.md": OTHER}
    with tabled_base(folder, digests, table(), held=["sheet.md"], added={"blog.md": AGAINST}) as found:
        yield found


def answered(index: OpenIndex, question: str) -> tuple[str, list[str]] | None:
    """The text and the quotes of its citations, in order; None where the table does not simply give it."""
    found = told_by_facts(index, question)
    return None if found is None else (written(found), [c.evidence.quote for c in found.cited])


@pytest.mark.parametrize(
    "question",
    ["How much memory does an H200 have?", "H200 memory capacity", "What is the memory capacity of the H200 GPU?"],
)
def test_a_look_up_is_one_figure_with_its_quote(index: OpenIndex, question: str) -> None:
    found = answered(index, question)
    assert found is not None
    assert found[0].startswith("The H200 has 141 GB of memory")
    assert found[0].endswith(" [1].")
    assert found[1] == [SAID["nvidia-h200"]]


def test_a_citation_stands_in_a_passage_of_this_knowledge_base(index: OpenIndex) -> None:
    found = told_by_facts(index, "How much memory does an H200 have?")
    assert found is not None
    (cited,) = found.cited
    evidence = cited.evidence
    assert index.store.source_text(evidence.source)[evidence.start : evidence.end] == evidence.quote
    assert evidence.mark is not None
    assert evidence.quote[slice(*evidence.mark)] == "141 GB"
    assert evidence.passage.startswith("sheet#")


def test_a_chip_is_answered_by_its_variant(index: OpenIndex) -> None:
    found = answered(index, "How much memory does an H100 have?")
    assert found is not None
    assert "The H100 SXM has 80 GB of memory" in found[0]
    assert "640" not in found[0], "a node is no chip"


def test_a_variant_is_answered_by_another_whose_name_says_all_that_its_own_does(index: OpenIndex) -> None:
    found = answered(index, "What is the memory bandwidth of the A100 40GB?")
    assert found is not None
    assert found[1] == [SAID["sxm-40gb"]]


def test_what_was_not_asked_for_is_left_out_by_its_qualifiers(index: OpenIndex) -> None:
    dense, sparse = (
        answered(index, f"What is the peak BF16 compute of the H100 SXM {w}?") for w in ("dense", "with sparsity")
    )
    assert dense is not None
    assert sparse is not None
    assert dense[1] == [SAID["dense"]]
    assert sparse[1] == [SAID["sparse"]]


def test_without_a_qualifier_the_usual_one_goes_first_and_the_other_is_told_apart(index: OpenIndex) -> None:
    found = answered(index, "What is the peak BF16 compute of the H100 SXM?")
    assert found is not None
    assert found[1] == [SAID["dense"], SAID["sparse"]]
    assert "dense" in found[0]
    assert "sparsity" in found[0]


def test_a_word_of_a_name_is_no_qualifier_that_is_asked_for(index: OpenIndex) -> None:
    found = answered(index, "What is the TDP of the H100 SXM?")
    assert found is not None
    assert found[1] == [SAID["watts"]]


@pytest.mark.parametrize(
    ("asked", "quotes"),
    [("SMs", [SAID["sms"]]), ("CUDA cores", [SAID["cuda"]]), ("cores", [SAID["cuda"], SAID["sms"]])],
)
def test_a_count_of_one_kind_is_not_answered_by_another(index: OpenIndex, asked: str, quotes: list[str]) -> None:
    found = answered(index, f"How many {asked} does the H100 SXM have?")
    assert found is not None
    assert found[1] == quotes


def test_a_kind_that_the_table_does_not_count_is_left_to_the_passages(index: OpenIndex) -> None:
    assert answered(index, "How many tensor cores does the H100 SXM have?") is None


def test_a_variant_is_compared_with_another_chip(index: OpenIndex) -> None:
    assert answered(index, "Does the H200 or the H100 SXM have more memory?") is not None


def test_a_comparison_shows_its_quotient(index: OpenIndex) -> None:
    found = answered(index, "Does the H200 or the H100 have more memory?")
    assert found is not None
    assert f"{141 / 80:.3g} times as much" in found[0]
    assert sorted(found[1]) == sorted([SAID["nvidia-h200"], SAID["nvidia-h100-sxm"]])


def test_a_comparison_is_like_for_like(index: OpenIndex) -> None:
    found = answered(index, "Compare the peak BF16 compute of the H100 and the A100.")
    assert found is not None
    assert SAID["sparse"] not in found[1]
    assert f"{989 / 312:.3g} times" in found[0]


def test_what_cannot_be_compared_like_for_like_is_not_compared(index: OpenIndex) -> None:
    told = answered(index, "Does the DGX H100 or the H200 have more memory?")
    assert told is None or "times" not in told[0]


def test_a_ranking_has_its_chips_in_order(index: OpenIndex) -> None:
    most = answered(index, "Which NVIDIA GPU has the most memory?")
    assert most is not None
    assert most[1] == [SAID["nvidia-b200"], SAID["nvidia-h200"], SAID["nvidia-h100-sxm"]]
    least = answered(index, "Which NVIDIA GPU has the least memory?")
    assert least is not None
    assert least[1] == most[1][::-1]


def test_a_fact_whose_source_is_not_held_is_not_used(index: OpenIndex) -> None:
    assert answered(index, "How much memory does an MI300X have?") is None
    assert answered(index, "Does the MI300X or the H200 have more memory?") is None


@pytest.mark.parametrize(
    "question",
    [
        "How much memory does an H200 have with NVLink disabled?",
        "How much memory does an H200 need for Llama 3?",
        "How much memory did an H200 have in 2023?",
        "What is the peak compute of a TPU v4 pod?",
        "How much memory does it have?",
        "Why does the H200 have 141 GB of memory?",
        "Is the H200 worth its price?",
        "How much memory does a TPU have?",
    ],
)
def test_a_question_that_says_more_than_slots_is_left_to_the_passages(index: OpenIndex, question: str) -> None:
    assert answered(index, question) is None


def test_a_chip_without_a_fact_is_left_to_the_passages(index: OpenIndex) -> None:
    assert answered(index, "How much memory does an A100 have?") is None


def test_how_many_there_are_is_not_answered_by_how_much(index: OpenIndex) -> None:
    question = "How many HBM stacks does the H200 have?"
    assert answered(index, question) is None
    assert index.ask(question).reason == "nothing here clearly answers that about NVIDIA H200"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        (
            "Which has higher memory capacity, the H100 or the H200?",
            "The H200 has more memory capacity",
        ),
        (
            "Which has less memory, the H200 or the H100?",
            "The H100 has less memory capacity",
        ),
    ],
)
def test_a_comparison_leads_with_the_one_asked_for(index: OpenIndex, question: str, lead: str) -> None:
    found = answered(index, question)
    assert found is not None
    assert found[0].startswith(lead)


def test_a_word_in_a_metrics_name_asks_for_no_system(index: OpenIndex) -> None:
    found = answered(index, "What is the pod size of TPU v4?")
    assert found is not None
    assert found[1] == [SAID["pod"]]


def test_the_performance_in_a_number_format_is_the_peak(index: OpenIndex) -> None:
    found = answered(index, "What is the dense BF16 performance of the H100 SXM?")
    assert found is not None
    assert found[1] == [SAID["dense"]]


def test_a_figure_of_another_number_format_is_no_answer(index: OpenIndex) -> None:
    assert index.ask("What is the FP64 performance of the H100 SXM?").reason


@pytest.mark.parametrize("any_chip", ["chip", "AI chip", "accelerator"])
def test_a_ranking_without_a_line_is_of_all_chips(index: OpenIndex, any_chip: str) -> None:
    found = answered(index, f"Which {any_chip} has the most memory?")
    assert found is not None
    assert found[1] == [SAID["nvidia-b200"], SAID["nvidia-h200"], SAID["nvidia-h100-sxm"]]


def test_what_interconnect_a_chip_has_is_its_kind(index: OpenIndex) -> None:
    found = answered(index, "What interconnect does the H100 SXM use?")
    assert found is not None
    assert found[0].startswith("The H100 SXM is linked by NVLink")


@pytest.mark.parametrize("asked", ["How fast is the interconnect of the H100?", "the interconnect speed of the H100"])
def test_how_fast_an_interconnect_is_is_not_its_kind(index: OpenIndex, asked: str) -> None:
    assert understand(asked, index.domain).metrics[0] == "interconnect_bandwidth"


# --- Disagreements ---


def test_an_answer_tells_who_disagrees_with_it(index: OpenIndex) -> None:
    answer = index.ask("How much memory does an H200 have?")
    assert answer.answered
    assert "141 GB" in answer.text
    (finding,) = answer.disagreements
    assert (finding.code, finding.verdict) == ("CW701", "contradiction")
    assert "The H200 has 170 GB of memory per GPU." in {e.quote for e in finding.evidence}


def test_an_answer_that_nobody_contradicts_says_nothing_of_it(index: OpenIndex) -> None:
    answer = index.ask("How much memory does a B200 have?")
    assert "192 GB" in answer.text
    assert answer.disagreements == ()


def test_the_facts_answer_without_a_vector(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(OpenIndex, "encoder")
    assert "141 GB" in index.ask("How much memory does an H200 have?").text


def test_nothing_is_subtracted_where_both_figures_are_of_one_chip(index: OpenIndex) -> None:
    answer = index.ask("How much more memory bandwidth does Blackwell have than the A100?")
    assert "1,555 GB/s" in answer.text
    assert " - " not in answer.text
