"""How fast chipwise starts, answers and builds: ratios within one run, medians of ten.

    python evals/speed.py [FOLDER]

FOLDER keeps the synthetic knowledge base of 10,000 passages for the next run;
without it, one is built in a temporary folder, which takes minutes. Each round
starts every command once, in turn, so that another process on the machine slows
all of them alike; the first round only warms the file cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from synthetic import Writer

from chipwise.documents import add_files, initialise
from chipwise.embedding import PassageEncoder
from chipwise.knowledge import TEXT, KnowledgeBase
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.store import open_store

PASSAGES = 10_000
ENCODED = 1_000  # passages that the throughput is measured on
ROUNDS = 10
MEGABYTE = 1024  # of ru_maxrss, which Linux gives in KiB; it counts what is mapped from files, such as the weights
QUESTION = "How much memory does an H200 have, and what is its bandwidth?"
FACT = "# H200\n\nThe NVIDIA H200 has 141 GB of HBM3e memory. Its memory bandwidth is 4.8 TB/s.\n"  # so that there is an answer
CHIPWISE = "from chipwise_cli.main import run; run()"  # what the installed script does
# an installed package has its bytecode; without this the checkout might be compiled at each start
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass
class Timed:
    """A command, with each round's seconds and peak memory in MB."""

    name: str
    arguments: list[str]
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Once, from nothing to the end of the process, which must succeed."""
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, *self.arguments], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        _, status, used = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - started)
        self.peaks.append(used.ru_maxrss / MEGABYTE)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.name} ended with exit code {process.returncode}")


@dataclass(frozen=True, slots=True)
class Result:
    """A row of the table: what was reached, and what should be."""

    name: str
    value: str
    ratio: str = ""
    target: str = ""
    reached: bool | None = None


def cold_starts(base: KnowledgeBase) -> list[Result]:
    """Whole processes with the file cache warm."""
    kb = ["--kb", str(base.folder)]
    numpy_faiss = Timed('python -c "import numpy, faiss"', ["-c", "import numpy, faiss"])
    click = Timed('python -c "import click"', ["-c", "import click"])
    help_ = Timed("chipwise --help", ["-c", CHIPWISE, "--help"])
    ask = Timed("chipwise ask", ["-c", CHIPWISE, *kb, "ask", QUESTION])
    rebuild = Timed("chipwise build, nothing changed", ["-c", CHIPWISE, *kb, "build"])
    commands = (numpy_faiss, click, help_, ask, rebuild)
    for number in range(ROUNDS + 1):
        for command in commands:
            command.run()
            if number == 0:
                command.seconds.clear()
    peak = max(ask.peaks)
    took = median(rebuild.seconds)
    return [
        Result(numpy_faiss.name, _milliseconds(numpy_faiss), "1"),
        Result(click.name, _milliseconds(click)),
        _against(help_, click, 2.0, "click"),
        _against(ask, numpy_faiss, 2.2, "numpy, faiss"),
        Result(f"peak memory of {ask.name}", f"{peak:.0f} MB", "", "<= 150 MB", peak <= 150),
        Result(rebuild.name, _milliseconds(rebuild), "", "< 1 s", took < 1),
    ]


def _milliseconds(command: Timed) -> str:
    return f"{median(command.seconds) * 1000:.0f} ms"


def _against(command: Timed, other: Timed, most: float, name: str) -> Result:
    ratio = median(command.seconds) / median(other.seconds)
    return Result(command.name, _milliseconds(command), f"{ratio:.2f} x {name}", f"<= {most:g} x", ratio <= most)


def throughput(base: KnowledgeBase) -> list[Result]:
    """Embedding as a build does it, beside plain sentence-transformers, on the same texts in turns."""
    from sentence_transformers import SentenceTransformer

    files = find_model(DEFAULT_MODEL)
    plain = SentenceTransformer(str(files.folder), device="cpu", local_files_only=True)
    ours = PassageEncoder(files)
    with open_store(base.generation_folder(base.read_seal()) / TEXT) as store:
        found = store.embedding_texts([row for row, *_ in store.embedded()][:ENCODED])
    texts, spans = [text for text, _ in found], [spans for _, spans in found]
    rates: dict[str, list[float]] = {"plain": [], "ours": []}
    for _ in range(3):
        rates["plain"].append(_rate(lambda: plain.encode(texts, show_progress_bar=False), texts))
        rates["ours"].append(_rate(lambda: ours.encode(texts, spans), texts))
    best, beside = median(rates["ours"]), median(rates["plain"])
    ratio = best / beside
    return [
        Result("SentenceTransformer.encode", f"{beside:.0f} texts/s", "1"),
        Result("embedding in a build", f"{best:.0f} texts/s", f"{ratio:.2f} x plain", ">= 1 x", ratio >= 1),
    ]


def _rate(encode: Callable[[], object], texts: Sequence[str]) -> float:
    started = time.perf_counter()
    encode()
    return len(texts) / (time.perf_counter() - started)


def synthetic_base(folder: Path) -> KnowledgeBase:
    """A knowledge base of generated text, without the shipped corpus; brought up to date where it exists.

    Built by a process of its own: Linux counts what a parent had in memory as
    the peak of the children that it starts.
    """
    base = KnowledgeBase(folder / "kb")
    if not base.contents_path.exists():
        Writer().write_files(folder / "text", PASSAGES)
        (folder / "text" / "fact.md").write_text(FACT, "utf-8")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [folder / "text"])
    subprocess.run([sys.executable, "-c", CHIPWISE, "--kb", str(base.folder), "build"], env=ENVIRONMENT, check=True)
    return base


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        base = synthetic_base(Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve())
        print(f"\n{base.read_seal().passages:,} passages, {ROUNDS} rounds\n")
        print("| | median | ratio | target | |\n|---|---:|---:|---:|---|")
        for result in (*cold_starts(base), *throughput(base)):
            mark = {True: "reached", False: "missed", None: ""}[result.reached]
            print(f"|{result.name}|{result.value}|{result.ratio}|{result.target}|{mark}|", flush=True)


if __name__ == "__main__":
    main()
