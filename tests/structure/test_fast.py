"""`pytest -m fast` is pure functions and golden files: no knowledge base is built or opened there."""

from __future__ import annotations

import ast
from pathlib import Path

from ..conftest import ROOT
from ..fast import is_fast

TESTS = ROOT / "tests"
MODULES = [path.relative_to(TESTS).as_posix() for path in sorted(TESTS.rglob("test_*.py"))]
HEAVY = {"built", "own", "base", "index", "kb", "chipwise", "report", "page", "postgres", "served", "fake_encoder"}


def fixtures(path: Path) -> set[str]:
    functions = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    return {one.arg for node in functions if node.name.startswith("test_") for one in node.args.args}


def test_fast_tests_have_no_knowledge_base() -> None:
    fast = [module for module in MODULES if is_fast(module)]
    assert len(fast) > 50
    assert {module: heavy for module in fast if (heavy := fixtures(TESTS / module) & HEAVY)} == {}
