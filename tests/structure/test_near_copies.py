"""What would otherwise be written twice: each of these rules stands in one place of the library."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator

import pytest

from ..conftest import ROOT

PATHS = sorted((ROOT / "kb" / "chipwise").rglob("*.py"))


@pytest.mark.parametrize("rule", ['("multiple", "change", "discount", "difference")'])
def test_a_rule_stands_once(rule: str) -> None:
    assert sum(path.read_text("utf-8").count(rule) for path in PATHS) == 1


def test_what_is_treated_alike_is_written_once() -> None:
    """Several axes, or one with its value, that more than one module speaks of have a name in the catalogue."""
    axes = {axis["id"] for axis in tomllib.loads((ROOT / "corpus/domain/axes.toml").read_text("utf-8"))["axis"]}
    found: dict[tuple[str, ...], list[str]] = {}
    for path in PATHS:
        for names in tuples(ast.parse(path.read_text("utf-8"))):
            if names[0] in axes:
                found.setdefault(names, []).append(path.stem)
    assert len(found) > 5, "the test sees what is written"
    assert {names: modules for names, modules in found.items() if len(modules) > 1} == {}


def tuples(module: ast.Module) -> Iterator[tuple[str, ...]]:
    """The constants of a module that are a tuple of strings, or a frozenset of one."""
    for node in module.body:
        match node:
            case ast.Assign(_, ast.Tuple(parts) | ast.Call(ast.Name("frozenset"), [ast.Tuple(parts)])):
                names = tuple(part.value for part in parts if isinstance(part, ast.Constant))
                if len(names) == len(parts) > 1 and all(isinstance(name, str) for name in names):
                    yield names
