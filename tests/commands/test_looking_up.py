"""What `facts`, `compare`, `find` and `claims` have in common: safe output, an index built first."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from .test_terminal_safety import drives_a_terminal


@pytest.mark.parametrize(
    "arguments",
    [
        ["facts", "\x1b[31mh100"],
        ["facts", "h100", "--quotes"],
        ["compare", "h100", "\x1b]0;x\x07"],
        ["find", "\x1b[2J"],
        ["find", "1979"],
        ["claims", "note"],
        ["claims", "note", "--json"],
        ["claims", "\x1b[31mnote\u202e"],
    ],
)
def test_neither_documents_nor_arguments_drive_a_terminal(
    chipwise: Chipwise, kb: KnowledgeFolder, arguments: list[str]
) -> None:
    assert not any(map(drives_a_terminal, chipwise(*arguments, kb=kb).output))


@pytest.mark.parametrize(
    "arguments", [["facts", "h200"], ["compare", "h100", "h200"], ["find", "141"], ["claims", "note"]]
)
def test_a_knowledge_base_without_an_index_is_built_first(
    chipwise: Chipwise, kb: KnowledgeFolder, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe H200 has 141 GB of memory.\n")
    chipwise("init", "--empty", kb=tmp_path / "new")
    chipwise("add", str(tmp_path / "note.md"), kb=tmp_path / "new")
    result = chipwise(*arguments, kb=tmp_path / "new")
    assert (result.exit_code, result.stderr) == (0, "")
