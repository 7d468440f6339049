"""What a claim leaves open without which it tells little: what was run, whose price it is."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from chipwise.claims.running import not_stated
from chipwise.domain.schemas import SCHEMAS

from .texts import figures, shipped


@pytest.mark.parametrize(
    ("text", "axes"),
    [
        ("The H100 reached an MFU of 50% on Llama 3 70B.", ()),
        ("The H100 reached an MFU of 50% in training.", ("workload", "benchmark")),
        ("The H100 reached an MFU of 50%.", ("workload", "benchmark")),
        ("An H100 costs $2.50 an hour.", ("provider",)),
        ("An H100 costs $6.88 an hour at AWS.", ()),
        ("A p5.48xlarge costs $55.04 an hour.", ()),  # whose it is its name tells
        ("A TPU v5p costs $4.20 an hour.", ()),
        ("The H100 SXM has 80 GB of memory.", ()),
    ],
)
def test_what_is_not_stated_is_named(text: str, axes: tuple[str, ...]) -> None:
    (claim,) = figures(text)
    assert not_stated(shipped(), claim) == axes


def test_only_a_qualifier_of_a_metric_can_decide() -> None:
    metric = {"id": "x", "name": "x", "dimension": "ratio", "qualifiers": ["workload"], "turns_on": ["provider"]}
    with pytest.raises(ValidationError, match="only what is among the qualifiers"):
        SCHEMAS["metrics.toml"]["metric"].model_validate(metric)
