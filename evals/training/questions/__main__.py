"""Trains the reader of (question, sentence) pairs, and of what of a post has to be kept.

    python -m evals.training.questions --kb DIR --squad train.json [--bench ../shared/bench] [--epochs 3]
    python -m evals.training.questions --kb DIR --on corpus/reader/questions/reader.safetensors --epochs 1    goes on with new questions

Writes corpus/reader/questions/reader.safetensors and prints what the reader does for what other people asked.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from evals.training.questions.data import Question, exchanged, of_sets, squad, written
from evals.training.questions.fit import Remembering, fit
from evals.training.questions.generated import of_facts, of_reasons, of_terms
from evals.training.questions.marked import figures as figures_of_posts
from evals.training.questions.marked import marked, posts, scored
from evals.training.questions.network import RANK, go_on, save, trainable, trained_parts
from evals.training.questions.report import figures
from tokenizers import Tokenizer

from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.opening import opened

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "corpus" / "reader" / "questions"
ASKED = ROOT / "corpus" / "questions"
SEED = 7
OURS = ("written", "terms", "reasons")
EXCHANGED = 0.6  # of the public questions that one thing can be exchanged in


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True, help="a knowledge base of the shipped corpus")
    parser.add_argument("--labels", type=Path, default=ASKED, help="folder of written questions")
    parser.add_argument("--squad", type=Path, nargs="*", default=[], help="articles in SQuAD's form")
    parser.add_argument("--bench", type=Path, default=ROOT.parent / "shared" / "bench")
    parser.add_argument("--out", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--first", type=Path, help="where the state after the public questions is kept, to go on from")
    parser.add_argument("--on", type=Path, help="weights to go on from, in place of what public questions teach")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rank", type=int, default=RANK)
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {line}", flush=True)

    folder = find_model(DEFAULT_MODEL).folder
    tokenizer = Remembering(Tokenizer.from_file(str(folder / "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    questions = gather(options)
    network = trainable(folder, options.rank)
    trained = [q for q in questions if q.part == "train"]
    if options.on is not None:
        go_on(network, options.on)
    elif options.first is None or not options.first.is_file():
        fit_first(network, trained, tokenizer, say)
        if options.first is not None:
            torch.save(trained_parts(network), options.first)
    else:
        network.load_state_dict(torch.load(options.first, map_location="cpu"), strict=False)
    fit_ours(network, trained, tokenizer, options.epochs, say)
    save(network, options.out)
    for origin in ("written", "sets", "squad"):
        for part in ("tune", "report"):
            own = [q for q in questions if (q.origin, q.part) == (origin, part)]
            if own:
                say(f"{origin} {part}: {figures(network, own[:300], tokenizer)}")
    for part in ("tune", "report", "threads"):
        read = scored(network, [post for post in posts() if post.part == part], tokenizer)
        say(f"posts {part}: {figures_of_posts(read, lambda _, scores: [logit > 0 for _, logit in scores])}")


def fit_first(network: Any, trained: Sequence[Question], tokenizer: Any, say: Callable[[str], None]) -> None:
    """One epoch over public questions and those made of facts: what it is to answer."""
    chance = random.Random(SEED)  # noqa: S311
    public = [q for q in trained if q.origin == "squad"]
    others = [q for q in exchanged(public, chance) if chance.random() < EXCHANGED]
    public += [*others, *(q for q in trained if q.origin == "facts")]
    say(f"first {len(public)} questions, {sum(not q.gold for q in public)} of them without an answer")
    fit(network, [public], tokenizer, chance, say)


def fit_ours(
    network: Any, trained: Sequence[Question], tokenizer: Any, epochs: int, say: Callable[[str], None]
) -> None:
    """Some epochs over our own questions, with a third as many of the first ones among them, and over posts."""
    chance = random.Random(SEED + 1)  # noqa: S311
    own = [q for q in trained if q.origin in OURS]
    own += exchanged([q for q in own if q.origin in ("written", "reasons")], chance)
    first = [q for q in trained if q.origin in ("squad", "facts")]
    say(f"then {len(own)} questions of ours, {sum(not q.gold for q in own)} of them without an answer")
    some = min(len(own) // 3, len(first))
    own_posts = [laid for post in posts() if post.part == "train" for laid in marked(post, tokenizer)]
    each = [[*own, *chance.sample(first, some)] for _ in range(epochs)]
    fit(network, each, tokenizer, chance, say, own_posts)


def gather(options: argparse.Namespace) -> list[Question]:
    """All questions with their passages."""
    sys.path.insert(0, str(ROOT / "evals"))
    from benchmarks import HELD_OUT

    from asking import holds

    half = options.bench / "squad2" / "half.json"
    public = [*options.squad, *([half] if half.is_file() else [])]
    with opened(KnowledgeFolder(options.kb)) as index:
        own = [
            *written(options.labels, index),
            *of_sets(ROOT / "evals" / "questions", index, holds),
            *of_facts(index, SEED),
            *of_terms(index, SEED),
            *of_reasons(index, SEED),
        ]
    return [*own, *squad(public, HELD_OUT)]


if __name__ == "__main__":
    main()
