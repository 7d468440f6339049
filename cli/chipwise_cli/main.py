"""The `chipwise` command. Nothing of a subcommand is imported until it runs."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from chipwise import __version__
from chipwise.errors import ChipwiseError
from chipwise_cli.settings import color_setting

# as shells have them; click's own 1 would say that there is no answer
INTERRUPTED = 130  # 128 + SIGINT
READER_GONE = 141  # 128 + SIGPIPE

# what `--help` lists, by what one wants to do; it needs no more than this table
GROUPS = {
    "Ask": {
        "ask": "Answer a question, with cited passages.",
        "find": "Look up what a number could be.",
        "facts": "List curated facts, each with its source.",
        "compare": "Compare chips like for like, in a table.",
        "peak": "Look up a chip's peak by its name in drivers and clouds.",
    },
    "Check": {
        "check": "Check each claim in a document against the knowledge base.",
        "audit": "Find where sources contradict each other or their own arithmetic.",
        "explain": "Explain what a code like CW701 means, and how to settle it.",
        "accept": "Record a decision on a finding, so that it no longer fails a run.",
        "quote": "Check whether a source contains a quote, and where.",
    },
    "Plan": {
        "size": "Calculate how much memory a model needs, and which chips hold it.",
        "plan": "Plan a training run or a service: time, chips, cost, tokens.",
    },
    "Learn": {
        "learn": "Learn to read accelerator figures: guess, check, see why.",
        "plot": "Draw a plot, as SVG or in the terminal.",
        "report": "Write findings, plots and sources to one HTML page.",
        "serve": "Serve the knowledge base to a browser on this machine.",
    },
    "Library": {
        "sources": "List the sources, or show one in detail.",
        "add": "Add documents to the knowledge base.",
        "remove": "Remove added documents.",
    },
    "Admin": {
        "doctor": "Show what the knowledge base holds, and find problems.",
        "init": "Create a knowledge base.",
        "mcp": "Serve an agent's tool calls (Model Context Protocol).",
    },
}
# what works as well: details, and what other commands do by themselves
HIDDEN = {
    "build": "Build the index, or bring it up to date.",
    "claims": "List the claims that were read in a document.",
    "completion": "Print the script that completes commands in a shell.",
    "search": "List the best matching passages, without an answer.",
    "show": "Print a passage in its context.",
}
OLD_NAMES = {"acknowledge": "accept", "status": "doctor"}
COMMANDS = {name: line for group in (*GROUPS.values(), HIDDEN) for name, line in group.items()}
_MODULES = {  # where a command is that has no module NAME_command
    **dict.fromkeys(("build", "completion", "doctor", "init", "mcp", "remove", "serve"), "admin_commands"),
    **dict.fromkeys(("accept", "audit", "plot", "report"), "audit_commands"),
    **dict.fromkeys(("claims", "compare", "explain", "facts", "find", "peak"), "lookup_commands"),
    **dict.fromkeys(("plan", "size"), "planning_commands"),
    **dict.fromkeys(("add", "quote", "search", "show", "sources"), "library_commands"),
}
_WORDS = 3  # from so many on, words without a command are a question

_SETTINGS = """`chipwise "a question"` is short for `chipwise ask`. Settings come from the first of: an option, the environment
(CHIPWISE_KB, NO_COLOR, FORCE_COLOR), chipwise.toml in this folder or above it, your own chipwise.toml. The file can set
kb, register, baseline and color."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they run, and errors printed in one place."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names that help lists, in the table's order."""
        return [name for group in GROUPS.values() for name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its module imported now."""
        name = OLD_NAMES.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"chipwise_cli.{_MODULES.get(name, f'{name}_command')}")
        command: click.Command = getattr(module, name if name in _MODULES else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; `ask` where the words are a question, and a guess at what was meant where they are not."""
        name = args[0]
        if name in (*COMMANDS, *OLD_NAMES) or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        import difflib  # noqa: PLC0415  an error may take its time

        words = [word for arg in args for word in arg.split()]
        known = [each for each in COMMANDS if each[0] == name[:1].lower()]
        close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.66)  # two letters of three: "aks"
        asks = len(words) >= _WORDS or (words and words[-1].endswith("?"))
        if " " in name.strip() or (asks and not close):
            return "ask", self.get_command(ctx, "ask"), args
        guess = f" Did you mean {close[0]!r}?" if close else ' Put a question in quotes: chipwise "...".'
        raise click.UsageError(f"No such command {name!r}.{guess}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help lines of the table, without importing what they describe."""
        for title, lines in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<8}", line) for name, line in lines.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Errors become `error:`, `help:` and exit 2, Ctrl-C 130, and a reader that went away a quiet 141."""
        try:
            return self._invoke(ctx)
        except BrokenPipeError:
            # subtle: what is still buffered would fail once more when the process ends
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError, ValueError, AttributeError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            ctx.exit(READER_GONE)

    def _invoke(self, ctx: click.Context) -> Any:
        from chipwise_cli.display import complain, fail, paged  # noqa: PLC0415  `--help` shows nothing else

        try:
            with paged(ctx):
                return super().invoke(ctx)
        except ChipwiseError as error:
            fail(ctx, error)
            ctx.exit(2)
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            _name_place(error)
            ctx.exit(2)
        except MemoryError:
            complain("there is not enough memory", "free some, raise the limit, or use fewer or smaller documents")
            ctx.exit(2)
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def _name_place(error: OSError) -> None:
    """Say what could not be read or written, and what to do."""
    from chipwise_cli.display import complain  # noqa: PLC0415  `--help` shows nothing else

    gone = error.errno == errno.ENOENT
    place = error.filename or ("the current folder" if gone else "standard output")
    there = "restore that file, or reinstall chipwise" if error.filename else "change to a folder that exists"
    complain(f"{place}: {error.strerror}", there if gone else "free some space, or choose another place")


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f'{_SETTINGS}\n\nExample: chipwise ask "How much memory does a TPU v5p chip have?"',
)
@click.option("--kb", metavar="DIR", envvar="CHIPWISE_KB", show_envvar=True, help="Folder of the knowledge base.")
@click.version_option(__version__, message="%(prog)s %(version)s", help="Print the version.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only, without notes or progress.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), help="When to print colors.")
@click.pass_context
def cli(ctx: click.Context, kb: str | None, quiet: bool, color: str | None) -> None:
    """Ask about AI accelerators. Answers cite their sources and say where the sources disagree."""
    ctx.obj = kb
    ctx.meta["quiet"] = quiet
    ctx.color = color_setting(color)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command, as `chipwise` in a shell does."""
    # a question's products are small: starting OpenBLAS's threads takes longer than they save
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.stdout is None:  # closed by whoever starts us, who wants to see nothing
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # a character that cannot be read or shown gets a stand-in, not a traceback
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if os.environ.get("_CHIPWISE_COMPLETE", "").startswith("powershell"):
        importlib.import_module("chipwise_cli.powershell")
    cli.main(args=None if arguments is None else list(arguments), prog_name="chipwise")


def run() -> NoReturn:
    """Run `main`, then end the process at once: unloading faiss and onnxruntime takes longer than an answer."""
    # one command makes few cycles, and looking for them among all that it has read takes a tenth of its time
    gc.set_threshold(100_000)
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    except OSError as error:  # of `--help`, or the error can't be printed either
        code = 2
        with contextlib.suppress(OSError):
            _name_place(error)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)
