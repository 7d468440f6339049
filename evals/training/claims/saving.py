"""The trained parts of the reader as one file of float16 arrays, and the classes beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from chipwise.claims.readerspec import Classes
from chipwise.claims.weights import SPEC, WEIGHTS

from .network import Reader


def save(reader: Reader, classes: Classes, folder: Path) -> None:
    """Writes both; the stock encoder's own weights stay where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {n: p.detach().numpy().astype(np.float16) for n, p in reader.named_parameters() if p.requires_grad}
    np.savez(folder / WEIGHTS, **arrays)
    spec = {
        "metrics": list(classes.metric_ids),
        "scopes": list(classes.scope_ids),
        "allowed": {d: sorted(m) for d, m in sorted(classes.allowed.items())},
        "temperatures": {},
    }
    (folder / SPEC).write_text(json.dumps(spec, indent=1) + "\n", "utf-8")


def load(reader: Reader, folders: Sequence[Path]) -> None:
    """Puts saved arrays back; of several folders their mean (model soups, arXiv 2203.05482)."""
    files, own = [np.load(folder / WEIGHTS) for folder in folders], dict(reader.named_parameters())
    for name in files[0].files:
        mean = sum(f[name].astype(np.float32) for f in files) / len(files)
        own[name].data.copy_(torch.from_numpy(mean))
