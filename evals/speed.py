"""How fast chipwise starts, answers, builds and grows: ratios within one run, medians of ten.

    python evals/speed.py [FOLDER] [--sizes 1000,10000] [--peers PYTHON]

FOLDER keeps the synthetic knowledge bases for the next run; without it they go to
the user's cache folder, and the first run takes minutes. Each round starts
every command once, in turn, so that another process on the machine slows
all of them alike; the first round only warms the file cache.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import growth
from indexing import CACHE
from results import Tree, markdown
from synthetic import Writer
from timing import CHIPWISE, Timed

from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.building.embedding import PassageEncoder
from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, find_model

PASSAGES = 10_000
ENCODED = 400  # passages that the throughput is measured on
ROUNDS = 10
QUESTION = "How much memory does an H200 have, and what is its bandwidth?"
FACT = "# H200\n\nThe NVIDIA H200 has 141 GB of HBM3e memory. Its memory bandwidth is 4.8 TB/s.\n"  # so that there is an answer
DRAFT = "The H100 SXM reaches 989 TFLOPS in BF16 and has 80 GB of memory.\n\n" * 20  # for `check`


def measure(
    _bench: Path, peers: Path | None = None, folder: Path | None = None, sizes: Sequence[int] = growth.SIZES[:3]
) -> dict[str, Tree]:
    """Figures of commands, of embedding, and by the number of passages. Benchmarks are not needed."""
    folder = folder or CACHE / "speed"
    base = synthetic_base(folder)
    return {
        f"cold starts, {base.read_seal().passages:,} passages": cold_starts(base),
        "embedding": throughput(base),
        "growth": growth.measure(folder, base, sizes, peers),
    }


def cold_starts(base: KnowledgeFolder) -> Mapping[str, Tree]:
    """Whole processes with the file cache warm; what a ratio is to, and what it should be at most, stand in its name."""
    kb = ["-c", CHIPWISE, "--kb", str(base.folder)]
    draft = base.folder / "draft.txt"
    draft.write_text(DRAFT, "utf-8")
    numpy_faiss = Timed('python -c "import numpy, faiss"', ["-c", "import numpy, faiss"])
    click = Timed('python -c "import click"', ["-c", "import click"])
    click_sqlite = Timed('python -c "import click, sqlite3"', ["-c", "import click, sqlite3"])
    help_ = Timed("chipwise --help", ["-c", CHIPWISE, "--help"])
    ask = Timed("chipwise ask", [*kb, "ask", QUESTION])
    rebuild = Timed("chipwise build, nothing changed", [*kb, "build"])
    later = [
        Timed(f"chipwise {name}", [*kb, name, argument], accepted=(0, 1))
        for name, argument in (("facts", "H200"), ("check", str(draft)))
        if importlib.util.find_spec(f"chipwise_cli.{name}_command")
    ]
    commands = (numpy_faiss, click, click_sqlite, help_, ask, rebuild, *later)
    for number in range(ROUNDS + 1):
        for command in commands:
            command.run()
            if number == 0:
                command.seconds.clear()
    return {
        command.name: {
            "median ms": 1000 * median(command.seconds),
            "x import click": median(command.seconds) / median(click.seconds),
            "x import click, sqlite3": median(command.seconds) / median(click_sqlite.seconds),
            "x import numpy, faiss": median(command.seconds) / median(numpy_faiss.seconds),
            "peak MB": max(command.peaks),
        }
        for command in commands
    }


def throughput(base: KnowledgeFolder) -> Mapping[str, Tree]:
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
    return {
        "SentenceTransformer.encode, texts/s": beside,
        "embedding in a build, texts/s": best,
        "embedding in a build, x plain": best / beside,
    }


def _rate(encode: Callable[[], object], texts: Sequence[str]) -> float:
    started = time.perf_counter()
    encode()
    return len(texts) / (time.perf_counter() - started)


def synthetic_base(folder: Path) -> KnowledgeFolder:
    """A knowledge base of generated text, without the shipped corpus; brought up to date where it exists."""
    base = KnowledgeFolder(folder / "kb")
    if not base.contents_path.exists():
        Writer().write_files(folder / "text", PASSAGES)
        (folder / "text" / "fact.md").write_text(FACT, "utf-8")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [folder / "text"])
    build(base)
    return base


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sizes", default=",".join(map(str, growth.SIZES[:3])))
    parser.add_argument("--peers", type=Path, help="the Python of an environment with the peers")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",") if size]
    folder = options.folder.resolve() if options.folder else None
    print(markdown(measure(Path(), options.peers, folder, sizes)))


if __name__ == "__main__":
    main()
