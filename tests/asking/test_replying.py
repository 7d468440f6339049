"""Several questions in one text, premises, and what facts deny of them."""

from __future__ import annotations

import pytest

from chipwise.answering.query import Wish
from chipwise.measured import matching
from chipwise.opening import OpenIndex

from ..building.test_facts import csv_of
from .tabled_base import index_on, row_of

MEMORY = {"nvidia-h100-sxm": "80", "nvidia-h200": "141", "nvidia-l4": "24"}
QUOTES = {
    **{f"{s}-memory": f"Of {s} the memory is {v} GB for each." for s, v in MEMORY.items()},
    "h100-tdp": "Of the H100 the power is 700 W for each.",
    "h100-peak": "Of the H100 the peak is 989 TFLOPS in dense BF16 for each.",
    "l4-link": "The L4 is connected by PCIe alone and has no NVLink.",
}
ROWS = [
    *(row_of(QUOTES, f"{s}-memory", s, "memory_capacity", v, "GB") for s, v in MEMORY.items()),
    row_of(QUOTES, "h100-tdp", "nvidia-h100-sxm", "tdp", "700", "W"),
    row_of(QUOTES, "h100-peak", "nvidia-h100-sxm", "peak_compute", "989", "TFLOPS", dtype="bf16", sparsity="dense"),
    row_of(QUOTES, "l4-link", "nvidia-l4", "interconnect_kind", "no NVLink", ""),
]
index = index_on((*QUOTES.values(), "Llama 3 70B is a model of Meta."), csv_of(*ROWS))


def test_two_questions_get_two_answers_with_their_citations_numbered_through(index: OpenIndex) -> None:
    found = index.ask("How much memory has the H200, and what is the TDP of the H100 SXM?")
    first, second = found.text.split("\n\n")
    assert ("141 GB" in first, first.endswith("[1].")) == (True, True)
    assert ("700 W" in second, second.endswith("[2].")) == (True, True)
    assert [c.n for c in found.citations] == [1, 2]
    assert ["141" in found.citations[0].evidence.quote, "700" in found.citations[1].evidence.quote] == [True, True]


def test_a_part_that_the_answer_before_tells_has_none_of_its_own(index: OpenIndex) -> None:
    found = index.ask("What is the BF16 peak of the H100 SXM, and is that dense or sparse?")
    assert found.text == "The H100 SXM reaches a peak of 989 TFLOPS (BF16, dense) [1]."


def test_who_is_to_be_asked_is_no_question_for_sources_on_hardware(index: OpenIndex) -> None:
    found = index.ask("Who should I hire to run my H100 SXM cluster?")
    assert (found.answered, "people" in found.reason) == (False, True)


@pytest.mark.parametrize(
    "question",
    ["Thx for the add! any 48gb card?", "is there a way without root, because our IT is a fortress, to see an L4?"],
)
def test_what_is_cut_off_leaves_a_question(index: OpenIndex, question: str) -> None:
    assert index.ask(question).question == question


def test_a_part_without_an_answer_is_named_with_its_reason(index: OpenIndex) -> None:
    found = index.ask("How much memory has the H200? And the TDP of the L4?")
    assert found.answered
    assert 'No answer to "And the TDP of the L4": no source gives' in found.text


def test_a_refusal_of_all_parts_is_a_refusal(index: OpenIndex) -> None:
    found = index.ask("What is the TDP of the L4? And the price of the L4?")
    assert not found.answered
    assert "thermal design power" in found.reason


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that want a number of chips; words alone do not tell, and the vectors of this knowledge base are made up."""
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"chips": 1.0}))


def test_what_is_told_before_holds_for_the_question(index: OpenIndex) -> None:
    found = index.ask("We have 3 MW and a PUE of 1.3. How many H100 SXM can we power?")
    assert "so 3,296 GPUs." in found.text


def test_a_model_that_was_told_before_goes_into_the_sum(index: OpenIndex, counting: None) -> None:
    found = index.ask("We run Llama 3 70B on 4x L4. If we move to the H200, how many do we need for the FP16 weights?")
    assert found.text.startswith(
        "2 x NVIDIA H200 (141 GB [2] each) in FP16.\n- Weights in FP16: 70.6 billion parameters [1] x 2"
    )


def test_a_time_that_was_told_before_goes_into_the_sum(index: OpenIndex) -> None:
    found = index.ask("I rent 64 H100 SXM for 30 days. How much electricity do they use in that time?")
    assert "= 32,256 kWh" in found.text


def test_a_true_premise_is_not_repeated(index: OpenIndex, counting: None) -> None:
    found = index.ask("Since the H100 SXM has 80 GB, how many do I need for 1 TB?")
    assert "\n\n" not in found.text
    assert "so 13" in found.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We have 16 H100 SXM and they usually just sit there. What is their TDP in total?", "16 x 700 W"),
        (
            "Our vendor quoted $2.50 per GPU hour. What would 8 H200s cost for 30 days?",
            "5,760 chip-hours x 2.50 USD/hour = 14,400 USD",
        ),
        (
            "We run 8x H100 SXM and see 410 TFLOPS per GPU in bf16. What MFU is that?",
            "410 TFLOPS / 989 TFLOPS [1] = 41.46%",
        ),
        (
            "I have Llama 3 70B in FP8. Will it fit on one H200, and how much room is left?",
            "Yes: in FP8, 73.2 GB fits in 141 GB [2].\n- Weights in FP8: 70.6 billion parameters [1] x 1 B = 70.6 GB.",
        ),
    ],
)
def test_what_was_said_before_goes_into_what_is_asked(index: OpenIndex, text: str, told: str) -> None:
    assert told in index.ask(text).text


def test_the_room_that_is_left_is_told(index: OpenIndex) -> None:
    found = index.ask("Will Llama 3 70B in FP8 fit on one H200, and how much room remains?")
    assert "left over 53.7 GB (141 GB [2] x 90% - 73.2 GB)." in found.text


def test_a_question_with_the_figures_of_a_plan_is_worked_out_though_runs_were_measured(
    index: OpenIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "matching", lambda *_: ("A run of 70B.", []))
    monkeypatch.setattr(OpenIndex, "wish", lambda _index, _text: Wish({"mfu": 1.0}))
    planned = "What MFU would 1024 H100 SXM need to train a 70B on 10T tokens in 100 days?"
    assert index.ask(planned).text.startswith("48%.\n- ")
    assert index.ask("What MFU did Llama 3 70B get on 1024 H100 SXM?").text.startswith("A run of 70B.")


def test_what_a_run_was_on_is_not_how_many_are_needed(index: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "matching", lambda *_: ("A run of 70B.", []))
    assert index.ask("How fast was Llama 3 70B on 8 H100 SXM?").text == "A run of 70B."
    assert "A run" not in index.ask("How many H100 SXM do I need for Llama 3 70B in FP16?").text


def test_things_to_be_compared_have_to_be_known_all(index: OpenIndex) -> None:
    assert not index.ask("Kunlun P800 vs H100 SXM, which has the higher BF16 peak?").answered


def test_which_one_is_right_asks_for_no_overview(index: OpenIndex) -> None:
    assert not index.ask("The slide gives 1,979 for the H100 SXM but everybody uses 989. Which one is right?").answered


def test_a_question_in_words_that_stand_nowhere_is_refused_by_them(index: OpenIndex) -> None:
    found = index.ask("How much does a ticket to the moon cost?")
    assert (found.answered, found.reason[:32]) == (False, "no source mentions ticket, moon ")


def test_what_sets_the_scene_ends_no_reading_and_is_named_as_not_used(index: OpenIndex) -> None:
    found = index.ask("Trying to squeeze a funny thing onto it and it complains. Does the L4 have NVLink?")
    assert (found.text.startswith("No"), 'Words not used: "Trying' in found.text) == (True, True)
