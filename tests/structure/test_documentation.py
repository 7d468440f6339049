"""Every command is in docs/commands.md, its help has an example that parses, and links and examples of the pages hold."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from chipwise import __version__, errors
from chipwise.answering.passages import PASSAGES
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise_cli.main import COMMANDS, GROUPS, HIDDEN, cli

from ..conftest import ROOT, Chipwise
from ..documents import write
from ..each import each

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
}

CALL = r"chipwise (?:--kb \S+ )?([a-z]+)"


@each("command", COMMANDS)
def test_every_command_is_on_its_page(command: str) -> None:
    assert re.search(rf"^\|.*`{command}\b.*\|.*\|$", PAGES["docs/commands.md"], re.M)


@each("page", PAGES)
def test_a_page_names_no_command_that_does_not_exist(page: str) -> None:
    code = "\n".join(re.findall(r"^```(?:console)?\n(.*?)^```$", PAGES[page], re.M | re.S))
    named = {*re.findall(rf"`{CALL}", PAGES[page]), *re.findall(rf"(?:^|\$ |&& |\(){CALL}", code, re.M)}
    assert named <= set(COMMANDS)
    assert "ask" in named or page != "README.md"


@each("page", [*PAGES, "evals/README.md", "evals/FIGURES.md"])
def test_a_page_links_to_what_there_is(page: str) -> None:
    path = ROOT / page
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text("utf-8")):
        file, _, section = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), link
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.M) if section else []
        assert not section or section in {title.lower().replace(" ", "-") for title in titles}, link


def test_the_readme_begins_with_the_two_commands_that_ci_runs_and_fits_a_few_screens() -> None:
    first, second = re.findall(r"^```\n(.*?)\n```$", PAGES["README.md"], re.M | re.S)[:2]
    assert first in (ROOT / ".ci" / "run").read_text("utf-8").replace("--quiet ", "")
    assert second == 'pip install -c constraints.txt -e ".[test]" && pytest'
    assert len(PAGES["README.md"].splitlines()) <= 120


def test_the_chip_metric_and_unit_of_the_page_on_data_can_be_added(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```$", PAGES["docs/data.md"], re.M | re.S)
    write(tmp_path, dict(re.findall(r"^# domain/(\S+)\n(.*?)(?=^# domain/|\Z)", example, re.M | re.S)))
    domain = read_domain(domain_folder(), tmp_path)
    assert domain.entities["acme-a1"].name == "Acme A1"
    assert domain.metrics["coolant_flow"].unit == "L/min"


@each("command", COMMANDS)
def test_help_says_what_the_table_says_and_gives_an_example(chipwise: Chipwise, command: str) -> None:
    result = chipwise(command, "--help")
    assert result.exit_code == 0
    assert COMMANDS[command] in result.output
    assert "Example: " in result.output
    assert chipwise(command, "-h").output == result.output


@each("command", COMMANDS)
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


def test_help_lists_commands_in_groups_and_fits_80_columns(chipwise: Chipwise) -> None:
    result = chipwise("--help")
    assert result.exit_code == 0
    listed = {name: line for group in GROUPS.values() for name, line in group.items()}
    assert len(listed) <= 22
    assert all(re.search(rf"^  {name} +{re.escape(line)}$", result.output, re.M) for name, line in listed.items())
    assert not any(re.search(rf"^  {name} ", result.output, re.M) for name in HIDDEN)
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
        (["completion", "tcsh"], "is not one of 'bash', 'zsh', 'fish', 'powershell'"),
        (["aks", "foo"], "No such command 'aks'. Did you mean 'ask'?"),
        (["comapre", "h100", "h200"], "No such command 'comapre'. Did you mean 'compare'?"),
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
