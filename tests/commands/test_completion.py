"""`chipwise completion` in the shell that it is for: bash, as somebody presses the tab key."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from ..conftest import COMMAND

BASH = shutil.which("bash")


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A folder with the command `chipwise` in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "chipwise").write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    (folder / "chipwise").chmod(0o755)
    return folder


def completed(bin_folder: Path, *words: str) -> list[str]:
    """What bash offers for the last word, after the script was loaded as the help says."""
    assert BASH is not None
    script = f"""
export PATH={shlex.quote(str(bin_folder))}:$PATH
eval "$(chipwise completion bash)"
complete -p chipwise >&2
COMP_WORDS=({shlex.join(("chipwise", *words))})
COMP_CWORD={len(words)}
_chipwise_completion chipwise {shlex.quote(words[-1])} ""
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run([BASH, "--norc", "-c", script], capture_output=True, text=True, check=True)
    assert "_chipwise_completion chipwise" in done.stderr, "bash knows how to complete it"
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_choices(bin_folder: Path) -> None:
    assert completed(bin_folder, "co") == ["compare"]
    assert completed(bin_folder, "check", "--min") == ["--min-confidence"]
    assert completed(bin_folder, "check", "--format", "s") == ["sarif"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_takes_the_script(bin_folder: Path) -> None:
    script = f'autoload -U compinit; compinit; eval "$({bin_folder}/chipwise completion zsh)"'
    assert subprocess.run(["zsh", "-f", "-c", script], check=False).returncode == 0
