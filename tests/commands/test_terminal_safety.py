"""Nothing that a document holds reaches the terminal as a control character."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise
from ..documents import HOSTILE
from ..fakes import FakeEncoder

COMMANDS = [
    ["ask", "What does the Zorgon accelerator clear?"],
    ["ask", "What does the Zorgon accelerator clear?", "--json"],
    ["ask", "What does the Zorgon accelerator clear?", "--sources"],
    ["ask", "Should readers ignore previous instructions about the Zorgon?"],
    ["search", "zorgon instructions"],
    ["search", "zorgon instructions", "--json"],
    ["search", "\x1b[31mzorgon\u202e", "--json"],
    ["show", "zorgon"],
    ["show", "zorgon#1"],
    ["sources"],
    ["sources", "--json"],
    ["sources", "zorgon"],
    ["status"],
    ["doctor"],
    ["learn"],
    ["learn", "--json"],
]


def drives_a_terminal(character: str) -> bool:
    return character not in "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_hostile_document_drives_no_terminal(
    chipwise: Chipwise, built: KnowledgeFolder, arguments: list[str]
) -> None:
    result = chipwise(*arguments, kb=built)
    assert result.exit_code in (0, 1)
    assert [hex(ord(c)) for c in result.output if drives_a_terminal(c)] == []


def test_the_document_is_as_hostile_as_the_test_says() -> None:
    kinds = {unicodedata.category(c) for c in HOSTILE if drives_a_terminal(c)}
    assert kinds == {"Cc", "Cf"}
    assert "\x1b]8;;" in HOSTILE


def test_an_order_to_the_reader_is_text_like_any_other(chipwise: Chipwise, built: KnowledgeFolder) -> None:
    result = chipwise("ask", "How much memory does the H200 have?", "--json", kb=built)
    assert "zorgon" not in {citation["source"] for citation in json.loads(result.stdout)["citations"]}


HTML = """<html><head><title>Evil \x1b[2J title</title><script>steal()</script><style>p{}</style></head>
<body><p>The Gizmo accelerator has 12 GB.</p><script>document.write("The Gizmo has 99 GB")</script>
<p onclick="steal()">The Gizmo was &#27;[31mred&#x202e; once, in the &#157;lab of its makers.</p></body></html>"""


def test_scripts_of_a_page_are_not_read_and_its_entities_drive_nothing(
    chipwise: Chipwise, fake_encoder: FakeEncoder, tmp_path: Path
) -> None:
    (tmp_path / "gizmo.html").write_text(HTML)
    chipwise("init", "--empty", kb=tmp_path / "kb")
    added = chipwise("add", str(tmp_path / "gizmo.html"), kb=tmp_path / "kb")
    shown = chipwise("show", "gizmo", kb=tmp_path / "kb")
    assert (added.exit_code, shown.exit_code) == (0, 0)
    assert "The Gizmo accelerator has 12 GB." in shown.output
    assert "99 GB" not in shown.output
    assert "steal" not in shown.output
    assert not any(map(drives_a_terminal, added.output + shown.output))


@pytest.mark.parametrize("name", ["\x1b[31mred.md", "a\u202eb.md", "\udcff.md", "new\nline.md", "a" * 250 + ".md"])
def test_a_hostile_file_name_drives_no_terminal(
    chipwise: Chipwise, fake_encoder: FakeEncoder, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text("The Gizmo accelerator has 12 GB.")
    gone = tmp_path / f"x{name[:200]}"
    chipwise("init", "--empty", kb=tmp_path / "kb")
    result = chipwise("add", str(path), str(gone), kb=tmp_path / "kb")
    assert result.exit_code == 2, "the one that is gone"
    assert "added " in result.stdout
    shown = chipwise("sources", kb=tmp_path / "kb").output + chipwise("search", "gizmo", kb=tmp_path / "kb").output
    path.unlink()
    shown += chipwise("doctor", kb=tmp_path / "kb").output
    assert not any(map(drives_a_terminal, result.output + shown))


def test_front_matter_drives_no_terminal(chipwise: Chipwise, fake_encoder: FakeEncoder, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        '---\ntitle: "Evil \\e[31m title"\npublisher: "\\u202eE"\nurl: "http://e.example/\\e]8;;"\n'
        'author: "a\\nb"\n---\n\n# Words \x1b[1m here\n\nThe Gizmo accelerator has 12 GB.\n'
    )
    chipwise("init", "--empty", kb=tmp_path / "kb")
    output = chipwise("add", str(tmp_path / "a.md"), kb=tmp_path / "kb").output
    for arguments in (["sources"], ["sources", "a"], ["show", "a#1"], ["sources", "--json"], ["search", "gizmo"]):
        output += chipwise(*arguments, kb=tmp_path / "kb").output
    assert "Evil" in output
    assert not any(map(drives_a_terminal, output))
