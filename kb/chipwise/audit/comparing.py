"""Two statements about one chip and metric: are they comparable, and do they agree?

    same          the intervals agree in one unit
    compatible    one bounds or contains the other
    explained     a known transformation reconciles them, and the text says so
    spread        measured, priced or estimated: such values vary
    unresolved    a transformation could reconcile them, and the text does not say
    contradiction comparable, and nothing reconciles them
    incomparable  something else is meant; nothing is reported

The first that holds, in the order of the verdict lattice.
"""

from __future__ import annotations

from dataclasses import replace

from chipwise.audit.agreeing import agreement
from chipwise.audit.casebook import Statement, is_comparative
from chipwise.audit.differing import differing_axes, is_wider, scope_stated
from chipwise.audit.runs import relate_runs
from chipwise.audit.transforming import FACTOR_TOLERANCE, explain, miss, same_digits, written
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.model import RELEASE, Modality
from chipwise.domain.catalogue import PARTS, RUN, SCOPE
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.types import Role

_PAIR = 2
_THOUSAND = 900.0  # a prefix away, or more: 750 kW for 750 W, whatever else differs
_PREFIX = 1000.0
_SLIPS = (
    (8.0, ": bits for bytes, or the figure of eight?"),
    (10.0, ": a slipped digit?"),
    (100.0, ": two slipped digits?"),
    (1000.0, ": a slipped prefix?"),
)
_LARGE = 4.0
_BYTE = 7.9  # eight bits, and a little less
_BOTH = 2.0  # both directions are no more than that of one
_AGREE = (Verdict.SAME, Verdict.COMPATIBLE)
_UNSURE = (Modality.ESTIMATED, Modality.PROMISED, Modality.REPORTED)
ACCELERATORS_ALONE = "accelerators alone"  # of a system's power, without CPUs, switches and cooling
CALLED = "called"  # the rule where one figure is told of two values that go by one another's name
DIE = "die"  # the rule where two figures are one, of which one is that of a part of a chip
_DIES = ("die", "core")
DIFFERS = "differs"  # the rule where two figures are of other things, and no arithmetic lies between them


def relate(domain: Domain, a: Statement, b: Statement) -> Relation:
    """The verdict on two statements with one `key`. Symmetric but for the order of figures in the reason."""
    metric = domain.metrics.get(a.claim.metric)
    if metric is None or a.key != b.key or (a.claim.quantity is None) != (b.claim.quantity is None):
        return Relation(Verdict.INCOMPARABLE, "subject")
    if a.claim.quantity is None:
        return _relate_categories(domain, metric, a, b)
    if metric.nature in ("measured", "priced") and not (is_comparative(a) or is_comparative(b)):
        same = _dimension(a) == _dimension(b)
        return relate_runs(domain, metric, a, b) if same else Relation(Verdict.INCOMPARABLE, "dimension")
    differing = differing_axes(domain, a, b)
    return (
        _unlike(domain, metric, a, b, differing)
        or _slip_of_unit(domain, metric, a, b)
        or _relate_values(domain, metric, a, b, differing)
    )


def _slip_of_unit(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """One number with two units, "750 kW" for 750 W: no axis on which the two differ excuses that.

    Bits for bytes may be eight chips as well, which have 400 GB/s where each has 400 Gb/s; of what no count makes more they are not.
    """
    least = _THOUSAND if "aggregation" in metric.qualifiers else _BYTE
    if metric.nature != "specified":
        return None
    if _is_a_prefix_away(metric, a, b):
        return Relation(Verdict.CONTRADICTION, "value", (), "of as many chips, one is a thousand times the other")
    if gap(a, b) <= least or not same_digits(domain, a, b):
        return None
    return Relation(Verdict.CONTRADICTION, "value", (), "one number with two units")


def _is_a_prefix_away(metric: Metric, a: Statement, b: Statement) -> bool:
    """True for the 14.7 EFLOPS of eight chips beside 1,835 TFLOPS of one, which are 14.68 PFLOPS."""
    if not (metric.scales and a.count and b.count and a.count != b.count) or is_comparative(a):
        return False
    of_one = sorted((a.middle / a.count, b.middle / b.count))
    return of_one[0] > 0 and abs(of_one[1] / of_one[0] / _PREFIX - 1) <= FACTOR_TOLERANCE


def _unlike(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation | None:
    """What makes two figures figures of other things, if anything does."""
    rule, axes = "", differing
    if _dimension(a) != _dimension(b) or is_comparative(a) != is_comparative(b):
        rule, axes = "dimension", ()
    elif is_comparative(a) and not (a.claim.baseline and a.claim.baseline == b.claim.baseline):
        rule, axes = "baseline", ("baseline",)
    elif metric.counts and _counted(domain, a) != _counted(domain, b):
        rule, axes = "dimension", ()  # "108 SMs" are no "6,912 CUDA cores"
    elif metric.nature == "specified" and not _is_of_a_chip(domain, a):
        rule, axes = "line", ()  # "GPUs have 80 to 192 GB": a line has no one value
    elif not _of_one_kind(domain, metric, a, b) or (metric.of_systems and not domain.is_machine(a.claim.subject)):
        rule, axes = "system", ()
    elif any(axis in RUN for axis in differing):  # other things altogether, not one thing otherwise counted
        rule = "workload"
    return Relation(Verdict.INCOMPARABLE, rule, axes) if rule else None


def _dimension(s: Statement) -> str:
    return s.claim.quantity.dimension if s.claim.quantity is not None else ""


def _counted(domain: Domain, s: Statement) -> str:
    """The kind of things that a count counts."""
    return domain.counted(s.claim.quantity.unit) if s.claim.quantity is not None else ""


def _of_one_kind(domain: Domain, metric: Metric, a: Statement, b: Statement) -> bool:
    """False for what a system does not have as many times as it has chips: a rack's TDP and date are not its GPU's."""
    systems = {s.claim.subject for s in (a, b) if domain.is_machine(s.claim.subject)}
    unit = domain.units.get(metric.unit)
    if unit is not None and unit.of == "chips" and not metric.varies:
        # how many chips a pod has is said of the pod as well as of the chip, not of another machine
        return len(systems) <= 1
    return metric.scales or not systems or a.claim.subject == b.claim.subject


def _is_of_a_chip(domain: Domain, s: Statement) -> bool:
    unnamed = domain.is_machine(s.chip) and not domain.holds_several(s.chip)  # "a TPU pod"
    return not (unnamed or domain.is_many(s.chip))


def _relate_categories(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation:
    if a.claim.object == b.claim.object:
        opposite = a.claim.polarity != b.claim.polarity
        return Relation(Verdict.CONTRADICTION, "polarity") if opposite else Relation(Verdict.SAME, "same")
    tabled = metric.single_in_table and (a.fact is not None) != (b.fact is not None)
    single = (
        (metric.single or metric.dimension == "date" or tabled)
        and _is_of_a_chip(domain, a)
        and _of_one_kind(domain, metric, a, b)
    )
    if not single or not (a.claim.polarity and b.claim.polarity):
        return Relation(Verdict.INCOMPARABLE, "other category")
    if differing := tuple(x for x in ("form_factor", "as_of") if x in differing_axes(domain, a, b)):
        return Relation(Verdict.EXPLAINED, DIFFERS, differing, "they are of different variants")
    if is_wider(a.claim.object, b.claim.object) or is_wider(b.claim.object, a.claim.object):
        return Relation(Verdict.COMPATIBLE, "wider category")  # "HBM" and "HBM3e", "2022" and "2022-05"
    # a kind of memory is that of a variant, as its figures are, and so is the day that it came
    of_variants = metric.id in domain.axes or metric.dimension == "date"
    variant = _variant_open(domain, a, b) if of_variants else None
    return variant or _release_open(metric, a, b) or Relation(Verdict.CONTRADICTION, "category")


def _release_open(metric: Metric, a: Statement, b: Statement) -> Relation | None:
    if metric.dimension != "date" or RELEASE not in (a.claim.qualifier("approx"), b.claim.qualifier("approx")):
        return None
    return Relation(Verdict.UNRESOLVED, "release", (), "a release may be the launch or the general availability")


def _variant_open(domain: Domain, a: Statement, b: Statement) -> Relation | None:
    if a.claim.subject == b.claim.subject or len(domain.variants(a.chip)) <= 1:
        return None
    reason = "one is of a variant, the other does not say of which"
    return Relation(Verdict.UNRESOLVED, "form_factor", ("form_factor",), reason)


def _relate_values(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation:
    # figures that differ in something else may be equal by chance
    agreed = agreement(metric, a, b) if all(_go_alike(domain, axis, a, b) for axis in differing) else None
    if agreed is not None and is_of_a_die(a) != is_of_a_die(b):
        return Relation(
            Verdict.UNRESOLVED, DIE, ("aggregation",), "one is of a die or core, and the other does not say so"
        )
    if agreed is not None:
        called = tuple(axis for axis in differing if axis not in SCOPE)
        return _called_alike(domain, called) if called else agreed
    explained = explain(domain, metric, a, b, differing)
    if explained is not None and metric.nature != "measured":
        return explained
    if differing:
        return _relate_differing(domain, metric, a, b, differing)
    if metric.nature != "specified" or metric.varies or differing or is_comparative(a) or _is_hearsay(a, b):
        return _vary(metric, a, b, differing)
    left_open = _of_each(domain, metric, a, b) or _open_axis(domain, metric, a, b)
    return left_open or Relation(Verdict.CONTRADICTION, "value", (), _slip(gap(a, b)))


def is_of_a_die(s: Statement) -> bool:
    """True for a figure of one of the dies or cores that a chip is made of."""
    return s.claim.qualifier("aggregation") in _DIES


def _go_alike(domain: Domain, axis: str, a: Statement, b: Statement) -> bool:
    """True where what two statements differ in makes no other figure: of how many it is, TDP for board power, FP16 for BF16."""
    alike = domain.axes[axis].alike if axis in domain.axes else ()
    return axis in SCOPE or {a.claim.qualifier(axis), b.claim.qualifier(axis)} <= set(alike)


def _called_alike(domain: Domain, axes: tuple[str, ...]) -> Relation:
    said = " and ".join(domain.axes[axis].name for axis in axes)
    return Relation(Verdict.EXPLAINED, CALLED, axes, f"one figure, of which the {said} is told in two ways")


def _vary(metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation:
    """Figures that differ from place to place."""
    nature = "reported" if metric.nature == "specified" and _is_hearsay(a, b) else metric.nature
    return Relation(Verdict.SPREAD, nature, differing, f"{nature} values vary")


def _relate_differing(
    domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]
) -> Relation:
    """What differs excuses any gap, but for axes that make a known one: those excuse only that."""
    missed = miss(domain, metric, a, b, differing) if metric.nature == "specified" else None
    if missed is not None:
        return _of_each(domain, metric, a, b) or _open_axis(domain, metric, a, b) or missed
    said = ", ".join(domain.axes[axis].name for axis in differing if axis in domain.axes)
    return Relation(Verdict.EXPLAINED, DIFFERS, differing, f"they differ in {said}")


def _open_axis(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """What keeps a gap from being a contradiction: something that the text leaves open and that could account for it."""
    small, big = sorted((a, b), key=lambda s: s.middle)
    ratio = gap(a, b)
    rule, reason = "", ""
    axes: tuple[str, ...] = ()
    if (a.claim.modality in _UNSURE) != (b.claim.modality in _UNSURE):
        rule, reason = (
            "certainty",
            "one is only guessed, promised or heard: that it did not come true is no contradiction",
        )
    elif (variant := _variant_open(domain, a, b)) is not None:
        return variant
    elif (a.claim.source, a.claim.start) == (b.claim.source, b.claim.start) or _one_table(a, b):
        rule, reason = "one place", "one sentence or table gives both: it tells them apart in its own words"
    elif _scope_is_open(domain, metric, a, b, ratio) and not same_digits(domain, a, b):
        rule, axes, reason = "scope", ("aggregation",), "one does not say of how many chips it is"
    elif (
        ratio > _BOTH
        and "direction" in metric.qualifiers
        and a.claim.qualifier("direction") != b.claim.qualifier("direction")
    ):
        rule, axes, reason = "links", ("direction",), "one may be of a part of the links, and of another direction"
    elif "basis" in metric.qualifiers and not _is_rated(metric, small):
        # what is reached is less than the peak: the greater one has to be right as it stands
        rule, axes, reason = "basis", ("basis",), "the smaller one does not say whether it is the peak"
    elif small.claim.qualifier("power_basis") == ACCELERATORS_ALONE != big.claim.qualifier("power_basis"):
        rule, axes, reason = "power_basis", ("power_basis",), "the smaller one counts the accelerators alone"
    elif "dtype" in metric.qualifiers and not (big.claim.qualifier("dtype") or _is_rated(metric, big)):
        rule, axes, reason = "format", ("dtype",), "the greater one says neither its format nor that it is the peak"
    return Relation(Verdict.UNRESOLVED, rule, axes, reason) if rule else None


def _of_each(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """That one of two figures of as many chips is what each of them has: 4,096 x 32 GiB = 128 TiB, both said of the pod.

    Whose the smaller one is was misread, or left out, far more often than the figure is wrong;
    only one that is said to be the total is so.
    """
    big, small = (a, b) if a.middle >= b.middle else (b, a)
    together = metric.scales and a.count == b.count and (a.count or 1) > 1
    total = small.claim.qualifier("aggregation") == "group" and not small.claim.qualifier("count")
    if not together or total or small.fact is not None or is_comparative(a):
        return None
    found = relate(domain, big, replace(small, count=1))
    agrees = found.verdict in _AGREE or (found.verdict is Verdict.EXPLAINED and found.rule != DIFFERS)
    reason = f"{written(domain, small)} may be of each of the {a.count:,} chips of {written(domain, big)}"
    return Relation(Verdict.UNRESOLVED, "count", ("count",), reason) if agrees else None


def _is_hearsay(a: Statement, b: Statement) -> bool:
    """True where the table itself only has a figure from reports: that others report another is no error."""
    return any(s.fact is not None and s.claim.modality in (Modality.REPORTED, Modality.ESTIMATED) for s in (a, b))


def gap(a: Statement, b: Statement) -> float:
    """How far the figures of two statements lie apart: a factor of one or more."""
    small, big = sorted((a.middle, b.middle))
    return big / max(small, 1e-300)


def _slip(ratio: float) -> str:
    """What a factor between two figures looks like, in words; "" where it is no large one."""
    looks = next((words for factor, words in _SLIPS if abs(ratio / factor - 1) <= FACTOR_TOLERANCE), "")
    return f"{ratio:,.3g} times apart{looks}" if looks or ratio >= _LARGE else ""


def _is_rated(metric: Metric, s: Statement) -> bool:
    """True where a figure is called a peak, or has the density that only peaks are given with.

    Bandwidths are hardly ever called so: what is not said to be measured ("we saw 3.0 TB/s") is what the maker gives.
    """
    if s.claim.modality is Modality.MEASURED and metric.dimension.endswith("_rate"):
        return False
    basis = s.claim.qualifier("basis")
    return basis == "peak" or bool(s.claim.qualifier("sparsity")) or not (basis or "sparsity" in metric.qualifiers)


def _scope_is_open(domain: Domain, metric: Metric, a: Statement, b: Statement, ratio: float) -> bool:
    """True where one does not say of how many chips it is, and that could make up the factor between them."""
    if "aggregation" not in metric.qualifiers or (scope_stated(a) and scope_stated(b)):
        return False
    if a.count == b.count is not None and scope_stated(min(a, b, key=lambda s: s.middle)):
        return False  # "80 GB in total" of a node is said of all of it, like the 640 GB that the node has
    of_parts = any(s.claim.qualifier("aggregation") in PARTS and s.count is None for s in (a, b))
    of_several = a.count != b.count and bool({a.count, b.count} - {None, 1})
    # what is of one chip is the figure of a whole to nothing: only a greater one that says nothing may be of several
    may_be_whole = not scope_stated(max(a, b, key=lambda s: s.middle))
    return of_parts or of_several or (may_be_whole and _is_a_count(domain, a, ratio))


def _is_a_count(domain: Domain, s: Statement, ratio: float) -> bool:
    """True for a factor that is a number in which the chip is sold; twice as much is another density far more often than a pair."""
    counts = {4, 16} | domain.counts_sold.get(s.chip, frozenset((8,)))
    return any(abs(ratio / count - 1) <= FACTOR_TOLERANCE for count in counts if count > _PAIR)


def _one_table(a: Statement, b: Statement) -> bool:
    if a.claim.source != b.claim.source or {a.role, b.role} != {Role.TABLE}:
        return False
    return a.claim.passage == b.claim.passage or 0 < a.table == b.table
