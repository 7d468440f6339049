"""What is body of pages in many layouts: measured as `evals/bodies.py` does, with floors."""

from __future__ import annotations

from statistics import mean

import pytest
from bodies import PAGES, marked, ours, scores, theirs

TEXTS = {path.stem: path.read_text("utf-8") for path in sorted(PAGES.glob("*.html"))}
OWN = {name: scores(ours(text), marked(text))[2] for name, text in TEXTS.items()}


def test_the_body_of_pages_is_found_better_than_by_trafilatura_alone() -> None:
    assert len(TEXTS) >= 25
    assert mean(OWN.values()) > max(0.95, mean(scores(theirs(text), marked(text))[2] for text in TEXTS.values()))


@pytest.mark.parametrize("name", TEXTS)
def test_no_layout_is_lost(name: str) -> None:
    assert OWN[name] > 0.75
