"""How findings are shown: excerpts, cuts, colours, and what a hostile document may not do."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from chipwise.audit.model import Audit, Judgement
from chipwise.figures.judge import Standing
from chipwise_cli.main import cli

from ...audit.samples import AUDIT, EVIL, HOSTILE, IN_NOTE, VALUES, Fakes, evidence
from ...conftest import Chipwise
from .printed import acknowledge


def shown_by(chipwise: Chipwise, fakes: Fakes, kb: Path, audit: Audit, *options: str) -> list[str]:
    fakes.audit = audit
    return chipwise("audit", *options, kb=kb).stdout.splitlines()


def test_a_quote_in_which_nothing_is_marked_is_filled_to_four_lines(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    quote = "It runs\nPyTorch " + "and more " * 30
    finding = replace(VALUES, evidence=(evidence(quote, quote),), explanation="", help="")
    lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(finding,)))[2:6]
    assert lines == [
        "1 | It runs PyTorch and more and more",
        "  | and more and more and more and",
        "  | more and more and more and more",
        "  | and more and more and more and…",
    ]


def test_many_places_are_cut_short(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    for count, told in ((6, None), (7, "  ... and 1 more place"), (9, "  ... and 3 more places")):
        many = replace(VALUES, evidence=(IN_NOTE,) * count)
        lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(many,)))
        assert sum(line == "  --> note.md:12:18" for line in lines) == 6
        assert [line for line in lines if "more place" in line] == ([told] if told else [])


def test_a_page_is_named(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    paged = replace(VALUES, evidence=(replace(IN_NOTE, page=7, origin="a.pdf"),))
    assert "  --> a.pdf:12:18 (page 7)" in shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(paged,)))


def test_a_file_below_the_current_folder_is_named_from_there(
    chipwise: Chipwise, fakes: Fakes, kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inside = replace(VALUES, evidence=(replace(IN_NOTE, origin=str(tmp_path / "docs" / "a.md")),))
    assert "  --> docs/a.md:12:18" in shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(inside,)))


def test_long_explanations_are_filled_and_keep_their_indent(
    chipwise: Chipwise, fakes: Fakes, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    long = replace(
        VALUES,
        evidence=(),
        explanation="one two three four five six seven eight\n\n  0.58 x 459   = 266",
        help="h " * 20,
    )
    lines = shown_by(chipwise, fakes, kb, replace(AUDIT, findings=(long,)))
    assert lines[1:8] == [
        "one two three four five six",
        "  seven eight",
        "",
        "  0.58 x 459   = 266",
        "  = high contradiction,",
        "    3f2a91c04bd1",
        "help: h h h h h h h h h h h h",
    ]


def colours(*arguments: str, kb: Path, **environment: str) -> bool:
    result = CliRunner().invoke(cli, ["--kb", str(kb), *arguments], color=True, env=environment)
    return "\x1b[" in result.stdout


@pytest.mark.parametrize("arguments", [["audit"], ["check", "x.md"], ["explain"], ["explain", "CW101"]], ids=" ".join)
def test_colours_are_for_terminals_that_want_them(fakes: Fakes, kb: Path, arguments: list[str]) -> None:
    assert colours(*arguments, kb=kb, NO_COLOR="")
    assert not colours(*arguments, kb=kb, NO_COLOR="1")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown"])
@pytest.mark.parametrize("command", [["audit", "--all"], ["check", "--all", "x.md"]], ids=["audit", "check"])
def test_a_hostile_document_drives_no_terminal_in_any_format(
    chipwise: Chipwise, fakes: Fakes, kb: Path, command: list[str], form: str
) -> None:
    judgement = Judgement(HOSTILE.evidence[0], EVIL, Standing.CONTRADICTED, EVIL, HOSTILE.evidence)
    fakes.audit = Audit((HOSTILE, replace(HOSTILE, severity=EVIL, verdict=EVIL, code=EVIL)), 1, 1, 1, (EVIL,))
    fakes.check = lambda file, text: replace(fakes.audit, judgements=(judgement,))
    acknowledge(kb / "findings.toml", "badbad")
    result = chipwise(*command, "--format", form, kb=kb)
    unsafe = {c for c in result.output if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}
    assert unsafe == set()
    if form == "text":
        assert not re.search(r"^\s*::", result.output, re.M), "a line of a log that is a command to GitHub"
