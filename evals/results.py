"""A tree of figures, as every part of the evaluation gives it: flat, as Markdown, and against a baseline.

A part is a module with

    def measure(bench: Path) -> dict[str, Tree]

where `bench` is the folder of public benchmarks. It raises BenchmarkMissing for
data that is not there. A leaf of the tree is a number, an Estimate, a mapping
with "value" (and "low", "high", "count"), or a text; anything else is a mapping
of names to trees. The figure at `{"dev": {"right": Estimate(...)}}` of the part
`questions` is called `questions/dev/right` in the JSON and in the baseline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from metrics import Estimate

MANY = 4  # columns that a table of figures with their intervals has at most before it is turned
Leaf = Estimate | float | int | str
Tree = Any  # Leaf | Mapping[str, Tree]: mypy has recursive aliases, Mapping is not covariant enough for them


def leaf(tree: Tree) -> Leaf | None:
    """The leaf that `tree` is, or None for a branch."""
    if isinstance(tree, Mapping):
        if "value" not in tree or isinstance(tree["value"], Mapping):
            return None
        value = float(tree["value"])
        ends = float(tree.get("low", value)), float(tree.get("high", value))
        return Estimate(value, *ends, int(tree.get("count", 0)))
    return tree if isinstance(tree, Estimate | str) else float(tree) if not isinstance(tree, int) else tree


def flat(tree: Tree, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every leaf by its path, in order."""
    found = leaf(tree)
    if found is not None:
        yield path, found
        return
    for name, below in tree.items():
        yield from flat(below, f"{path}/{name}" if path else str(name))


def as_json(tree: Tree) -> Any:
    """The tree as plain values."""
    found = leaf(tree)
    if found is None:
        return {name: as_json(below) for name, below in tree.items()}
    return asdict(found) if isinstance(found, Estimate) else found


def markdown(tree: Mapping[str, Tree], level: int = 2) -> str:
    """Branches become headings; leaves one table, and branches of like leaves one table too."""
    leaves = {name: found for name, below in tree.items() if (found := leaf(below)) is not None}
    branches = {name: below for name, below in tree.items() if name not in leaves}
    lines: list[str] = []
    if leaves:
        lines += ["| | |", "|---|---:|", *(f"| {name} | {shown(value)} |" for name, value in leaves.items()), ""]
    for name, below in branches.items():
        lines += [f"{'#' * level} {name}", "", _crossed(below) or markdown(below, level + 1), ""]
    return "\n".join(lines).rstrip() + "\n"


def _crossed(tree: Mapping[str, Tree]) -> str:
    """A table of the branches below, if they are alike: a row each, or a column each where they have many leaves."""
    rows = list(tree.values())
    if len(rows) < 2 or any(leaf(row) is not None for row in rows):
        return ""
    if any(leaf(value) is None for row in rows for value in row.values()):
        return ""
    if not all(row.keys() & rows[0].keys() for row in rows):
        return ""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = {(above, name): row[name] for above, row in tree.items() for name in row}
    if len(names) > MANY:
        cells = {(name, above): value for (above, name), value in cells.items()}
        return _table(names, list(tree), cells)
    return _table(list(tree), names, cells)


def _table(rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Tree]) -> str:
    lines = [f"| | {' | '.join(map(str, columns))} |", f"|---|{'---:|' * len(columns)}"]
    for row in rows:
        values = (leaf(cells[row, c]) if (row, c) in cells else None for c in columns)
        lines.append(f"| {row} | {' | '.join('' if v is None else shown(v) for v in values)} |")
    return "\n".join(lines)


def shown(value: Leaf) -> str:
    """A leaf in a cell."""
    if isinstance(value, Estimate):
        count = f", n = {value.count:,}" if value.count else ""
        return f"{value.value:.4f} ({value.low:.4f} to {value.high:.4f}{count})"
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A figure that is worse than the baseline allows."""

    name: str
    found: float | None
    least: float

    def __str__(self) -> str:
        found = "is missing" if self.found is None else f"is {self.found:.4f}"
        return f"{self.name} {found}; the baseline demands {self.least:.4f}"


def shortfalls(tree: Tree, baseline: Mapping[str, Mapping[str, float]]) -> list[Shortfall]:
    """What of `baseline` is not reached.

    `baseline` maps a figure's name to its `value` and the `tolerance` that it may
    fall below it, in the figure's own unit; `ceiling` instead of `value` says that less is better.
    """
    found = {name: value.value if isinstance(value, Estimate) else value for name, value in flat(tree)}
    short: list[Shortfall] = []
    for name, wanted in baseline.items():
        value = found.get(name)
        sign = -1.0 if "ceiling" in wanted else 1.0
        bound = wanted.get("value", wanted.get("ceiling", 0.0)) - sign * wanted.get("tolerance", 0.0)
        if not isinstance(value, float | int):
            short.append(Shortfall(name, None, bound))
        elif sign * value < sign * bound - 1e-9:
            short.append(Shortfall(name, float(value), bound))
    return short
