"""Public benchmark data as texts, questions and judgements. Knows no chipwise: peers read the same.

SciFact (BEIR): 300 test claims over 5,183 abstracts. SQuAD 2.0, half of a dev
split: questions over all paragraphs of 8 articles, each answered by the
paragraph that it was asked about, or by none. Judgements are only ever scored
against; no constant of the library was chosen on SciFact's.
"""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from metrics import Metric, ndcg_at, recall_at, reciprocal_rank

BENCH = Path(__file__).parents[2] / "shared" / "bench"


# articles of the SQuAD half that the reader was not trained on; of the others it has seen every question
HELD_OUT = ("European Union law", "Huguenot", "Normans", "Warsaw")


class BenchmarkMissing(Exception):
    """A data set that lies beside the project, and is not part of it, is not there."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be found, by the id that the judgements call it."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Collection:
    """Texts, questions by id, and for each question the texts that answer it."""

    name: str
    texts: list[Text]
    questions: dict[str, str]
    judgements: dict[str, dict[str, int]]
    metrics: dict[str, Metric]

    @cached_property
    def sha256(self) -> str:
        """A digest of everything that a score depends on."""
        parts = [repr((t.id, t.title, t.text)) for t in self.texts]
        parts += [repr(sorted(self.questions.items())), repr(sorted(self.judgements.items()))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def scores(self, rankings: dict[str, list[str]]) -> dict[str, list[float]]:
        """By metric, the score of each question, in the questions' order; one without a ranking scores as if empty."""
        return {
            name: [metric(rankings.get(id_, []), self.judgements[id_]) for id_ in self.questions]
            for name, metric in self.metrics.items()
        }


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """A question that somebody asked about an article; `answers` are empty where the article has none."""

    id: str
    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article of SQuAD: its paragraphs, and what was asked about each."""

    title: str
    paragraphs: tuple[tuple[str, tuple[ArticleQuestion, ...]], ...]


def read_scifact(bench: Path) -> Collection:
    """Raises BenchmarkMissing."""
    folder = _folder(bench, "scifact_beir")
    texts = [Text(d["_id"], d["title"], d["text"]) for d in json_lines(folder / "corpus.jsonl")]
    judgements: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            judgements.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    questions = {q["_id"]: q["text"] for q in json_lines(folder / "queries.jsonl") if q["_id"] in judgements}
    metrics = {"nDCG@10": ndcg_at(10), "Recall@100": recall_at(100)}
    return Collection("SciFact test", texts, questions, judgements, metrics)


def read_articles(bench: Path) -> list[Article]:
    """The SQuAD half. Raises BenchmarkMissing."""
    data = json.loads((_folder(bench, "squad2") / "half.json").read_text("utf-8"))["data"]
    return [
        Article(
            article["title"].replace("_", " "),
            tuple((p["context"], tuple(_question(asked) for asked in p["qas"])) for p in article["paragraphs"]),
        )
        for article in data
    ]


def _question(asked: dict[str, object]) -> ArticleQuestion:
    answers = asked["answers"] if not asked["is_impossible"] else []
    assert isinstance(answers, list)
    return ArticleQuestion(str(asked["id"]), str(asked["question"]), tuple(dict.fromkeys(a["text"] for a in answers)))


def read_squad(bench: Path) -> Collection:
    """The SQuAD half as passage retrieval. Raises BenchmarkMissing."""
    texts: list[Text] = []
    questions: dict[str, str] = {}
    judgements: dict[str, dict[str, int]] = {}
    for article in read_articles(bench):
        for number, (paragraph, asked) in enumerate(article.paragraphs):
            text = Text(f"{article.title}#{number}", article.title, paragraph)
            texts.append(text)
            for question in asked:
                if question.answers:
                    questions[question.id] = question.text
                    judgements[question.id] = {text.id: 1}
    metrics = {"Recall@1": recall_at(1), "Recall@5": recall_at(5), "MRR": reciprocal_rank}
    return Collection("SQuAD 2.0 half", texts, questions, judgements, metrics)


COLLECTIONS = {"scifact": read_scifact, "squad": read_squad}


def json_lines(path: Path) -> list[dict[str, str]]:
    """The records of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _folder(bench: Path, name: str) -> Path:
    folder = bench / name
    if not folder.is_dir():
        raise BenchmarkMissing(f"no {name}/ in the folder of benchmarks")
    return folder
