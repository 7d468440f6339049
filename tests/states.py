"""Puts a knowledge base's files and its surroundings into broken states, and runs commands in each.

    python -m tests.states                every state, every command: minutes
    python -m tests.states --few          what the tests run

A command may answer (0), find something (1) or say in one error what is wrong and what to do (2). A traceback,
an error without help and a command that does not end within LIMIT seconds are failures.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise_cli.main import cli

from .documents import SMALL, write
from .fakes import install

LIMIT = 60  # seconds, on a machine that others use too
FLIPPED = 200  # bytes
READING = (
    ("ask", "How much memory does the H200 have?"),
    ("ask", "--json", "Why is training slow?"),
    ("search", "memory bandwidth"),
    ("facts", "H200"),
    ("compare", "H100", "H200"),
    ("find", "141 GB"),
    ("claims", "h200"),
    ("sources",),
    ("sources", "h200"),
    ("show", "h200#1"),
    ("audit", "--all"),
    ("check", "{document}"),
    ("size", "llama-3-70b"),
    ("plan", "serve", "llama-3-70b"),
    ("doctor",),
)
WRITING = (
    ("build",),
    ("add", "{document}"),
    ("remove", "tpu"),
    ("accept", "3f2a91c04bd1", "--as", "accepted", "--reason", "known"),
    ("build", "--fresh"),
)
FEW = (READING[0], READING[2], ("doctor",), ("build",))

Break = Callable[[KnowledgeFolder], None]


@dataclass(frozen=True, slots=True)
class Failure:
    """A command that did not end well: in which state, and how it ended."""

    state: str
    command: tuple[str, ...]
    how: str


class TooLong(BaseException):
    """No Exception, so that nothing that is tried catches it."""


def make(folder: Path) -> KnowledgeFolder:
    """A small knowledge base with a copy of everything that one may hold."""
    base = KnowledgeFolder(folder / "kb")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    add_files(base, write(folder / "documents", {name: SMALL[name] for name in ("h200.md", "h100.md", "tpu.md")}))
    build(base)
    return base


def with_shipped_domain(
    module: Any, name: str, value: object, put: Callable[[Any, str, object], None] = setattr
) -> None:
    """Puts in place what `install` does, but for the domain: the commands want all of it."""
    if name != "domain_folder":
        put(module, name, value)


def file_states(base: KnowledgeFolder) -> dict[str, Break]:
    """Every file of a knowledge base, damaged in each way."""
    states: dict[str, Break] = {}
    names = [str(path.relative_to(base.folder)) for path in sorted(base.folder.rglob("*")) if path.is_file()]
    for name in (name for name in names if not name.endswith("lock")):
        for damage, change in _DAMAGES.items():
            if name == "knowledge.json" and damage == "gone":
                continue  # then it is one of the shipped corpus, which a build makes of all of that
            states[f"{name}: {damage}"] = lambda kb, name=name, change=change: change(kb.folder / name)
            if name.startswith("index/g") and damage in _OF_BYTES:
                states[f"{name}: {damage}, its size vouched for"] = lambda kb, name=name, change=change: _vouched(
                    kb, kb.folder / name, change
                )
    for name in (
        "index",
        "documents",
        "documents/h200",
        "domain",
        "acknowledged.toml",
        "index/.lock",
        ".contents.lock",
    ):
        states[f"{name}: a file of bytes"] = lambda kb, name=name: _bytes_instead(kb.folder / name)
        states[f"{name}: a folder"] = lambda kb, name=name: _folder_instead(kb.folder / name)
        states[f"{name}: a link to itself"] = lambda kb, name=name: _loop(kb.folder / name)
    return states


def json_states(base: KnowledgeFolder) -> dict[str, Break]:
    """Every key of the JSON files left out, or with a value of another kind; text that is no JSON."""
    states: dict[str, Break] = {}
    for path in (base.contents_path, base.seal_path):
        name = str(path.relative_to(base.folder))
        for key in json.loads(path.read_text()):
            states[f"{name}: no {key}"] = lambda kb, name=name, key=key: _without(kb.folder / name, key)
            for value in _OTHER_VALUES:
                states[f"{name}: {key} is {json.dumps(value)[:30]}"] = lambda kb, name=name, key=key, value=value: (
                    _with(kb.folder / name, key, value)
                )
        for text in ("", "[]", "null", "{", "[" * 100_000, '"' + "\\u0000" * 9, "1" * 5_000):
            states[f"{name}: {text[:12]!r}"] = lambda kb, name=name, text=text: _put(kb.folder / name, text.encode())
    return states


def table_states(base: KnowledgeFolder) -> dict[str, Break]:
    """Every table of the text gone, and every column full of another kind of thing."""
    with sqlite3.connect(_text(base)) as db:
        rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        tables = [row[0] for row in rows if not row[0].startswith(("sqlite_", "word_"))]
        columns = [(t, row[1]) for t in tables for row in db.execute(f"PRAGMA table_info({t})")]
    db.close()
    states: dict[str, Break] = {
        f"{TEXT}: no table {t}": lambda kb, t=t: _sql(kb, f"DROP TABLE {t}") for t in (*tables, "word")
    }
    for table, column in columns:
        for value in ("'{'", "NULL", "x'ff00fe'", "CAST(x'ff80' AS TEXT)", "-1", "1e300"):
            states[f"{TEXT}: {table}.{column} is {value}"] = lambda kb, t=table, c=column, v=value: _sql(
                kb,
                f"UPDATE OR IGNORE {t} SET {c} = {v}",  # noqa: S608
            )
    return states


SURROUNDINGS: dict[str, dict[str, str | None]] = {
    # subtle: without HOME the account's own folder would be found, and a command must not write there
    "no HOME": {"HOME": None, "XDG_DATA_HOME": "/dev/null/data"},
    "HOME is nowhere": {"HOME": "/dev/null/home", "XDG_DATA_HOME": None},
    "HOME is a file": {"HOME": "/etc/passwd", "XDG_DATA_HOME": None},
    "HOME takes nothing": {"HOME": "/proc", "XDG_DATA_HOME": None},
    "HOME is no UTF-8": {"HOME": os.fsdecode(b"/tmp/\xff\xfe"), "XDG_DATA_HOME": None},
    "LANG=C": {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ASCII streams": {"PYTHONIOENCODING": "ascii:strict"},
    "TERM=dumb": {"TERM": "dumb"},
    "TERM unknown": {"TERM": "\x1b[31m"},
    "no TERM": {"TERM": None},
    "COLUMNS=0": {"COLUMNS": "0", "LINES": "0"},
    "COLUMNS=1": {"COLUMNS": "1"},
    "COLUMNS=-5": {"COLUMNS": "-5"},
    "COLUMNS=abc": {"COLUMNS": "abc"},
    "COLUMNS huge": {"COLUMNS": "999999999"},
    "TMPDIR is nowhere": {"TMPDIR": "/nonexistent"},
    "CHIPWISE_KB is empty": {"CHIPWISE_KB": ""},
    "CHIPWISE_KB is no UTF-8": {"CHIPWISE_KB": os.fsdecode(b"/tmp/\xff\xfekb")},
    "CHIPWISE_KB is too long": {"CHIPWISE_KB": "/x" * 5_000},
    "CHIPWISE_KB is a device": {"CHIPWISE_KB": "/dev/null"},
}


@contextmanager
def surrounded(variables: dict[str, str | None]) -> Iterator[None]:
    """The environment with these variables, None for one that is not set."""
    before = dict(os.environ)
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def try_states(
    base: KnowledgeFolder, states: dict[str, Break], commands: Sequence[tuple[str, ...]]
) -> Iterator[Failure]:
    """Runs `commands` in each state, one after the other; `base` is as before afterwards."""
    kept = base.folder.with_name("kept")
    document = base.folder.with_name("documents") / "h100.md"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(base.folder, kept)
    for state, change in states.items():
        try:
            change(base)
            for command in commands:
                arguments = [part.replace("{document}", str(document)) for part in command]
                how = run(["--kb", str(base.folder), *arguments])
                if how:
                    yield Failure(state, command, how)
        finally:
            shutil.rmtree(base.folder)
            shutil.copytree(kept, base.folder)
    shutil.rmtree(kept)


def run(arguments: Sequence[str]) -> str:
    """How a command ended badly, or "" where it ended well."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    try:
        result = CliRunner().invoke(cli, list(arguments), prog_name="chipwise")
    except TooLong:
        return f"more than {LIMIT} s"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    if isinstance(result.exception, TooLong):
        return f"more than {LIMIT} s"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return _where(result.exception)
    if result.exit_code not in (0, 1, 2):
        return f"exit {result.exit_code}"
    if result.exit_code == 2 and not (result.stderr.count("error: ") == 1 and "\nhelp: " in result.stderr):
        return f"no clear error: {result.stderr[-200:]!r}"
    return ""


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" in {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    return f"{type(error).__name__}{place}: {str(error)[:120]}"


def _put(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def _flip(path: Path, start: float) -> None:
    """Other bytes, `FLIPPED` of them from a share `start` of the file on."""
    data = bytearray(path.read_bytes())
    first = int(start * max(0, len(data) - FLIPPED))
    data[first : first + FLIPPED] = bytes(byte ^ 0xFF for byte in data[first : first + FLIPPED])
    _put(path, bytes(data))


def _sprinkle(path: Path, seed: int) -> None:
    rng, data = random.Random(seed), bytearray(path.read_bytes())  # noqa: S311
    for _ in range(FLIPPED):
        data[rng.randrange(len(data))] = rng.randrange(256)
    _put(path, bytes(data))


def _loop(path: Path) -> None:
    _clear(path)
    path.symlink_to(path.name)


def _folder_instead(path: Path) -> None:
    _clear(path)
    path.mkdir()


def _bytes_instead(path: Path) -> None:
    _clear(path)
    path.write_bytes(b"\xff\xfe[[")


def _pipe(path: Path) -> None:
    _clear(path)
    os.mkfifo(path)


def _clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


_OF_BYTES: dict[str, Callable[[Path], None]] = {
    "empty": lambda path: _put(path, b""),
    "cut in half": lambda path: _put(path, (data := path.read_bytes())[: len(data) // 2]),
    "a byte short": lambda path: _put(path, path.read_bytes()[:-1]),
    "a byte long": lambda path: _put(path, path.read_bytes() + b"x"),
    "zeros": lambda path: _put(path, bytes(path.stat().st_size)),
    **{
        f"{FLIPPED} bytes flipped at {share:.0%}": lambda path, share=share: _flip(path, share)
        for share in (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    },
    **{f"sprinkled {seed}": lambda path, seed=seed: _sprinkle(path, seed) for seed in range(4)},
}
_DAMAGES: dict[str, Callable[[Path], None]] = {
    **_OF_BYTES,
    "gone": lambda path: path.unlink(),
    "a folder": _folder_instead,
    "a link to itself": _loop,
    "a pipe": _pipe,
}
_OTHER_VALUES: tuple[Any, ...] = (
    None,
    "",
    "../../x",
    "\x00",
    "\udc80",
    -1,
    1e400,
    2**70,
    [],
    {},
    [[]],
    {"a": [1, 2, 3]},
)


def _text(base: KnowledgeFolder) -> Path:
    return base.generation_folder(base.read_seal()) / TEXT


def _sql(base: KnowledgeFolder, statement: str) -> None:
    """Changes the text behind the seal's back, its size vouched for."""
    path = _text(base)
    db = sqlite3.connect(path)
    try:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("PRAGMA ignore_check_constraints = 1")
        db.execute(statement)
        db.commit()
    except sqlite3.IntegrityError:
        db.rollback()
    finally:
        db.close()
    _vouch(base, path)


def _vouched(base: KnowledgeFolder, path: Path, change: Callable[[Path], None]) -> None:
    change(path)
    _vouch(base, path)


def _vouch(base: KnowledgeFolder, path: Path) -> None:
    """The seal says that the file has the size that it has: its checksum alone tells."""
    data = json.loads(base.seal_path.read_text())
    name = path.relative_to(base.index_folder).as_posix()
    data["files"][name] = [path.stat().st_size, data["files"][name][1]]
    base.seal_path.write_text(json.dumps(data))


def _without(path: Path, key: str) -> None:
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != key}))


def _with(path: Path, key: str, value: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))


def main(arguments: Sequence[str]) -> int:
    """Prints every failure and the counts; 1 where there was one."""
    started, few = time.monotonic(), "--few" in arguments
    with tempfile.TemporaryDirectory() as folder, surrounded({"HOME": folder, "XDG_DATA_HOME": f"{folder}/data"}):
        install(with_shipped_domain)
        base = make(Path(folder))
        states = {**file_states(base), **json_states(base), **table_states(base)}
        commands = FEW if few else READING + WRITING
        failures = []
        for failure in try_states(base, states, commands):
            failures.append(failure)
            print(f"{failure.state}\n    {' '.join(failure.command)}: {failure.how}", flush=True)
        for name, variables in SURROUNDINGS.items():
            for command in commands:
                arguments = ["--kb", str(base.folder)] if "HOME" not in name and "KB" not in name else []
                with surrounded(variables):
                    how = run([*arguments, *command]) if "{document}" not in command else ""
                if how:
                    failures.append(Failure(name, command, how))
                    print(f"{name}\n    {' '.join(command)}: {how}", flush=True)
    count = (len(states) + len(SURROUNDINGS)) * len(commands)
    print(
        f"{len(states)} states of files and {len(SURROUNDINGS)} of surroundings, {count} runs: {len(failures)} failed"
    )
    for how, number in Counter(failure.how.partition(":")[0] for failure in failures).most_common():
        print(f"    {number:5} {how}")
    print(f"    {time.monotonic() - started:.0f} s")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
