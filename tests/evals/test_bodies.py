"""What is body of pages in many layouts: measured as `evals/bodies.py` does, with floors."""

from __future__ import annotations

from statistics import mean

from bodies import PAGES, marked, ours, scores, theirs


def test_the_body_of_pages_is_found_better_than_by_trafilatura_alone_and_no_layout_is_lost() -> None:
    texts = {path.stem: path.read_text("utf-8") for path in sorted(PAGES.glob("*.html"))}
    assert len(texts) >= 25
    own = {name: scores(ours(text), marked(text))[2] for name, text in texts.items()}
    assert mean(own.values()) > max(0.95, mean(scores(theirs(text), marked(text))[2] for text in texts.values()))
    assert {name: score for name, score in own.items() if score <= 0.75} == {}
