"""Counts lines, modules and patterns of each package, and keeps budget.toml: `python tests/structure/budget.py` lowers it.

A package may have as much as budget.toml says, or as its goal below allows where that is more:
what is above its goal only shrinks, and what is new may grow up to it.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY, COMMANDS = ROOT / "kb" / "chipwise", ROOT / "cli" / "chipwise_cli"
BUDGET = Path(__file__).with_name("budget.toml")
MATCHING = frozenset("compile search match fullmatch split sub subn findall finditer".split())

# Lines that each package is to have in the end. "root" holds the modules that stand beside the packages.
GOALS = {
    "root": 2240,
    "numbers": 1150,
    "domain": 1050,
    "reading": 1400,
    "claims": 620,
    "grids": 2420,
    "index": 750,
    "figures": 1400,
    "sizing": 1250,
    "measured": 430,
    "building": 800,
    "answering": 2250,
    "lookups": 500,
    "audit": 2700,
    "devices": 400,
    "reporting": 1370,
    "learning": 450,
    "postgres": 800,
    "web": 350,
    "cli": 1900,
}
LINES, MODULES, PATTERNS = sum(GOALS.values()), 200, 6  # of the whole; patterns are per 1,000 lines


@dataclass(frozen=True)
class Size:
    """Lines, modules and patterns of one package."""

    lines: int
    modules: int
    patterns: int

    @property
    def per_thousand(self) -> float:
        """Patterns per 1,000 lines."""
        return 1000 * self.patterns / max(self.lines, 1)


def package(path: Path) -> str:
    """ "claims" for claims/reader.py, "root" for a module beside the packages, "cli" for a command."""
    if COMMANDS in path.parents:
        return "cli"
    parts = path.relative_to(LIBRARY).parts
    return parts[0] if len(parts) > 1 else "root"


def patterns(tree: ast.AST) -> int:
    """Regular expressions of a module: calls of `re.compile` and of what searches by a string."""
    return sum(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MATCHING
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("re", "patterns", "regex")
        for node in ast.walk(tree)
    )


def patterns_in_data() -> int:
    """Wordings in TOML that a package of ours makes into regular expressions."""
    total = 0
    for path in sorted((ROOT / "corpus" / "domain").glob("*.toml")):
        for records in tomllib.loads(path.read_text("utf-8")).values():
            for record in records if isinstance(records, list) else ():
                total += (
                    sum(len(record.get(name, ())) for name in ("patterns", "denied")) if "patterns" in record else 0
                )
    return total


def sizes() -> dict[str, Size]:
    """The size of each package today."""
    lines, modules, found = Counter[str](), Counter[str](), Counter[str]()
    for path in sorted((*LIBRARY.rglob("*.py"), *COMMANDS.rglob("*.py"))):
        text = path.read_text("utf-8")
        lines[package(path)] += text.count("\n")
        modules[package(path)] += path.name != "__init__.py"
        found[package(path)] += patterns(ast.parse(text))
    found["data"] = patterns_in_data()
    return {name: Size(lines[name], modules[name], found[name]) for name in sorted((*lines, "data"))}


def budget() -> dict[str, Size]:
    """What budget.toml allows."""
    return {name: Size(**record) for name, record in tomllib.loads(BUDGET.read_text("utf-8")).items()}


def lowered(before: dict[str, Size], now: dict[str, Size]) -> dict[str, Size]:
    """The budget after a change: the smaller of both; a package that is new is held at what it has."""
    return {
        name: Size(
            *(min(getattr(size, f), getattr(before.get(name, size), f)) for f in ("lines", "modules", "patterns"))
        )
        for name, size in now.items()
    }


def written(sizes_: dict[str, Size]) -> str:
    """budget.toml as text."""
    head = "# What each package may have at most; `python tests/structure/budget.py` lowers it to what it has.\n"
    rows = (
        f"{name} = {{ lines = {size.lines}, modules = {size.modules}, patterns = {size.patterns} }}\n"
        for name, size in sizes_.items()
    )
    return head + "".join(rows)


def over(before: dict[str, Size], now: dict[str, Size]) -> list[str]:
    """What has grown beyond its budget and its goal, in words."""
    found = []
    for name, size in now.items():
        allowed = before.get(name, Size(0, 0, 0))
        if size.lines > max(allowed.lines, GOALS.get(name, 0)):
            found.append(f"{name}: {size.lines} lines, {max(allowed.lines, GOALS.get(name, 0))} allowed")
        within_goal = size.lines <= GOALS.get(name, 0) and size.per_thousand < PATTERNS
        if size.patterns > allowed.patterns and not within_goal:
            found.append(f"{name}: {size.patterns} patterns, {allowed.patterns} allowed")
    return found


if __name__ == "__main__":
    now = sizes()
    if "--first" in sys.argv:
        BUDGET.write_text(written(now), "utf-8")
    before = budget()
    BUDGET.write_text(written(lowered(before, now)), "utf-8")
    total = sum(size.lines for size in now.values())
    sys.stdout.write("\n".join((*over(before, now), f"{total} lines of {LINES}", "")))
    sys.exit(bool(over(before, now)))
