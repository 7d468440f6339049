"""What figures are made with: ranking metrics, intervals, and what refusing buys.

Functions from values to values: no file, no index, no chipwise, so that every
system is scored by the same lines. Held against ir-measures in tests/evals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

Judgements = Mapping[str, int]  # text id -> relevance
Ranking = Sequence[str]  # text ids, best first
Metric = Callable[[Ranking, Judgements], float]
Curve = list[tuple[float, float]]  # (coverage, risk), both in [0, 1]; coverage grows

Z_95 = 1.959964  # standard deviations to each side that hold 95% of a normal distribution
DRAWS = 5_000  # of a bootstrap; the ends of an interval then move in the third decimal of its width
_AT_ONCE = 250  # draws held in memory together


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure from `count` observations, with its 95% interval."""

    value: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"

    @property
    def excludes_zero(self) -> bool:
        """True for a difference that is one."""
        return self.low > 0 or self.high < 0


def ndcg_at(depth: int) -> Metric:
    """DCG = sum rel_i / log2(i + 1), over that of the best possible order (Järvelin & Kekäläinen, TOIS 2002)."""

    def ndcg(ranking: Ranking, relevant: Judgements) -> float:
        best = _dcg(sorted(relevant.values(), reverse=True)[:depth])
        return _dcg(relevant.get(id_, 0) for id_ in ranking[:depth]) / best if best else 0.0

    return ndcg


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def recall_at(depth: int) -> Metric:
    """Share of the relevant texts among the first `depth`; a text judged 0 is not relevant."""

    def recall(ranking: Ranking, relevant: Judgements) -> float:
        wanted = {id_ for id_, grade in relevant.items() if grade > 0}
        return len(wanted & set(ranking[:depth])) / len(wanted) if wanted else 0.0

    return recall


def reciprocal_rank(ranking: Ranking, relevant: Judgements) -> float:
    """1 / rank of the first relevant text; 0 when there is none in the ranking."""
    ranks = (rank for rank, id_ in enumerate(ranking, start=1) if relevant.get(id_, 0) > 0)
    return next((1 / rank for rank in ranks), 0.0)


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson, JASA 1927); of nothing, everything."""
    if not total:
        return 0.0, 1.0
    p, z2 = count / total, Z_95 * Z_95
    middle = p + z2 / (2 * total)
    spread = Z_95 * math.sqrt(p * (1 - p) / total + z2 / (4 * total * total))
    return max(0.0, (middle - spread) / (1 + z2 / total)), min(1.0, (middle + spread) / (1 + z2 / total))


def share(count: int, total: int) -> Estimate:
    """`count` of `total`, with Wilson's interval."""
    return Estimate(count / total if total else 0.0, *wilson(count, total), total)


def mean(values: Sequence[float], *, seed: int = 0) -> Estimate:
    """The mean, with the percentile bootstrap's interval (Efron 1979) over the observations."""
    if not values:
        return Estimate(0.0, 0.0, 0.0, 0)
    observed = np.asarray(values, dtype=np.float64)
    low, high = np.percentile(_resampled_means(observed, seed), (2.5, 97.5))
    return Estimate(float(observed.mean()), float(low), float(high), len(observed))


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Estimate:
    """The mean of `ours` less that of `theirs`, question by question, so that hard questions cancel out."""
    return mean([a - b for a, b in zip(ours, theirs, strict=True)])


def _resampled_means(observed: npt.NDArray[np.float64], seed: int) -> npt.NDArray[np.float64]:
    random = np.random.default_rng(seed)
    draws = [random.integers(0, len(observed), (_AT_ONCE, len(observed))) for _ in range(DRAWS // _AT_ONCE)]
    return np.concatenate([observed[draw].mean(axis=1) for draw in draws])


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def risk_coverage(confidences: Sequence[float], right: Sequence[bool], total: int | None = None) -> Curve:
    """What answering fewer questions, the surest first, buys (El-Yaniv & Wiener, JMLR 2010).

    Coverage is the share of `total` questions (all given, unless more were refused)
    that is answered, risk the share of those that is wrong. One point for each
    confidence: equally sure answers are given together.
    """
    total = len(right) if total is None else total
    surest = sorted(zip(confidences, right, strict=True), key=lambda pair: -pair[0])
    given = wrong = 0
    curve: Curve = []
    for _, group in groupby(surest, key=lambda pair: pair[0]):
        outcomes = [was_right for _, was_right in group]
        given, wrong = given + len(outcomes), wrong + outcomes.count(False)
        curve.append((given / total, wrong / given))
    return curve


def area_under(curve: Curve) -> float:
    """The mean risk over the coverages reached (AURC): 0 when nothing answered is wrong."""
    if not curve:
        return 0.0
    steps = [(after - before) * risk for (before, _), (after, risk) in pairwise([(0.0, 0.0), *curve])]
    return sum(steps) / curve[-1][0]


def coverage_at(curve: Curve, risk: float) -> float:
    """The greatest coverage at which at most `risk` of the answers are wrong; 0 where there is none."""
    return max((coverage for coverage, found in curve if found <= risk), default=0.0)
