"""The `chipwise` command. Nothing of a subcommand is imported until it runs."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from chipwise.errors import ChipwiseError
from chipwise_cli.settings import colours

# as shells have them; click's own 1 would say that there is no answer
INTERRUPTED = 130  # 128 + SIGINT
READER_GONE = 141  # 128 + SIGPIPE

# name -> help line: `--help` needs no more than this table; the module is called NAME_command
COMMANDS = {
    "ask": "Answer a question, with cited passages.",
    "audit": "Find where the sources contradict each other or arithmetic.",
    "check": "Judge each claim of a document against the knowledge base.",
    "report": "Write findings, plots and sources as one HTML page.",
    "explain": "Explain what a code like CW701 means, and how to settle it.",
    "acknowledge": "Record a judgement on a finding; it no longer fails a run.",
    "facts": "List curated facts, each with its source.",
    "compare": "Compare chips like for like, in a table.",
    "peak": "Tell a chip's peak by the name that drivers and clouds print.",
    "plot": "Draw one plot, as SVG or in the terminal.",
    "size": "Work out a model's memory, and which chips hold it.",
    "plan": "Plan a training run or a service: time, chips, cost, tokens.",
    "find": "Tell what a number could stand for.",
    "learn": "Learn to read accelerator figures: guess, look, see why.",
    "claims": "List what was understood of a document.",
    "search": "List the passages that match best, without an answer.",
    "show": "Print a passage in its context.",
    "sources": "List the sources, or show all about one.",
    "add": "Add documents to the knowledge base.",
    "remove": "Remove documents that were added.",
    "build": "Build the index, or bring it up to date.",
    "mcp": "Answer the tool calls of an agent (Model Context Protocol).",
    "status": "Tell what the knowledge base holds.",
    "doctor": "Find what is broken, and how to mend it.",
    "init": "Make a new knowledge base.",
    "completion": "Print the script that completes commands in a shell.",
}


_SETTINGS = """A setting is taken from the first of these that has it: an option, the environment (CHIPWISE_KB, NO_COLOR),
chipwise.toml in this folder or one above it, chipwise.toml in your folder of settings. The file may set kb, register,
baseline and colours."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they run, and errors printed in one place."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"chipwise_cli.{cmd_name}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help lines of the table, without importing what they describe."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; what a user can mend becomes `error:` and `help:` on stderr and exit 2.

        Ctrl-C is exit 130, and a reader that went away (`| head -1`) a quiet 141.
        """
        try:
            return self._invoke(ctx)
        except BrokenPipeError:
            # subtle: what is still buffered would fail once more when the process ends
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError, ValueError, AttributeError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            ctx.exit(READER_GONE)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ChipwiseError as error:
            from chipwise_cli.display import fail  # noqa: PLC0415

            fail(ctx, error)
            ctx.exit(2)
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from chipwise import __version__  # noqa: PLC0415

        click.echo(f"chipwise {__version__}")
        ctx.exit()


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f'{_SETTINGS}\n\nExample: chipwise ask "How much memory does a TPU v5p chip have?"',
)
@click.option(
    "--kb",
    metavar="DIR",
    envvar="CHIPWISE_KB",
    show_envvar=True,
    help="Folder of the knowledge base; one in your user data folder by default.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
@click.pass_context
def cli(ctx: click.Context, kb: str | None) -> None:
    """Ask about AI accelerators; answers cite their sources and tell where those disagree."""
    ctx.obj = kb
    ctx.color = colours()


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command, as `chipwise` in a shell does."""
    # a question's products are small: starting OpenBLAS's threads takes longer than they save
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # a character that cannot be read or shown gets a stand-in, not a traceback
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cli.main(args=None if arguments is None else list(arguments), prog_name="chipwise")


def run() -> NoReturn:
    """The entry point: `main`, and then the end of the process without taking the libraries down one by one.

    Every file is closed by then; unloading faiss and onnxruntime takes longer than an answer.
    """
    # one command makes few cycles, and looking for them among all that it has read takes a tenth of its time
    gc.set_threshold(100_000)
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)
