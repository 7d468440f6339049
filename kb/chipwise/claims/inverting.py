"""A multiple of what work takes, put as one of the rate at which it is done: two ways to say one thing.

    "The A100 takes 2.4 times as long as the H100 to train it"  ->  the H100 has a speed-up of 2.4 over the A100
    "The A100 is 2.4 times slower than the H100"                ->  the same
    "The H100 cuts training time by a factor of 2.4"            ->  the H100 has a speed-up of 2.4

Which metrics turn into which, and by what words, is data (metrics.toml). The figure and its place stay as they are.
"""

from __future__ import annotations

from functools import lru_cache

from chipwise import patterns as re
from chipwise.claims.scene import TIMES
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantity import Quantity

_FARTHEST = 90  # characters between a verb and by how much
_CUT = re.compile(
    r"\b(?:cut|reduc|shorten|lower|shr[aiu]nk|slash|improv|decreas|drop|fall|fell|trim|accelerat|speed)\w*\b[^.;:]*\s(?:by\s(?:an?\s)?(?:factor\sof\s)?)?(?:about\s|some\s|~)?$",
    re.I,
)
_LESS = re.compile(r"\s?(?:shorter|less|lower|faster|better|reduction|cut|decrease|improvement|speed-?up)\b", re.I)
_ADVERB = r"(?:\s(?:just|about|roughly|nearly|almost|only))?\s?"


def turned(
    domain: Domain, metric: Metric, text: str, quantity: Quantity, about: tuple[str, ...], baseline: str
) -> tuple[Metric, tuple[str, ...], str] | None:
    """The metric of a figure, whom it is about and whom it is against; the other way round where the words behind it say so.

    None where they do, and that cannot be said in `metric`: "40% slower" is no speed-up of 40%, neither of the one nor of the other.
    """
    if not (quantity.compares and metric.inverse):
        return metric, about, baseline
    if not _behind(metric.inverse_cues).match(text, quantity.end):
        saved = quantity.unit == TIMES and quantity.low >= 1 and _is_of_less(text, quantity)
        return (domain.metrics[metric.inverse] if saved else metric), about, baseline
    if quantity.unit == TIMES and quantity.low >= 1 and baseline and len(about) == 1:
        return domain.metrics[metric.inverse], (baseline,), about[0]
    return None if metric.inverse == metric.id else (metric, about, baseline)


def _is_of_less(text: str, quantity: Quantity) -> bool:
    """True for "cut by a factor of 2.4" and "2.4 times shorter": nothing falls by more than itself, so it is that much faster."""
    return bool(
        _CUT.search(text, max(0, quantity.start - _FARTHEST), quantity.start) or _LESS.match(text, quantity.end)
    )


@lru_cache(maxsize=16)
def _behind(cues: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_ADVERB}(?:{'|'.join(map(re.escape, cues))})\b", re.I)
