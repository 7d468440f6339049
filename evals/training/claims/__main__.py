"""Trains the claim reader and writes its weights.

    python -m evals.training.claims --out corpus/reader/claims [--minutes 30] [--labels FOLDER ...]

Blind drafts and one label document in seven are never trained on; see `report` for what is measured on them.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from chipwise.claims.readerspec import Classes
from chipwise.claims.windows import Encoder
from chipwise.models import DEFAULT_MODEL, find_model

from . import gold
from .fit import Sample, fit, samples
from .network import Reader
from .saving import load, save

WEIGHTS = {"labels": 3.0, "drafts": 2.0, "digests": 0.2, "golden": 0.4}  # times in an epoch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="where the weights go")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--steps", type=int, default=0, help="train for so many steps instead: the same on any machine")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--labels", type=Path, nargs="*", default=(), help="more folders of label files")
    options = parser.parse_args()
    torch.set_num_threads(1)
    random.seed(options.seed), np.random.seed(options.seed), torch.manual_seed(options.seed)
    domain, stock = gold.read_domain_here(), find_model(DEFAULT_MODEL).folder
    classes = Classes.of(domain)
    encoder = Encoder(domain, stock_tokenizer(stock), classes.metric_ids)
    sources = {
        "labels": [d for d in gold.written(options.labels) if not gold.is_held(d)],
        "drafts": list(gold.drafts(gold.TRAINED)),
        "digests": list(gold.digests(domain)),
        "golden": list(gold.golden()),
    }
    pool: list[Sample] = []
    for name, documents in sources.items():
        made = list(samples(domain, encoder, classes, documents, WEIGHTS[name]))
        print(name, len(documents), "documents", len(made), "windows", flush=True)
        pool += made
    reader = Reader(stock, classes)
    if options.start is not None:
        load(reader, options.start)
    fit(reader, pool, classes, minutes=options.minutes, steps=options.steps, seed=options.seed)
    save(reader, classes, options.out)


def stock_tokenizer(stock: Path) -> Tokenizer:
    """The stock model's tokenizer, which neither pads nor cuts."""
    tokenizer = Tokenizer.from_file(str(stock / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


if __name__ == "__main__":
    main()
