"""An audit in numbers, narrowed, and several as one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from chipwise.audit import marks, model
from chipwise.audit.model import Audit, Judgement, badness
from chipwise.figures.judge import Standing
from chipwise_cli.findings_display import SEVERITIES, STATUSES, VERDICTS, check_summary, summary

from .samples import AUDIT, CHECK, IN_NOTE, SPREAD, VALUES

audit_summary = partial(summary, checking=False)


def test_the_summary_counts_verdicts_and_what_was_looked_at() -> None:
    other = replace(VALUES, status="accepted")
    explained = replace(VALUES, verdict="explained", severity="info")
    odd = replace(VALUES, verdict="note")
    audit = replace(AUDIT, findings=(VALUES, VALUES, other, SPREAD, explained, explained, odd), claims=8410, pairs=1)
    assert audit_summary(audit) == (
        "2 contradictions, 1 spread, 2 explained differences, 1 note in 12 sources: "
        "8,410 claims, 1 pair compared; 1 acknowledged: 1 accepted"
    )


def test_every_verdict_has_its_words() -> None:
    audit = Audit(tuple(replace(VALUES, verdict=v) for v in (*VERDICTS, "scope", "drift", "lineage")), 1, 1, 1)
    assert audit_summary(audit).partition(" in 1 source")[0] == (
        "1 contradiction, 2 mixed scopes, 2 drifted statements, 1 unresolved, 1 spread, 2 shared origins, "
        "1 explained difference, 1 compatible pair, 1 pair in agreement"
    )


@pytest.mark.parametrize(
    ("audit", "said"),
    [
        (Audit((), 1, 1, 0), "No contradictions in 1 source: 1 claim, 0 pairs compared"),
        (Audit((SPREAD,), 2, 0, 0), "No contradictions, 1 spread in 2 sources: 0 claims, 0 pairs compared"),
    ],
)
def test_that_nothing_was_found_is_said(audit: Audit, said: str) -> None:
    assert audit_summary(audit) == said


def test_contradictions_that_the_register_confirms_are_not_denied() -> None:
    statuses = ("accepted", "confirmed", "explained", "confirmed", "looked at")
    audit = Audit((*(replace(VALUES, status=s) for s in statuses), SPREAD), 2, 1, 0)
    assert audit_summary(audit) == (
        "No open contradictions, 1 spread in 2 sources: 1 claim, 0 pairs compared; "
        "5 acknowledged: 2 confirmed, 1 explained, 1 accepted, 1 looked at"
    )
    assert audit_summary(Audit((replace(SPREAD, status="confirmed"),), 1, 1, 0)).startswith("No contradictions in")


def test_the_summary_of_a_check_counts_how_claims_stand() -> None:
    counts = {
        Standing.SUPPORTED: 12,
        Standing.CONTRADICTED: 2,
        Standing.EXPLAINED: 3,
        Standing.UNKNOWN: 6,
        Standing.UNCHECKED: 4,
    }
    judgements = tuple(Judgement(IN_NOTE, "", s, "") for s, count in counts.items() for _ in range(count))
    assert check_summary(Audit((), 1, 27, 9, (), judgements)) == (
        "27 claims: 12 supported, 2 contradicted, 3 explained differences, 6 not in the knowledge base, 4 not checked"
    )
    assert check_summary(CHECK).endswith("1 not in the knowledge base; 1 contradiction")
    assert check_summary(Audit((), 1, 0, 0)) == "0 claims"
    assert (
        check_summary(Audit((replace(VALUES, status="accepted"),), 1, 0, 0)) == "0 claims; 1 acknowledged: 1 accepted"
    )


def test_the_worst_stands_first_and_what_is_acknowledged_last() -> None:
    low, high = replace(VALUES, severity="low"), VALUES
    known, odd = replace(VALUES, status="explained"), replace(VALUES, severity="odd")
    assert sorted((known, odd, SPREAD, low, high), key=badness) == [high, low, SPREAD, odd, known]


def test_less_severe_findings_can_be_left_out() -> None:
    assert AUDIT.at_least("info").findings == AUDIT.findings
    assert AUDIT.at_least("low").findings == AUDIT.findings
    assert AUDIT.at_least("medium").findings == (VALUES,)


def test_files_of_one_name_in_two_folders_keep_their_findings() -> None:
    one, other = (replace(VALUES, evidence=(replace(IN_NOTE, origin=f"{folder}/note.md"),)) for folder in "ab")
    assert Audit.merged([replace(CHECK, findings=(one,)), replace(CHECK, findings=(other,))]).findings == (one, other)


def test_the_checks_of_several_documents_are_added_up() -> None:
    elsewhere = replace(VALUES, evidence=(replace(IN_NOTE, source="other"), VALUES.evidence[1]))
    both = Audit.merged([CHECK, replace(CHECK, findings=(SPREAD, VALUES, elsewhere), unchecked=("more",))])
    assert both.findings == (VALUES, elsewhere, SPREAD)
    assert (both.sources, both.claims, both.pairs) == (24, 8, 624)
    assert both.unchecked == (*CHECK.unchecked, "more")
    assert len(both.judgements) == 6
    assert Audit.merged([]) == Audit((), 0, 0, 0)


def test_the_commands_name_the_kinds_that_an_audit_knows() -> None:
    assert SEVERITIES == model.SEVERITIES
    assert STATUSES == marks.STATUSES
    assert tuple(VERDICTS) == model.VERDICTS
