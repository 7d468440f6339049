"""Asks every question of a set and compares answers and citations with the gold.

    python evals/questions.py evals/questions/dev.jsonl --kb DIR [--failures] [--gate evals/gate.json]

Prints, of the answerable questions, how many answers hold every gold term, how
many cited passages hold one, how many quotes stand verbatim in their source,
and how many were refused; of the unanswerable ones, how many were refused.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chipwise.answering import Answer
from chipwise.knowledge import KnowledgeBase
from chipwise.opening import OpenIndex, opened


@dataclass(frozen=True)
class Result:
    """One question with what came of it."""

    record: dict[str, Any]
    answer: Answer
    right: bool  # answered with every gold term, or refused where there is no answer
    cited: bool  # some cited passage holds every gold term, or all of them together
    verbatim: bool  # every quote stands at its span


def folded(text: str) -> str:
    """Text for comparison: no case, no blank space, no thousands commas, one kind of dash."""
    text = re.sub(r"(?<=\d),(?=\d)", "", text.lower())
    return re.sub(r"\s+", "", text).replace("–", "-").replace("—", "-").replace("’", "'")


def holds(text: str, gold: list[list[str]]) -> bool:
    """True when at least one alternative of every gold group occurs in `text`."""
    inside = folded(text)
    return all(any(folded(alternative) in inside for alternative in group) for group in gold)


def ask(index: OpenIndex, record: dict[str, Any]) -> Result:
    answer = index.ask(record["question"])
    if not record["answerable"]:
        return Result(record, answer, not answer.answered, True, _verbatim(index, answer))
    passages = []
    for citation in answer.citations:
        evidence = citation.evidence
        stored = index.store.source_passages(evidence.source)
        passages += [s.passage.text + s.passage.context for s in stored if s.passage.id == evidence.passage]
    right = answer.answered and holds(answer.text, record["gold"])
    return Result(record, answer, right, holds(" ".join(passages), record["gold"]), _verbatim(index, answer))


def _verbatim(index: OpenIndex, answer: Answer) -> bool:
    return all(
        index.store.source_text(c.evidence.source)[c.evidence.start : c.evidence.end] == c.evidence.quote
        for c in answer.citations
    )


def shares(results: list[Result]) -> dict[str, tuple[str, int, int]]:
    """By the name that a gate uses: what is counted, how many there are, and of how many."""
    answerable = [r for r in results if r.record["answerable"]]
    unanswerable = [r for r in results if not r.record["answerable"]]
    given = [r for r in answerable if r.answer.answered]
    return {
        "right": ("answered rightly, of the answerable", sum(r.right for r in answerable), len(answerable)),
        "kept": ("not refused, of the answerable", len(given), len(answerable)),
        "cited": ("cited passage holds the gold, of those answered", sum(r.cited for r in given), len(given)),
        "verbatim": ("quotes verbatim, of all", sum(r.verbatim for r in results), len(results)),
        "refused": ("refused rightly, of the unanswerable", sum(r.right for r in unanswerable), len(unanswerable)),
    }


def table(results: list[Result]) -> str:
    lines = ["| | count | share | 95% interval |", "|---|---|---|---|"]
    for name, count, total in shares(results).values():
        low, high = wilson(count, total)
        lines.append(f"| {name} | {count} / {total} | {count / max(total, 1):.1%} | {low:.1%} to {high:.1%} |")
    by_category = Counter(r.record["category"] for r in results)
    right = Counter(r.record["category"] for r in results if r.right)
    lines += ["", ", ".join(f"{name} {right[name]}/{count}" for name, count in by_category.most_common())]
    return "\n".join(lines)


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson, JASA 1927)."""
    if not total:
        return 0.0, 1.0
    z, p = 1.96, count / total
    middle, spread = p + z * z / (2 * total), z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return (middle - spread) / (1 + z * z / total), (middle + spread) / (1 + z * z / total)


def below(results: list[Result], gate: dict[str, float]) -> list[str]:
    """What falls short of the shares that `gate` demands."""
    found = shares(results)
    return [
        f"{found[name][0]}: {found[name][1]} of {found[name][2]} is below {least:.0%}"
        for name, least in gate.items()
        if found[name][1] < least * found[name][2]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--kb", type=Path, required=True, help="the knowledge base to ask")
    parser.add_argument("--gate", type=Path, help="shares that must be reached; exit code 1 where one is not")
    parser.add_argument("--failures", action="store_true", help="print what went wrong, too")
    options = parser.parse_args()
    lines = [line for path in options.questions for line in path.read_text("utf-8").splitlines() if line.strip()]
    with opened(KnowledgeBase(options.kb)) as index:
        results = [ask(index, json.loads(line)) for line in lines]
    if options.failures:
        for result in results:
            if not (result.right and result.cited and result.verbatim):
                record, answer = result.record, result.answer
                print(f"{record['id']} [{record['category']}] {record['question']}\n   gold {record['gold']}")
                print(f"   got {answer.text or 'REFUSED: ' + answer.reason}")
                print(f"   cited {[c.evidence.passage for c in answer.citations]} wanted {record['sources']}\n")
    print(table(results))
    if options.gate and (short := below(results, json.loads(options.gate.read_text("utf-8")))):
        sys.exit("\n".join(short))


if __name__ == "__main__":
    main()
