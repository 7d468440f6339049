"""The user's progress through the course, in a small file in their state folder.

    {"format": 1, "steps": {"dense-or-sparse": "right", "gib-or-gb": "wrong"}}

Steps are stored by id, so a step added later simply isn't done yet. The file is replaced whole: a process
that is killed leaves the previous one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from chipwise.errors import StorageFailed
from chipwise.files import user_folder, write_atomically

FORMAT = 1
RIGHT, WRONG, SEEN = "right", "wrong", "seen"  # "seen": viewed without a guess
_RESULTS = frozenset((RIGHT, WRONG, SEEN))
_NAME = "learn.json"


class Progress:
    """The result of each step, by its id. `notice` is a message if an earlier file couldn't be read."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or user_folder("state")) / _NAME
        self.notice = ""
        self.results: dict[str, str] = self._read()

    def _read(self) -> dict[str, str]:
        try:
            data = json.loads(self.path.read_text("utf-8"))
            if data["format"] != FORMAT:
                raise ValueError(f"format {data['format']!r}")
            return {str(step): result for step, result in data["steps"].items() if result in _RESULTS}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self.notice = f"{self.path} cannot be read, so the course starts over: {error}"
            return {}

    def first_open(self, steps: Iterable[str]) -> int:
        """The index of the first step that isn't done; the number of steps if all are."""
        ids = list(steps)
        return next((number for number, step in enumerate(ids) if step not in self.results), len(ids))

    def note(self, step: str, result: str) -> None:
        """Store the result of a step; the first guess counts. Raises StorageFailed."""
        if step in self.results and self.results[step] != SEEN:
            return
        self.results[step] = result
        self._write()

    def restart(self) -> None:
        """Forget all steps. Raises StorageFailed."""
        self.results = {}
        self._write()

    def _write(self) -> None:
        try:
            write_atomically(self.path, json.dumps({"format": FORMAT, "steps": self.results}, indent=1))
        except StorageFailed as error:
            raise StorageFailed(
                str(error), hint="free some space there or fix its permissions; your progress is not saved"
            ) from None
