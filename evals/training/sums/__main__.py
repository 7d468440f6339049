"""Learns what a question wants worked out from labelled questions, and tells how well that goes for others.

    python -m evals.training.sums --kb DIR

Writes corpus/reader/sums/asked.npz from asked.jsonl in this folder, for vectors of the encoder that `--kb` was built with. A line of
asked.jsonl is {"q": a question, "wants": a variable of equations.toml, "fit", or "" for no sum}.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from evals.training.arrays import write_wishes

from chipwise.answering.query import FIT, NOTHING, SURELY_WANTED
from chipwise.answering.wishes import Wishes, features, masked, words_of
from chipwise.corpus import reader_folder
from chipwise.index.vectors import Matrix, Vector
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened
from chipwise.values import dataclass

FOLDS = 5
_STEPS = 150
_RATE = 0.15
_DECAY = 2e-4  # of the weights
_LEAST = 2  # questions that have a word
_BOUNDS = (0.4, 0.5, SURELY_WANTED, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A masked question, its vector and what it wants."""

    text: str
    vector: Vector
    wants: str


def fit(known: Sequence[Labelled], path: Path, model_sha256: str) -> Wishes:
    """Weights that tell the labels of `known`, written to `path`: a softmax regression, by Adam over all of them at once."""
    labels = sorted({k.wants for k in known})
    counts = Counter(word for k in known for word in words_of(k.text))
    words = sorted(word for word, count in counts.items() if count >= _LEAST)
    places = {word: n for n, word in enumerate(words)}
    # each question a second time without its vector, so that words alone tell where a knowledge base has another encoder
    seen = [(k, vector) for k in known for vector in (k.vector, np.zeros_like(k.vector))]
    inputs = np.stack([np.append(features(k.text, v, places), 1) for k, v in seen]).astype(np.float32)
    targets = np.eye(len(labels), dtype=np.float32)[[labels.index(k.wants) for k, _ in seen]]
    weights: Matrix = np.zeros((inputs.shape[1], len(labels)), dtype=np.float32)
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        logits = inputs @ weights
        shares = np.exp(logits - logits.max(1, keepdims=True))
        slope = inputs.T @ (shares / shares.sum(1, keepdims=True) - targets) / len(seen)
        slope[:-1] += _DECAY * weights[:-1]
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    write_wishes(path, labels, words, weights[:-1], weights[-1], model_sha256)
    return Wishes(path, model_sha256)


def told_by_others(known: Sequence[Labelled], path: Path, model_sha256: str) -> Iterator[tuple[Labelled, str, float]]:
    """Each question with what is told of it by weights that have not seen it, and how surely."""
    for fold in range(FOLDS):
        held = [k for k in known if crc32(k.text.encode()) % FOLDS == fold]
        wishes = fit([k for k in known if crc32(k.text.encode()) % FOLDS != fold], path, model_sha256)
        for k in held:
            wish = wishes.wish(k.text, lambda _, own=k.vector: own)
            likeliest = max(wish.shares, key=wish.shares.__getitem__)
            yield k, likeliest, wish.shares[likeliest]


def report(told: Sequence[tuple[Labelled, str, float]]) -> str:
    """How many are right at several bounds, and which are surely wrong."""
    lines = []
    for bound in _BOUNDS:
        sure = [(k.wants, likeliest) for k, likeliest, share in told if share >= bound]
        kinds = Counter(
            "right"
            if wants == told
            else "no sum taken for one"
            if wants == NOTHING
            else "taken for no sum"
            if told == NOTHING
            else "taken for another"
            for wants, told in sure
        )
        lines.append(
            f"from {bound}: {len(sure)} of {len(told)}, " + ", ".join(f"{n} {what}" for what, n in kinds.most_common())
        )
    wrong = [
        (k.wants, likeliest, k.text) for k, likeliest, share in told if share >= SURELY_WANTED and k.wants != likeliest
    ]
    return "\n".join(
        [*lines, *(f"  {a or 'no sum'} taken for {b or 'no sum'}: {text}" for a, b, text in sorted(wrong))]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=reader_folder() / "sums" / "asked.npz")
    options = parser.parse_args()
    questions = Path(__file__).parent / "asked.jsonl"
    records = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
    with opened(KnowledgeFolder(options.kb)) as index:
        unknown = {r["wants"] for r in records} - {*index.domain.variables, FIT, NOTHING}
        if unknown:
            raise SystemExit(f"no variables: {', '.join(sorted(unknown))}")
        texts = [(masked(r["q"], index.domain), r["wants"]) for r in records]
        known = [Labelled(text, index.encoder.encode(text), wants) for text, wants in texts]
        model = index.encoder.settings.sha256
    print(report(list(told_by_others(known, options.out, model))))
    fit(known, options.out, model)


if __name__ == "__main__":
    main()
