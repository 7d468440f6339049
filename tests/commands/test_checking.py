"""`check` on files: the exit code, the formats, and that nothing is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from .checked_base import SHEET, base_on, draft

kb = base_on({"sheet.md": SHEET})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The memory capacity of the H200 is 141 GB.", 0),
        ("The MI300X has 192 GB of memory.", 0),
        ("The H100 SXM peaks at 1,979 TFLOPS in BF16 with 2:4 sparsity.", 0),
        ("The H200 has 170 GB of memory per GPU.", 1),
    ],
)
def test_only_a_contradiction_fails_the_run(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, text: str, code: int
) -> None:
    assert chipwise("check", str(draft(tmp_path, text)), kb=kb).exit_code == code


def test_a_file_that_cannot_be_read_is_an_error_and_the_others_are_checked(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
) -> None:
    bad = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    result = chipwise("check", str(bad), str(tmp_path / "missing.md"), kb=kb)
    assert result.exit_code == 2
    assert "missing.md" in result.stderr
    assert "170 GB" in result.stdout


def value_of(chipwise: Chipwise, kb: KnowledgeFolder, *arguments: str, stdin: str | None = None) -> dict[str, Any]:
    result = chipwise("check", "--json", *arguments, kb=kb, stdin=stdin)
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def test_standard_input_is_checked_like_a_file(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    text = "The H200 has 170 GB of memory per GPU. The MI300X has 192 GB of memory."
    piped, read = (
        value_of(chipwise, kb, *arguments, stdin=stdin)
        for arguments, stdin in ((["-"], text), ([str(draft(tmp_path, text))], None))
    )
    assert [j["standing"] for j in piped["judgements"]] == [j["standing"] for j in read["judgements"]]
    assert [f["code"] for f in piped["findings"]] == [f["code"] for f in read["findings"]] == ["CW701"]
    assert piped["schema"] == "chipwise.audit/1"


def test_several_drafts_are_checked_each_by_itself(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    files = [draft(tmp_path, f"The MI300X has {n} GB of memory.", f"{n}.md") for n in (192, 250)]
    value = value_of(chipwise, kb, *map(str, files))
    assert value["findings"] == [], "drafts are not held against one another"
    assert len(value["judgements"]) == 2


def test_an_acknowledged_contradiction_no_longer_fails_the_run(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    (finding,) = value_of(chipwise, kb, str(file))["findings"]
    register = tmp_path / "register.toml"
    known = ("--as", "accepted", "--reason", "we know", "--register", str(register))
    assert chipwise("accept", finding["fingerprint"], *known, kb=kb).exit_code == 0
    file.write_text(f"Something else goes before.\n\n{file.read_text()}")
    assert chipwise("check", str(file), "--register", str(register), kb=kb).exit_code == 0


def test_nothing_of_a_draft_is_stored(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    def stored() -> dict[Path, bytes]:
        return {p: p.read_bytes() for p in sorted(kb.folder.rglob("*")) if p.is_file() and p.suffix not in (".lock",)}

    before = stored()
    chipwise("check", str(draft(tmp_path, "The Zorgon-9 H200 has 170 GB of memory per GPU.")), kb=kb)
    chipwise("check", "-", kb=kb, stdin="The H200 has 170 GB of memory per GPU.")
    assert stored() == before
    assert all(b"Zorgon-9" not in data for data in before.values())


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
def test_every_format_shows_the_contradiction_and_fails(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, form: str
) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    result = chipwise("check", "--format", form, str(file), kb=kb)
    assert result.exit_code == 1
    assert "CW701" in result.stdout
    assert "170 GB" in result.stdout


def test_a_review_shows_a_finding_at_the_draft(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    file = draft(tmp_path, "The H200 has 170 GB of memory per GPU.")
    (result,) = json.loads(chipwise("check", "--format", "sarif", str(file), kb=kb).stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("/draft.md")
    assert len(result["relatedLocations"]) == 1
    assert "draft.md,line=1" in chipwise("check", "--format", "github", str(file), kb=kb).stdout


def test_the_text_marks_the_figure(chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path) -> None:
    sentence = "The H200 has 170 GB of memory per GPU."
    lines = chipwise("check", str(draft(tmp_path, f"# A draft\n\n{sentence}\n")), kb=kb).stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if sentence in line)
    shown, marks = lines[at], lines[at + 1]
    assert marks.index("^") == shown.index("170 GB")
    assert marks.count("^") == len("170 GB")


def test_a_check_counts_and_places_claims_as_their_list_does(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path
) -> None:
    text = "The H200, which came late,\nhas 141 GB of memory.\n\nIt moves 5 km. The 12 TB/s are of nobody."
    file = str(draft(tmp_path, text))
    summary = chipwise("check", "--all", file, kb=kb).output
    listed = chipwise("claims", file, kb=kb).output
    assert ".md:2:5: supported" in summary
    assert "line 2 · NVIDIA H200 · memory capacity · 141 GB" in listed
    (claims,) = [line.partition(" claim")[0] for line in summary.splitlines() if line[:1].isdigit()]
    assert f"\n{claims} claim" in listed
    nothing = str(draft(tmp_path, "Hello.", "greeting.md"))
    assert chipwise("check", "--claims", nothing, file, kb=kb).output.endswith(listed)
    assert [chipwise("check", "--claims", f, kb=kb).exit_code for f in (nothing, file)] == [1, 0]
