"""Trains the claim reader and writes its weights.

    python -m evals.training.claims --out WEIGHTS [--steps 4000] [--start WEIGHTS ...] [--teachers WEIGHTS ...] [--device cuda]

With `--steps 0` the mean of the `--start` weights is written. Blind drafts and one label document in seven are never trained on; see `report` for what is measured on them.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import torch
from tokenizers import Tokenizer

from chipwise.claims.readerspec import Classes
from chipwise.claims.windows import Encoder
from chipwise.models import DEFAULT_MODEL, find_model

from . import gold
from .fit import Sample, Settings, fit, samples
from .network import Reader
from .saving import load, save

TIMES = {
    "labels": 3.0,
    "drafts": 2.0,
    "digests": 0.3,
    "golden": 0.4,
}  # a document of each is drawn in an epoch, on average


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="where the weights go")
    parser.add_argument(
        "--start", type=Path, nargs="*", default=(), help="weights to go on from, their mean if several"
    )
    parser.add_argument(
        "--teachers", type=Path, nargs="*", default=(), help="weights whose probabilities are learned too"
    )
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=64, help="windows of a step")
    parser.add_argument("--rate", type=float, default=1e-3, help="the highest learning rate")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--labels", type=Path, nargs="*", default=(), help="more folders of label files")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    domain, stock = gold.read_domain_here(), find_model(DEFAULT_MODEL).folder
    classes = Classes.of(domain)
    encoder = Encoder(domain, stock_tokenizer(stock), classes.metric_ids)
    sources = {
        "labels": [d for d in gold.written(options.labels) if not gold.is_held(d)],
        "drafts": list(gold.drafts(gold.TRAINED)),
        "digests": list(gold.digests(domain)),
        "golden": list(gold.golden()),
    }
    rng, pool = random.Random(options.seed), list[Sample]()  # noqa: S311
    for name, documents in sources.items():
        made = list(samples(domain, encoder, classes, documents, TIMES[name], rng))
        print(name, len(made), "documents", sum(len(s.windows) + len(s.crops) for s in made), "windows", flush=True)
        pool += made
    reader = Reader(stock, classes)
    if options.start:
        load(reader, options.start)
    teachers = [Reader(stock, classes) for _ in options.teachers]
    for teacher, folder in zip(teachers, options.teachers, strict=True):
        load(teacher, [folder])
        teacher.eval()
    if options.steps:
        settings = Settings(options.steps, options.batch, options.rate, options.seed, options.device)
        fit(reader, pool, classes, teachers, settings)
    save(reader, classes, options.out)


def stock_tokenizer(stock: Path) -> Tokenizer:
    """The stock model's tokenizer, which neither pads nor cuts."""
    tokenizer = Tokenizer.from_file(str(stock / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


if __name__ == "__main__":
    main()
