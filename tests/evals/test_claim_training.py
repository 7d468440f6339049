"""What the claim reader is trained on beside whole documents: crops of them, what teachers say, the mean of several weights."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chipwise.claims.units import read_units
from chipwise.claims.weights import WEIGHTS
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_bytes
from chipwise.splitting import split

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

TEXT = """# H200

It has 141 GB of memory.

## Power

It takes 700 W.

The H100 has 80 GB.

- The L4 takes 72 W.
- The L4 has 24 GB.
"""


def test_a_crop_is_a_part_of_the_document_with_a_figure_in_its_order() -> None:
    from evals.training.claims.fit import LENGTHS, _crops

    document = read_bytes(TEXT.encode(), name="x.md", origin="x.md", source_id="x.md")
    units = read_units(shipped_domain(), split(document), document.info.title)
    crops = [crop for seed in range(20) for crop in _crops(units, random.Random(seed))]  # noqa: S311
    assert crops
    for crop in crops:
        read = [u for u in crop if u.zone != "heading"]
        assert len(crop) < len(units)
        assert len(read) <= max(LENGTHS)
        assert any(u.found.figures for u in read)
        assert all(-1 <= u.lead < n for n, u in enumerate(crop))


def test_of_several_weights_the_mean_is_loaded(tmp_path: Path) -> None:
    from evals.training.claims.saving import load

    layer: Any = torch.nn.Linear(2, 1)
    weights = [np.array([[1, 2]], np.float16), np.array([[3, 6]], np.float16)]
    for number, weight in enumerate(weights):
        (tmp_path / str(number)).mkdir()
        np.savez(tmp_path / str(number) / WEIGHTS, weight=weight)
    load(layer, [tmp_path / "0", tmp_path / "1"])
    assert layer.weight.tolist() == [[(1 + 3) / 2, (2 + 6) / 2]]


def test_nobody_comes_closer_to_the_teachers_than_who_says_what_they_say() -> None:
    from evals.training.claims.network import HEAD_WEIGHTS, distillation

    torch.manual_seed(0)
    shapes = {"ratio": (1, 2), **{head: (1, 2, 3) for head in HEAD_WEIGHTS if head != "ratio"}}
    teacher, other = ({head: torch.randn(shape) for head, shape in shapes.items()} for _ in range(2))
    spans = {"figures": torch.tensor([[[4, 5], [0, 0]]]), "axes": torch.tensor([[[2, 2], [7, 7], [0, 0]]])}
    same = distillation(teacher, [teacher, teacher], spans)
    assert same < distillation(other, [teacher], spans)
    unread = {head: out.clone() for head, out in teacher.items()}
    for out in unread.values():
        out[:, 1] = 9.0  # of no figure: the batch is only filled up
    assert distillation(unread, [teacher], spans) == pytest.approx(float(same))
