"""The page for agents, `skills/chipwise/SKILL.md`: its commands run, and give the fields that it names."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

import chipwise as library
from chipwise.corpus import digests_folder
from chipwise.results import Standing

from ..conftest import ROOT, Chipwise

PAGE = (ROOT / "skills" / "chipwise" / "SKILL.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ chipwise (.+)$", PAGE, re.M)
DIGESTS = ("aiwiki-h200", "stas00-accelerators", "stas00-accelerators-amd", "rocm-mi300-docs")
WRONG = "The H200 has 96 GB of memory.\n"


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the shipped corpus."""
    folder = tmp_path_factory.mktemp("skill") / "kb"
    with library.KnowledgeBase(folder) as base:
        base.create(shipped=False)
        base.add(*(digests_folder() / f"{name}.md" for name in DIGESTS))
        base.build()
    return folder


def test_the_page_is_short_and_says_when_to_use_it() -> None:
    _, matter, body = PAGE.split("---\n", 2)
    told = yaml.safe_load(matter)
    assert set(told) == {"name", "description"}
    assert told["name"] == "chipwise"
    assert len(told["description"]) < 1024
    assert len(body.split()) < 400


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(
    chipwise: Chipwise, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.md").write_text(WRONG)
    result = chipwise(*shlex.split(command), kb=kb)
    assert result.exit_code == (1 if command.startswith("check") else 0)
    assert result.stderr == ""
    if "--json" in command:
        assert json.loads(result.stdout)["schema"].startswith("chipwise.")


def test_the_fields_that_it_names_are_there(chipwise: Chipwise, kb: Path, tmp_path: Path) -> None:
    answer = json.loads(chipwise("ask", "--json", "How much memory does the H200 have?", kb=kb).stdout)
    assert {"answer", "citations", "rows", "status", "disagreements"} <= set(answer)
    refused = chipwise("ask", "--json", "How fast is the Frobnicator 9000?", kb=kb)
    assert (refused.exit_code, json.loads(refused.stdout)["status"]) == (1, "no_answer")
    (tmp_path / "draft.md").write_text(WRONG)
    check = json.loads(chipwise("check", "--json", str(tmp_path / "draft.md"), kb=kb).stdout)
    assert [judgement["standing"] for judgement in check["judgements"]] == ["contradicted"]
    failed = chipwise("facts", "--json", "H300", kb=kb)
    assert (failed.exit_code, {"error", "help"} <= set(json.loads(failed.stdout))) == (2, True)


def test_it_names_the_ways_a_claim_can_stand() -> None:
    standings = {standing.value for standing in Standing}
    assert set(re.findall(r'"([a-z][a-z ]+)"', PAGE.partition("**Checks.**")[2])) <= standings
