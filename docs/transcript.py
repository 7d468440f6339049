"""What commands print, for the README and these pages.

cog -r -I docs README.md docs/*.md        writes it anew
cog --check -I docs README.md docs/*.md   fails where it is out of date, as in CI
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess

import cog


def transcript(line: str, first: int = 25, last: int = 0, show: str = "", columns: int = 96) -> None:
    """Writes a command with its first and last lines, or with those in which `show` is found; "…" stands for lines left out."""
    environment = {**os.environ, "COLUMNS": str(columns)}
    run = subprocess.run(shlex.split(line), capture_output=True, text=True, env=environment, check=False)
    lines = (run.stdout + run.stderr).rstrip().splitlines()
    if show:
        lines = [text for text in lines if re.search(show, text)]
    elif len(lines) > first + last:
        lines = [*lines[:first], "…", *lines[len(lines) - last :]]
    cog.outl("\n".join(["```console", f"$ {line}", *lines, "```"]))
