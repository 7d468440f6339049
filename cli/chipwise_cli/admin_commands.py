"""Keeping a knowledge base: `chipwise init`, `build`, `doctor`, `remove`, `mcp`, `serve`, `completion`."""

from __future__ import annotations

import importlib.util
import platform
from contextlib import suppress

import click
from click.shell_completion import get_completion_class

from chipwise import ChipwiseError, KnowledgeBase, __version__
from chipwise.text import counted, one_line
from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json, progress, remark


@click.command(epilog="Example: chipwise --kb ./my-kb init --empty")
@click.option("--empty", is_flag=True, help="Leave out the shipped sources, but not the facts table.")
@click.option(
    "--model",
    metavar="NAME",
    default=KnowledgeBase.DEFAULT_MODEL,
    show_default=True,
    help="Embedding model: a folder or an installed package.",
)
@kb_option
def init(empty: bool, model: str, kb: str | None) -> None:
    """Create a knowledge base.

    It holds the shipped corpus and whatever you add. With --empty, answers quote only your documents, while facts,
    compare, find, check and audit still use the shipped facts table; `chipwise show ID` prints what a fact cites.
    """
    base = knowledge_base(kb)
    base.create(shipped=not empty, model=model)
    holds = "empty but for the facts table" if empty else "with the shipped corpus"
    click.echo(f"created {base.status().folder}, {holds}")


@click.command(epilog="Example: chipwise build --fresh")
@click.option("--fresh", is_flag=True, help="Read and embed everything again.")
@click.option(
    "--model", metavar="NAME", help="Change to another sentence-transformers model: a folder or an installed package."
)
@kb_option
def build(fresh: bool, model: str | None, kb: str | None) -> None:
    """Build the index, or bring it up to date.

    Other commands do this when something has changed.
    """
    with progress() as report:
        result = knowledge_base(kb).build(report, fresh=fresh, model=model)
    for name, error in result.unreadable:
        remark(f"left out {name}: {error}")
    if result.nothing_changed:
        click.echo(f"Nothing changed: {counted(result.passages, 'passage')}.")
        return
    did = ", ".join(
        f"{len(names)} {what}"
        for names, what in ((result.added, "added"), (result.changed, "changed"), (result.removed, "removed"))
        if names
    )
    counts = f"{counted(result.passages, 'passage')}, {result.embedded:,} of them embedded"
    click.echo(f"{'; '.join(filter(None, (did, counts)))}.")


def _print_status(base: KnowledgeBase) -> None:
    status = base.status()
    click.echo(f"folder     {one_line(str(status.folder))}")
    shipped = "the shipped corpus" if status.shipped else "no shipped corpus"
    click.echo(f"holds      {shipped}, {counted(status.added, 'added document')}")
    click.echo(f"model      {one_line(status.model)}")
    seal = status.seal
    if seal is None:
        click.echo("index      not built yet; the first question builds it")
        return
    kind, versions = one_line(seal.kind), ", ".join(f"{n} {v}" for n, v in seal.versions.items())
    holds = f"{counted(seal.sources, 'source')}, {counted(seal.passages, 'passage')}"
    click.echo(f"index      {holds}, {kind} index, {seal.dim} dimensions")
    click.echo(f"built      {one_line(f'{seal.built} with {versions}')}")
    click.echo(f"size       {status.bytes_on_disk / 1e6:.1f} MB")
    state = "up to date" if status.current else "documents changed since; the next question rebuilds it"
    click.echo(f"state      {state}")


@click.command(epilog="Example: chipwise doctor")
@json_option
@kb_option
def doctor(as_json: bool, kb: str | None) -> None:
    """Show what the knowledge base holds, and find problems.

    Exit code 1 means that there is a problem. --json adds versions, for a bug report.
    """
    base = knowledge_base(kb)
    ailments = base.examine()
    if as_json:
        found = [{"what": each.what, "mend": each.mend} for each in ailments]
        system = {"chipwise": __version__, "python": platform.python_version(), "platform": platform.platform()}
        print_json({"schema": "chipwise.doctor/1", **system, "found": found})
    else:
        with suppress(ChipwiseError):  # which is among what is found
            _print_status(base)
    for ailment in () if as_json else ailments:
        click.echo(f"{click.style('problem:', fg='yellow', bold=True)} {one_line(ailment.what)}")
        click.echo(f"  fix: {one_line(ailment.mend)}")
    if ailments:
        click.get_current_context().exit(1)
    if not as_json:
        click.echo("Everything is in order.")


@click.command(epilog="Example: chipwise remove my-notes")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@kb_option
def remove(sources: tuple[str, ...], kb: str | None) -> None:
    """Remove added documents.

    SOURCE is an id as `chipwise sources` lists it, or the path that was added.
    """
    base = knowledge_base(kb)
    removed = base.remove(*sources)
    with opened(base):
        pass  # what is left is indexed, and what could not be is told
    for document in removed:
        click.echo(f"removed {document.id}")


@click.command(epilog="Example: chipwise mcp --kb notes/")
@kb_option
def mcp(kb: str | None) -> None:
    """Serve an agent's tool calls (Model Context Protocol).

    Name this command in the agent's settings; it talks over standard input and output. The tools only read: ask,
    search, facts, compare, check_text and solve.
    """
    _require("the SDK of the Model Context Protocol", "mcp>=2.3,<3")
    from chipwise_cli.agents.server import serve  # noqa: PLC0415

    serve(knowledge_base(kb))


@click.command(epilog="Example: chipwise serve --port 8765")
@click.option(
    "--port", metavar="N", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Port on 127.0.0.1."
)
@kb_option
def serve(port: int, kb: str | None) -> None:
    """Serve the knowledge base to a browser on this machine.

    Ask, compare, check a draft, browse findings, learn. The pages run no script. Ctrl-C stops it.
    """
    _require("the web framework", "starlette>=0.46", "uvicorn>=0.34", "python-multipart>=0.0.20")
    from chipwise.web.server import serve  # noqa: PLC0415

    with opened(knowledge_base(kb)) as base:
        click.echo(f"http://127.0.0.1:{port}/  (Ctrl-C stops it)")
        serve(base, port)


def _require(what: str, *wanted: str) -> None:
    """Raise ChipwiseError unless what an extra asks pip for is there."""
    if not all(importlib.util.find_spec(one.partition(">")[0].replace("-", "_")) for one in wanted):
        packages = " ".join(f'"{one}"' for one in wanted)
        hint = f"pip install {packages}; where pipx installed chipwise: pipx inject chipwise {packages}"
        raise ChipwiseError(f"{what} is not installed", hint=hint)


@click.command(epilog='Example: eval "$(chipwise completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]))
def completion(shell: str) -> None:
    """Print the script that completes commands in a shell.

    Put the line of the example into ~/.bashrc, or with zsh into ~/.zshrc. For fish, save the script as
    ~/.config/fish/completions/chipwise.fish; for PowerShell, append it to $PROFILE.
    """
    from chipwise_cli import powershell  # noqa: F401, PLC0415  click knows it once it is imported

    completion = get_completion_class(shell)
    assert completion is not None  # noqa: S101  click has a class for each choice
    root = click.get_current_context().find_root().command
    click.echo(completion(root, {}, "chipwise", "_CHIPWISE_COMPLETE").source())
