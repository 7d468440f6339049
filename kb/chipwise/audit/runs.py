"""Two figures that something was measured at, or that somebody asks: of one run or offer they contradict each other.

    3,100 and 1,900 tokens/s, both of Llama 3.1 70B in FP8 at batch 64 on one MI300X    contradiction
    24,133 tokens/s offline and 21,588 in the server scenario                           explained by the scenario
    3,450 tokens/s of no model                                                          a spread: such figures vary

What must be stated by both is data (`needs` of axes.toml), and so is what a text may leave out (`loose` axes).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from chipwise.audit.agreeing import agreement
from chipwise.audit.casebook import Statement
from chipwise.audit.differing import go_together, variants_differ
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.dates import MONTH
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.types import Role

OPEN = "|"  # see claims.settings
_TWICE = 2.0  # what does not say of how many it is may be of another number, but hardly of less than twice as many
_NEAR = 0.015
LIKE_RUNS = 1.05  # two runs of one setting by different people, or on different days, differ by a few per cent
_WHO, _CHIPS, _DAY, _SELLER = "submitter", "chips", "as_of", "provider"
_IGNORED = frozenset(("workload", "aggregation", "count", "condition", "approx"))  # told by other axes, or of no run
_TOKENS = ", "
Axes = Mapping[str, str]


def relate_runs(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation:
    """The verdict on two measured or priced figures of one chip, both in the metric's own dimension."""
    x, y = _axes(metric, a), _axes(metric, b)
    axes = [axis for axis in dict.fromkeys((*x, *y)) if axis not in _IGNORED and axis in domain.axes]
    differing = [axis for axis in axes if axis in x and axis in y and not _alike(domain, axis, x[axis], y[axis])]
    subjects = a.claim.subject, b.claim.subject
    if variants_differ(domain, *subjects) or (subjects[0] != subjects[1] and all(map(domain.is_machine, subjects))):
        differing.append("form_factor")
    if differing:
        told = ", ".join(
            f"{domain.axes[axis].name}: {x.get(axis, '')} against {y.get(axis, '')}".strip(": ") for axis in differing
        )
        return Relation(Verdict.EXPLAINED, "differs", tuple(differing), f"they differ in {told}")
    return agreement(metric, a, b) or _of_other_counts(metric, a, b, x, y) or _of_one_run(domain, metric, a, b, axes)


def _axes(metric: Metric, s: Statement) -> Axes:
    """What a figure is stated under; a price of the table holds for the month of its row."""
    dated = metric.nature == "priced" and s.fact is not None and s.fact.as_of
    return {**dict(s.claim.qualifiers), **({_DAY: s.fact.as_of[:MONTH]} if dated and s.fact is not None else {})}


def _of_other_counts(metric: Metric, a: Statement, b: Statement, x: Axes, y: Axes) -> Relation | None:
    """That two figures are of different numbers of chips, or may be."""
    if not metric.scales or a.count == b.count:
        return None
    small, big = sorted((a.middle, b.middle))
    if None in (a.count, b.count) and (1 not in (a.count, b.count) or big >= _TWICE * small):
        return Relation(Verdict.SPREAD, metric.nature, ("aggregation",), "one does not say of how many chips it is")
    if None in (a.count, b.count) or (_CHIPS in x and _CHIPS in y):
        return None
    return Relation(Verdict.EXPLAINED, "differs", ("count",), f"{a.count} chips against {b.count}")


def _of_one_run(domain: Domain, metric: Metric, a: Statement, b: Statement, axes: Sequence[str]) -> Relation:
    """A contradiction where the texts say enough for one run or offer, else a spread."""
    x, y = _axes(metric, a), _axes(metric, b)
    one_sided = tuple(axis for axis in axes if (axis in x) != (axis in y))
    needed = domain.needs.get(metric.id) or domain.needs.get(metric.nature)
    # what its maker alone rents goes without saying whose price it is, and a text without a date is of today, as a fact is
    spoken = {_SELLER} if domain.is_rented(a.claim.subject) and domain.is_rented(b.claim.subject) else set()
    spoken |= {_DAY} if (a.fact is None) != (b.fact is None) and a.count == b.count else set()
    missing = [axis for axis in (needed.axes if needed is not None else ()) if not (x.get(axis) and y.get(axis))]
    missing += [axis for axis in one_sided if not domain.axes[axis].loose]
    missing = [axis for axis in missing if axis not in spoken]
    if needed is None or missing:
        said = " or ".join(domain.axes[axis].name for axis in dict.fromkeys(missing))
        why = f"{metric.nature} values vary" + (f", and not both say the {said}" if said else "")
        return Relation(Verdict.SPREAD, metric.nature, tuple(missing), why)
    sold = domain.counts_sold.get(a.chip, frozenset((8,)))
    if why := _may_vary(a, b, x, y, sold, priced=metric.nature == "priced"):
        return Relation(Verdict.SPREAD, metric.nature, (), why)
    shared = [x[axis] for axis in axes if axis in x and axis in y and axis not in (_WHO, _CHIPS)]
    one = "offer" if metric.nature == "priced" else "run"
    return Relation(Verdict.CONTRADICTION, "run", one_sided, f"one {one}: both {', '.join(shared)}")


def _may_vary(a: Statement, b: Statement, x: Axes, y: Axes, sold: Set[int], *, priced: bool) -> str:
    """Why two figures with the same settings may differ all the same; "" where nothing says so."""
    same_place = a.claim.source == b.claim.source and a.claim.passage == b.claim.passage
    if same_place and (a.claim.start == b.claim.start or Role.TABLE in (a.role, b.role)):
        return "one sentence or table gives both, and tells them apart in its own words"
    bounds = {s.claim.quantity.bound for s in (a, b) if s.claim.quantity is not None}
    if not bounds <= ({"exact"} if priced else {"exact", "about"}):
        return "one is only a bound"
    small, big = sorted((a.middle / (a.count or 1), b.middle / (b.count or 1)))
    if priced and any(abs(big / small / n - 1) < _NEAR for n in sold if n > 1):
        return "one may be of the machine"
    own = (bool(x.get(_WHO)) and bool(y.get(_WHO))) or a.claim.attribution or b.claim.attribution
    if big <= small * LIKE_RUNS and not own:
        return "they are as close as two like runs"
    return ""


def _alike(domain: Domain, axis: str, x: str, y: str) -> bool:
    """True where two values of an axis may be one; of several names those that both give must agree, and both give one."""
    if OPEN in x + y:
        return bool(set(x.split(OPEN)) & set(y.split(OPEN)))
    if axis == _WHO:  # names stand in any order, and each text leaves some out
        return bool(set(x.replace(_TOKENS, " ").split()) & set(y.replace(_TOKENS, " ").split()))
    if domain.axes[axis].several:
        p, q = ({name: rest for name, _, rest in (one.partition(" ") for one in v.split(_TOKENS))} for v in (x, y))
        both = p.keys() & q.keys()
        return bool(both) and all(_are_versions(p[name], q[name]) for name in both)
    if domain.axes[axis].terms and x.partition(" ")[0] == y.partition(" ")[0]:  # "llama-2" may be "llama-2 70b"
        return " " not in x or " " not in y or x == y
    return go_together(axis, x, y) or _are_versions(x, y)


def _are_versions(x: str, y: str) -> bool:
    """True for "10.2" and "10.2.0.19", "v4.1" and "4.1"."""
    few, many = sorted((x.removeprefix("v").split("."), y.removeprefix("v").split(".")), key=len)
    return many[: len(few)] == few if x and y else True
