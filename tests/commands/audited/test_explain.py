"""`explain`: each code with its meaning, an example and what settles it."""

from __future__ import annotations

import pytest

from chipwise.audit.codes import read_codes

from ...conftest import Chipwise
from ...each import each
from ...structure.test_start import BUILDERS, HEAVY, loaded


def test_explain_tells_meaning_example_and_what_settles_it(chipwise: Chipwise) -> None:
    result = chipwise("explain", "cw103")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "CW103 Measured, priced or estimated values vary (low)\n"
        "\n"
        "Several sources give different values for something that is not a fixed property: a measured\n"
        "throughput, a price by the hour, an estimate. Such values differ by workload, provider, date and\n"
        "terms, so this is a spread and no contradiction, and it never makes the run fail. The range is worth\n"
        "knowing before one of the values is quoted as if it were the only one.\n"
        "\n"
        "Example\n"
        "    March 2024:     an H100 costs about $4.00 an hour\n"
        "    November 2025:  an H100 costs $2.10 to $2.90 an hour\n"
        "    Range: $2.10 to $4.00, a factor of 1.9.\n"
        "\n"
        "To settle it\n"
        "Quote the range, or quote one value with everything that fixes it: provider, terms (on demand, spot,\n"
        "committed), workload and date. Nothing needs to be acknowledged.\n"
    )


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
        ("CW1O1", "'CW1O1'", "did you mean CW101? `chipwise explain` lists all"),
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
