"""Figures that are known under another label than they stand under (CW205).

    "USD 55.04 per hour with a three-year commitment"    the table has that number as the price on demand
    "900 GB/s in each direction"                         the table has it as the sum of both

Two labels excuse two figures from being one another's contradiction. One figure under both is
a label that was mixed up, unless someone knows it under the label that it stands under.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.audit.agreeing import agreement
from chipwise.audit.casebook import Casebook, Statement, group, is_comparative
from chipwise.audit.comparing import relate
from chipwise.audit.differing import differing_axes
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.peaks import of_another_density
from chipwise.audit.verdicts import Verdict
from chipwise.domain.records import Metric
from chipwise.types import Finding

LABELS = ("price_terms", "direction", "sparsity", "provider")
_DENSITY = "sparsity"
_OTHER = "other"  # no label of its own
_RARE = 4  # digits of a figure that is hardly another's by chance: "55.04", and neither "80" nor "1.89"


def find_mislabelled(book: Casebook, source: str = "") -> Iterator[Finding]:
    """CW205: one finding for each figure, of `source` where that is given."""
    told: set[tuple[object, ...]] = set()
    for key, said in group(s for s in book.said if s.asserted and _is_value(s)).items():
        facts = [f for f in book.facts.get(key, ()) if f.asserted and _is_value(f)]
        for s in said if facts else ():
            at = (*key, s.low, s.claim.source)
            if (source and s.claim.source != source) or at in told:
                continue
            for axis in LABELS:
                known = _known_as(book, axis, s, facts, said)
                if known is not None:
                    told.add(at)
                    yield _mislabelled(book, axis, s, *known)
                    break


def _is_value(s: Statement) -> bool:
    q = s.claim.quantity
    return q is not None and q.form in ("value", "range") and q.bound in ("exact", "about") and not is_comparative(s)


def _known_as(
    book: Casebook, axis: str, s: Statement, facts: Sequence[Statement], said: Sequence[Statement]
) -> tuple[Statement, Sequence[Statement]] | None:
    """The fact that has a figure under another label, and those under the figure's own; None where it may be right."""
    stated, metric = s.claim.qualifier(axis), book.domain.metrics[s.claim.metric]
    if stated in ("", _OTHER) or (axis == _DENSITY and of_another_density(book, s) is not None):
        return None  # which is a contradiction, and told as that
    besides = {axis, "as_of", *(("count",) if metric.scales else ())}
    near = [f for f in facts if set(differing_axes(book.domain, s, f)) <= besides]
    own = [f for f in near if f.claim.qualifier(axis) == stated]
    others = [
        f for f in near if f.claim.qualifier(axis) not in ("", _OTHER, stated) and _has(metric, s, f, widely=bool(own))
    ]
    others = [f for f in others if not _names(book, axis, f.claim.qualifier(axis), s)]
    if not others or any(relate(book.domain, f, s).verdict is Verdict.CONTRADICTION for f in own):
        return None  # a contradiction says it already
    if not _is_sure(axis, s, others[0], own, facts) or _is_known(book, axis, s, others[0], [*facts, *said]):
        return None
    return others[0], own


def _is_known(book: Casebook, axis: str, s: Statement, other: Statement, everyone: Sequence[Statement]) -> bool:
    """True where the table has the figure under the label that it stands under, or under none, or another source has it so."""
    stated, known = s.claim.qualifier(axis), other.claim.qualifier(axis)
    for o in everyone:
        if o.fact is not None:
            alike = o.claim.qualifier(axis) in ("", stated)
        else:
            alike = o.claim.qualifier(axis) == stated and o.claim.source != s.claim.source
            alike = alike and not _names(book, axis, known, o)
        if alike and _has(book.domain.metrics[s.claim.metric], s, o, widely=True):
            return True
    return False


def _names(book: Casebook, axis: str, label: str, s: Statement) -> bool:
    """True where the words behind a figure have the other label, too: "12.29 and 4.92: the first on demand, the second ..."."""
    evidence = book.find_evidence(s)
    behind = evidence.quote[max(0, s.claim.value_end - evidence.start) :]
    return any(f"{axis}={label}" in m.ids for m in book.domain.find_qualifiers(behind))


def _has(metric: Metric, s: Statement, other: Statement, *, widely: bool) -> bool:
    """True where two figures are one, of as many chips or of one each; `widely` also where one is in the range of the other."""
    agreed = agreement(metric, s, other)
    if agreed is None:
        return False
    return agreed.verdict is Verdict.SAME or agreed.rule == "count" or (widely and agreed.rule == "interval")


def _is_sure(axis: str, s: Statement, other: Statement, own: Sequence[Statement], facts: Sequence[Statement]) -> bool:
    """True where a figure is hardly another's by chance: by its digits, or as what it should be is known."""
    digits = _digits(s)
    if axis == "provider":
        return bool(own) and digits >= _RARE
    asked = {f.claim.qualifier("provider") for f in facts if f.claim.qualifier("provider")}
    of_one = s.claim.qualifier("provider") == other.claim.qualifier("provider") or len(asked) <= 1
    return of_one and (bool(own) or digits >= _RARE)


def _digits(s: Statement) -> int:
    """How many digits a figure was written with, as far as its interval shows it."""
    width, middle = s.high - s.low, s.middle
    if width <= 0 or middle <= 0:
        return len(f"{middle:.6g}".replace(".", "").strip("0")) if middle > 0 else 0
    return len(str(round(middle / width)))


def _mislabelled(book: Casebook, axis: str, s: Statement, other: Statement, own: Sequence[Statement]) -> Finding:
    known, stated = (name(book, x.claim.qualifier(axis)) for x in (other, s))
    label = book.domain.axes[axis].name
    subject, metric = name(book, s.claim.subject), name(book, s.claim.metric)
    title = f"{subject} {metric}: {figure(book, s)} is known for {known}, not for {stated} ({label})"
    has = "; ".join(f"{figure(book, f)} ({place(book, f)})" for f in own[:2]) or "nothing"
    steps = f"{place(book, other)}: {figure(book, other)} for {known}\nfor {stated} the table has {has}"
    return draft(book, "CW205", "scope", "medium", title, steps, (s, other, *own[:1]), help=f"see which {label} it has")
