"""What git says has changed: which files, and which of their lines."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chipwise.errors import SettingsInvalid

_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.M)
_QUIET = ("--no-color", "--no-ext-diff", "--no-textconv")


@dataclass(frozen=True, slots=True)
class Changes:
    """The state of files against a commit: where HEAD and the commit named parted, as in a review."""

    commit: str

    def lines(self, file: Path) -> frozenset[int] | None:
        """The lines of a file that are new or other than before; all are (None) where git does not have it, empty where none is.

        Where lines were only taken out, the two around them count.
        """
        if _git("ls-files", "--error-unmatch", "--", file.name, folder=file.parent) is None:
            return None
        diff = _git("diff", "-U0", *_QUIET, self.commit, "--", file.name, folder=file.parent)
        if diff is None or "\nBinary files " in diff:
            return None
        found: set[int] = set()
        for hunk in _HUNK.finditer(diff):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.update(range(first, first + count) if count else (first, first + 1))
        return frozenset(found)

    def files(self) -> list[Path]:
        """All files below the current folder that have changed or that git does not have yet, less what it ignores."""
        ways = (
            ("diff", "--name-only", "-z", "--relative", "--diff-filter=d", *_QUIET, self.commit),
            ("ls-files", "-z", "--others", "--exclude-standard"),
        )
        names = (name for way in ways for name in (_git(*way) or "").split("\0"))
        return sorted(Path(name) for name in dict.fromkeys(names) if name)


def changes_since(revision: str) -> Changes:
    """What changed since a commit, branch or tag. Raises SettingsInvalid outside of a repository, or for what is no revision."""
    if _git("rev-parse", "--git-dir") is None:
        raise SettingsInvalid("this folder is not in a git repository", hint="--changed-since asks git what changed")
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        hint = "name a commit, branch or tag that was fetched; a shallow clone has few"
        raise SettingsInvalid(f"git has no commit {revision!r}", hint=hint)
    # what others did on that branch since is not this document's change; a shallow clone may not know where they parted
    base = _git("merge-base", commit.strip(), "HEAD")
    return Changes((base or commit).strip())


def _git(*arguments: str, folder: Path | None = None) -> str | None:
    """What git prints, or None where it fails. Raises SettingsInvalid where there is no git."""
    command: Sequence[str] = ("git", "-c", "core.quotePath=off", *arguments)
    try:
        done = subprocess.run(command, capture_output=True, cwd=folder or None, check=False)
    except FileNotFoundError:
        raise SettingsInvalid("git cannot be started", hint="install git, or leave --changed-since out") from None
    except NotADirectoryError:
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
