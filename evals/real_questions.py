"""What chipwise answers to questions that people asked elsewhere, each with its status, confidence and whether the words due are there.

    python evals/real_questions.py FILE... [--kb DIR] [--out FILE] [--verbose]

A line of FILE has `q` (or `question`), `must` (or `gold`: groups of alternatives, one of each has to occur), `unanswerable` (or
`answerable`). The words alone are lenient: an answer that holds them may still be no answer, so `--verbose` prints each for reading.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from indexing import CACHE

from asking import holds
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened


def judge(index: OpenIndex, record: dict[str, Any]) -> dict[str, Any]:
    """One question with what came of it."""
    question, gold = record.get("q") or record["question"], record.get("must") or record.get("gold") or []
    none = record.get("unanswerable", not record.get("answerable", True))
    answer = index.ask(question)
    return {
        "id": record.get("id", ""),
        "q": question,
        "status": answer.status,
        "confidence": round(answer.confidence, 2),
        "right": not answer.answered if none else answer.answered and holds(answer.text, gold),
        "quoted": not answer.rows and answer.answered,
        "text": answer.text or f"REFUSED: {answer.reason}",
        "nearest": answer.nearest.quote if answer.nearest else "",
    }


def summary(results: list[dict[str, Any]]) -> str:
    """How many of each band are right."""
    whole, right = Counter(r["status"] for r in results), Counter(r["status"] for r in results if r["right"])
    lines = [f"{right.total()} of {whole.total()} right", *(f"  {b}: {right[b]} of {n}" for b, n in whole.items())]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--kb", type=Path, default=Path(os.environ.get("CHIPWISE_KB") or CACHE / "kb"))
    parser.add_argument("--out", type=Path, help="writes the results there, one a line")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    every: list[dict[str, Any]] = []
    with opened(KnowledgeFolder(options.kb)) as index:
        for path in options.files:
            records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
            results = [judge(index, record) for record in records]
            for r in results:
                mark = "+" if r["right"] else "-"
                print(mark, r["id"], r["status"], r["confidence"], r["q"][:100])
                if options.verbose or not r["right"]:
                    print("    ", r["text"][:700].replace("\n", "\n     "))
            print(path.name, summary(results), "", sep="\n")
            every += results
    if options.out:
        options.out.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in every), "utf-8")


if __name__ == "__main__":
    main()
