"""`chipwise init`."""

from __future__ import annotations

import click

from chipwise import KnowledgeBase
from chipwise_cli.display import kb_option, knowledge_base


@click.command(epilog="Example: chipwise --kb ./my-kb init --empty")
@click.option("--empty", is_flag=True, help="Leave out the shipped sources; the facts table stays.")
@click.option(
    "--model",
    metavar="NAME",
    default=KnowledgeBase.DEFAULT_MODEL,
    show_default=True,
    help="Embedding model: a folder or an installed package.",
)
@kb_option
def command(empty: bool, model: str, kb: str | None) -> None:
    """Make a new knowledge base.

    It holds the shipped corpus, and what is added to it later. With --empty, ask and search go by the documents that
    are added and by nothing else. The shipped facts table stays, for facts, compare, find, check and audit: each fact
    has its quote, and `show` prints the digest that it cites.
    """
    base = knowledge_base(kb)
    base.create(shipped=not empty, model=model)
    click.echo(
        f"made {base.status().folder}, {'empty but for the facts table' if empty else 'with the shipped corpus'}"
    )
