"""`explain`: each code with its meaning, an example and what settles it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.audit.codes import read_codes

from ...conftest import Chipwise
from ...each import each
from ...structure.test_start import BUILDERS, HEAVY, loaded
from .conftest import Fakes


def test_explain_tells_meaning_example_and_what_settles_it(chipwise: Chipwise) -> None:
    result = chipwise("explain", "cw103")
    assert (result.exit_code, result.stderr) == (0, "")
    page = read_codes().pages["CW103"]
    words = " ".join(result.stdout.split())
    assert result.stdout.startswith(f"CW103 {page.title} (severity: usually low)\n\n")
    assert [part for part in (page.meaning, page.settle) if " ".join(part.split()) not in words] == []
    assert [line for line in page.example.splitlines() if f"    {line}\n" not in result.stdout] == []


def test_explain_without_a_code_lists_all_by_family(chipwise: Chipwise) -> None:
    lines = chipwise("explain").stdout.splitlines()
    assert lines[:2] == ["Values", "  CW101  high    Two sources give different values"]
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(read_codes().pages)
    assert [line for line in lines if line and not line.startswith(" ")] == list(read_codes().families.values())


@each("code", lambda: read_codes().pages)
def test_every_code_is_explained_within_the_terminal(chipwise: Chipwise, code: str) -> None:
    result = chipwise("explain", code)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 100


@pytest.mark.parametrize(
    ("code", "shown", "hint"),
    [
        ("CW7O1", "'CW7O1'", "did you mean CW701? `chipwise explain` lists all"),
        ("\x1b[31m", "'\\x1b[31m'", "`chipwise explain` lists all"),
        ("", "''", "`chipwise explain` lists all"),
    ],
)
def test_an_unknown_code_is_told_with_the_nearest(chipwise: Chipwise, code: str, shown: str, hint: str) -> None:
    result = chipwise("explain", code)
    assert (result.exit_code, result.stdout, result.stderr) == (
        2,
        "",
        f"error: there is no code {shown}\nhelp: {hint}\n",
    )


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "CW101"]], ids=" ".join)
def test_explaining_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(*arguments) & {*HEAVY, *BUILDERS} == set()


def test_a_fingerprint_shows_the_finding_before_its_code(chipwise: Chipwise, fakes: Fakes, kb: Path) -> None:
    shown = chipwise("explain", "3f2a91", kb=kb).stdout
    assert "3f2a91c04bd1" in shown
    assert shown.index("-->") < shown.index("To settle it")
    result = chipwise("explain", "ffffff000000", kb=kb)
    assert (result.exit_code, "no finding of the audit has the fingerprint ffffff000000" in result.stderr) == (2, True)
