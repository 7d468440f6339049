"""A row of corpus/facts/measured: one measured figure, and all that its source states of how it was measured."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "corpus" / "facts" / "measured"


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure. What the source does not state is empty, and never a default.

    `value` is in `unit`; `scope` is "chip" for a figure per chip and "total" for that of all `chips`.
    `counts` is what a token rate counts: input, output or both. `format` is that of the weights in
    inference and of the matrix multiplications in training. `origin` is the file in the repository,
    with the table row's first cells or the field behind "#".
    """

    subject: str
    system: str
    metric: str
    value: str
    unit: str
    scope: str
    chips: str
    nodes: str
    model: str
    format: str
    phase: str
    origin: str
    counts: str = ""
    input_length: str = ""
    output_length: str = ""
    batch: str = ""
    parallelism: str = ""
    engine: str = ""
    engine_version: str = ""
    benchmark: str = ""
    benchmark_version: str = ""
    scenario: str = ""
    quality: str = ""
    submitter: str = ""
    status: str = ""
    date: str = ""
    note: str = ""


COLUMNS = tuple(field.name for field in fields(Measured))


class Repository:
    """A bare or ordinary git directory, read at one commit."""

    def __init__(self, folder: str | Path, commit: str = "HEAD") -> None:
        self.folder = Path(folder)
        self.commit = self._git("rev-parse", commit).strip()

    def _git(self, *arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(self.folder), *arguments], capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    def files(self, *folders: str) -> list[str]:
        """The paths of all files, or of those under some folders."""
        return self._git("ls-tree", "-r", "--name-only", "-z", self.commit, "--", *folders).strip("\0").split("\0")

    def read(self, path: str) -> str:
        """The text of one file."""
        return self._git("show", f"{self.commit}:{path}")

    def read_all(self, paths: Iterable[str]) -> dict[str, str]:
        """The texts of many files by path, with one process; without those that a partial clone lacks."""
        wanted = list(paths)
        request = "".join(f"{self.commit}:{path}\n" for path in wanted).encode()
        command = ["git", "-C", str(self.folder), "cat-file", "--batch"]
        data = subprocess.run(command, input=request, capture_output=True, check=True).stdout
        texts, at = {}, 0
        for path in wanted:
            head, _, _ = data[at:].partition(b"\n")
            at += len(head) + 1
            if head.endswith(b"missing"):
                continue
            size = int(head.split()[-1])
            texts[path] = data[at : at + size].decode("utf-8", "replace")
            at += size + 1
        return texts

    def read_json(self, path: str) -> dict[str, object]:
        """A JSON object."""
        value = json.loads(self.read(path))
        return value if isinstance(value, dict) else {}


def write(name: str, rows: Iterable[Measured]) -> Path:
    """Write corpus/facts/measured/NAME.csv, sorted, without repeated rows."""
    path = FOLDER / f"{name}.csv"
    unique = {json.dumps(asdict(row)): row for row in rows}
    ordered = sorted(unique.values(), key=lambda row: (row.origin, row.metric, row.model, row.format))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([getattr(row, column) for column in COLUMNS] for row in ordered)
    return path


def read(path: Path) -> list[Measured]:
    """The rows of one file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Measured(**row) for row in csv.DictReader(file, strict=True)]
