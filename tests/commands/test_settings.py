"""`chipwise.toml`: what it may say, what goes before what, and errors that name the file and the key."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import COMMAND, Chipwise
from ..documents import write
from .checked_base import SHEET, base_on

kb = base_on({"sheet.md": SHEET})

WRONG = "The H200 has 170 GB of memory per GPU."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is the current folder, below a folder that is none of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "above" / "project"
    write(folder, {"draft.md": WRONG})
    write(folder / ".git", {"HEAD": "ref: refs/heads/main"})
    monkeypatch.chdir(folder)
    return folder


def of_user(project: Path, text: str) -> None:
    write(project.parents[1] / "config" / "chipwise", {"chipwise.toml": text})


def test_the_projects_file_names_the_knowledge_base_from_its_own_folder(
    chipwise: Chipwise, kb: KnowledgeFolder, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(kb.folder, project / "kb")
    (project / "chipwise.toml").write_text('kb = "kb"\n')
    assert chipwise("check", "draft.md").exit_code == 1
    (project / "docs").mkdir()
    monkeypatch.chdir(project / "docs")
    assert chipwise("check", "../draft.md").exit_code == 1


def test_option_before_environment_before_project_before_user(
    chipwise: Chipwise, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def used(*before: str) -> str:
        missing = chipwise(*before, "doctor").output
        return next(
            name for name in ("option", "environment", "project-kb", "user-kb", "data") if f"/{name}" in missing
        )

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert used() == "data"
    of_user(project, 'kb = "user-kb"')
    assert used() == "user-kb"
    (project / "chipwise.toml").write_text('kb = "project-kb"')
    assert used() == "project-kb"
    monkeypatch.setenv("CHIPWISE_KB", str(tmp_path / "environment"))
    assert used() == "environment"
    assert used("--kb", str(tmp_path / "option")) == "option"


def test_each_setting_comes_from_the_nearest_file_that_has_it(
    chipwise: Chipwise, kb: KnowledgeFolder, project: Path
) -> None:
    of_user(project, f'kb = "{kb.folder}"\nbaseline = "elsewhere.json"\n')
    (project / "chipwise.toml").write_text('baseline = "known.json"\n')
    assert chipwise("check", "draft.md", "--write-baseline").exit_code == 0
    assert (project / "known.json").exists()
    assert chipwise("check", "draft.md").exit_code == 0


def test_the_register_of_a_project_is_read_and_written(chipwise: Chipwise, kb: KnowledgeFolder, project: Path) -> None:
    of_user(project, f'kb = "{kb.folder}"\n')
    (project / "chipwise.toml").write_text('register = "docs/findings.toml"\n')
    (project / "docs").mkdir()
    (project / "docs" / "findings.toml").touch()
    (finding,) = json.loads(chipwise("check", "draft.md", "--json").stdout)["findings"]
    done = chipwise("accept", finding["fingerprint"], "--as", "accepted", "--reason", "known")
    assert (done.exit_code, "docs/findings.toml" in done.stdout) == (0, True)
    assert chipwise("check", "draft.md").exit_code == 0


def test_a_project_from_anywhere_chooses_no_database_no_other_folder_and_no_model(
    chipwise: Chipwise, kb: KnowledgeFolder, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "link").symlink_to(kb.folder, target_is_directory=True)
    contents = {"format": 1, "shipped": True, "model": str(project), "documents": []}
    write(project / "kb", {"knowledge.json": json.dumps(contents)})
    for value in ("postgresql://db.invalid/chips", str(kb.folder), "../..", "link", "kb"):
        (project / "chipwise.toml").write_text(f'kb = "{value}"\n')
        refused = chipwise("doctor")
        assert (refused.exit_code, "the `kb` of a project can't use" in refused.stderr) == (2, True), value
        assert chipwise("doctor", kb=kb).exit_code == 0, "an option goes before it"
    of_user(project, f'kb = "{kb.folder}"\n')
    (project / "chipwise.toml").unlink()
    assert chipwise("doctor").exit_code == 0


def test_a_file_above_the_repository_is_not_the_projects(chipwise: Chipwise, project: Path) -> None:
    (project.parent / "chipwise.toml").write_text("nonsense = 1\n")
    assert "nonsense" not in chipwise("doctor").output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('knowledge = "x"', "there is no setting `knowledge`"),
        ("kb = 3", "`kb` must be a string"),
        ('kb = "\\u0000"', "`kb` must be a string, without nulls"),
        ('color = "pink"', "`color` is 'pink'"),
        ("kb = ", "Invalid value"),
    ],
)
def test_what_is_wrong_names_the_file_and_the_key(chipwise: Chipwise, project: Path, text: str, said: str) -> None:
    file = project / "chipwise.toml"
    file.write_text(text)
    result = chipwise("doctor")
    assert result.exit_code == 2
    assert str(file) in " ".join(result.stderr.split())
    assert said in result.stderr
    assert "help:" in result.stderr


def printed(environment: Mapping[str, str], *arguments: str) -> str:
    import os

    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    return done.stdout


def test_colours_follow_the_settings_and_no_color_goes_before_them(project: Path) -> None:
    assert "\x1b[" not in printed({}, "explain")
    (project / "chipwise.toml").write_text('color = "always"\n')
    assert "\x1b[" in printed({}, "explain")
    assert "\x1b[" not in printed({"NO_COLOR": "1"}, "explain")


def test_help_tells_the_order(chipwise: Chipwise) -> None:
    told = " ".join(chipwise("--help").output.split())
    places = [
        told.index(word)
        for word in (
            "an option,",
            "(CHIPWISE_KB, NO_COLOR, FORCE_COLOR)",
            "toml in this folder",
            "your own chipwise.toml",
        )
    ]
    assert places == sorted(places)
