"""`action.yml` and `.pre-commit-hooks.yaml`, by running what they say on a small repository with the tool installed."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from chipwise.knowledge import KnowledgeFolder

from ..conftest import COMMAND, ROOT
from ..documents import write

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
WRONG = "The H200 has 170 GB of memory per GPU.\n"
RIGHT = "The H200 has 141 GB of memory per GPU.\n"
_EXPRESSION = re.compile(r"\$\{\{ *([a-z-]+)\.([a-z_-]+)(?:\.outputs\.([a-z-]+))? *\}\}")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One commit with a right and a wrong document; the command `chipwise` is on the path, in .bin."""
    folder = tmp_path / "repository"
    write(folder / "docs" / "a b", {"wrong.md": WRONG})
    write(folder / "docs", {"right.md": RIGHT})
    for arguments in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "Begin")):
        identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "chipwise"
    command.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    command.chmod(0o755)
    return folder


def environment(repository: Path, **own: str) -> dict[str, str]:
    return {**os.environ, "PATH": f"{repository.parent / 'bin'}{os.pathsep}{os.environ['PATH']}", **own}


class Runner:
    """Runs the steps of a composite action as GitHub's runner does: bash -e -o pipefail, outputs by a file."""

    def __init__(self, repository: Path, inputs: Mapping[str, str]) -> None:
        assert set(inputs) <= set(ACTION["inputs"]), "GitHub warns of inputs that do not exist"
        self.inputs = {name: str(of["default"]) for name, of in ACTION["inputs"].items()} | dict(inputs)
        self.repository = repository
        self.outputs: dict[str, dict[str, str]] = {}
        self.log = ""

    def run(self) -> int:
        """The exit code of the first step that fails, or 0."""
        code = 0
        for step in ACTION["runs"]["steps"]:
            code = code or self._step(step)
        return code

    def output(self, name: str) -> str:
        return self._filled(ACTION["outputs"][name]["value"])

    def _step(self, step: Mapping[str, Any]) -> int:
        file = self.repository.parent / "output"
        file.write_text("")
        own = {name: self._filled(value) for name, value in step["env"].items()}
        assert "${{" not in step["run"], "an expression in a script could become code of it"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.repository,
            env=environment(self.repository, GITHUB_OUTPUT=str(file), **own),
            capture_output=True,
            text=True,
            check=False,
        )
        self.log += done.stdout + done.stderr
        self.outputs[step.get("id", "")] = dict(line.split("=", 1) for line in file.read_text().splitlines())
        return done.returncode

    def _filled(self, text: str) -> str:
        def value(found: re.Match[str]) -> str:
            if found[1] == "inputs":
                return self.inputs[found[2]]
            return str(ROOT) if found[1] == "github" else self.outputs[found[2]][found[3]]

        return _EXPRESSION.sub(value, text)


def acted(repository: Path, kb: KnowledgeFolder, **inputs: str) -> tuple[int, Runner]:
    runner = Runner(repository, {"kb": str(kb.folder)} | {name.replace("_", "-"): v for name, v in inputs.items()})
    return runner.run(), runner


def test_the_action_is_composite_and_every_step_says_its_shell() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])
    assert {"name", "description", "inputs", "outputs"} <= set(ACTION)


def test_the_action_annotates_what_is_wrong_fails_and_writes_sarif(repository: Path, built: KnowledgeFolder) -> None:
    code, runner = acted(repository, built)
    assert (code, runner.output("exit-code")) == (1, "1")
    assert "::error file=docs/a b/wrong.md,line=1,col=14," in runner.log
    assert "right.md" not in runner.log
    (run,) = json.loads((repository / runner.output("sarif")).read_text())["runs"]
    assert [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]] == [
        "docs/a%20b/wrong.md"
    ]


def test_the_action_takes_files_and_patterns_one_a_line(repository: Path, built: KnowledgeFolder) -> None:
    assert acted(repository, built, files="docs/*.md")[0] == 0
    assert acted(repository, built, files="docs/right.md\ndocs/**/wr*.md")[0] == 1
    code, runner = acted(repository, built, files="docs/gone.md")
    assert (code, "gone.md does not exist" in runner.log) == (2, True)


def test_the_action_looks_at_changes_alone(repository: Path, built: KnowledgeFolder) -> None:
    assert acted(repository, built, changed_since="main", files="")[0] == 0
    write(repository / "docs", {"new.md": WRONG})
    code, runner = acted(repository, built, changed_since="main", files="")
    assert (code, "file=docs/new.md" in runner.log, "a b/wrong.md" in runner.log) == (1, True, False)


def test_the_action_takes_a_baseline(repository: Path, built: KnowledgeFolder) -> None:
    subprocess.run(
        ["chipwise", "--kb", str(built.folder), "check", "docs", "--baseline", "known.json", "--write-baseline"],
        cwd=repository,
        env=environment(repository),
        check=True,
        capture_output=True,
    )
    assert acted(repository, built, baseline="known.json")[0] == 0


def test_what_an_input_says_is_no_part_of_the_script(repository: Path, built: KnowledgeFolder) -> None:
    evil = "$(touch stolen); touch stolen #"
    code, _ = acted(repository, built, changed_since=evil, baseline=evil, files=f"docs\n{evil}")
    assert code == 2
    assert not (repository / "stolen").exists()


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_fails_a_commit_with_a_wrong_document_and_lets_others_pass(
    hook: dict[str, Any], repository: Path, built: KnowledgeFolder
) -> None:
    def committed(*names: str) -> int:
        taken = [name for name in names if re.search(hook["files"], name)]
        assert taken == list(names)
        done = subprocess.run(
            [*shlex.split(hook["entry"]), *hook.get("args", []), *taken],
            cwd=repository,
            env=environment(repository, CHIPWISE_KB=str(built.folder)),
            capture_output=True,
            check=False,
        )
        return done.returncode

    assert committed("docs/right.md") == 0
    assert committed("docs/right.md", "docs/a b/wrong.md") == 1
    assert re.search(hook["files"], "src/code.py") is None


def test_hooks_have_what_pre_commit_asks_for_and_start_a_command_that_exists() -> None:
    assert len({hook["id"] for hook in HOOKS}) == len(HOOKS)
    for hook in HOOKS:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] in ("python", "system")
        assert hook["require_serial"], "the knowledge base is opened once for all files"


def test_the_action_installs_what_is_not_there_from_its_own_folder_at_tested_versions(tmp_path: Path) -> None:
    (tmp_path / "python3").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n')
    (tmp_path / "python3").chmod(0o755)
    step = ACTION["runs"]["steps"][0]
    path = f"{tmp_path}:/usr/bin:/bin"
    if shutil.which("chipwise", path=path):
        pytest.skip("chipwise is installed for all users")
    subprocess.run(
        ["bash", "--norc", "-e", "-c", step["run"]],
        env={"PATH": path, "SOURCE": str(ROOT)},
        check=True,
    )
    asked = f"-m pip install --quiet -c {ROOT}/constraints.txt {ROOT}\n"
    assert (tmp_path / "asked").read_text() == asked


def test_the_examples_of_the_page_use_inputs_hooks_and_options_that_exist() -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    examples = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.S)]
    (workflow,) = (example["jobs"]["claims"] for example in examples if "jobs" in example)
    (ours,) = (step for step in workflow["steps"] if "OWNER/chipwise" in step["uses"])
    assert set(ours["with"]) <= set(ACTION["inputs"])
    (repository,) = (example["repos"][0] for example in examples if "repos" in example)
    assert {hook["id"] for hook in repository["hooks"]} <= {hook["id"] for hook in HOOKS}
    options = subprocess.run([*COMMAND, "check", "--help"], capture_output=True, text=True, check=True).stdout
    assert all(option in options for option in re.findall(r"--[a-z][a-z-]+", page))
