"""How well the reader does on questions that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evals.training.questions.data import Question
from evals.training.questions.fit import Read, read
from evals.training.questions.readernetwork import ReaderNetwork


def best(reads: Sequence[Read]) -> int:
    """The passage that answers most likely."""
    return max(range(len(reads)), key=lambda n: reads[n].passage)


def figures(network: ReaderNetwork, questions: Sequence[Question], tokenizer: Any) -> dict[str, float]:
    """Gold passage first of those read, best sentence right, and how answerable and unanswerable questions part."""
    first, right, sure, unsure, n = 0, 0, [], [], 0
    for question in questions:
        reads = read(network, question, tokenizer)
        if not reads:
            continue
        top = reads[best(reads)]
        if question.gold:
            n += 1
            first += best(reads) < len(question.gold)
            at = max(range(len(top.sentences)), key=top.sentences.__getitem__)
            right += top.labelled.answers[at]
            sure.append(top.passage)
        else:
            unsure.append(top.passage)
    found = {
        "answerable": n,
        "unanswerable": len(unsure),
        "gold passage first": first / max(1, n),
        "best sentence right": right / max(1, n),
    }
    if sure and unsure:
        found["auc"] = sum((s > u) + 0.5 * (s == u) for s in sure for u in unsure) / len(sure) / len(unsure)
        for falsely in (0.03, 0.15):
            threshold = sorted(sure)[int(falsely * len(sure))]
            found[f"refused where {falsely:.0%} are refused falsely"] = sum(u < threshold for u in unsure) / len(unsure)
    return {name: round(value, 3) for name, value in found.items()}
