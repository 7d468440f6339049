"""`audit`: what is printed in each format, what narrows it, and exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chipwise.audit import marks

from ...audit.samples import AUDIT, CHECK, IN_NOTE, SPREAD, VALUES, Fakes
from ...conftest import Chipwise
from .printed import NOT_ASKED, SHOWN, SPREAD_SHOWN, SUMMARY, UNCHECKED, acknowledge


def test_audit_shows_findings_as_a_compiler_does_and_fails(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == SHOWN + SPREAD_SHOWN + SUMMARY + UNCHECKED
    assert fakes.calls == [{"folder": kb, **NOT_ASKED}]


def test_audit_without_a_contradiction_is_content(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(SPREAD,), unchecked=())
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stdout) == (
        0,
        f"{SPREAD_SHOWN}No contradictions, 1 spread in 12 sources: 841 claims, 312 pairs compared\n",
    )


def test_audit_passes_on_what_narrows_it(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    asked = {"source": "note", "subject": "h200", "metric": "price"}
    chipwise("audit", "--all", *(word for name in asked for word in (f"--{name}", asked[name])), kb=kb)
    assert fakes.calls == [{"folder": kb, "everything": True, **asked}]


def test_the_worst_finding_stands_first(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(SPREAD, VALUES))
    assert chipwise("audit", kb=kb).stdout.startswith(SHOWN + SPREAD_SHOWN)


def test_what_is_less_severe_is_left_out_and_fails_no_run(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("audit", "--min-severity", "medium", kb=kb)
    assert (result.exit_code, "CW103" in result.stdout) == (1, False)
    fakes.audit = replace(AUDIT, findings=(replace(VALUES, severity="low"),))
    result = chipwise("audit", "--min-severity", "medium", kb=kb)
    assert (result.exit_code, "CW101" in result.stdout) == (0, False)


def test_an_unsure_finding_is_counted_and_listed_with_all(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.audit = replace(AUDIT, findings=(replace(VALUES, confidence=0.5),))
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, "CW101" in result.stdout) == (0, False)
    assert result.stderr == "note: 1 less certain finding left out; `chipwise audit --all` lists them\n"
    result = chipwise("audit", "--all", kb=kb)
    assert (result.exit_code, "CW101" in result.stdout, result.stderr) == (1, True, "")


def test_an_acknowledged_finding_is_counted_and_shown_with_all(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1")
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "CW101" not in result.stdout
    assert "1 acknowledged: 1 accepted" in result.stdout
    shown = chipwise("audit", "--all", kb=kb).stdout
    assert "   = high contradiction, 3f2a91c04bd1, accepted 2026-11-21: we know\n" in shown
    assert shown.index("CW103") < shown.index("CW101")


def test_an_entry_of_no_finding_is_a_note_unless_the_audit_was_narrowed(
    chipwise: Chipwise, fakes: Fakes, kb: Path
) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1", "000000000000")
    result = chipwise("audit", kb=kb)
    assert (result.exit_code, result.stderr) == (
        0,
        f"note: {kb}/findings.toml:7: 000000000000 (accepted) matches no finding of this run, or several\n",
    )
    assert chipwise("audit", "--subject", "h200", kb=kb).stderr == ""


def test_a_register_can_be_named_and_takes_the_place_of_the_own_one(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path
) -> None:
    acknowledge(kb / "findings.toml", "aa00bb11cc22")
    acknowledge(tmp_path / "ours.toml", "3f2a91c04bd1")
    result = chipwise("audit", "--register", str(tmp_path / "ours.toml"), kb=kb)
    assert (result.exit_code, result.stdout.startswith(SPREAD_SHOWN)) == (0, True)


def test_the_shipped_register_goes_with_the_shipped_corpus(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "shipped_folder", lambda: tmp_path)
    acknowledge(tmp_path / "findings.toml", "3f2a91c04bd1", "000000000000")
    assert chipwise("audit", kb=kb).exit_code == 1
    with_corpus = chipwise("audit", kb=tmp_path / "other")
    assert (with_corpus.exit_code, with_corpus.stderr) == (0, "")


def test_audit_json_keeps_the_contract(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91")
    result = chipwise("audit", "--json", kb=kb)
    value = json.loads(result.stdout)
    assert (result.exit_code, value["schema"]) == (0, "chipwise.audit/1")
    assert value["checked"] == {"sources": 12, "claims": 841, "pairs": 312}
    assert (value["unchecked"], value["judgements"]) == (list(AUDIT.unchecked), [])
    spread, values = value["findings"]
    assert (spread["status"], values["status"]) == ("open", "accepted")
    assert {k: v for k, v in values.items() if k != "evidence"} == {
        "code": "CW101",
        "verdict": "contradiction",
        "severity": "high",
        "title": VALUES.title,
        "explanation": VALUES.explanation,
        "fingerprint": "3f2a91c04bd1",
        "status": "accepted",
        "help": VALUES.help,
        "subject": "nvidia-h200",
        "metric": "memory_capacity",
        "confidence": 1.0,
    }
    assert values["evidence"][0] == {
        "source": "note",
        "title": "Notes",
        "origin": "note.md",
        "publisher": "",
        "published": "",
        "heading": "Notes > Memory",
        "role": "body",
        "quote": IN_NOTE.quote,
        "start": IN_NOTE.start,
        "end": IN_NOTE.end,
        "line": 12,
        "column": 18,
        "mark": [17, 23],
        "page": None,
        "passage": "note#1",
        "digest": False,
    }
    assert spread["evidence"][0]["mark"] is None
    assert chipwise("audit", "--format", "json", kb=kb).stdout == result.stdout


@pytest.mark.parametrize("command", [["audit"], ["check", "draft.md"]], ids=["audit", "check"])
@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("sarif", '{\n  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/'),
        ("github", "::error file=note.md,line=12,col=18,title=CW101 "),
        ("markdown", "# chipwise {}\n\n"),
        ("text", SHOWN),
    ],
)
def test_the_format_changes_what_is_printed_and_no_exit_code(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], form: str, begins: str
) -> None:
    result = chipwise(*command, "--format", form, kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.startswith(begins.format(command[0]) if form == "markdown" else begins)
    if form == "sarif":
        assert len(json.loads(result.stdout)["runs"][0]["results"]) == len((AUDIT, CHECK)[len(command) - 1].findings)
