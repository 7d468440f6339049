"""How one claim stands beside all facts on its key."""

from __future__ import annotations

from pathlib import Path

from chipwise.claims.extract import extract_document
from chipwise.figures.judge import Standing, judge
from chipwise.figures.statement import place
from chipwise.splitting import split
from chipwise.types import Role

from ..audit.test_relations import document, shipped
from ..audit.test_values import LESS, MORE, facts


def standing(folder: Path, said: str, *ranks: str) -> Standing:
    """The standing of one sentence beside facts of 141 GB, one of each rank."""
    rows = ({"value": "141", "quote": LESS, "rank": rank, "reason": "a slip" * (rank != "preferred")} for rank in ranks)
    domain, draft = shipped(), document(said, "draft.md")
    (claim,) = (c for c in extract_document(draft, split(draft), domain)[1] if c.metric == "memory_capacity")
    table = [place(domain, f.claim, Role.BODY, f) for f in facts(folder, *rows)]
    return judge(domain, place(domain, claim, Role.BODY), table).standing


def test_a_figure_of_a_standing_fact_is_supported_though_a_deprecated_one_has_it_too(tmp_path: Path) -> None:
    assert standing(tmp_path, LESS, "preferred", "deprecated") is Standing.SUPPORTED


def test_a_figure_that_only_a_deprecated_fact_has_is_contradicted(tmp_path: Path) -> None:
    assert standing(tmp_path, LESS, "deprecated") is Standing.CONTRADICTED


def test_a_figure_beside_that_of_the_fact_is_contradicted(tmp_path: Path) -> None:
    assert standing(tmp_path, MORE, "preferred") is Standing.CONTRADICTED


def test_a_most_above_all_that_is_known_is_contradicted_and_one_that_is_reached_is_not(tmp_path: Path) -> None:
    assert standing(tmp_path, "The H200 has up to 160 GB of memory.", "preferred") is Standing.CONTRADICTED
    assert standing(tmp_path, "The H200 has up to 141 GB of memory.", "preferred") is Standing.SUPPORTED
