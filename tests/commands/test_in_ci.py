"""`check` where nobody looks on: a baseline, changed lines, comments that ignore, confidence, and SARIF in a file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from .checked_base import SHEET, base_on, draft

kb = base_on({"sheet.md": SHEET})

WRONG = "The H200 has 170 GB of memory per GPU."
ALSO_WRONG = "The H100 SXM peaks at 1,200 TFLOPS in dense BF16 per GPU."
RIGHT = "The H200 has 141 GB of memory per GPU."


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which notes.md says one wrong thing; it is the current folder."""
    draft(tmp_path, f"# Notes\n\n{WRONG}\n\nSomething else.\n", "notes.md")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "notes.md")
    git(tmp_path, "commit", "-qm", "Notes")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(chipwise: Chipwise, kb: KnowledgeFolder, *arguments: str) -> list[tuple[str, str]]:
    value = json.loads(chipwise("check", "--json", *arguments, kb=kb).stdout)
    return [(finding["evidence"][0]["quote"], finding["status"]) for finding in value["findings"]]


# --- Against result files ---

README = """# Speed

| Model | GPU | Batch | Tokens/s |
|---|---|---|---|
| Llama 3.1 8B | H100 SXM | 64 | {at_64} |
| Llama 3.1 8B | H100 SXM | 1 | 142 |
| Llama 3.1 8B | MI300X | 1 | 97 |

The H200 has 170 GB of memory.
"""
RESULTS = """model,gpu,batch,tokens_per_s
Llama 3.1 8B,H100 SXM,64,11904.3
Llama 3.1 8B,H100 SXM,1,142.2
"""


def test_a_figure_that_the_result_files_do_not_have_fails_a_run_and_what_they_leave_open_does_not(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    draft(repository, RESULTS, "results.csv")
    draft(repository, README.format(at_64="12,400"), "README.md")
    options = ("README.md", "--against", "results.csv")
    value = json.loads(chipwise("check", "--json", *options, kb=kb).stdout)
    quotes = [[e["quote"] for e in f["evidence"]] for f in value["findings"]]
    row = "| Llama 3.1 8B | H100 SXM | 64 | 12,400 |"
    assert quotes == [[row, "Llama 3.1 8B,H100 SXM,64,11904.3"]]
    assert value["findings"][0]["code"] == "CW106"
    draft(repository, README.format(at_64="11,904"), "README.md")
    assert chipwise("check", *options, kb=kb).exit_code == 0


# --- Baseline ---


def test_what_the_baseline_has_does_not_fail_a_run_and_a_new_finding_does(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    options = ("notes.md", "--baseline", "known.json")
    written = chipwise("check", *options, "--write-baseline", kb=kb)
    assert (written.exit_code, "known.json has 1 finding now" in written.stderr) == (0, True)
    assert chipwise("check", *options, kb=kb).exit_code == 0
    assert found(chipwise, kb, *options) == [(WRONG, "baseline")]
    file = repository / "notes.md"
    file.write_text(f"{ALSO_WRONG}\n\n{file.read_text()}")
    assert chipwise("check", *options, kb=kb).exit_code == 1
    assert found(chipwise, kb, *options) == [(ALSO_WRONG, "open"), (WRONG, "baseline")]


def test_a_finding_stays_known_when_its_lines_move_and_the_command_runs_elsewhere(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chipwise("check", "notes.md", "--baseline", "known.json", "--write-baseline", kb=kb)
    file = repository / "notes.md"
    file.write_text("A new opening.\n\n" * 3 + file.read_text())
    (repository / "below").mkdir()
    monkeypatch.chdir(repository / "below")
    assert chipwise("check", "../notes.md", "--baseline", "../known.json", kb=kb).exit_code == 0


def test_a_finding_is_known_in_its_own_document_only(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    chipwise("check", "notes.md", "--baseline", "known.json", "--write-baseline", kb=kb)
    other = draft(repository / "other", WRONG, "notes.md")
    assert chipwise("check", str(other), "--baseline", "known.json", kb=kb).exit_code == 1


def test_writing_keeps_what_is_known_of_other_documents_and_takes_out_what_is_gone(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    draft(repository, ALSO_WRONG, "more.md")
    chipwise("check", "notes.md", "more.md", "--baseline", "known.json", "--write-baseline", kb=kb)
    (repository / "notes.md").write_text(RIGHT)
    stale = chipwise("check", "notes.md", "--baseline", "known.json", kb=kb)
    assert "1 finding in it no longer found" in stale.stderr
    chipwise("check", "notes.md", "--baseline", "known.json", "--write-baseline", kb=kb)
    assert list(json.loads((repository / "known.json").read_text())["findings"]) == ["more.md"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "there is no baseline known.json"),
        ("{", "known.json cannot be read"),
        ('{"schema": "x"}', "known.json: schema is 'x'"),
        ('{"schema": "chipwise.baseline/1", "findings": {"a.md": ["x"]}}', "`findings` must hold titles"),
    ],
)
def test_a_baseline_that_is_none_is_an_error_that_names_it(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path, text: str | None, said: str
) -> None:
    if text is not None:
        (repository / "known.json").write_text(text)
    result = chipwise("check", "notes.md", "--baseline", "known.json", kb=kb)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'FILE...'"),
        (["a.md", "--write-baseline"], "--write-baseline needs --baseline FILE"),
        (["a.md", "--write-baseline", "--baseline", "b", "--changed-since", "main"], "leave out --changed-since"),
        (["-", "--changed-since", "main"], "git does not track standard input"),
        (["a.md", "--min-confidence", "2"], "2.0 is not in the range"),
    ],
)
def test_options_that_cannot_go_together_are_told(
    chipwise: Chipwise, kb: KnowledgeFolder, arguments: list[str], said: str
) -> None:
    result = chipwise("check", *arguments, kb=kb)
    assert result.exit_code == 2
    assert said in result.stderr


# --- Changed lines ---


def test_only_changed_lines_are_judged(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    assert chipwise("check", "notes.md", "--changed-since", "HEAD", kb=kb).exit_code == 0
    file = repository / "notes.md"
    file.write_text(f"{file.read_text()}\n{ALSO_WRONG}\n")
    assert found(chipwise, kb, "notes.md", "--changed-since", "HEAD") == [(ALSO_WRONG, "open")]


def test_a_sentence_is_changed_when_any_of_its_lines_is(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    (repository / "notes.md").write_text("The H200 has\n170 GB of memory per GPU.\n")
    git(repository, "commit", "-qam", "In two lines")
    (repository / "notes.md").write_text("The H200 surely has\n170 GB of memory per GPU.\n")
    assert len(found(chipwise, kb, "notes.md", "--changed-since", "HEAD")) == 1


def test_without_a_file_all_changed_documents_are_checked_and_new_ones_whole(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    draft(repository / "docs", ALSO_WRONG, "new – α.md")
    (repository / "code.py").write_text("x = 1\n")
    assert found(chipwise, kb, "--changed-since", "HEAD") == [(ALSO_WRONG, "open")]


def test_a_branch_is_held_against_where_it_began(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    git(repository, "switch", "-qc", "topic")
    draft(repository, ALSO_WRONG, "topic.md")
    git(repository, "add", "topic.md")
    git(repository, "commit", "-qm", "Topic")
    git(repository, "switch", "-q", "main")
    (repository / "notes.md").write_text(RIGHT)
    git(repository, "commit", "-qam", "Mended on main")
    git(repository, "switch", "-q", "topic")
    assert found(chipwise, kb, "--changed-since", "main") == [(ALSO_WRONG, "open")], "notes.md did not change here"


def test_a_revision_that_git_does_not_know_is_an_error(
    chipwise: Chipwise, kb: KnowledgeFolder, repository: Path
) -> None:
    for revision in ("nowhere", "--output=stolen"):
        result = chipwise("check", "notes.md", f"--changed-since={revision}", kb=kb)
        assert result.exit_code == 2
        assert f"git has no commit {revision!r}" in result.stderr
    assert not (repository / "stolen").exists()


def test_outside_of_a_repository_there_are_no_changes(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    result = chipwise("check", str(draft(tmp_path, WRONG)), "--changed-since", "main", kb=kb)
    assert (result.exit_code, "not in a git repository" in result.stderr) == (2, True)


# --- Comments that ignore ---


@pytest.mark.parametrize(
    "text",
    [
        f"{WRONG} <!-- chipwise: ignore CW701: quoted from a leak -->",
        f"<!-- chipwise: ignore CW101, CW701: quoted from a leak -->\n{WRONG}",
        f"<!-- chipwise: ignore CW701: quoted from a leak -->\n\nHere it is.\n{WRONG}",
        f"{WRONG}\n\n<!-- chipwise: ignore-file CW701: quoted from a leak -->",
        f"{{/* chipwise: ignore CW701: quoted from a leak */}}\n{WRONG}",
    ],
)
def test_a_comment_ignores_a_code_where_it_stands(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, text: str
) -> None:
    file = str(draft(tmp_path, text))
    assert chipwise("check", file, kb=kb).exit_code == 0
    assert [status for _, status in found(chipwise, kb, file)] == ["ignored"]
    shown = chipwise("check", file, "--all", kb=kb)
    assert "quoted from a leak" in shown.stdout
    assert "1 acknowledged: 1 ignored" in shown.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{WRONG}\n\n<!-- chipwise: ignore CW701: elsewhere -->\nSomething.", "no finding matches the comment"),
        (f"{WRONG} <!-- chipwise: ignore CW701 -->", "gives no reason to ignore CW701"),
        (f"{WRONG} <!-- chipwise: ignore CW999: so -->", "there is no code 'CW999'"),
        (f"{WRONG} <!-- chipwise: ignore: so -->", "names no code"),
        (f"{WRONG} <!-- chipwise: skip CW701: so -->", "'skip' is neither ignore nor ignore-file"),
    ],
)
def test_a_comment_that_counts_for_nothing_is_reported_with_its_line(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, text: str, said: str
) -> None:
    file = draft(tmp_path, text)
    result = chipwise("check", str(file), "--json", kb=kb)
    assert result.exit_code == 1
    assert said in result.stderr
    (remark,) = json.loads(result.stdout)["remarks"]
    assert (remark["origin"], said in remark["text"]) == (str(file), True)
    assert "chipwise:" in text.split("\n")[remark["line"] - 1]
    assert (
        f",line={remark['line']},title=chipwise::" in chipwise("check", str(file), "--format", "github", kb=kb).stdout
    )


def test_an_example_in_a_listing_ignores_nothing(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    text = f"```\n<!-- chipwise: ignore-file CW701: an example -->\n```\n\n`<!-- chipwise: ignore CW701: x -->`\n\n{WRONG}\n"
    result = chipwise("check", str(draft(tmp_path, text)), kb=kb)
    assert (result.exit_code, result.stderr) == (1, "")


def test_the_words_of_a_comment_are_no_claim(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    text = f"{RIGHT} <!-- chipwise: ignore CW701: the H200 has 150 GB in a leak -->"
    result = chipwise("check", str(draft(tmp_path, text, "draft.txt")), kb=kb)
    assert result.exit_code == 0
    assert result.stdout.startswith("1 claim: 1 supported")


# --- Confidence, SARIF, folders ---


def test_findings_that_are_less_sure_are_left_out(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from chipwise import KnowledgeBase

    check = KnowledgeBase.check

    def unsure(*arguments: Any, **options: Any) -> Any:
        audit = check(*arguments, **options)
        return replace(audit, findings=tuple(replace(f, confidence=0.7) for f in audit.findings))

    monkeypatch.setattr(KnowledgeBase, "check", unsure)
    file = str(draft(tmp_path, WRONG))
    assert chipwise("check", file, "--min-confidence", "0.7", kb=kb).exit_code == 1
    result = chipwise("check", file, "--min-confidence", "0.8", kb=kb)
    assert result.exit_code == 0
    assert result.stdout.startswith("1 claim: 1 not checked")


def test_sarif_goes_to_a_file_whatever_is_printed(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    def fingerprints() -> list[dict[str, str]]:
        assert chipwise("check", "notes.md", "--format", "github", "--sarif", "out.sarif", kb=kb).exit_code == 1
        (run,) = json.loads((repository / "out.sarif").read_text())["runs"]
        return [result["partialFingerprints"] for result in run["results"]]

    before = fingerprints()
    file = repository / "notes.md"
    file.write_text("Lines before it.\n\n" * 5 + file.read_text().replace("\n\n", "\n\n\n"))
    assert len(before) == 1
    assert fingerprints() == before, "they do not depend on lines"


def test_sarif_that_cannot_be_written_is_an_error(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    result = chipwise("check", "notes.md", "--sarif", "nowhere/out.sarif", kb=kb)
    assert (result.exit_code, "cannot be written" in result.stderr) == (2, True)


def test_a_folder_is_checked_with_all_that_is_in_it(chipwise: Chipwise, kb: KnowledgeFolder, repository: Path) -> None:
    draft(repository / "specs", "chip,memory_gb\nH200,170\n", "chips.csv")
    draft(repository / "specs", "{ not json", "broken.json")
    result = chipwise("check", ".", kb=kb)
    assert result.exit_code == 1
    assert "left out specs/broken.json" in result.stderr
    assert "notes.md:3:14" in result.stdout
    assert "specs/chips.csv:2:6" in result.stdout
