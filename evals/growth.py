"""How time, memory and disk grow with a knowledge base: 1,000 to a million passages.

    python evals/growth.py FOLDER [--sizes 1000,10000] [--peers PYTHON] [--postgres URL] [--plot FILE.svg]

FOLDER keeps what is made here, and in FOLDER/kb the shipped corpus, which lends its vectors.
The text is generated (see synthetic.py) and written through the library's own store
and index. Its vectors are NOT those of that text: they are those of the shipped passages, then
the same shifted a little at random, since encoding a million passages would take six hours. Figures in the text
are not annotated, so that `ask` here is search and reading without them; nothing in it answers, so that all
passages found are read, which a question that is answered spares. "ms" are milliseconds of the processor, since a
shared machine stretches the others; "wall ms" are those too. With the URL of a PostgreSQL server the same
passages are put on it as well, each size in a database of its own, and the steps of a question are told as multiples
of what the folder takes, asked in turn.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import numpy as np
from plot import log_log
from questions import SHIPPED, read_set
from results import Tree, as_json, markdown
from synthetic import shifted, write_meanings, write_passages, write_store
from timing import CHIPWISE, ENVIRONMENT, Timed, percentile

from chipwise.answering.searching import search
from chipwise.building.building import build
from chipwise.building.documents import initialise
from chipwise.index.store import open_store
from chipwise.index.vectors import Matrix, describe, nearest, open_index, read_vectors, write_index
from chipwise.knowledge import DOMAIN_NOTE, TEXT, VECTORS, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.opening import OpenIndex, opened
from chipwise.text import content_words

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = 60
ROUNDS = 3  # of cold starts
DRAWN = {"cold": "cold ask, ms", "warm": "ask, p50 ms", "search alone": "search, p50 ms"}
PEER_LIMIT = 100_000  # passages; beyond that the peers' indexes do not fit beside ours in memory
GENERATION = "g000001"
GIB = 1 << 30


def measure(
    folder: Path,
    base: KnowledgeFolder,
    sizes: Sequence[int] = SIZES[:3],
    peers: Path | None = None,
    postgres: str = "",
) -> dict[str, Tree]:
    """By size, what a build and a question cost. `base` lends its vectors and its query encoder."""
    found: dict[str, dict[str, Tree]] = {"making it": {}, "a question": {}, "the peers": {}, "on a server": {}}
    for size in sizes:
        print(f"{size:,} passages", file=sys.stderr, flush=True)
        made = synthetic(folder / f"grown-{size}", size, base)
        found["making it"][f"{size:,}"] = made.costs
        with opened(made.base) as index:
            found["a question"][f"{size:,}"] = {**warm(index), **cold(made.base)}
            if peers is not None and size <= PEER_LIMIT:
                found["the peers"][f"{size:,}"] = beside(folder / f"peers-{size}", index, peers)
        if postgres:
            found["on a server"][f"{size:,}"] = on_a_server(postgres, size, made.base)
    return {name: below for name, below in found.items() if below}


def shipped_base(folder: Path) -> KnowledgeFolder:
    """The shipped corpus in `folder`/kb; brought up to date where it exists."""
    base = KnowledgeFolder(folder / "kb")
    if not base.folder.is_dir():
        initialise(base, shipped=True, model=DEFAULT_MODEL)
    build(base)
    return base


@dataclass(frozen=True, slots=True)
class Grown:
    """A synthetic knowledge base, and what making it cost."""

    base: KnowledgeFolder
    costs: dict[str, float | str]


def synthetic(folder: Path, size: int, lender: KnowledgeFolder) -> Grown:
    """A knowledge base of `size` passages, kept until the code would build another.

    subtle: it names no documents, so that a build would leave it empty; one that
    is out of date is made anew before anything opens it.
    """
    base, costs = KnowledgeFolder(folder / "kb"), folder / "costs.json"
    if costs.is_file() and base.read_seal().stamp == base.stamp(base.read_contents()):
        return Grown(base, json.loads(costs.read_text("utf-8")))
    shutil.rmtree(folder, ignore_errors=True)
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    seal = lender.read_seal()
    target = base.index_folder / GENERATION
    target.mkdir(parents=True)
    shutil.copytree(lender.encoder_folder(seal), base.index_folder / seal.encoder)
    with open_store(lender.generation_folder(seal) / TEXT) as store:
        domain = store.note(DOMAIN_NOTE)
    vectors = shifted(read_vectors(open_index(lender.generation_folder(seal) / VECTORS)), size)
    took: dict[str, float | str] = {}
    started = time.perf_counter()
    write_store(target / TEXT, size, vectors, domain)
    took["store, passages/s"] = size / (time.perf_counter() - started)
    started = time.perf_counter()
    write_index(target / VECTORS, vectors)
    took["vector index, s"] = time.perf_counter() - started
    index = open_index(target / VECTORS)
    took["vector index"] = describe(index)
    took.update(_recall(index, vectors, base, seal))
    for name in (TEXT, VECTORS):
        took[f"{name}, GiB"] = (target / name).stat().st_size / GIB
    stamp = base.stamp(base.read_contents())
    fields = {**asdict(seal), "generation": GENERATION, "passages": size, "stamp": stamp, "files": {}}
    base.write_seal(Seal(**fields))
    costs.write_text(json.dumps(took), "utf-8")
    return Grown(base, took)


def on_a_server(url: str, size: int, lender: KnowledgeFolder) -> dict[str, Tree]:
    """What the passages of `lender` cost on the server at `url`: making them, and a question as a multiple of the folder's."""
    import psycopg

    from chipwise.postgres.server import KnowledgeServer

    name = f"grown_{size}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    parts = urlsplit(url)
    base = KnowledgeServer(urlunsplit(parts._replace(path=f"/{name}")), lender.folder.parent / "servers")
    initialise(base, shipped=False, model=DEFAULT_MODEL)
    found: dict[str, Tree] = {}
    seal = lender.read_seal()
    shutil.copytree(lender.encoder_folder(seal), base.encoder_folder(seal), dirs_exist_ok=True)
    with opened(lender) as index:
        vectors, domain = read_vectors(index.vectors), index.store.note(DOMAIN_NOTE)
    with base.building() as store:
        started = time.perf_counter()
        counts = write_passages(store, size, domain)
        rows = [row for row, _ in store.not_embedded()]
        write_meanings(store, rows, counts, vectors)
        found["store, passages/s"] = size / (time.perf_counter() - started)
        store.write_vectors(zip(rows, vectors, strict=True))
        started = time.perf_counter()
        kind = store.index_vectors(vectors.shape[1])
        found["vector index"], found["vector index, s"] = kind, time.perf_counter() - started
        store.commit()
        fields = {**asdict(seal), "stamp": base.stamp(base.read_contents()), "kind": kind}
        base.write_seal(Seal(**fields))
    store.tidy()
    found["tables, GiB"] = base.bytes_on_disk() / GIB
    with opened(lender) as here, opened(base) as there:
        found |= multiples(here, there)
        asked = [here.encoder.encode(question) for question in questions()]
        rows_of = {row: n for n, row in enumerate(rows)}
        shares = [
            len(
                {rows_of[row] for row, _ in nearest(there.vectors, v, 10)}
                & set(np.argsort(-(vectors @ v))[:10].tolist())
            )
            for v in asked
        ]
    found["vector index, recall@10"] = sum(shares) / (10 * len(shares))
    return found


def _recall(index: Any, vectors: Matrix, base: KnowledgeFolder, seal: Seal) -> dict[str, float | str]:
    """Of the nearest by exact search, the share found, on real questions; and the time of one search."""
    from chipwise.encoder import QueryEncoder

    encoder = QueryEncoder(base.encoder_folder(seal))
    found: dict[int, list[float]] = {10: [], 100: []}
    took = []
    for question in questions(100):
        vector = encoder.encode(question)
        exact = np.argpartition(-(vectors @ vector), min(100, len(vectors) - 1))[:100]
        exact = exact[np.argsort(-(vectors[exact] @ vector))]
        started = time.process_time()
        rows = [row for row, _ in nearest(index, vector, 100)]
        took.append(1000 * (time.process_time() - started))
        for depth, shares in found.items():
            shares.append(len(set(rows[:depth]) & set(exact[:depth].tolist())) / depth)
    return {
        "vector index, ms": median(took),
        **{f"vector index, recall@{depth}": sum(shares) / len(shares) for depth, shares in found.items()},
    }


def questions(count: int = QUESTIONS) -> list[str]:
    """Real questions of our sets."""
    return [record["question"] for name in SHIPPED for record in read_set(name)][:count]


def warm(index: OpenIndex) -> dict[str, float]:
    """Milliseconds of each step of a question, p50 and p95, everything loaded."""
    found: dict[str, float] = {}
    for name, step in steps_of(index).items():
        step(questions()[0])
        took = [_milliseconds(time.process_time, step, question) for question in questions()]
        found[f"{name}, p50 ms"], found[f"{name}, p95 ms"] = percentile(took, 50), percentile(took, 95)
    return found


def steps_of(index: OpenIndex) -> dict[str, Callable[[str], object]]:
    """What a question goes through."""
    store, encode = index.store, index.encoder.encode
    asked = {question: encode(question) for question in questions()}
    return {
        "encode": encode,
        "BM25, all words": lambda q: store.match(content_words(q), 100),
        "nearest vectors": lambda q: nearest(index.vectors, asked[q], 100),
        "search": lambda q: search(store, index.vectors, q, asked[q], 30),
        "ask": index.ask,
    }


def multiples(here: OpenIndex, there: OpenIndex) -> dict[str, float]:
    """How many times as long `there` takes for each step, the median over questions, both asked in turn.

    By the clock: what a server works is not in this process.
    """
    found = {}
    theirs = steps_of(there)
    for name, step in steps_of(here).items():
        if name == "ask":
            continue  # a search, and then the same reader here and there
        both = [
            (_milliseconds(time.perf_counter, step, q), _milliseconds(time.perf_counter, theirs[name], q))
            for q in questions()
        ]
        found[f"{name}, times a folder's"] = median(t / own for own, t in both)
    return found


def _milliseconds(clock: Callable[[], float], step: Callable[[str], object], question: str) -> float:
    started = clock()
    step(question)
    return 1000 * (clock() - started)


def cold(base: KnowledgeFolder) -> Mapping[str, Tree]:
    """A whole `chipwise ask`, file cache warm: medians, and the peak of its memory."""
    command = Timed("ask", ["-c", CHIPWISE, "--kb", str(base.folder), "ask", questions()[0]], accepted=(0, 1))
    imports = Timed("imports", ["-c", "import numpy, faiss"])
    for _ in range(ROUNDS + 1):
        command.run()
        imports.run()
    return {
        "cold ask, ms": 1000 * median(command.worked[1:]),
        "cold ask, wall ms": 1000 * median(command.seconds[1:]),
        "cold ask, x import numpy, faiss": median(command.worked[1:]) / median(imports.worked[1:]),
        "cold ask, peak MB": max(command.peaks),
    }


def beside(folder: Path, index: OpenIndex, python: Path) -> dict[str, Tree]:
    """What the same texts, vectors and questions cost the peers: a whole process for one question, and once warm."""
    model = str(find_model(DEFAULT_MODEL).folder)
    script = str(Path(__file__).with_name("peers.py"))
    if not (folder / "took.json").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        rows = [row for row, *_ in index.store.embedded()]
        texts = [text for text, _ in index.store.embedding_texts(rows)]
        (folder / "texts.json").write_text(json.dumps(texts), "utf-8")
        (folder / "questions.json").write_text(json.dumps(questions()), "utf-8")
        np.save(folder / "vectors.npy", read_vectors(index.vectors))
        took = _output(python, script, "index", str(folder), "--model", model)
        (folder / "took.json").write_text(json.dumps(took), "utf-8")
    found: dict[str, Tree] = {}
    for peer, seconds in json.loads((folder / "took.json").read_text("utf-8")).items():
        arguments = [script, "ask", str(folder), "--model", model, "--peer", peer]
        once = Timed(peer, [*arguments, "--once"], python=str(python))
        for _ in range(ROUNDS + 1):
            once.run()
        warm_ = _output(python, *arguments)
        found[peer] = {
            "cold, one question, ms": 1000 * median(once.seconds[1:]),
            "cold, peak MB": max(once.peaks),
            "warm, p50 ms": warm_["p50"],
            "warm, p95 ms": warm_["p95"],
            "index made in, s": seconds,
        }
    return found


def chart(found: Mapping[str, Mapping[str, Any]]) -> str:
    """What `measure` found, as SVG: milliseconds of a question by the number of passages."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for size, figures in found["a question"].items():
        for name, figure in DRAWN.items():
            lines.setdefault(f"chipwise, {name}", []).append((_number(size), figures[figure]))
    for size, systems in found.get("the peers", {}).items():
        for peer, figures in systems.items():
            lines.setdefault(f"{peer}, cold", []).append((_number(size), figures["cold, one question, ms"]))
            lines.setdefault(f"{peer}, warm", []).append((_number(size), figures["warm, p50 ms"]))
    return log_log("A question, cold (whole process) and warm (median)", "passages", "milliseconds", lines)


def _number(shown: str) -> float:
    return float(shown.replace(",", ""))


def _output(python: Path, *arguments: str) -> Any:
    done = subprocess.run([str(python), *arguments], stdout=subprocess.PIPE, env=ENVIRONMENT, check=True, text=True)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES[:3])))
    parser.add_argument("--peers", type=Path, help="the Python of an environment with the peers")
    parser.add_argument("--plot", type=Path, help="an SVG file to draw into")
    parser.add_argument(
        "--postgres", default="", metavar="URL", help="a server with pgvector, to measure beside the folder"
    )
    options = parser.parse_args()
    folder = options.folder.resolve()
    sizes = [int(size) for size in options.sizes.split(",")]
    found = measure(folder, shipped_base(folder), sizes, options.peers, options.postgres)
    print(markdown(found))
    if options.plot:
        options.plot.write_text(chart(as_json(found)), "utf-8")


if __name__ == "__main__":
    main()
