"""How well chipwise finds passages on data that nobody here wrote: BM25 alone, dense alone, both.

    python evals/retrieval.py [BENCH]      BENCH: ../shared/bench

SciFact (BEIR): 300 test claims over 5,183 abstracts. SQuAD 2.0, half of a dev
split: answerable questions over all paragraphs of 8 articles, each answered by
the paragraph that it was asked about. Judgements are only ever scored against;
no constant of the library was chosen on SciFact's.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexing import Indexed, Text, indexed

from chipwise.searching import rarest_words, search
from chipwise.vectors import Vector, nearest

BENCH = Path(__file__).parents[2] / "shared" / "bench"
DEPTH = 100  # results asked for

Judgements = Mapping[str, int]  # text id -> relevance
Ranking = Sequence[str]  # text ids, best first
Metric = Callable[[Ranking, Judgements], float]
Searcher = Callable[[Indexed, str, Vector], list[int]]  # rows, best first


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts, questions by id, and for each question the texts that answer it."""

    name: str
    texts: list[Text]
    questions: dict[str, str]
    judgements: dict[str, dict[str, int]]
    metrics: dict[str, Metric]


def ndcg_at_10(ranking: Ranking, relevant: Judgements) -> float:
    """DCG = sum rel_i / log2(i + 1), over that of the best possible order (Järvelin & Kekäläinen, TOIS 2002)."""
    gained = _dcg(relevant.get(id_, 0) for id_ in ranking[:10])
    return gained / _dcg(sorted(relevant.values(), reverse=True)[:10])


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def recall_at(depth: int) -> Metric:
    """Share of the relevant texts among the first `depth`."""
    return lambda ranking, relevant: len(relevant.keys() & set(ranking[:depth])) / len(relevant)


def reciprocal_rank(ranking: Ranking, relevant: Judgements) -> float:
    """1 / rank of the first relevant text; 0 when there is none in the ranking."""
    return next((1 / rank for rank, id_ in enumerate(ranking, start=1) if id_ in relevant), 0.0)


def by_words(index: Indexed, question: str, _vector: Vector) -> list[int]:
    return [row for row, _ in index.store.match(rarest_words(index.store, question), DEPTH)]


def by_vector(index: Indexed, _question: str, vector: Vector) -> list[int]:
    return index.store.rows_of_vectors([row for row, _ in nearest(index.vectors, vector, DEPTH)])


def by_both(index: Indexed, question: str, vector: Vector) -> list[int]:
    return [hit.stored.row for hit in search(index.store, index.vectors, question, vector, DEPTH)]


SEARCHERS: dict[str, Searcher] = {"BM25": by_words, "dense": by_vector, "hybrid": by_both}


def read_scifact(bench: Path) -> Collection:
    folder = bench / "scifact_beir"
    texts = [Text(d["_id"], d["title"], d["text"]) for d in _json_lines(folder / "corpus.jsonl")]
    judgements: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            judgements.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    questions = {q["_id"]: q["text"] for q in _json_lines(folder / "queries.jsonl") if q["_id"] in judgements}
    metrics = {"nDCG@10": ndcg_at_10, "Recall@100": recall_at(100)}
    return Collection("SciFact test", texts, questions, judgements, metrics)


def read_squad(bench: Path) -> Collection:
    articles = json.loads((bench / "squad2" / "half.json").read_text("utf-8"))["data"]
    texts: list[Text] = []
    questions: dict[str, str] = {}
    judgements: dict[str, dict[str, int]] = {}
    for article in articles:
        title = article["title"].replace("_", " ")
        for number, paragraph in enumerate(article["paragraphs"]):
            text = Text(f"{article['title']}#{number}", title, paragraph["context"])
            texts.append(text)
            for asked in paragraph["qas"]:
                if not asked["is_impossible"]:
                    questions[asked["id"]] = asked["question"]
                    judgements[asked["id"]] = {text.id: 1}
    metrics = {"Recall@1": recall_at(1), "Recall@5": recall_at(5), "MRR": reciprocal_rank}
    return Collection("SQuAD 2.0 half", texts, questions, judgements, metrics)


def _json_lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def measure(collection: Collection, searchers: Mapping[str, Searcher]) -> dict[str, dict[str, float]]:
    """For each searcher, each metric's mean over the questions."""
    with indexed(collection.texts) as index:
        vectors = {id_: index.encoder.encode(text) for id_, text in collection.questions.items()}
        means = {}
        for name, searcher in searchers.items():
            rankings = {
                id_: [index.ids[row] for row in searcher(index, text, vectors[id_])]
                for id_, text in collection.questions.items()
            }
            means[name] = {
                metric: sum(score(rankings[id_], collection.judgements[id_]) for id_ in rankings) / len(rankings)
                for metric, score in collection.metrics.items()
            }
    return means


def main() -> None:
    bench = Path(sys.argv[1]) if len(sys.argv) > 1 else BENCH
    if not bench.is_dir():
        print(f"skipped: {bench} is not there; give the folder that holds scifact_beir/ and squad2/")
        return
    for read in (read_scifact, read_squad):
        collection = read(bench)
        print(f"\n{collection.name}: {len(collection.questions):,} questions, {len(collection.texts):,} texts\n")
        print(f"| |{'|'.join(collection.metrics)}|\n|---|{'---:|' * len(collection.metrics)}")
        for name, means in measure(collection, SEARCHERS).items():
            print(f"|{name}|{'|'.join(f'{mean:.4f}' for mean in means.values())}|")


if __name__ == "__main__":
    main()
