"""Statements of a category that cannot both hold, and those that can under their conditions (CW5xx)."""

from __future__ import annotations

import pytest

from chipwise.audit.model import Audit

from .test_values import COMMENTED, audited, findings

NO, YES = "TPUs can't run PyTorch at all.", "PyTorch runs on TPUs."


def test_what_one_affirms_and_another_denies_is_a_contradiction() -> None:
    (finding,) = findings({"a": NO, "b": YES}, "CW501")
    assert finding.confidence >= Audit.SURE_ENOUGH
    assert finding.title == "Sources disagree on whether TPU supports PyTorch"
    assert (finding.verdict, finding.severity, finding.metric) == ("contradiction", "high", "framework_support")
    assert {e.quote for e in finding.evidence} == {NO, YES}


def test_within_one_source_it_is_one_as_well() -> None:
    assert len(findings({"a": f"{NO}\n\n{YES}"}, "CW501")) == 1


def test_a_condition_excuses_only_the_statement_that_has_it() -> None:
    texts = {"a": "TPUs run PyTorch if you use PyTorch/XLA.", "b": "TPUs run PyTorch.", "c": "TPUs cannot run PyTorch."}
    (finding,) = findings(texts, "CW501")
    assert finding.code == "CW501"
    assert {e.source for e in finding.evidence} == {"b", "c"}


def test_what_is_denied_of_some_is_not_denied_of_all() -> None:
    no = "TPUs are not suited to networks with custom operations inside the main training loop."
    assert findings({"a": "TPUs are best for training models.", "b": no}, "CW501") == []


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        (
            "The H100 is linked by NVLink.",
            "- Links: PCIe; NVLink bridges for GPU pairs, but no full 8-way NVLink fabric.",
        ),
    ],
)
def test_how_much_of_it_one_has_denies_nothing(yes: str, no: str) -> None:
    assert findings({"a": yes, "b": no}, "CW501") == []


def test_what_was_so_once_is_a_condition() -> None:
    assert findings({"a": "The V100 supports CUDA.", "b": "The V100 no longer supports CUDA."}, "CW501") == []


def test_a_service_of_the_only_cloud_is_no_other_cloud() -> None:
    texts = {"a": "AWS Inferentia is only available on AWS.", "b": "AWS Inferentia is available on SageMaker."}
    assert findings(texts, "CW502") == []


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("TPUs run CUDA code.", "TPUs cannot run CUDA code."),
        ("PyTorch runs on TPUs.", "TPUs don't support PyTorch out of the box."),
        ("The A100 supports FP8.", "The A100 lacks hardware support for FP8."),
        ("TPUs are flexible.", "TPUs are never flexible."),
        ("TPUs are flexible.", "TPUs are not flexible and cost more than GPUs."),
    ],
)
def test_a_plain_denial_opposes_what_is_plainly_affirmed(yes: str, no: str) -> None:
    assert len(findings({"a": yes, "b": no}, "CW501")) == 1


@pytest.mark.parametrize(
    "no",
    [
        "It is possible to run JAX on a computer without a TPU.",
        "Do not use two different TPU types for JAX in multi-node serving.",
    ],
)
def test_a_denial_with_more_to_it_opposes_nothing(no: str) -> None:
    assert findings({"a": "TPUs run JAX.", "b": no}, "CW501") == []


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("The TPU v5p supports FP8.", "FP8 brings no speed-up over BF16 on TPU v5p."),
        ("The TPU v5e uses a torus.", "The TPU v5e cannot grow beyond a 16x16 torus of 256 chips."),
        ("The A100 supports MIG.", "GPUs before Ampere have no MIG."),
        ("JAX runs on the TPU v5p.", "The FP8 peak of TPU v5p is marked as not available in the JAX source code."),
        ("The MI300X supports FP8.", "FP8 on an MI300X is not the same format as FP8 on an H100."),
        (
            "The GTX 1080 supports FP32.",
            "The GTX 1080 has no tensor cores, and its vector units reach 8.9 TFLOPS of FP32.",
        ),
        ("PyTorch keeps the torch.cuda API names on AMD GPUs.", "CUDA does not run on AMD GPUs."),
    ],
)
def test_what_is_said_of_something_else_opposes_nothing_with_confidence(yes: str, no: str) -> None:
    assert [f for f in findings({"a": yes, "b": no}, "CW501") if f.confidence >= Audit.SURE_ENOUGH] == []


def test_however_many_deny_it_it_is_one_finding() -> None:
    assert len(findings({"a": NO, "b": YES, "c": f"Sadly. {NO}", "d": YES}, "CW501")) == 1


@pytest.mark.parametrize(
    "other",
    [
        "GPUs run PyTorch.",
        "TPUs run JAX.",
        "Do TPUs run PyTorch?",
        "Suppose that TPUs run PyTorch.",
        "TPUs may run PyTorch one day.",
    ],
)
def test_what_is_of_something_else_or_asserts_nothing_opposes_nothing(other: str) -> None:
    assert findings({"a": NO, "b": other}, "CW501 CW502") == []


def test_what_one_chip_lacks_its_line_may_have() -> None:
    assert findings({"a": "The TPU v2 cannot run PyTorch.", "b": YES}, "CW501") == []


def test_what_a_line_lacks_none_of_its_chips_has() -> None:
    assert len(findings({"a": NO, "b": "PyTorch runs on the TPU v5p."}, "CW501")) == 1


def test_only_on_one_excludes_the_others() -> None:
    texts = {"a": "TPUs are only available on Google Cloud.", "b": "TPUs are also available on AWS."}
    (finding,) = findings(texts, "CW502")
    assert (finding.verdict, finding.severity, finding.metric) == ("contradiction", "high", "cloud_availability")
    assert finding.evidence[0].source == "a"


def test_only_until_some_day_excludes_nothing() -> None:
    once = "Until September 2025, TPUs were available only on Google Cloud."
    assert findings({"a": once, "b": "TPUs are available on AWS."}, "CW502") == []


def test_only_on_one_does_not_exclude_itself_or_another_line() -> None:
    only = "TPUs are only available on Google Cloud."
    assert findings({"a": only, "b": "TPUs are available on Google Cloud."}, "CW502") == []
    assert findings({"a": only, "b": "GPUs are available on AWS."}, "CW502") == []


ONLY_ON = "TPUs are only available on {}."


def test_two_that_each_name_another_as_the_only_one_contradict_once() -> None:
    (finding,) = findings({"a": ONLY_ON.format("Google Cloud"), "b": ONLY_ON.format("AWS")}, "CW502")
    assert {e.source for e in finding.evidence} == {"a", "b"}


def test_two_that_list_one_place_in_common_do_not_oppose_each_other() -> None:
    texts = {"a": ONLY_ON.format("Google Cloud and Google Colab"), "b": ONLY_ON.format("Google Cloud")}
    assert findings(texts, "CW502") == []
    assert len(findings(texts | {"c": "TPUs are available on AWS."}, "CW502")) == 1


def test_each_only_is_held_against_what_it_excludes() -> None:
    texts = {
        "a": ONLY_ON.format("Google Cloud"),
        "b": ONLY_ON.format("AWS"),
        "c": "TPUs are available on Azure.",
        "d": f"Once more. {ONLY_ON.format('AWS')}",
    }
    found = findings(texts, "CW502")
    assert [(f.title.partition(": ")[2], {e.source for e in f.evidence}) for f in found] == [
        ("only AWS, but others name Azure", {"b", "c"}),
        ("only Google Cloud, but others name AWS, Azure", {"a", "b", "c"}),
    ]


def test_what_one_text_lists_under_one_only_is_one_set() -> None:
    assert findings({"a": "TPUs are only available on Google Cloud and Google Colab."}, "CW502") == []


def test_opposites_that_each_hold_under_a_condition_are_no_finding() -> None:
    texts = {
        "a": "TPUs spend less time idle.",
        "b": "TPUs can often sit idle if the hard drive cannot feed them data quickly enough.",
    }
    assert audited(texts).findings == ()


def test_limited_support_is_support_under_a_condition() -> None:
    found = audited({"a": NO, "b": "TPUs have limited support for PyTorch."}).findings
    assert found == ()


def test_a_comment_opposes_nothing() -> None:
    audit = audited({"a": YES, "b": COMMENTED.format(body="Nothing is said here.", comment=NO)})
    assert not audit.contradicts
    assert {f.severity for f in audit.findings} <= {"low", "info"}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("GPUs use GDDR6 memory.", id="what some of its line have"),
        pytest.param("The H100 uses HBM.", id="the same, less precisely"),
    ],
)
def test_only_excludes_neither_what_others_have_nor_a_wider_word(other: str) -> None:
    only = "The H100 uses only HBM3."
    assert findings({"a": only, "b": other}, "CW502") == []
    assert len(findings({"a": only, "b": "The H100 uses HBM2e."}, "CW502")) == 1
