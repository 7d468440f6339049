"""What `from chipwise import ...` gives, that the commands use nothing else, and that the examples of its page hold."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import chipwise
from chipwise.corpus import digests_folder

from ..conftest import ROOT
from ..each import each

NAMES = {
    "Answer",
    "Audit",
    "Chip",
    "ChipwiseError",
    "Claim",
    "Evidence",
    "Fact",
    "Finding",
    "Key",
    "KnowledgeBase",
    "Peak",
    "Quantity",
    "Query",
    "Row",
    "Scope",
    "Utilization",
    "Verdict",
    "chip",
    "devices_here",
    "export_peaks",
    "extract",
    "mfu",
    "peak",
    "relate",
    "solve",
}
HEAVY = {"numpy", "faiss", "torch", "onnxruntime", "pydantic", "sqlite3", "sentence_transformers"}
DIGESTS = (
    "aiwiki-h200",
    "stas00-accelerators",
    "stas00-accelerators-amd",
    "stas00-network-nvidia",
    "google-tpu-v5p-docs",
    "google-tpu-v5p-training-docs",
    "scaling-book-tpus",
)
# files: where the user's own lie; text: the little words of English; web.server: what `serve` starts
PUBLIC = {"chipwise", "chipwise.errors", "chipwise.files", "chipwise.results", "chipwise.text", "chipwise.web.server"}


def test_the_public_names_are_these() -> None:
    assert set(chipwise.__all__) == NAMES
    assert set(dir(chipwise)) == {*NAMES, "__version__", "errors"}


@each("name", sorted(NAMES))
def test_a_public_name_says_what_it_is(name: str) -> None:
    assert getattr(chipwise, name).__doc__


def test_a_name_that_is_not_public_is_told() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Zorgon'"):
        chipwise.Zorgon  # noqa: B018


def test_what_type_checkers_see_is_what_is_loaded() -> None:
    body = ast.parse(Path(chipwise.__file__).read_text("utf-8")).body
    (guarded,) = (node for node in body if isinstance(node, ast.If))
    imported = {
        alias.name: (node.module or "").removeprefix("chipwise.")
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {name: module for module, names in chipwise._PLACES.items() for name in names}


def test_importing_the_package_loads_none_of_its_modules() -> None:
    code = "import sys, chipwise; chipwise.Answer; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "chipwise.answering.answer" in loaded, "the test sees what is loaded"
    assert loaded & {*HEAVY, "chipwise.session", "chipwise.domain.model"} == set()


@each("path", lambda: sorted((ROOT / "cli").rglob("*.py")))
def test_a_command_imports_nothing_of_the_library_that_is_not_public(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {module for module in modules if module.split(".")[0] == "chipwise"} <= PUBLIC


def test_the_examples_of_the_api_page_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # where `KnowledgeBase()` looks
    with chipwise.KnowledgeBase() as kb:  # a part of the shipped corpus
        kb.create(shipped=False)
        kb.add(*(digests_folder() / f"{name}.md" for name in DIGESTS))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.md").write_text("The H200 SXM has 96 GB of memory.\n", "utf-8")
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    page = str(ROOT / "docs" / "api.md")
    result = doctest.testfile(page, module_relative=False, optionflags=options, encoding="utf-8")
    assert result.attempted > 15
    assert result.failed == 0
