"""GitHub annotations and Markdown: what they say, and that a document's text stays text in them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chipwise.audit.model import Audit
from chipwise.text import one_line
from chipwise_cli.audit_formats import escaped, github_lines, markdown_text

from .samples import AUDIT, CHECK, EVIL, HOSTILE, IN_DIGEST, SPREAD, VALUES

SUMMARY = "1 contradiction, 1 spread in 12 sources: 841 claims, 312 pairs compared"


def test_each_open_finding_is_one_annotation() -> None:
    assert github_lines(AUDIT, checking=False) == [
        "::error file=note.md,line=12,col=18,title=CW101 H200 memory capacity disagrees%3A 141 GB against 144 GB::"
        'note.md:12:18 "The H200 carries 141 GB of HBM3e."%0A'
        'https://example.org/a b?x=[1]#y:5:31 "The H200 is the same die with 144 GB of HBM3e."%0A'
        "144 / 141 = 1.021%0A"
        "  GiB against GB would be 1.074%0A"
        "help: same chip, same metric, both per GPU; no qualifier explains 3 GB",
        "::notice file=digest.md,line=5,col=48,title=CW103 H200 price varies%3A $2.50 to $3.10::"
        'digest.md:5:48 "An hour of it costs $3.10."',
        "not checked: statements",
        SUMMARY,
    ]


@pytest.mark.parametrize(
    ("severity", "verdict", "level"),
    [
        ("high", "spread", "error"),
        ("low", "contradiction", "error"),
        ("medium", "unresolved", "warning"),
        ("low", "spread", "notice"),
        ("info", "explained", "notice"),
    ],
)
def test_the_level_is_what_fails_then_the_severity(severity: str, verdict: str, level: str) -> None:
    line = github_lines(replace(AUDIT, findings=(replace(VALUES, severity=severity, verdict=verdict),)), checking=False)
    assert line[0].startswith(f"::{level} file=note.md,")


def test_the_file_is_the_first_that_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    local = replace(IN_DIGEST, origin=str(tmp_path / "a,b:c.md"))
    both = replace(VALUES, evidence=(IN_DIGEST, local))
    assert github_lines(replace(AUDIT, findings=(both,)), checking=False)[0].startswith(
        "::error file=a%2Cb%3Ac.md,line=5,col=31,title="
    )
    neither = replace(VALUES, evidence=(IN_DIGEST,))
    assert github_lines(replace(AUDIT, findings=(neither,)), checking=False)[0].startswith("::error title=CW101 ")


def test_an_acknowledged_finding_is_no_annotation() -> None:
    lines = github_lines(replace(AUDIT, findings=(replace(VALUES, status="accepted"),)), checking=False)
    assert lines[-1].endswith("; 1 acknowledged: 1 accepted")
    assert not any(line.startswith("::") for line in lines)


def test_a_document_cannot_write_a_workflow_command() -> None:
    lines = github_lines(replace(AUDIT, findings=(HOSTILE,), unchecked=(EVIL,)), checking=True)
    assert [line[:8] for line in lines] == ["::error ", "not chec", "0 claims"]
    assert not any(set(line) & set("\n\r\x1b\x07\u202e") for line in lines)
    properties = lines[0].split("::")[1]
    assert [part.split("=")[0] for part in properties.split(",")] == ["error file", "line", "col", "title"]
    assert "100%25" in lines[0]


def test_markdown_reads_like_a_report() -> None:
    audit = replace(CHECK, findings=(VALUES, replace(SPREAD, status="accepted")))
    assert markdown_text(
        replace(audit, reasons={"aa00bb11cc22": "accepted 2026-11-21: prices vary"}), checking=True
    ) == (
        "# chipwise check\n"
        "\n"
        "3 claims: 1 supported, 1 contradicted, 1 not in the knowledge base; 1 contradiction; 1 acknowledged: 1 accepted.\n"
        "\n"
        "## CW101 H200 memory capacity disagrees: 141 GB against 144 GB\n"
        "\n"
        "high contradiction, `3f2a91c04bd1`\n"
        "\n"
        "- `note.md:12:18` Notes:\n"
        "  > The H200 carries **141 GB** of HBM3e.\n"
        "- `https://example.org/a b?x=[1]#y:5:31` Example Press, A digest, 2024-11:\n"
        "  > The H200 is the same die with **144 GB** of HBM3e.\n"
        "\n"
        "144 / 141 = 1.021\\\n"
        "GiB against GB would be 1.074\n"
        "\n"
        "**Help:** same chip, same metric, both per GPU; no qualifier explains 3 GB\n"
        "\n"
        "# Acknowledged\n"
        "\n"
        "## CW103 H200 price varies: \\$2.50 to \\$3.10\n"
        "\n"
        "low spread, `aa00bb11cc22`\n"
        "\n"
        "accepted 2026-11-21: prices vary\n"
        "\n"
        "- `digest.md:5:48` Notes (comment):\n"
        "  > An hour of it costs \\$3.10.\n"
        "\n"
        "# Claims\n"
        "\n"
        "- `note.md:12:18` contradicted, NVIDIA H200, memory capacity: 141 GB: 144 GB in 1 source\n"
        "- `note.md:13:1` not in the knowledge base, NVIDIA H200, sold by: many: no source says\n"
        "- `https://example.org/a b?x=[1]#y:5:31` supported, NVIDIA H200, memory capacity: 144 GB\n"
        "\n"
        "# Not checked\n"
        "\n"
        "- statements\n"
    )


def test_markdown_of_nothing_is_the_summary() -> None:
    assert markdown_text(Audit((), 2, 3, 1), checking=False) == (
        "# chipwise audit\n\nNo contradictions in 2 sources: 3 claims, 1 pair compared.\n"
    )


def tokens(text: str) -> list[Token]:
    found = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    return [inner for token in found for inner in (token, *(token.children or []))]


OURS = {
    "heading_open",
    "paragraph_open",
    "bullet_list_open",
    "list_item_open",
    "blockquote_open",
    "strong_open",
    "inline",
    "text",
    "code_inline",
    "hardbreak",
    "text_special",
}


def test_a_document_cannot_write_markup() -> None:
    audit = replace(CHECK, findings=(HOSTILE, replace(HOSTILE, status="accepted")), unchecked=(EVIL,))
    text = markdown_text(replace(audit, reasons={HOSTILE.fingerprint: EVIL}), checking=True)
    kinds = {token.type for token in tokens(text)}
    assert {kind for kind in kinds if not kind.endswith("_close")} <= OURS
    outside_code = re.sub(r"`+[^`]*`+", "", text)
    assert not any(word in outside_code for word in ("@everyone", "http", "www.", "mailto:", " #12", "\x1b"))


@given(st.text(alphabet=st.sampled_from("a1 *_`[]()<>&|~#!$-+=.:\\\n\t@\"'{}^/wht")))
def test_any_text_is_shown_as_just_that_text(text: str) -> None:
    shown = "".join(
        token.content
        for token in tokens(f"x\n\n{escaped(text)}")
        if token.type in ("text", "code_inline", "text_special")
    )
    assert shown.replace(" ", "") == f"x{one_line(text)}".replace(" ", "")
