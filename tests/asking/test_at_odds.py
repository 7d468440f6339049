"""Figures under an answer that are set against each other: of the same thing, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.asking.disagreeing import are_at_odds

from ..building.test_facts import ROW, csv_of
from .tabled_base import tabled_base

ONE = "The H100 SXM has 80 GB of memory per GPU."
WIDTH = "The memory of the H100 SXM has a 5,120-bit interface."
MORE = "The H100 SXM has 96 GB of memory per GPU."
HOUR = "The H100 rents for $12 per hour."
LATER = "The H100 rents for $9 per hour."
NODE = "A node of 8 H100 GPUs rents for $98.32 per hour."
ADDED = {"a.md": ONE, "b.md": WIDTH, "c.md": MORE, "d.md": HOUR, "e.md": NODE, "f.md": LATER}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (("a", "80 GB"), ("c", "96 GB"), True),
        (("d", "$12"), ("f", "$9"), True),
        (("a", "80 GB"), ("b", "5,120-bit"), False),  # the width of an interface is no capacity
        (("d", "$12"), ("e", "$98.32"), False),  # eight of them
        (("a", "80 GB"), ("d", "$12"), False),
    ],
)
def test_only_figures_of_one_thing_are_at_odds(
    tmp_path: Path, a: tuple[str, str], b: tuple[str, str], expected: bool
) -> None:
    table = csv_of(ROW | {"subject": "nvidia-h200", "value": "141", "quote": "The H200 has 141 GB."})
    sheet = {"sheet.md": "# A sheet\n\nThe H200 has 141 GB.\n"}
    with tabled_base(tmp_path, sheet, table, held=["sheet.md"], added=ADDED) as index:
        places = [(source, index.store.source_text(source).index(figure)) for source, figure in (a, b)]
        assert are_at_odds(index.store, index.domain, places[0], places[1]) is expected
        assert are_at_odds(index.store, index.domain, places[1], places[0]) is expected
