"""What was learned of questions beside the readers: arrays that hold for the vectors of one model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def read_arrays(path: Path, model_sha256: str) -> dict[str, Any]:
    """The arrays that were written for the model, by name; none for another model, and where there is no such file."""
    if not path.is_file():
        return {}
    with np.load(path) as kept:
        return dict(kept) if str(kept["model"]) == model_sha256 else {}
