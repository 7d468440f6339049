"""`chipwise mcp`."""

from __future__ import annotations

import importlib.util

import click

from chipwise import ChipwiseError
from chipwise_cli.display import kb_option, knowledge_base


@click.command(epilog="Example: chipwise mcp --kb notes/")
@kb_option
def command(kb: str | None) -> None:
    """Answer the tool calls of an agent (Model Context Protocol).

    For an agent's settings: it starts this command and talks to it over standard input and output. The tools only
    read: ask, search, facts, compare, check_text and solve.
    """
    if importlib.util.find_spec("mcp") is None:
        hint = 'pip install "mcp>=2.3,<3"; where pipx installed chipwise: pipx inject chipwise "mcp>=2.3,<3"'
        raise ChipwiseError("the SDK of the Model Context Protocol is not installed", hint=hint)
    from chipwise_cli.agents.server import serve  # noqa: PLC0415

    serve(knowledge_base(kb))
