"""`chipwise status`."""

from __future__ import annotations

import click

from chipwise_cli.display import kb_option, knowledge_base
from chipwise_cli.text import counted, one_line


@click.command(epilog="Example: chipwise --kb ./my-kb status")
@kb_option
def command(kb: str | None) -> None:
    """Tell what the knowledge base holds."""
    status = knowledge_base(kb).status()
    click.echo(f"folder     {one_line(str(status.folder))}")
    click.echo(
        f"holds      {'the shipped corpus' if status.shipped else 'no shipped corpus'}, {counted(status.added, 'added document')}"
    )
    click.echo(f"model      {one_line(status.model)}")
    seal = status.seal
    if seal is None:
        click.echo("index      not built yet; the first question builds it")
        return
    kind, versions = one_line(seal.kind), ", ".join(f"{n} {v}" for n, v in seal.versions.items())
    click.echo(
        f"index      {counted(seal.sources, 'source')}, {counted(seal.passages, 'passage')}, {kind} of dimension {seal.dim}"
    )
    click.echo(f"built      {one_line(f'{seal.built} with {versions}')}")
    click.echo(f"size       {status.bytes_on_disk / 1e6:.1f} MB")
    click.echo(
        f"state      {'up to date' if status.current else 'documents changed since; the next question rebuilds it'}"
    )
