"""What was not compared, and why, so that no finding on a figure can be told from no look at it.

did not compare 12 statements, because they are suppositions
left 30 pairs open, because one does not say of how many chips it is
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.readings import Comparison
from chipwise.audit.verdicts import Verdict
from chipwise.claims.model import DOUBTED, Modality
from chipwise.text import counted

_MOST = 12  # reasons that are told of either kind, the commonest first


def find_silence(book: Casebook, compared: Iterable[Comparison], source: str = "") -> Iterator[str]:
    """The reasons with how often each holds, of all sources or of `source` alone."""
    said = [s for s in book.said if not source or s.claim.source == source]
    reasons = Counter(why for s in said if (why := why_alone(book, s)))
    for why, times in reasons.most_common(_MOST):
        yield f"did not compare {counted(times, 'statement')}, because {why}"
    pairs = Counter(c.relation.reason for c in compared if _is_open(c))
    for why, times in pairs.most_common(_MOST):
        yield f"left {counted(times, 'pair')} open, because {why}"


def why_alone(book: Casebook, s: Statement) -> str:
    """Why a statement takes part in no comparison; "" where it does."""
    metric = book.domain.metrics.get(s.claim.metric)
    reasons = (
        (not s.chip, "the text does not say of what they are"),
        (bool(s.claim.doubt), "what they say is not sure"),
        (s.claim.quantity is not None and not s.claim.polarity, "they deny a figure"),
        (s.claim.modality is Modality.HYPOTHETICAL, "they are suppositions"),
        (s.claim.attribution == DOUBTED, "the text itself doubts them"),
        (metric is not None and _is_alone(book, s), "nobody else speaks of the same thing"),
    )
    return next((why for holds, why in reasons if holds), "")


def _is_alone(book: Casebook, s: Statement) -> bool:
    return len(book.by_key.get(s.key, ())) < 2  # noqa: PLR2004


def _is_open(c: Comparison) -> bool:
    """True for what stays open for a reason that names no figure, so that equal ones can be counted."""
    return c.relation.verdict is Verdict.UNRESOLVED and not any(ch.isdigit() for ch in c.relation.reason)
