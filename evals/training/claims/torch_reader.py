"""Trained weights, opened with torch for measuring and for calibration."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chipwise.claims.readerspec import Classes
from chipwise.claims.weights import SPEC
from chipwise.claims.windows import Encoder, Window
from chipwise.domain.model import Domain
from chipwise.models import DEFAULT_MODEL, find_model

from . import gold
from .__main__ import stock_tokenizer
from .fit import scores
from .network import Reader
from .saving import load


def opened(folder: Path) -> tuple[Domain, Encoder, Classes, Callable[[Sequence[Window]], list[dict[str, np.ndarray]]], dict[str, float]]:
    """Domain, encoder, classes, a function from windows to scores, and the temperatures."""
    spec: dict[str, Any] = json.loads((folder / SPEC).read_text("utf-8"))
    domain, stock = gold.read_domain_here(), find_model(DEFAULT_MODEL).folder
    classes = Classes.of(domain, spec["allowed"])
    reader = Reader(stock, classes)
    load(reader, folder)
    encoder = Encoder(domain, stock_tokenizer(stock), classes.metric_ids)
    return domain, encoder, classes, lambda windows: scores(reader, windows, classes), spec["temperatures"]
