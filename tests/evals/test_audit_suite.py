"""The generated audit suite: its cases are what they say, and its judging is fair. No audit is run here but a fake one."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from audit_bank import SPLITS, Bank
from audit_pages import CLOSE, OPEN, Case, marked, unmarked
from audit_suite import FAMILIES, HARMFUL, HARMLESS, documents, figures, judge_all, make_cases, outcome, readable
from audit_surfaces import EXPLAINED, LEAST, number, other, rounded, written
from results import flat, markdown

from chipwise.types import Document, Evidence, Finding, Role

FEW = 4
CASES = make_cases(count=FEW)


def finding(case: Case, code: str, verdict: str, severity: str = "high", at: tuple[int, int] | None = None) -> Finding:
    """One about the first planted figure of a case, or about a place `at` in its first document."""
    start, end = at or case.pages[0].marks[0]
    quote = case.pages[0].text[start:end]
    evidence = Evidence("a.md", "a", "a.md", "", "", (), Role.BODY, quote, start, end, 1, None, "a.md#0")
    return Finding(code, verdict, severity, "title", "", (evidence,), "0" * 12)


def one(family: str) -> Case:
    return next(case for case in CASES if case.family == family)


def test_splits_share_no_subject_and_no_sentence() -> None:
    tune, report = (Bank(split) for split in SPLITS)
    assert not set(tune.subjects) & set(report.subjects)
    assert not {s.id for s in tune.systems} & {s.id for s in report.systems}
    names = [{n for s in bank.subjects.values() for n in s.names} for bank in (tune, report)]
    assert not names[0] & names[1]
    sentences = [
        {t for f in bank._sentences.values() for form in ("named", "bare", "labels") for t in f[form]}
        | {t for texts in (*bank._texts.values(), *bank._comparisons.values()) for t in texts}
        for bank in (tune, report)
    ]
    assert not sentences[0] & sentences[1]


def test_every_family_has_as_many_different_cases_in_both_splits_and_a_seed_always_the_same() -> None:
    for family in FAMILIES:
        for split in SPLITS:
            own = [case for case in CASES if (case.family, case.split) == (family, split)]
            assert len({case.pages for case in own}) == FEW, (family, split)
    assert make_cases(count=FEW) == CASES
    assert make_cases(families=["unit"], count=FEW) == [case for case in CASES if case.family == "unit"]
    assert make_cases(count=FEW, seed=1) != CASES


def test_documents_hold_the_marked_figures_and_no_trace_of_a_template() -> None:
    for case in CASES:
        assert all(found.marks for found in case.pages), case
        for found in case.pages:
            assert not set("{}" + OPEN + CLOSE) & set(found.text), found.text
            assert all(found.text[start:end].strip() for start, end in found.marks)
        assert [d.text for d in documents(case)] == [p.text for p in case.pages], (
            "spans point into the text as it is read"
        )
        assert case.harmful == (case.family in HARMFUL) != (case.family in HARMLESS)


def test_marks_are_taken_out_and_remembered() -> None:
    found = unmarked(f"It has {marked('80 GB')}, not {marked('96 GB')}.")
    assert found.text == "It has 80 GB, not 96 GB."
    assert [found.text[start:end] for start, end in found.marks] == ["80 GB", "96 GB"]


def test_another_figure_is_clearly_another_and_no_transformation_of_the_right_one() -> None:
    chance = random.Random(3)  # noqa: S311
    for fact in Bank("tune").facts:
        wrong = other(fact, [fact.value * 1.1], chance, counts=[12])
        for right in (fact.value, fact.value * 1.1):
            ratio = max(wrong / right, right / wrong)
            assert ratio >= 1 + LEAST
            assert all(abs(ratio / factor - 1) > 0.02 for factor in (*EXPLAINED, 12))


def test_a_rounded_figure_is_close_and_has_fewer_digits() -> None:
    assert rounded(1979) == 2000
    assert rounded(3.35) == 3.4
    assert rounded(80) is None
    assert number(13120) == "13,120"
    assert number(0.989) == "0.989"
    assert number(74.505806) == "74.51"
    assert written(8e10, "transistors", random.Random(0)) == "80 billion transistors"  # noqa: S311


def test_a_planted_figure_is_found_by_a_fitting_code_that_is_more_than_a_remark() -> None:
    case = one("scope")
    assert outcome(case, [finding(case, "CW201", "scope", "low")]).found
    assert not outcome(case, [finding(case, "CW201", "scope", "info")]).found
    assert not outcome(case, [finding(case, "CW501", "contradiction")]).found
    assert not outcome(case, []).found
    far = Finding("CW201", "scope", "high", "", "", (), "0" * 12, subject="google-edge-tpu", metric="weight")
    assert not outcome(case, [far]).found, "it is about something else"
    near = Finding("CW201", "scope", "high", "", "", (), "0" * 12, subject=case.subject, metric=case.metric)
    assert outcome(case, [near]).found


@pytest.mark.parametrize("family", ["another value", "unit", "record"])
def test_where_values_clash_only_a_contradiction_counts(family: str) -> None:
    case = one(family)
    assert not outcome(case, [finding(case, "CW101", "unresolved")]).found
    assert outcome(case, [finding(case, "CW101", "contradiction")]).found


def test_a_contradiction_in_a_harmless_case_is_an_alarm_and_anything_milder_is_noise() -> None:
    case = one("paraphrase")
    loud = outcome(case, [finding(case, "CW101", "contradiction"), finding(case, "CW103", "spread", "low")])
    assert (loud.right, loud.alarms, loud.noise) == (False, 1, 1)
    assert outcome(case, [finding(case, "CW601", "lineage", "info")]).right


def test_a_contradiction_beside_the_planted_one_is_counted_apart() -> None:
    case = next(c for c in CASES if c.harmful and c.pages[0].marks[0][0] > 5)
    result = outcome(case, [finding(case, "CW101", "contradiction", at=(0, 2))])
    assert (result.found, result.alarms) == (False, 1)


def test_recall_and_false_alarms_are_told_by_split_and_family() -> None:
    def accuse(documents: Sequence[Document], recorded: bool) -> Sequence[Finding]:
        case = next(
            c for c in CASES if [p.text for p in c.pages] == [d.text for d in documents] and c.facts is recorded
        )
        return [finding(case, (case.codes or ("CW1",))[0] + "01", "contradiction")]

    found = figures(judge_all(CASES, accuse))
    by_name = dict(flat(found))
    for split in SPLITS:
        assert by_name[f"{split}/planted changes found/all"].value == 1  # type: ignore[union-attr]
        assert by_name[f"{split}/harmless, called a contradiction/all"].value == 1  # type: ignore[union-attr]
        assert by_name[f"{split}/planted changes found/another value"].count == FEW  # type: ignore[union-attr]
    assert "planted changes found" in markdown(found)


def test_a_failing_case_can_be_read() -> None:
    case = one("unit")
    shown = readable(outcome(case, [finding(case, "CW101", "unresolved", "low")]))
    assert case.pages[0].text.rstrip() in shown
    assert "wanted: a finding of CW1" in shown
    assert "CW101 unresolved, low: title" in shown
