"""How far somebody has come on the path: a small file in the user's state folder.

    {"format": 1, "steps": {"dense-or-sparse": "right", "gib-or-gb": "wrong"}}

A step is known by its id: one that is added later is simply not done yet. The file is replaced whole, so that a
process that is killed leaves the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from chipwise.errors import StorageFailed
from chipwise.files import write_atomically

FORMAT = 1
RIGHT, WRONG, SEEN = "right", "wrong", "seen"  # "seen": looked at without a guess
_RESULTS = frozenset((RIGHT, WRONG, SEEN))
_NAME = "learn.json"


class Progress:
    """What became of each step, by its id. `notice` says where an earlier file could not be read."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or _state_folder()) / _NAME
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
            self.notice = f"{self.path} cannot be read, so that the path begins anew: {error}"
            return {}

    def first_open(self, steps: Iterable[str]) -> int:
        """The number, from 0, of the first step that is not done; how many there are where all are."""
        ids = list(steps)
        return next((number for number, step in enumerate(ids) if step not in self.results), len(ids))

    def note(self, step: str, result: str) -> None:
        """Keeps what became of a step: the first guess counts. Raises StorageFailed."""
        if step in self.results and self.results[step] != SEEN:
            return
        self.results[step] = result
        self._write()

    def restart(self) -> None:
        """Forgets all steps. Raises StorageFailed."""
        self.results = {}
        self._write()

    def _write(self) -> None:
        try:
            write_atomically(self.path, json.dumps({"format": FORMAT, "steps": self.results}, indent=1))
        except StorageFailed as error:
            raise StorageFailed(
                str(error), hint="free some space or permission there: your place is not kept"
            ) from None


def _state_folder() -> Path:
    import platformdirs  # noqa: PLC0415

    return Path(platformdirs.user_state_dir("chipwise", appauthor=False))
