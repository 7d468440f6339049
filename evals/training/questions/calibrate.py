"""Fits how surely there is an answer, on what the whole way from question to window says of labelled questions.

    python -m evals.training.questions.calibrate --kb DIR [--labels FOLDER] [--bench FOLDER]

How surely what ships answers is fitted by `judged`, after this. The reader that `--kb` was built with reads what the search finds: for what people asked in public, for our question sets, and for the
articles of the SQuAD half that are not reported, of which half of the questions have no answer. Weights are fitted on one part and
written to calibration.json; figures are of both. Of SQuAD's articles only the last step learns, whether the best window answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from evals.training.questions.data import USERS, Question, of_sets, reading_of, written
from evals.training.questions.precedents import labelled

from chipwise.answering.parse import understand
from chipwise.answering.passages import THRESHOLD, Found, read, signs_of
from chipwise.answering.precedents import NEAR, WORDED, Precedent, Precedents
from chipwise.answering.reader import Calibration, Reader, Reading, Scores
from chipwise.index.vectors import Vector
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "corpus" / "reader" / "questions"
RIDGE = 0.02  # pulls weights to nothing
LOOSELY = 0.003  # and those of the order, of few signs and many questions
BINS, STEPS = 10, 60
AMONG = 200  # known questions, of which those of other writers are taken
SEEN = 1 / 3  # what a question of SQuAD weighs: the reader was trained on it, and is surer of it than of others
WRONG = 4 / 3  # what an answer that is none weighs: who is refused sees at least what comes closest
OWN = (
    "passage",
    "sentence",
    "unheard",
    "foreign",
    "figure",
    "year",
)  # of documents whose questions nobody knows
ELSEWHERE = 0.3  # what a sentence of a passage without labels weighs
AGAINST = ("unheard", "foreign", "thing", "figure", "number", "year", "offer")  # signs against an answer
# of what does not speak for its source; not learned
LEADS = {"comment": -4.0, "bio": -6.0, "boilerplate": -6.0, "code": -2.0}
ORDER = ("passage", "sentence", "search", "cosine", "precedent", "states")


@dataclass(frozen=True, slots=True)
class Case:
    """One question read: what told of it, whether it has an answer, and whether the best window and passage are gold."""

    question: Question
    found: Found
    signs: dict[str, float]  # of whether the best window answers
    rank: int  # of the first gold passage among those read, by the reader; 99 where none is
    searched: int  # the same by the search
    right: bool  # the best window has a gold sentence

    @property
    def answerable(self) -> bool:
        """True where it has an answer."""
        return bool(self.question.gold) or bool(self.question.extra.get("gold"))


class Remembering:
    """A reader that reads nothing twice, and whose calibration can be exchanged."""

    def __init__(self, reader: Reader) -> None:
        self.calibration = reader.calibration
        self._reader = reader
        self._read: dict[tuple[str, Reading], Scores] = {}

    def read(self, question: str, readings: Sequence[Reading]) -> list[Scores]:
        """As `Reader.read`."""
        new = [r for r in readings if (question, r) not in self._read]
        for reading, scores in zip(new, self._reader.read(question, new), strict=True):
            self._read[question, reading] = scores
        return [self._read[question, r] for r in readings]


class OfOthers:
    """The known questions of other writers than the one of the question asked, who puts one thing much like another.

    None for the questions of our sets, as there are none for documents of one's own.
    """

    def __init__(self, known: Precedents) -> None:
        self.asked = ""
        self._known = known
        self._writers = {precedent.question: writer for writer, precedent in labelled()}

    def nearest(self, vector: Vector) -> list[Precedent]:
        """As `Precedents.nearest`."""
        return self._of_others(self._known.nearest(vector, AMONG))[:NEAR]

    def worded(self, words: Sequence[str]) -> list[Precedent]:
        """As `Precedents.worded`."""
        return self._of_others(self._known.worded(words, AMONG))[:WORDED]

    def counted(self, words: Iterable[str]) -> dict[str, int]:
        """As `Precedents.counted`, of all writers."""
        return self._known.counted(words)

    def _of_others(self, known: Sequence[Precedent]) -> list[Precedent]:
        own = self._writers.get(self.asked)
        return [p for p in known if self._writers[p.question] != own] if own is not None else []


def ask(question: Question, index: OpenIndex, titles: dict[str, str]) -> Case:
    """What comes of one question."""
    index.precedents.asked = question.text
    asked = understand(question.text, index.domain)
    found = read(asked, index.encoder.encode(asked.text), index, whole=True)
    gold = {g.reading: g for g in question.gold}
    order = [w for w in found.windows if w.passage.id]
    ranks = [n for n, w in enumerate(order, start=1) if reading_of(w.hit.stored, titles) in gold]
    searched = [n for n, hit in enumerate(found.hits, start=1) if reading_of(hit.stored, titles) in gold]
    top = gold.get(reading_of(order[0].hit.stored, titles)) if order else None
    right = top is not None and any(top.answers[order[0].start : order[0].end])
    signs = signs_of(asked, found.windows, index)
    return Case(question, found, signs, min(ranks, default=99), min(searched, default=99), right)


def ask_articles(bench: Path) -> list[Case]:
    """What comes of questions on the articles that are not reported; right is a window with the words of an answer."""
    from abstention import QUESTIONS, knowledge_base, sample
    from benchmarks import HELD_OUT, read_articles

    from asking import holds

    articles = [article for article in read_articles(bench) if article.title not in HELD_OUT]
    cases = []
    with opened(knowledge_base(articles)) as index:
        for record in sample(articles, QUESTIONS):
            asked = understand(record["question"], index.domain)
            found = read(asked, index.encoder.encode(asked.text), index, whole=True)
            question = Question(record["id"], asked.text, "squad", "tune", (), (), "", 0, {"gold": record["gold"]})
            right = bool(record["gold"] and found.windows) and holds(found.windows[0].text, record["gold"])
            signs = signs_of(asked, found.windows, index)
            cases.append(Case(question, found, signs, 99, 99, right))
    return cases


def fit(cases: Sequence[Case], names: Collection[str] = ()) -> dict[str, float]:
    """Of whether the best window is an answer, by the signs of some `names`; a wrong one weighs more than a right one."""
    names = names or {name for c in cases for name in c.signs} - {"own"}
    right = np.array([float(c.right) for c in cases])
    signs = [{name: c.signs.get(name, 0.0) for name in names} for c in cases]
    certain = np.array([SEEN if c.question.origin == "squad" else 1.0 for c in cases])
    weight = certain * np.where(right == 1, 1.0, WRONG)
    return regression(signs, right, weight)


def fit_sentences(cases: Sequence[Case], titles: dict[str, str]) -> dict[str, float]:
    """Of whether a sentence belongs to an answer. What no label calls one may be one all the same: in other passages it weighs less."""
    signs: list[dict[str, float]] = []
    marks: list[tuple[float, float]] = []
    for case in cases:
        gold = {g.reading: g for g in case.question.gold}
        for window in case.found.windows if gold else ():
            known = gold.get(reading_of(window.hit.stored, titles))
            for n, told in enumerate(window.told):
                signs.append(told)
                marks.append((float(known is not None and known.answers[n]), 1.0 if known is not None else ELSEWHERE))
    labels, certain = np.array(marks).T
    sides = np.where(labels == 1, (labels * certain).sum(), ((1 - labels) * certain).sum())
    weight = certain * len(labels) / (2 * sides)  # both sides weigh alike
    return regression(signs, labels, weight)


def regression(
    signs: Sequence[Mapping[str, float]],
    labels: np.ndarray[Any, Any],
    certain: np.ndarray[Any, Any],
    *,
    ridge: Mapping[str, float] = MappingProxyType({}),
    before: Mapping[str, float] = MappingProxyType({}),
    against: Collection[str] = AGAINST,
) -> dict[str, float]:
    """Weights and bias of a logistic regression, of rows that weigh as much as each is `certain`, by Newton's method.

    Each weight is drawn towards that of `before`, or to nothing, by its `ridge`, those without one of their own by that of "";
    the bias is free where nothing is said.
    What speaks for an answer never counts `against` it, nor the other way round, whatever some hundred questions have it: such
    signs are left out one after the other, the heaviest first.
    """
    names = sorted({name for row in signs for name in row})
    ridge = {"": RIDGE * len(signs) / 100, "bias": 0.0, **ridge}
    while True:
        columns = (*names, "bias")
        x = np.array([[row.get(n, 0.0) for n in names] + [1.0] for row in signs])
        start = np.array([before.get(n, 0.0) for n in columns])
        pull = np.diag([ridge.get(n, ridge[""]) for n in columns])
        weights = start
        for _ in range(STEPS):
            p = 1 / (1 + np.exp(-x @ weights))
            gradient = x.T @ (certain * (p - labels)) + pull @ (weights - start)
            curvature = (x * (certain * p * (1 - p))[:, None]).T @ x + pull
            weights = weights - np.linalg.solve(curvature + 1e-6 * np.eye(len(weights)), gradient)
        found = {n: round(float(w), 4) for n, w in zip(columns, weights, strict=True)}
        turned = [n for n in names if found[n] and (found[n] < 0) != (n in against)]
        if not turned:
            return found
        names.remove(max(turned, key=lambda n: abs(found[n])))


def fit_order(cases: Sequence[Case], titles: dict[str, str]) -> dict[str, float]:
    """Weights of a softmax over the passages read for a question, by gradient descent; gold ones share what is due."""
    names = list(ORDER)
    sets = []
    for case in cases:
        gold = {g.reading for g in case.question.gold}
        windows = case.found.windows
        target = np.array([float(reading_of(w.hit.stored, titles) in gold) for w in windows])
        if target.any():
            sets.append((np.array([[w.signs[n] for n in names] for w in windows]), target / target.sum()))
    weights = np.array([0.5, 0.5, *(1.0,) * (len(ORDER) - 2)])
    for _ in range(3000):
        gradient = LOOSELY * weights
        for x, target in sets:
            p = np.exp(x @ weights - (x @ weights).max())
            gradient = gradient + x.T @ (p / p.sum() - target) / len(sets)
        weights = weights - 0.1 * gradient
    return {**{n: round(float(w), 4) for n, w in zip(names, weights, strict=True)}, **LEADS}


def figures(cases: Sequence[Case], calibration: Calibration) -> dict[str, Any]:
    """Ranks of gold, refusals, and the expected calibration error over ten bins."""
    yes = [c for c in cases if c.answerable]
    no = [c for c in cases if not c.answerable]
    p = {id(c): calibration.probability(c.signs) for c in cases}
    known = [c for c in cases if c.question.origin == "written"] or cases
    bins = [[c for c in known if min(BINS - 1, int(p[id(c)] * BINS)) == b] for b in range(BINS)]
    error = sum(
        abs(np.mean([c.right for c in own]) - np.mean([p[id(c)] for c in own])) * len(own) for own in bins if own
    )
    found: dict[str, Any] = {"answerable": len(yes), "unanswerable": len(no), "calibration error": error / len(known)}
    if yes:
        found["gold first"] = np.mean([c.rank == 1 for c in yes])
        found["gold within ten"] = np.mean([c.rank <= 10 for c in yes])
        found["gold first by the search"] = np.mean([c.searched == 1 for c in yes])
        found["gold within ten by the search"] = np.mean([c.searched <= 10 for c in yes])
        found["best window has a gold sentence"] = np.mean([c.right for c in yes])
        found["refused falsely"] = np.mean([p[id(c)] < THRESHOLD for c in yes])
    if no:
        found["refused rightly"] = np.mean([p[id(c)] < THRESHOLD for c in no])
    return {name: round(float(value), 3) for name, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--labels", type=Path, default=ROOT / "corpus" / "questions")
    parser.add_argument("--bench", type=Path, default=ROOT.parent / "shared" / "bench")
    parser.add_argument("--out", type=Path, default=FOLDER / "calibration.json")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "evals"))
    from asking import holds

    with opened(KnowledgeFolder(options.kb)) as index:
        remembering = Remembering(index.reader)
        index.__dict__.update(reader=remembering, precedents=OfOthers(index.precedents))
        titles = {s.id: s.title for s in index.store.sources()}
        questions = [*written(options.labels, index, USERS), *of_sets(ROOT / "evals" / "questions", index, holds)]
        tuning = [q for q in questions if q.part == "tune"]
        sentence = fit_sentences([ask(q, index, titles) for q in tuning], titles)
        remembering.calibration = Calibration(sentence, dict.fromkeys(ORDER, 1.0), {}, {})
        order = fit_order([ask(q, index, titles) for q in tuning], titles)
        remembering.calibration = Calibration(sentence, order, {}, {})
        cases = [ask(q, index, titles) for q in questions]
    shipped = json.loads(options.out.read_text("utf-8"))["shipped"]  # `judged` fits it
    cases += ask_articles(options.bench)
    others = [c for c in cases if c.question.part == "tune" and c.question.origin != "sets"]
    calibration = Calibration(sentence, order, shipped, fit(others, OWN))
    options.out.write_text(json.dumps(asdict(calibration), indent=1) + "\n", "utf-8")
    print(json.dumps(asdict(calibration)))
    for origin in ("written", "sets", "squad"):
        for part in ("tune", "report"):
            own = [c for c in cases if (c.question.origin, c.question.part) == (origin, part)]
            if own:
                print(origin, part, json.dumps(figures(own, calibration), indent=1))


if __name__ == "__main__":
    main()
