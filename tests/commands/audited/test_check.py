"""`check`, and what goes wrong in `audit` and `check` alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chipwise.audit.model import Audit
from chipwise.errors import ChipwiseError, KnowledgeBaseMissing, ModelUnavailable, SourceUnreadable

from ...audit.samples import CHECK, Fakes
from ...conftest import Chipwise
from .printed import SHOWN, UNCHECKED, acknowledge


def test_check_shows_findings_and_counts_how_claims_stand(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout == (
        f"{SHOWN}3 claims: 1 supported, 1 contradicted, 1 not in the knowledge base; 1 contradiction\n{UNCHECKED}"
    )
    assert fakes.calls == [{"folder": kb, "file": Path("draft.md"), "text": None, "lines": None, "against": []}]


def test_check_with_all_lists_every_claim(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    listed = chipwise("check", "--all", "draft.md", kb=kb).stdout.removeprefix(SHOWN)
    places = ("note.md:12:18: contradicted", "note.md:13:1: not in", "https://example.org/a b?x=[1]#y:5:31: supported")
    assert [place for place in places if place not in listed] == []


def test_a_contradicted_claim_that_no_finding_quotes_is_shown(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.check = lambda file, text: replace(CHECK, findings=(), unchecked=())
    result = chipwise("check", "draft.md", kb=kb)
    assert result.exit_code == 0
    assert result.stdout.startswith("note.md:12:18: contradicted: ")
    assert "144 GB in 1 source" in result.stdout


def test_check_of_a_document_without_claims_says_so(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    fakes.check = lambda file, text: Audit((), 12, 0, 0)
    result = chipwise("check", "draft.md", kb=kb)
    assert result.exit_code == 0
    assert "0 claims" in chipwise("check", "draft.md", "--format", "markdown", kb=kb).stdout


def test_check_reads_standard_input(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    chipwise("check", "-", kb=kb, stdin="The H200 has 144 GB.\n")
    assert fakes.calls == [{"folder": kb, "file": None, "text": "The H200 has 144 GB.\n", "lines": None, "against": []}]


def test_too_much_standard_input_is_refused(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chipwise_cli.check_command.STDIN_LIMIT", 10)
    result = chipwise("check", "-", kb=kb, stdin="more than that")
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "error: standard input has over 10 characters\nhelp: check a part of it\n",
    )


def test_several_files_are_checked_as_one_and_none_twice(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    result = chipwise("check", "a.md", "b.md", "a.md", kb=kb)
    assert [call["file"] for call in fakes.calls] == [Path("a.md"), Path("b.md")]
    assert result.stdout.count("CW101") == 1
    assert "6 claims: 2 supported" in result.stdout


def test_one_bad_file_keeps_no_other_from_being_checked(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    def check(file: Path | None, text: str | None) -> Audit:
        if file == Path("bad.pdf"):
            raise SourceUnreadable("bad.pdf is broken", hint="mend it")
        return CHECK

    fakes.check = check
    result = chipwise("check", "bad.pdf", "good.md", kb=kb)
    assert (result.exit_code, result.stderr) == (2, "error: bad.pdf is broken\nhelp: mend it\n")
    assert result.stdout.startswith(SHOWN)
    alone = chipwise("check", "bad.pdf", "--json", kb=kb)
    assert (alone.exit_code, json.loads(alone.stdout)["findings"]) == (2, [])


def test_check_json_has_the_judgements(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    value = json.loads(chipwise("check", "draft.md", "--json", kb=kb).stdout)
    assert value["schema"] == "chipwise.audit/1"
    assert [j["standing"] for j in value["judgements"]] == ["contradicted", "not in the knowledge base", "supported"]
    last = value["judgements"][2]
    assert set(last) == {"claim", "reading", "standing", "because", "against"}
    assert [e["source"] for e in last["against"]] == ["note"]


def test_an_acknowledged_contradiction_fails_no_check(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    acknowledge(kb / "findings.toml", "3f2a91c04bd1", "000000000000")
    result = chipwise("check", "draft.md", kb=kb)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "CW101" not in result.stdout
    assert "1 acknowledged: 1 accepted" in result.stdout


BOTH = pytest.mark.parametrize("command", [["audit"], ["check", "draft.md"]], ids=["audit", "check"])


@BOTH
def test_a_broken_register_is_told_with_its_line_before_anything_is_audited(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str]
) -> None:
    (kb / "findings.toml").write_text('\n[[finding]]\nfingerprint = "3f2a91"\nstatus = "fine"\nreason = "x"\n')
    result = chipwise(*command, kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"error: {kb}/findings.toml:2: `status` must be confirmed, explained or accepted\nhelp: fix that entry\n",
    )
    assert fakes.calls == []


@BOTH
def test_a_register_that_is_not_there_is_told(chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str]) -> None:
    result = chipwise(*command, "--register", "none.toml", kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        "error: there is no register none.toml\nhelp: `chipwise accept` creates it with the first entry; until then, an empty file will do\n",
    )


@BOTH
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--json", "--format", "sarif"], "--json and --format sarif cannot be combined"),
        (["--format", "xml"], "is not one of 'text', 'json', 'sarif', 'github', 'markdown'"),
        (["--register", "."], "is a directory"),
    ],
)
def test_options_that_cannot_be_are_told_with_the_usage(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], options: list[str], words: str
) -> None:
    result = chipwise(*command, *options, kb=kb)
    assert (result.exit_code, result.stdout, fakes.calls) == (2, "", [])
    assert words in " ".join(result.stderr.split())


def test_a_severity_that_is_none_and_a_check_of_nothing_are_told(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    assert "'high', 'medium', 'low', 'info'" in chipwise("audit", "--min-severity", "awful", kb=kb).stderr
    nothing = chipwise("check", kb=kb)
    assert (nothing.exit_code, "Missing argument 'FILE...'" in nothing.stderr) == (2, True)


@BOTH
@pytest.mark.parametrize("error", [KnowledgeBaseMissing("no", hint="h"), ModelUnavailable("no", hint="h")], ids=repr)
def test_what_the_library_refuses_ends_with_exit_2(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], error: ChipwiseError
) -> None:
    fakes.error = error
    result = chipwise(*command, kb=kb)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "error: no\nhelp: h\n")
