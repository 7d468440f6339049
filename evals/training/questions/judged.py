"""Fits how surely the best window answers, on windows that were read and judged: labels know one passage, and several may answer.

    python -m evals.training.questions.judged --kb DIR

A line of `judged.jsonl` has a question that people asked (those of `corpus/questions/users*.jsonl`), the text of a window, and how far
it answers, in [0, 1]: 1 as an expert would accept it, .6 in part. Known questions of the same writer are left out. Beside them stand
our sets, judged by their gold, and what is asked of something else. Weights are drawn towards `BEFORE`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from evals.training.questions.calibrate import FOLDER, ROOT, OfOthers, regression

from chipwise.answering import passages
from chipwise.answering.passages import Sources, signs_of
from chipwise.answering.query import Query
from chipwise.answering.reader import weighed
from chipwise.answering.windows import Window
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened

AGAINST = frozenset(("unheard", "foreign", "thing", "figure", "number", "year", "offer", "nameless", "opinion"))
# logits that `calibrate` found, and what few questions show: another thing, seller or name answers nothing, no source has opinions
BEFORE = {
    "bias": -2.963,
    "cosine": 1.7987,
    "covers": 0.5567,
    "year": -0.2409,
    "foreign": -0.7571,
    "lead": 0.4658,
    "passage": 0.1011,
    "precedent": 0.5178,
    "search": 0.7603,
    "sentence": 0.3802,
    "unheard": -1.8043,
    "figure": -2.2622,
    "nameless": -2.0,
    "opinion": -3.0,
    "thing": -1.5,
    "offer": -1.5,
}
RIDGE, HELD = 1.0, 100.0  # how far weights are drawn to those; what few questions show is held there
RARE = ("nameless", "opinion")
SETS = ("raw", "holdout_raw", "dev", "holdout")
OF_SETS, OUTSIDE = 0.6, 0.6  # what a question weighs beside one that was judged
UNTOLD, HARDLY = 0.3, 0.2  # how far a window without the gold answers, and what that weighs: gold is of one source

Example = tuple[dict[str, float], float, float]  # signs, how far it answers, weight


def examples(index: OpenIndex) -> Iterator[Example]:
    """Every question that passages are read for, with the signs of its best window."""
    from asking import holds

    sets = ROOT / "evals" / "questions"
    judged = {(r["q"], r["text"]): r["right"] for r in _lines(Path(__file__).with_suffix(".jsonl"))}
    full, others = index.precedents, OfOthers(index.precedents)
    index.__dict__["precedents"] = others
    for q in dict.fromkeys(q for q, _ in judged):
        others.asked = q
        yield from ((signs, judged[q, text], 1.0) for signs, text in _best(q, index) if (q, text) in judged)
    index.__dict__["precedents"] = full
    for r in (r for r in _lines(ROOT / "corpus" / "questions" / "outside.jsonl") if not r["source"]):
        yield from ((signs, 0.0, OUTSIDE) for signs, _ in _best(r["q"], index))
    for r in (r for name in SETS for r in _lines(sets / f"{name}.jsonl")):
        for signs, text in _best(r["question"], index):
            held = r["answerable"] and holds(text, r["gold"])
            told = (1.0, OF_SETS) if held else (UNTOLD, HARDLY) if r["answerable"] else (0.0, OF_SETS)
            yield (signs, *told)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _best(question: str, index: OpenIndex) -> list[tuple[dict[str, float], str]]:
    """The signs and the text of the likeliest window that is looked at for a question; nothing where facts answer it."""
    seen: list[tuple[dict[str, float], str]] = []

    def noted(query: Query, windows: Sequence[Window], sources: Sources) -> dict[str, float]:
        signs = signs_of(query, windows, sources)
        seen.extend([(signs, windows[0].text)] if windows else [])
        return signs

    with patch.object(passages, "signs_of", noted):
        index.ask(question)
    return sorted(seen, key=lambda s: -index.reader.calibration.probability(s[0]))[:1]


def fit(found: list[Example], before: dict[str, float]) -> dict[str, float]:
    """A logistic regression with a ridge around the weights `before`."""
    signs = [{name: value for name, value in own.items() if name != "own"} for own, *_ in found]
    right, certain = (np.array(column) for column in list(zip(*found, strict=True))[1:])
    ridge = {"": RIDGE, "bias": 0.01, **dict.fromkeys(RARE, HELD)}
    return regression(signs, right, certain, ridge=ridge, before=before, against=AGAINST)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER / "calibration.json")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "evals"))
    calibration = json.loads(options.out.read_text("utf-8"))
    with opened(KnowledgeFolder(options.kb)) as index:
        found = list(examples(index))
    calibration["shipped"] = fit(found, BEFORE)
    options.out.write_text(json.dumps(calibration, indent=1) + "\n", "utf-8")
    p = [1 / (1 + np.exp(-weighed(signs, calibration["shipped"]))) for signs, *_ in found]
    for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 0.7), (0.7, 1.01)):
        own = [right for (_, right, _), share in zip(found, p, strict=True) if low <= share < high]
        print(f"{low:.1f} to {high:.1f}: {len(own)} questions, {np.mean(own or [0]):.2f} right")


if __name__ == "__main__":
    main()
