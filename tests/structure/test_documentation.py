"""Every command is in the README, and its help has an example that parses."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from chipwise import __version__, errors
from chipwise.answering.passages import PASSAGES
from chipwise_cli.main import COMMANDS, cli

from ..conftest import ROOT, Chipwise

README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme(command: str) -> None:
    assert re.search(rf"`(?:chipwise )?{command}\b", README)


def test_the_readme_names_no_command_that_does_not_exist() -> None:
    named = set(re.findall(r"(?:\$|`|&& )\s*chipwise (?:--kb \S+ )?([a-z]+)", README))
    assert named <= set(COMMANDS)
    assert "ask" in named


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_table_says_and_gives_an_example(chipwise: Chipwise, command: str) -> None:
    result = chipwise(command, "--help")
    assert result.exit_code == 0
    assert COMMANDS[command] in result.output
    assert "Example: " in result.output
    assert chipwise(command, "-h").output == result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_is_a_command_that_parses(command: str) -> None:
    epilog = cli.get_command(click.Context(cli), command).epilog or ""
    line = re.sub(r'^eval "\$\((.*)\)"$', r"\1", epilog.removeprefix("Example: "))
    program, *arguments = shlex.split(line)
    assert program == "chipwise"
    with cli.make_context("chipwise", arguments) as root:
        name, found, rest = cli.resolve_command(root, [*root._protected_args, *root.args])
        assert name == command
        with found.make_context(name, rest, parent=root) as context:
            assert context.command is found


def test_help_lists_every_command_and_fits_80_columns(chipwise: Chipwise) -> None:
    result = chipwise("--help")
    assert result.exit_code == 0
    assert all(re.search(rf"^  {name} +{re.escape(line)}$", result.output, re.M) for name, line in COMMANDS.items())
    assert max(map(len, result.output.splitlines())) <= 80


def test_the_help_of_ask_knows_how_many_passages_are_read(chipwise: Chipwise) -> None:
    assert f", {PASSAGES} by default" in " ".join(chipwise("ask", "--help").output.split())


def test_version_is_the_packages(chipwise: Chipwise) -> None:
    assert chipwise("--version").output == f"chipwise {__version__}\n"
    assert re.search(rf'^version = "{re.escape(__version__)}"$', (ROOT / "pyproject.toml").read_text(), re.M)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "No such command 'nonsense'."),
        (["ask"], "Missing argument 'QUESTION...'."),
        (["ask", "x", "-k", "0"], "Invalid value for '-k'"),
        (["ask", "x", "--nonsense"], "No such option"),
        (["show"], "Missing argument 'PASSAGE'."),
        (["completion", "tcsh"], "is not one of 'bash', 'zsh', 'fish'"),
    ],
)
def test_what_cannot_be_parsed_is_told_with_the_usage(chipwise: Chipwise, arguments: list[str], words: str) -> None:
    result = chipwise(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.startswith("Usage: chipwise")


def test_the_tree_of_errors_at_the_top_of_the_file_is_the_tree_of_errors() -> None:
    tree = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
    named = re.findall(r"^ .*?([A-Z]\w+)  ", errors.__doc__ or "", re.M)
    assert sorted(named) == sorted(tree)
    assert all(issubclass(kind, errors.ChipwiseError) for kind in tree.values())


def test_an_error_carries_its_hint() -> None:
    error = errors.SourceUnknown("there is none", hint="look again")
    assert (str(error), error.hint) == ("there is none", "look again")
    assert isinstance(error, LookupError)
