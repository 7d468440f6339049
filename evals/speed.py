"""How fast chipwise starts, answers, builds and grows: ratios within one run, medians of ten, of the processor's time.

    python evals/speed.py [FOLDER] [--sizes 1000,10000] [--peers PYTHON]

FOLDER keeps the synthetic knowledge bases for the next run; without it they go to
the user's cache folder, and the first run takes minutes. Each round starts
every command once, in turn, so that another process on the machine slows
all of them alike; the first round only warms the file cache.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import growth
from indexing import CACHE
from results import Tree, markdown
from timing import CHIPWISE, Timed

from chipwise.building.embedding import load_encoder
from chipwise.index.store import open_store
from chipwise.knowledge import TEXT, KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, find_model

ENCODED = 400  # passages that the throughput is measured on
ROUNDS = 10
QUESTIONS = {
    "a fact": "How much memory does an H200 have?",
    "a comparison": "Which has more memory bandwidth, the H200 or the MI300X?",
    "why": "Why is decoding limited by memory bandwidth?",
    "advice": "When should I prefer a TPU over a GPU?",
    "a refusal": "How much does a ticket to the moon cost?",
}
LOOKUPS = {
    "facts": ("facts", "H200"),
    "compare": ("compare", "H200", "MI300X"),
    "find": ("find", "141 GB"),
}
DRAFT = "The H100 SXM reaches 989 TFLOPS in BF16 and has 80 GB of memory.\n\n" * 20  # for `check`: one page


def measure(
    _bench: Path, peers: Path | None = None, folder: Path | None = None, sizes: Sequence[int] = growth.SIZES[:3]
) -> dict[str, Tree]:
    """Figures of commands, of embedding, and by the number of passages. Benchmarks are not needed."""
    folder = folder or CACHE / "speed"
    base = growth.shipped_base(folder)
    return {
        "cold starts, the shipped corpus": cold_starts(base),
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
    asks = [Timed(f"chipwise ask, {kind}", [*kb, "ask", text], accepted=(0, 1)) for kind, text in QUESTIONS.items()]
    lookups = [Timed(f"chipwise {name}", [*kb, *rest]) for name, rest in LOOKUPS.items()]
    check = Timed("chipwise check, one page", [*kb, "check", str(draft)], accepted=(0, 1))
    rebuild = Timed("chipwise build, nothing changed", [*kb, "build"])
    commands = (numpy_faiss, click, click_sqlite, help_, *asks, *lookups, check, rebuild)
    for number in range(ROUNDS + 1):
        for command in commands:
            command.run()
            if number == 0:
                command.seconds.clear()
                command.worked.clear()
    return {
        command.name: {
            "ms": 1000 * median(command.worked),
            "wall ms": 1000 * median(command.seconds),
            "x import click": median(command.worked) / median(click.worked),
            "x import click, sqlite3": median(command.worked) / median(click_sqlite.worked),
            "x import numpy, faiss": median(command.worked) / median(numpy_faiss.worked),
            "peak MB": max(command.peaks),
        }
        for command in commands
    }


def throughput(base: KnowledgeFolder) -> Mapping[str, Tree]:
    """Embedding as a build does it, beside plain sentence-transformers, on the same texts in turns."""
    from sentence_transformers import SentenceTransformer

    files = find_model(DEFAULT_MODEL)
    plain = SentenceTransformer(str(files.folder), device="cpu", local_files_only=True)
    ours = load_encoder(files)
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
    started = time.process_time()
    encode()
    return len(texts) / (time.process_time() - started)


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
