"""Whether chipwise knows what it doesn't know, on questions that somebody else wrote to be misleading.

    python evals/abstention.py [BENCH] [--questions N]

Four articles of the half of SQuAD 2.0 as a knowledge base of their own, one
document each: those that the reader was not trained on, about European Union law,
the Huguenots, the Normans and Warsaw. Half of the questions have no answer there
though the article has words that look like one.
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import BENCH, HELD_OUT, Article, BenchmarkMissing, read_articles
from indexing import CACHE
from questions import figures, selective
from results import Tree, markdown

from asking import ask
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import opened

QUESTIONS = 400  # of the 1,539 about these articles, half of them without an answer; the same every time


def measure(bench: Path, count: int = QUESTIONS) -> Mapping[str, Tree]:
    """Figures as for our own questions. Raises BenchmarkMissing."""
    articles = [article for article in read_articles(bench) if article.title in HELD_OUT]
    with opened(knowledge_base(articles)) as index:
        results = [ask(index, record) for record in sample(articles, count)]
    return {"SQuAD 2.0, four articles": figures(results), "refusing the less sure": selective(results)}


def knowledge_base(articles: list[Article]) -> KnowledgeFolder:
    """The articles, indexed; kept for the next run."""
    texts = {
        f"{number}.md": f"# {article.title}\n\n" + "\n\n".join(p for p, _ in article.paragraphs) + "\n"
        for number, article in enumerate(articles)
    }
    folder = CACHE / f"squad-{hashlib.sha256(repr(texts).encode()).hexdigest()[:8]}"
    base = KnowledgeFolder(folder / "kb")
    if not base.contents_path.exists():
        (folder / "text").mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / "text" / name).write_text(text, "utf-8")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [folder / "text"])
    return base


def sample(articles: list[Article], count: int) -> list[dict[str, Any]]:
    """Records as our own sets have them: `count` questions, half of them without an answer."""
    asked = [q for article in articles for _, questions in article.paragraphs for q in questions]
    chance = random.Random(0)  # noqa: S311
    picked = [
        *chance.sample([q for q in asked if q.answers], count // 2),
        *chance.sample([q for q in asked if not q.answers], count - count // 2),
    ]
    return [
        {
            "id": q.id,
            "question": q.text,
            "category": "answerable" if q.answers else "unanswerable",
            "answerable": bool(q.answers),
            "gold": [list(q.answers)] if q.answers else [],
            "sources": [],
        }
        for q in picked
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path, nargs="?", default=BENCH, help="holds squad2/")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    options = parser.parse_args()
    try:
        print(markdown(measure(options.bench, options.questions)))
    except BenchmarkMissing as missing:
        print(f"skipped: {missing}")


if __name__ == "__main__":
    main()
