"""Reads a sample of measured rows at their origin again: `python -m evals.measured.verify FILE PATH_OF_ORIGIN [COUNT]`.

Looks for the figure where the row says that it stands, without the importer that put it there. PATH_OF_ORIGIN is a
git directory, or the page itself as a file. Prints the rows that differ and how many were read.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tomllib
from pathlib import Path

from evals.measured.rows import FOLDER, Measured, Repository, read

SAMPLE = 200


class Page:
    """One file in place of a repository."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")

    def read(self, _: str) -> str:
        """The text, whatever the path."""
        return self.text


def stands(row: Measured, repository: Repository | Page) -> bool:
    """True where the origin has the row's figure at its place."""
    path, _, place = row.origin.partition("#")
    if row.metric == "time_to_train" and isinstance(repository, Repository):
        return _is_mean(row, repository)
    text = repository.read(path)
    if path.endswith(".txt"):
        return any(
            line.partition(":")[0].strip() == place and line.endswith(row.value)
            for line in map(str.rstrip, text.splitlines())
        )
    figure = f"{float(row.value):,.12g}"
    written = {row.value, figure, f"{int(float(row.value)):,}"}
    separator = "," if path.endswith(".csv") else "|"
    cells = [line.split(separator) for line in text.splitlines()]
    return any(written & {cell.strip(" ()*") for part in line for cell in (part, *part.split("("))} for line in cells)


def _is_mean(row: Measured, repository: Repository) -> bool:
    """Recomputes a time to train from the first start and the last stop in each log."""
    times = []
    for path in repository.files(row.origin):
        if re.search(r"/result_\d+\.txt$", path):
            events = [
                json.loads(line[line.index("{") :]) for line in repository.read(path).splitlines() if '"run_st' in line
            ]
            starts = [e["time_ms"] for e in events if e["key"] == "run_start"]
            stops = [
                e["time_ms"]
                for e in events
                if e["key"] == "run_stop" and (e.get("metadata") or {}).get("status") in ("success", None)
            ]
            times += [stops[-1] - starts[0]] if starts and stops else []
    times.sort()
    inner = times[1:-1]
    return bool(inner) and abs(sum(inner) / len(inner) / 60_000 - float(row.value)) < 0.001


def main(name: str, origin: str, count: int = SAMPLE) -> int:
    """Read a sample and print what differs; 1 where something does."""
    sources = tomllib.loads((FOLDER / "sources.toml").read_text("utf-8"))["source"]
    commit = next(source["commit"] for source in sources if source["file"] == name)
    repository = Page(Path(origin)) if Path(origin).is_file() else Repository(origin, commit)
    rows = read(FOLDER / f"{name}.csv")
    sample = random.sample(rows, min(count, len(rows)))
    wrong = [row for row in sample if not stands(row, repository)]
    sys.stdout.writelines(f"{row.origin}: {row.value} does not stand there\n" for row in wrong)
    sys.stdout.write(f"{name}: {len(sample) - len(wrong)} of {len(sample)} stand at their origin\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4])))
