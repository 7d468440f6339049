"""Two labellers' labels beside each other, and that the second ones of the corpus stand on the first ones' texts."""

from __future__ import annotations

import pytest
from evals.training.claims.agreement import cohens_kappa, compare, documents_of, pairs_of, pairs_with
from evals.training.claims.labels import AGAIN, parse

from chipwise.domain.files import shipped_domain

OURS = "The H200 has [[141 GB|nvidia-h200|memory_capacity]] and takes [[700 W|nvidia-h200|tdp|scope=chip]] of [[two|-|host]] supplies in 2026.\n"
THEIRS = "The H200 has [[141 GB|nvidia-h200|memory_capacity]] and takes [[700|nvidia-h100|tdp]] W of two supplies in [[2026|-|date]].\n"


def test_kappa_is_what_is_left_of_agreement_beyond_chance() -> None:
    # three of four agree, and chance alone gives 3/4 * 1/2 + 1/4 * 1/2
    pairs = [("yes", "yes"), ("yes", "yes"), ("yes", "no"), ("no", "no")]
    chance = 3 / 4 * 2 / 4 + 1 / 4 * 2 / 4
    assert cohens_kappa(pairs) == pytest.approx((3 / 4 - chance) / (1 - chance))


def test_who_always_says_the_same_agrees_wholly() -> None:
    assert cohens_kappa([("a", "a"), ("a", "a")]) == 1
    assert cohens_kappa([]) == 1


def test_figures_are_paired_where_they_overlap_and_a_missing_one_is_no_claim() -> None:
    pairs = list(pairs_of(parse("x", "blog", OURS), parse("x", "blog", THEIRS)))
    assert [pair.claims for pair in pairs] == [(True, True), (True, True), (False, False), (False, False)]
    assert "takes [700 W] of" in pairs[1].quote()
    share = {row.slot: (row.compared, row.share) for row in compare(pairs)}
    assert share["claim or not"] == (4, 1)
    assert share["subject"] == share["scope"] == (2, 1 / 2)
    assert share["metric"] == (2, 1)
    assert share["why no claim"] == (0, 1)


def test_texts_that_differ_are_not_compared() -> None:
    with pytest.raises(ValueError, match="x differ"):
        list(pairs_of(parse("x", "blog", OURS), parse("x", "blog", THEIRS.replace("141", "144"))))


def test_the_second_labels_stand_on_the_texts_of_the_first() -> None:
    pairs = pairs_with(AGAIN)  # raises where a digit of a text differs
    assert len({pair.document.id for pair in pairs}) >= 30
    assert sum(pair.first is None or pair.second is None for pair in pairs) < len(pairs) / 10


def test_the_second_labels_name_what_the_domain_has() -> None:
    domain = shipped_domain()
    known = {*domain.entities, *domain.terms}
    claims = [(d.id, label) for d in documents_of(AGAIN) for label in d.labels if label.metric]
    wrong = [(i, c.metric, c.subject) for i, c in claims if c.metric not in domain.metrics]
    wrong += [(i, c.metric, c.subject) for i, c in claims if not c.subject.startswith("?") and c.subject not in known]
    assert wrong == []
