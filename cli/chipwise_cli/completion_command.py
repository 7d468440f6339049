"""`chipwise completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(epilog='Example: eval "$(chipwise completion bash)"')
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes commands in a shell.

    Put the line of the example into ~/.bashrc, or with zsh into ~/.zshrc. For fish,
    save the script as ~/.config/fish/completions/chipwise.fish.
    """
    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"no completion for {shell}")
    root = click.get_current_context().find_root().command
    click.echo(completion(root, {}, "chipwise", "_CHIPWISE_COMPLETE").source())
