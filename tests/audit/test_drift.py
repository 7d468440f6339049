"""One number that changes its baseline or its certainty from text to text (CW3xx)."""

from __future__ import annotations

import pytest

from chipwise.audit.checks import drift

from .test_values import COMMENTED, audited, findings

FASTER = "The TPU v5p is 2.8x faster than the TPU v4."
GUESSED = "Analysis suggests that TPUs can provide up to 52% lower TCO than the GB300 NVL72."
STATED = "Anthropic cut its total cost of ownership by 52% by switching from the GB300 NVL72 to TPUs."


def test_one_number_against_two_baselines_is_a_contradiction() -> None:
    (finding,) = findings({"a": FASTER, "b": "TPUs are up to 2.8 times faster than some GPUs."}, "CW301")
    assert (finding.verdict, finding.severity) == ("contradiction", "high")
    assert "TPU v4" in finding.title
    assert {e.source for e in finding.evidence} == {"a", "b"}


def test_within_one_source_it_is_one_as_well() -> None:
    assert len(findings({"a": f"{FASTER}\n\nThe TPU v5p is 2.8x faster than the H100."}, "CW301")) == 1


@pytest.mark.parametrize(
    "other",
    [
        "TPUs are up to 3.1 times faster than some GPUs.",
        "The H200 is 2.8x faster than the A100.",
        "The TPU v5p is 2.8x faster than its predecessor.",
        "Even if the TPU v5p were 2.8x faster than the H100, it would not matter.",
    ],
    ids=["another number", "another chip", "a baseline that is not named", "a supposition"],
)
def test_what_is_not_the_same_number_of_the_same_thing_is_not_followed(other: str) -> None:
    assert findings({"a": FASTER, "b": other}, "CW301") == []


def test_a_round_multiple_is_everywhere_and_tells_nothing() -> None:
    texts = {"a": "The TPU v5p is 4x faster than the TPU v4.", "b": "The TPU v5p is 4x faster than the A100."}
    assert findings(texts, "CW301") == []


def test_a_number_drifts_once_however_many_repeat_it() -> None:
    swapped = "TPUs are up to 2.8 times faster than some GPUs."
    texts = {"a": FASTER, "b": swapped, "c": f"So they say. {swapped}", "d": FASTER}
    assert len(findings(texts, "CW301")) == 1


def test_what_a_source_repeats_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []

    def compare(*pair: object) -> None:
        compared.append(pair)

    monkeypatch.setattr(drift, "_compare", compare)
    audited({"a": f"{FASTER}\n\n" * 30, "b": "TPUs are up to 2.8 times faster than some GPUs.\n\n" * 30})
    assert len(compared) == 1


def test_an_upper_bound_restated_as_a_fact_is_a_contradiction() -> None:
    (finding,) = findings({"a": GUESSED, "b": STATED}, "CW302")
    assert (finding.verdict, finding.severity) == ("contradiction", "high")
    assert finding.evidence[0].source == "a", "the weaker one goes first"
    assert "a bound" in finding.explanation


def test_an_estimate_restated_as_a_fact_has_drifted() -> None:
    texts = {
        "a": "Analysts estimate that the TPU v5p is 2.8x faster than the TPU v4.",
        "b": "We measured that the TPU v5p is 2.8x faster than the TPU v4.",
    }
    (finding,) = findings(texts, "CW303")
    assert (finding.verdict, finding.severity) == ("drift", "medium")


def test_what_both_put_alike_has_not_drifted() -> None:
    assert findings({"a": FASTER, "b": FASTER}, "CW301 CW302 CW303") == []
    assert findings({"a": GUESSED, "b": GUESSED}, "CW301 CW302 CW303") == []


def test_one_source_may_grow_surer_as_it_goes_on() -> None:
    assert findings({"a": f"{GUESSED}\n\n{STATED}"}, "CW302 CW303") == []


def test_a_bound_is_lost_though_the_baseline_is_worded_less_exactly() -> None:
    texts = {"a": GUESSED.replace("the GB300 NVL72", "NVIDIA's Blackwell Ultra"), "b": STATED}
    assert len(findings(texts, "CW302")) == 1


def test_a_comment_does_not_drift() -> None:
    comment = "TPUs are up to 2.8 times faster than some GPUs."
    assert not audited({"a": FASTER, "b": COMMENTED.format(body="Nothing is said here.", comment=comment)}).contradicts


@pytest.mark.parametrize(
    "other",
    [
        "In LLM training, the TPU v5p beats the H100 by a factor of 2.8.",
        "The H100 is outrun by the TPU v5p by 2.8x in LLM training.",
        "The H100 trails the TPU v5p by 2.8x in training speed.",
        "Training on the TPU v5p instead of the H100 gives a 2.8x speedup.",
        "When the H100 is replaced by the TPU v5p, training is 2.8x faster.",
    ],
)
def test_whom_a_multiple_is_against_is_told_by_verbs_of_winning_and_losing_too(other: str) -> None:
    (finding,) = findings({"a": FASTER, "b": other}, "CW301")
    assert "TPU v4" in finding.title
    assert "H100" in finding.title


@pytest.mark.parametrize(
    "other",
    [
        "The H100 takes 2.8 times as long as the TPU v5p to train the same model.",
        "The H100 is 2.8x slower than the TPU v5p.",
    ],
)
def test_what_takes_longer_is_outrun(other: str) -> None:
    (finding,) = findings({"a": FASTER, "b": other}, "CW301")
    assert "TPU v4" in finding.title
    assert "H100" in finding.title
    assert findings({"a": FASTER, "b": other.replace("H100", "TPU v4")}, "CW301") == []


def test_what_is_done_and_what_only_vaguely_with_may_be_one_run() -> None:
    trained = "In training, the TPU v5p is 2.8x faster than the TPU v4."
    for said in ("for large language models", "for LLM training"):
        assert findings({"a": trained, "b": f"The TPU v5p is 2.8x faster than the H100 {said}."}, "CW301"), said
    for other in ("in LLM inference", "on Llama 2 70B", "on CNNs"):
        assert not findings({"a": trained, "b": f"The TPU v5p is 2.8x faster than the H100 {other}."}, "CW301"), other


def test_a_saving_is_one_whatever_word_for_cost_tells_of_it() -> None:
    bound = "Going from the A100 to the L40S lowers serving cost by up to 43%."
    for said in (
        "Serving on the L40S costs 43% less than on the A100.",
        "Inference on the L40S instead of the A100 saves 43% of the cost.",
        "The L40S is 43% cheaper than the A100.",
    ):
        assert len(findings({"a": bound, "b": said}, "CW302")) == 1, said


def test_what_is_guessed_of_a_figure_that_is_known_contradicts_nobody() -> None:
    texts = {"a": "The H200 has 141 GB of memory.", "b": "Presumably the H200 has 160 GB of memory."}
    assert not audited(texts).contradicts
    assert audited({**texts, "b": "The H200 has 160 GB of memory."}).contradicts
