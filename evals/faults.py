"""Odd uses of the installed command, as a night should run them: `python evals/faults.py [PART ...] [--times N]`.

    questions   made-up and broken questions, drafts and numbers, in this process
    options     values that no option or setting is meant for
    sizes       no file may grow beyond a size, as on a full disk
    cut         files of the index emptied, cut and zeroed, as a power loss leaves them
    many        documents added one by one, and many at once

A fault is a traceback, an exit code that means nothing, an error without advice, or a knowledge base that does not answer
afterwards. Each is printed as JSON, and any makes the exit code 1. CHIPWISE names the command.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import chipwise

COMMAND = shlex.split(os.environ.get("CHIPWISE", f"{sys.executable} -m chipwise"))
CODES = (0, 1, 2, 130, 141)
PATIENCE = 120  # seconds for one command
QUESTION = "How much HBM does an H200 have?"
WORDS = """how much many which why is does the a of in per than or and not memory bandwidth bf16 fp8 TFLOPS HBM price cost
H100 H200 MI300X B200 A100 TPU v5p Trainium2 tokens/s GB GiB TB/s W $ % 8x 2:4 sparse dense node chip 141 80 1,979 989.4 3.35
0 -1 1e999 99999999999999999999 1/0 ½ ² ٣ ∞ NaN ? ! . , ( ) [ ] { } {0} %s \\ / | - – * ** [1] [99] <script> &amp; NEAR( " ' ’
2024-13-45 Q9 llama 3.1 70b mixtral serve train fit""".split()
ODD = ("\0", "\u202e", "\u200b", "\ud800", "\U0001f600", "e\u0301", "\u2028", "a" * 400, "and H100 " * 30, "?" * 60)
VALUES = (
    "",
    "0",
    "-1",
    "1e999",
    "nan",
    "x" * 3000,
    "..",
    "/dev/null",
    "~nobody/x",
    "http://[::1",
    "postgresql://[::1",
    "é\u202e",
)
TRIALS = (
    ("ask", "{}"), ("ask", "x", "--passages", "{}"), ("find", "{}"), ("facts", "{}"), ("compare", "h100", "{}"),
    ("size", "{}"), ("size", "llama 3.1 70b", "--on", "{}"), ("plan", "train", "llama 3.1 70b", "--tokens", "{}"),
    ("plan", "serve", "llama 3.1 70b", "--on", "h100", "--context", "{}"), ("peak", "{}"), ("explain", "{}"),
    ("quote", "{}", "{}"), ("plot", "{}"), ("plot", "roofline", "{}"), ("learn", "--topic", "{}"), ("show", "{}"),
    ("sources", "{}"), ("remove", "{}"), ("accept", "{}", "--reason", "{}"), ("check", "{}"), ("add", "{}"),
    ("audit", "--subject", "{}"), ("report", "{}"), ("serve", "--port", "{}"), ("--kb", "{}", "doctor"),
)  # fmt: skip
SETTINGS = ("kb", "register", "baseline", "color", "unknown", '""')

Fault = dict[str, Any]


def run(*arguments: str, limit: int | None = None, folder: Path | None = None) -> tuple[int, str]:
    """The exit code of a command, -1 if it hangs, and what it prints; with a limit, no file grows beyond so many bytes."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit or 0, limit or 0))

    try:
        done = subprocess.run(
            [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=PATIENCE, preexec_fn=None if limit is None else bound, cwd=folder, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def faults(what: str, code: int, told: str) -> Iterator[Fault]:
    """What is wrong with how a command ended."""
    advised = any(word in told for word in ("help:", "Usage:", "Try '"))
    kinds = {
        "hangs": code == -1,
        "traceback": "Traceback (most recent call last)" in told,
        "code": code not in (*CODES, -1),
        "no advice": code == 2 and not advised,
    }
    yield from (
        {"what": what, "fault": kind, "code": code, "told": told[-800:]} for kind, is_so in kinds.items() if is_so
    )


def questions(times: int, _place: Path) -> Iterator[Fault]:
    """Questions, drafts and numbers of random words and characters."""
    chance = random.Random(times)  # noqa: S311
    with chipwise.KnowledgeBase() as base:  # the shipped corpus, which has most to say
        calls: Sequence[Callable[[str], Any]] = (base.ask, base.find, base.facts, chipwise.extract, base.search)
        for number in range(times):
            picked = [chance.choice(ODD if chance.random() < 0.05 else WORDS) for _ in range(chance.randrange(1, 14))]
            text = " ".join(picked)
            call = calls[number % 8] if number % 8 < len(calls) else base.ask
            try:
                call(text)
            except chipwise.ChipwiseError:
                pass
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                yield {"what": text, "fault": repr(error)[:200], "told": f"{where.filename}:{where.lineno}"}


def options(times: int, place: Path) -> Iterator[Fault]:
    """Each option and setting with values that it is not meant for."""
    chance = random.Random(times)  # noqa: S311
    cases = [tuple(part.format(value) for part in trial) for trial in TRIALS for value in VALUES]
    (place / "here").mkdir(exist_ok=True)  # so that ".." is a small folder
    for case in chance.sample(cases, min(times, len(cases))):
        if case[0] == "serve" and case[-1].isdecimal() and case[-1] != "0":
            continue  # which would serve
        named = () if "--kb" in case else ("--kb", str(place / "kb"))
        yield from faults(" ".join(case)[:200], *run(*named, *case, folder=place / "here"))
    settings = [
        f"{key} = {value}"
        for key in SETTINGS
        for value in ('""', "1", "[]", '"\\u0000"', "1e999", "'''a", '"/dev/null"')
    ]
    for text in chance.sample(settings, min(times, len(settings))):
        (place / "chipwise.toml").write_text(text, "utf-8")
        yield from faults(text, *run("sources", folder=place))
    (place / "chipwise.toml").unlink(missing_ok=True)


def sizes(times: int, place: Path) -> Iterator[Fault]:
    """Changes of a knowledge base whose files can't grow beyond a size; it answers afterwards."""
    jobs = (
        ("add", str(place / "more.md")),
        ("remove", "note"),
        ("build", "--fresh"),
        ("report", str(place / "r.html")),
    )
    for limit in (0, 1_000, 50_000, 1_000_000)[:times]:
        for job in jobs:
            base = fresh(place)
            code, told = run("--kb", str(base), *job, limit=limit)
            yield from faults(f"{job[0]} within {limit} bytes", code, told)
            is_gone = job[0] == "remove" and not code  # then the note no longer answers
            yield from answering(base, f"after {job[0]} within {limit} bytes", right=int(is_gone))


def cut(times: int, place: Path) -> Iterator[Fault]:
    """Damaged files of an index: doctor finds them, and a fresh build mends them."""
    ways: tuple[Callable[[bytes], bytes], ...] = (lambda _: b"", lambda b: b[: len(b) // 2], lambda b: bytes(len(b)))
    names = [path.relative_to(place / "kb") for path in sorted((place / "kb" / "index").rglob("*")) if path.is_file()]
    names = [name for name in names if "encoder" not in str(name) and not name.name.startswith(".")]
    for name in names[:times]:
        for number, way in enumerate(ways):
            base = fresh(place)
            (base / name).write_bytes(way((base / name).read_bytes()))
            what = f"{name} damaged in way {number}"
            for command in (("doctor",), ("ask", QUESTION), ("build", "--fresh")):
                yield from faults(f"{command[0]}: {what}", *run("--kb", str(base), *command))
            yield from answering(base, f"mended: {what}")


def many(times: int, place: Path) -> Iterator[Fault]:
    """Documents added one by one, then ten times as many at once."""
    base = fresh(place)
    (place / "many").mkdir(exist_ok=True)
    for number in range(times + 10 * times):
        (place / "many" / f"m{number}.md").write_text(
            f"# Note {number}\n\nAn H200 has {100 + number} GB of HBM3e.\n", "utf-8"
        )
    for number in range(times):
        yield from faults("add one", *run("--kb", str(base), "add", str(place / "many" / f"m{number}.md")))
    yield from faults("add many", *run("--kb", str(base), "add", str(place / "many")))
    yield from answering(base, "after many")


def fresh(place: Path) -> Path:
    """A copy of the knowledge base to change."""
    copy = place / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place / "kb", copy, symlinks=True)
    return copy


def answering(base: Path, what: str, right: int = 0) -> Iterator[Fault]:
    """A fault unless a question to a knowledge base has the `right` exit code and its doctor finds nothing."""
    for command, expected in ((("ask", QUESTION), right), (("doctor",), 0)):
        code, told = run("--kb", str(base), *command)
        if code != expected:
            yield {"what": f"{what}: {command[0]}", "fault": f"code {code}", "told": told[-800:]}


# by name: what it does, and how often by default
PARTS = {
    "questions": (questions, 3000),
    "options": (options, 300),
    "sizes": (sizes, 4),
    "cut": (cut, 6),
    "many": (many, 20),
}


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=list(PARTS))
    parser.add_argument("--times", type=int, help="how often, instead of what each part does by default")
    asked = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        place = Path(folder)
        for name, size in (("note.md", 141), ("more.md", 144)):
            (place / name).write_text(f"# Notes\n\nAn H200 has {size} GB of HBM3e memory.\n" * 40, "utf-8")
        for command in (("init", "--empty"), ("add", str(place / "note.md"))):
            found += print_all(faults(command[0], *run("--kb", str(place / "kb"), *command)))
        for name in asked.parts:
            part, times = PARTS[name]
            number = print_all(part(asked.times or times, place))
            print(f"{name}: {number} faults", flush=True)
            found += number
    sys.exit(bool(found))


def print_all(found: Iterator[Fault]) -> int:
    """Print faults as they come; return how many there were."""
    number = 0
    for number, fault in enumerate(found, start=1):  # noqa: B007
        print(json.dumps(fault), flush=True)
    return number


if __name__ == "__main__":
    main()
