"""Train how likely a finding is to be true: `python -m evals.training.findings`.

`labeled.jsonl` holds findings of pages that nobody tuned on, of reports and corrections of public code, of drafts with
planted errors and of changed measurements: page, code, features, and whether it is true. However many findings a page
has, they count as the root of that number, and the rates are those of pages that were left out of the training.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.feature_extraction import DictVectorizer

from chipwise.corpus import domain_folder

LABELED = Path(__file__).parent / "labeled.jsonl"
MODEL = domain_folder() / "confidence.json"
PRECISION = 0.9
FOLDS, ROUNDS = 10, 3
TREES, DEPTH, RATE, PART = 90, 2, 0.1, 0.7  # chosen by the log loss of held-out pages

RARE = "CW4", "CW5"  # codes that stand on pages too seldom for trees: how many of their findings are true
UNLABELED = {
    "CW106": 0.85,
    "CW208": 0.85,
    "CW407": 0.85,
    "CW410": 0.85,
    "CW411": 0.85,
    "CW501": 0.85,
    "CW502": 0.85,
    "CW601": 0.5,
}  # estimates for codes of which hardly a page has a finding as they are read today
WEIGHT = 4  # labels that such an estimate stands for: one false finding is no rate

Row = Mapping[str, Any]
Chances = np.ndarray[Any, np.dtype[np.float64]]


def rows() -> list[Row]:
    """The labeled findings."""
    return [json.loads(line) for line in LABELED.read_text("utf-8").splitlines()]


def code_rates(found: Sequence[Row]) -> dict[str, float]:
    """How many findings of an arithmetical code are true, with one more that is half true, or as many as an estimate stands for."""
    counts: dict[str, list[bool]] = {}
    for row in found:
        counts.setdefault(row["code"], []).append(bool(row["label"]))
    before = {code: (UNLABELED[code], WEIGHT) if code in UNLABELED else (0.5, 1) for code in counts}
    return {
        code: round((sum(own) + before[code][0] * before[code][1]) / (len(own) + before[code][1]), 3)
        for code, own in sorted(counts.items())
    }


def fit(found: Sequence[Row]) -> tuple[DictVectorizer, GradientBoostingClassifier]:
    """The columns of features, and trees on them."""
    columns, sizes = DictVectorizer(sparse=False), Counter(row["page"] for row in found)
    weights = [row.get("weight", 1.0) / sizes[row["page"]] ** 0.5 for row in found]
    trees = GradientBoostingClassifier(
        n_estimators=TREES, max_depth=DEPTH, learning_rate=RATE, subsample=PART, random_state=0
    )
    x = columns.fit_transform([row["features"] for row in found])
    return columns, trees.fit(x, [row["label"] for row in found], sample_weight=weights)


def held_out(found: Sequence[Row]) -> Chances:
    """(n,) probabilities, each by models that saw no finding of its page."""
    made = np.zeros(len(found))
    for seed in range(ROUNDS):
        pages = sorted({row["page"] for row in found})
        np.random.default_rng(seed).shuffle(pages)
        fold = {page: n % FOLDS for n, page in enumerate(pages)}
        for n in range(FOLDS):
            columns, trees = fit([row for row in found if fold[row["page"]] != n])
            own = [i for i, row in enumerate(found) if fold[row["page"]] == n]
            x = columns.transform([found[i]["features"] for i in own])
            made[own] += trees.predict_proba(x)[:, 1] / ROUNDS
    return made


def rates(found: Sequence[Row], chances: Chances, least: float, origin: str = "") -> tuple[float, float, int]:
    """Precision and recall of what is at least so likely, and how many that are."""
    own = [
        (bool(row["label"]), p >= least) for row, p in zip(found, chances, strict=True) if origin in ("", row["origin"])
    ]
    shown = [label for label, is_shown in own if is_shown]
    return sum(shown) / max(len(shown), 1), sum(shown) / max(sum(label for label, _ in own), 1), len(shown)


def report(found: Sequence[Row], chances: Chances) -> Iterator[str]:
    """A line for each threshold and origin of pages."""
    for least in np.arange(0.5, 0.95, 0.05):
        for origin in ("", *sorted({row["origin"] for row in found})):
            precision, recall, shown = rates(found, chances, least, origin)
            yield f"{least:.2f} {origin or 'all':8} {shown:4} shown: precision {precision:.2f}, recall {recall:.2f}"


def nested(tree: Any, names: Sequence[str], node: int = 0) -> Any:
    """A tree as `audit.confidence` reads it; its leaves hold the rate of learning."""
    if tree.children_left[node] == tree.children_right[node]:
        return round(RATE * float(tree.value[node].item()), 4)
    sides = (nested(tree, names, side[node]) for side in (tree.children_left, tree.children_right))
    return [names[tree.feature[node]], round(float(tree.threshold[node]), 3), *sides]


def main() -> None:
    """Print the rates on held-out pages, train on all and write the model."""
    labeled = rows()
    found = [row for row in labeled if not row["code"].startswith(RARE)]
    chances = held_out(found)
    print("\n".join(report(found, chances)))
    least = next((t for t in np.arange(0.5, 0.96, 0.01) if rates(found, chances, t, "pages")[0] >= PRECISION), 0.95)
    print(f"{PRECISION:.0%} of held-out pages' findings are true from {least:.2f}: Audit.SURE_ENOUGH")
    columns, trees = fit(found)
    names = list(columns.get_feature_names_out())
    prior = float(trees.init_.class_prior_[1])
    value = json.loads(MODEL.read_text("utf-8"))
    value = {"words": value["words"], "bias": round(float(np.log(prior / (1 - prior))), 4)}
    value["rates"] = UNLABELED | code_rates([row for row in labeled if row["code"].startswith(RARE)])
    value["trees"] = [nested(stage[0].tree_, names) for stage in trees.estimators_]
    MODEL.write_text(json.dumps(value) + "\n", "utf-8")


if __name__ == "__main__":
    main()
