"""What all commands share in showing things: errors, progress, quotes, the `--kb` option."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from chipwise.errors import ChipwiseError, SourceUnreadable
from chipwise.text import one_line, plain
from chipwise_cli.settings import chosen_base

if TYPE_CHECKING:
    from chipwise import Evidence, KnowledgeBase

ERROR_SCHEMA = "chipwise.error/1"
_JSON = f"{__name__}.json"  # in a context's `meta`, which all contexts of a run share

_COMMAND = re.compile(r"(?m)^(\s*):(?=:)")  # what begins a line of a log so is a command to GitHub's runner
_READING = {"reading": "", "reading again": " again, since the domain or chipwise changed"}  # stages of a build
_MANY = 100  # documents
_LIVE = (["learn"], ["mcp"])  # what waits for its reader

Command = TypeVar("Command", bound=Callable[..., Any])
Found = tuple[Any, Callable[[], None], bool]  # for JSON, for a reader, and whether it is something


def kb_option(command: Command) -> Command:
    """`--kb` after the command's name means the same as before it."""
    return click.option("--kb", metavar="DIR", help="Folder of the knowledge base; see chipwise --help.")(command)


def json_option(command: Command) -> Command:
    """`--json`, where the shape is a contract."""
    return click.option("--json", "as_json", is_flag=True, callback=_note_json, help="Print JSON.")(command)


def _note_json(ctx: click.Context, _param: click.Parameter, value: bool) -> bool:
    if value:
        expect_json(ctx)
    return value


def expect_json(ctx: click.Context) -> None:
    """Has an error of this run put on stdout as JSON as well."""
    ctx.meta[_JSON] = True


def say(text: str = "") -> None:
    """A line on stdout, in color where the settings of the run have it."""
    click.echo(_COMMAND.sub("\\1\ufffd", text))


def fail(ctx: click.Context, error: ChipwiseError) -> None:
    """An error on stderr; for a program that reads JSON, as a value on stdout as well."""
    complain(str(error), error.hint)
    if ctx.meta.get(_JSON):
        print_json({"schema": ERROR_SCHEMA, "error": str(error), "help": error.hint})


def knowledge_base(kb: str | None) -> KnowledgeBase:
    """The knowledge base that the options, the environment or the settings name, or the user's own."""
    from chipwise import KnowledgeBase  # noqa: PLC0415

    return KnowledgeBase(kb or click.get_current_context().find_root().obj or chosen_base())


def on_base(command: Callable[..., Found]) -> Callable[..., None]:
    """`--json` and `--kb` for a command that gets the open base and returns what it found.

    Exit code 1 means that it found nothing.
    """

    @json_option
    @kb_option
    @wraps(command)
    def run(*, as_json: bool, kb: str | None, **options: Any) -> None:
        with opened(knowledge_base(kb)) as base:
            value, show, found = command(base, **options)
            if as_json:
                print_json(value if isinstance(value, dict) else base.as_json(value))
            else:
                show()
        if not found:
            click.get_current_context().exit(1)

    return run


def standard_input() -> TextIO:
    """What `-` stands for. Raises SourceUnreadable when the process was started without."""
    if sys.stdin is None:
        raise SourceUnreadable("standard input is closed", hint="give the text itself or a file instead of -")
    return sys.stdin


def complain(message: str, hint: str) -> None:
    """An error and what to do about it, on stderr."""
    click.echo(f"{click.style('error:', fg='red', bold=True)} {one_line(message)}", err=True)
    if hint:
        click.echo(f"{click.style('help:', bold=True)} {one_line(hint)}", err=True)


def _quiet() -> bool:
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get("quiet"))


_Held = type("_Held", (io.TextIOWrapper,), {"isatty": lambda _: True})  # what is printed, until its length is known


@contextmanager
def paged(ctx: click.Context) -> Iterator[None]:
    """Page output that is longer than the terminal; commands that prompt are not paged."""
    real = sys.stdout
    if real is None or not real.isatty() or ctx._protected_args[:1] in _LIVE:
        yield
        return
    sys.stdout = held = _Held(io.BytesIO(), encoding=real.encoding, errors="replace", write_through=True)
    try:
        yield
    finally:
        sys.stdout = real
        text = held.buffer.getvalue().decode(real.encoding, "replace")
        if text.count("\n") >= os.get_terminal_size(real.fileno()).lines > 0:
            click.echo_via_pager(text, color=ctx.color is not False)
        else:
            real.write(text)


@contextmanager
def working(on: str) -> Iterator[None]:
    """Say on a terminal what takes its time and how many seconds so far; clear the line when it is done."""
    if sys.stderr is None or not sys.stderr.isatty() or _quiet():
        yield
        return
    import threading  # noqa: PLC0415  only a terminal sees it

    done = threading.Event()

    def tick(seconds: int = 0) -> None:
        click.echo(f"\r{on} ... {seconds} s", err=True, nl=False)
        while not done.wait(1):
            click.echo(f"\r{on} ... {(seconds := seconds + 1)} s", err=True, nl=False)

    (clock := threading.Thread(target=tick, daemon=True)).start()
    try:
        yield
    finally:
        done.set()
        clock.join()
        click.echo("\r\x1b[K", err=True, nl=False, color=True)


def remark(message: str) -> None:
    """Something worth knowing that is no error, on stderr."""
    if not _quiet():
        click.echo(f"{click.style('note:', bold=True)} {one_line(message)}", err=True)


@contextmanager
def opened(base: KnowledgeBase) -> Iterator[KnowledgeBase]:
    """The knowledge base, brought up to date under a bar; what that met with is on stderr before anything else is printed."""
    with base:
        with progress() as report:
            notices = base.open(report)
        for notice in notices:
            remark(notice)
        yield base


def print_json(value: Any) -> None:
    """One JSON value on stdout."""
    click.echo(json_text(value))


def json_text(value: Any) -> str:
    """A value as JSON; characters that could drive a terminal are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if plain(text) != text:
        # JSON's own escape of a character above U+FFFF is two, so json writes it
        text = "".join(c if plain(c) == c else json.dumps(c)[1:-1] for c in text)
    return text


def _note_long(stage: str, done: int, total: int) -> None:
    if stage in _READING and not done and total >= _MANY:
        remark(f"reading {total} documents{_READING[stage]}; this takes some minutes")


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Reports stages of long work as a bar on a terminal; in a pipe, only that many documents are going to be read."""
    if sys.stderr is None or not sys.stderr.isatty() or _quiet():
        yield _note_long
        return
    shown: dict[str, Any] = {}

    def report(stage: str, done: int, total: int) -> None:
        if shown.get("stage") != stage:
            _finish(shown)
            bar = click.progressbar(length=max(total, 1), label=f"{stage:<30}", file=sys.stderr)
            shown.update(stage=stage, bar=bar, done=0)
            bar.render_progress()
        shown["bar"].update(done - shown["done"])
        shown["done"] = done

    try:
        yield report
    finally:
        _finish(shown)


def _finish(shown: dict[str, Any]) -> None:
    if shown:
        shown["bar"].render_finish()
        shown.clear()


def width() -> int:
    """Columns to fill: the terminal's, at most 100."""
    stated = os.environ.get("COLUMNS", "")  # as shutil does, which loads three libraries of archives
    with suppress(AttributeError, OSError, ValueError):  # a pipe has no width, and stdout may be closed
        columns = int(stated) if stated.isdecimal() else 0
        return min(columns or os.get_terminal_size(sys.__stdout__.fileno()).columns or 100, 100)  # type: ignore[union-attr]
    return 100


def wrapped(text: str, indent: str = "", first: str | None = None) -> str:
    """`text` filled to the terminal's width."""
    start = indent if first is None else first
    return textwrap.fill(
        text, width(), initial_indent=start, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def laid_out(text: str) -> str:
    """An answer's text, each of its lines filled; what a list's item has more than one line of is indented."""
    return "\n".join(wrapped(line, "  " if line.startswith("- ") else "", first="") for line in text.split("\n"))


def place(evidence: Evidence) -> str:
    """Where a quote stands, for a reader: publisher, title, date, heading, page or line."""
    by = ", ".join(filter(None, (evidence.publisher, evidence.title, evidence.published or "undated")))
    of = "our digest of " if evidence.digest else ""
    return one_line(" · ".join(filter(None, (f"{of}{by}", within(evidence)))))


def within(evidence: Evidence) -> str:
    """Where a quote stands in its source: heading, page or line; a digest's lines are not those of the page."""
    at = f"page {evidence.page}" if evidence.page else "" if evidence.digest else f"line {evidence.line}"
    return one_line(" · ".join(filter(None, (" > ".join(evidence.heading), at))))


def unwritable(path: Path) -> str | None:
    """Why a file can't be written, told before the work that it is for."""
    above = next((p for p in path.absolute().parents if p.exists()), path.parent)  # folders are made below that
    if path.is_dir() or not above.is_dir():
        return "it is a folder" if path.is_dir() else f"{above} is not a folder"
    return None if os.access(path if path.exists() else above, os.W_OK) else "permission denied"


def written_file(*suffixes: str) -> Callable[[click.Context, click.Parameter, str | None], Path | None]:
    """A callback that lets a path through which ends so: a slip of the hand replaces no document."""

    def checked(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Path | None:
        if value is None:
            return None
        path = Path(value)
        if path.suffix.lower() not in suffixes:
            raise click.BadParameter(f"{value!r} does not end in {' or '.join(suffixes)}.")
        if (reason := unwritable(path)) is not None:
            raise click.BadParameter(f"{value!r} can't be written: {reason}.")
        return path

    return checked
