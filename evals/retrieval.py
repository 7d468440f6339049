"""How well chipwise finds passages on data that nobody here wrote, beside other systems.

    python evals/retrieval.py [BENCH] [--peers PYTHON]

chipwise's BM25 alone, dense alone and both; with `--peers`, the Python of the
environment that peers.py describes, also bm25s, sentence-transformers with
FAISS, and txtai's hybrid, scored by the same metrics on the same texts and
questions. Differences are taken question by question.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import BENCH, COLLECTIONS, BenchmarkMissing, Collection
from indexing import CACHE, Indexed, indexed
from metrics import difference, mean
from results import Tree, markdown

from chipwise.answering.searching import rarest_words, search
from chipwise.index.vectors import Vector, nearest
from chipwise.models import DEFAULT_MODEL, find_model

DEPTH = 100  # results asked for
OURS = "chipwise hybrid"
Searcher = Callable[[Indexed, str, Vector], list[int]]  # rows, best first
Scores = dict[str, list[float]]  # by metric, of each question


def by_words(index: Indexed, question: str, _vector: Vector) -> list[int]:
    return [row for row, _ in index.store.match([*rarest_words(index.store, question)], DEPTH)]


def by_vector(index: Indexed, _question: str, vector: Vector) -> list[int]:
    return index.store.rows_of_vectors([row for row, _ in nearest(index.vectors, vector, DEPTH)])


def by_both(index: Indexed, question: str, vector: Vector) -> list[int]:
    return [hit.stored.row for hit in search(index.store, index.vectors, question, vector, DEPTH)]


SEARCHERS: dict[str, Searcher] = {"chipwise BM25": by_words, "chipwise dense": by_vector, OURS: by_both}


def measure(bench: Path, peers: Path | None = None, names: Sequence[str] = tuple(COLLECTIONS)) -> dict[str, Tree]:
    """Scores by collection and system. Raises BenchmarkMissing."""
    found: dict[str, Tree] = {}
    ranked = _ask_peers(bench, peers, names) if peers is not None else {"collections": {}}
    for name in names:
        collection = COLLECTIONS[name](bench)
        scores = chipwise_scores(collection)
        for peer, rankings in ranked["collections"].get(name, {}).items():
            scores[peer] = collection.scores(rankings)
        found[collection.name] = {
            "questions": len(collection.questions),
            "texts": len(collection.texts),
            "sha256": collection.sha256[:16],
            "systems": {system: _means(by_metric) for system, by_metric in scores.items()},
            f"{OURS} less": _differences(scores),
        }
    if peers is not None:
        found["versions of the peers"] = ranked["versions"]
    return found


def chipwise_scores(collection: Collection) -> dict[str, Scores]:
    """By searcher, its scores."""
    with indexed(collection.texts) as index:
        vectors = {id_: index.encoder.encode(text) for id_, text in collection.questions.items()}
        return {
            name: collection.scores(
                {
                    id_: [index.ids[row] for row in searcher(index, text, vectors[id_])]
                    for id_, text in collection.questions.items()
                }
            )
            for name, searcher in SEARCHERS.items()
        }


def _means(scores: Scores) -> Mapping[str, Tree]:
    return {metric: mean(values) for metric, values in scores.items()}


def _differences(scores: Mapping[str, Scores]) -> Mapping[str, Tree]:
    ours = scores[OURS]
    return {
        system: {metric: difference(ours[metric], values) for metric, values in theirs.items()}
        for system, theirs in scores.items()
        if system != OURS
    }


def _ask_peers(bench: Path, python: Path, names: Sequence[str]) -> Any:
    """What peers.py prints, from the environment that has them."""
    script = Path(__file__).with_name("peers.py")
    command = [python, script, "rank", bench, "--model", find_model(DEFAULT_MODEL).folder, "--cache", CACHE]
    done = subprocess.run(
        [*map(str, command), "--collections", ",".join(names)], stdout=subprocess.PIPE, check=True, text=True
    )
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path, nargs="?", default=BENCH, help="holds scifact_beir/ and squad2/")
    parser.add_argument("--peers", type=Path, help="the Python of an environment with the peers")
    parser.add_argument("--only", choices=tuple(COLLECTIONS), help="one collection")
    options = parser.parse_args()
    names = (options.only,) if options.only else tuple(COLLECTIONS)
    try:
        print(markdown(measure(options.bench, options.peers, names)))
    except BenchmarkMissing as missing:
        print(f"skipped: {missing}")


if __name__ == "__main__":
    main()
