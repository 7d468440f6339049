"""Metrics are what their formulas say, and what ir-measures says where it is installed."""

from __future__ import annotations

import math
import random

import pytest
from metrics import (
    area_under,
    coverage_at,
    difference,
    f1,
    mean,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    risk_coverage,
    share,
    wilson,
)

RELEVANT = {"a": 2, "b": 1, "c": 0}


def test_ndcg_discounts_by_rank_and_is_one_for_the_best_order() -> None:
    best = 2 / math.log2(2) + 1 / math.log2(3)
    assert ndcg_at(10)(["x", "b", "a"], RELEVANT) == pytest.approx((1 / math.log2(3) + 2 / math.log2(4)) / best)
    assert ndcg_at(10)(["a", "b"], RELEVANT) == 1
    assert ndcg_at(1)(["x", "a"], RELEVANT) == 0
    assert ndcg_at(10)(["a"], {"a": 0}) == 0


def test_recall_counts_what_is_relevant_and_was_found_in_time() -> None:
    assert recall_at(1)(["a", "b"], RELEVANT) == 1 / 2
    assert recall_at(2)(["c", "b", "a"], RELEVANT) == 1 / 2, "what was judged 0 is not relevant"
    assert recall_at(5)([], RELEVANT) == 0


def test_the_reciprocal_rank_is_that_of_the_first_relevant_text() -> None:
    assert reciprocal_rank(["x", "c", "b", "a"], RELEVANT) == 1 / 3
    assert reciprocal_rank(["x"], RELEVANT) == 0


def test_ranking_metrics_are_those_of_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    chance = random.Random(5)  # noqa: S311
    texts = [f"t{n}" for n in range(40)]
    judged = {f"q{n}": {t: chance.choice((0, 1, 1, 2)) for t in chance.sample(texts, 6)} for n in range(30)}
    judged = {q: grades | {texts[0]: 1} for q, grades in judged.items()}
    ranked = {q: chance.sample(texts, 25) for q in judged}
    run = {q: {t: -float(rank) for rank, t in enumerate(order)} for q, order in ranked.items()}
    for theirs, ours in (
        ("nDCG@10", ndcg_at(10)),
        ("R@5", recall_at(5)),
        ("R@100", recall_at(100)),
        ("RR", reciprocal_rank),
    ):
        measure = ir_measures.parse_measure(theirs)
        found = {m.query_id: m.value for m in ir_measures.iter_calc([measure], judged, run)}
        assert {q: ours(ranked[q], judged[q]) for q in judged} == pytest.approx(found)


def test_wilson_solves_the_equation_that_defines_it() -> None:
    for count, total in ((0, 10), (3, 10), (82, 90), (10, 10)):
        for end in wilson(count, total):
            p, z2 = count / total, 1.959964**2
            assert (p - end) ** 2 == pytest.approx(z2 * end * (1 - end) / total, abs=1e-9)
    assert wilson(0, 0) == (0.0, 1.0)
    assert share(3, 4).value == 3 / 4
    assert share(3, 4).count == 4


def test_a_bootstrap_interval_is_close_to_the_normal_one_where_there_are_many_values() -> None:
    chance = random.Random(1)  # noqa: S311
    values = [chance.gauss(3, 2) for _ in range(2_000)]
    found = mean(values)
    middle = sum(values) / len(values)
    spread = 1.96 * math.sqrt(sum((v - middle) ** 2 for v in values) / len(values) / len(values))
    assert found.value == pytest.approx(middle)
    assert (found.low, found.high) == pytest.approx((middle - spread, middle + spread), abs=spread / 10)
    assert mean(values) == found, "the same every time"
    assert mean([]).count == 0


def test_a_paired_difference_cancels_what_makes_a_question_hard() -> None:
    hard = [n / 10 for n in range(10)]
    found = difference([h + 0.1 for h in hard], hard)
    assert (found.low, found.value, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert found.excludes_zero
    assert not difference(hard, hard).excludes_zero


def test_risk_is_the_share_wrong_among_the_surest() -> None:
    curve = risk_coverage([0.9, 0.5, 0.5, 0.1], [True, True, False, False])
    assert curve == [(1 / 4, 0.0), (3 / 4, 1 / 3), (1.0, 2 / 4)]
    assert area_under(curve) == pytest.approx(1 / 4 * 0 + 2 / 4 * 1 / 3 + 1 / 4 * 2 / 4)
    assert coverage_at(curve, 0.4) == 3 / 4
    assert coverage_at(curve, 0.1) == 1 / 4
    assert risk_coverage([0.9], [True], total=4) == [(1 / 4, 0.0)]
    assert area_under([]) == 0
    assert coverage_at([], 0.1) == 0


def test_f1_is_the_harmonic_mean() -> None:
    assert f1(0.5, 1.0) == pytest.approx(1 / ((1 / 0.5 + 1 / 1.0) / 2))
    assert f1(0, 0) == 0
