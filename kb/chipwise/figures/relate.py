"""Two statements with one key: are they comparable, and do they agree? The only place that compares two.

    same          the intervals agree in one unit
    compatible    one bounds or contains the other
    explained     an axis on which they differ accounts for the gap
    spread        measured, priced or estimated: such values vary
    unresolved    an axis that the text leaves open could account for it
    contradiction comparable, and nothing accounts for it
    incomparable  something else is meant; nothing is reported

Axes, factors and what two measurements must both state are data (axes.toml).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from math import floor, isfinite, log10

from chipwise.claims.dates import MONTH
from chipwise.claims.model import RELEASE, Modality
from chipwise.domain.catalogue import PARTS, RUN, SCOPE
from chipwise.domain.model import Domain
from chipwise.domain.records import Axis, Metric
from chipwise.figures.statement import Statement
from chipwise.figures.transforms import DIES, OTHER_SPARSITY, SAME_DIGITS, TOLERANCE, same_digits, transform, written
from chipwise.grids.labels import OPEN
from chipwise.numbers.quantity import halfway
from chipwise.types import Role
from chipwise.values import dataclass


class Verdict(StrEnum):
    """What two statements are to each other."""

    SAME = "same"
    COMPATIBLE = "compatible"
    EXPLAINED = "explained"
    SPREAD = "spread"
    UNRESOLVED = "unresolved"
    CONTRADICTION = "contradiction"
    INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Relation:
    """The verdict with the rule that decided it, the axes that it turned on, and the arithmetic or reason in words."""

    verdict: Verdict
    rule: str = ""
    axes: tuple[str, ...] = ()
    reason: str = ""

    @property
    def agrees(self) -> bool:
        """True where the two are one figure as they stand."""
        return self.verdict in (Verdict.SAME, Verdict.COMPATIBLE)

    @property
    def contradicts(self) -> bool:
        """True where both cannot hold."""
        return self.verdict is Verdict.CONTRADICTION


ROUNDED = 0.03  # a figure written with fewer digits may differ by this much: "1,000" for 989
LIKE_RUNS = 1.05  # two runs of one setting by different people, or on different days, differ by a few per cent
_AT_ITS_END = 0.1  # of a most: what is so near is it, counted in GiB or rounded up
_TWICE, _NEAR, _EXACTLY = 2.0, 0.015, 1e-6
_SLIPS = {
    8.0: ", bits instead of bytes or the total of eight?",
    10.0: ", a misplaced decimal point?",
    100.0: ", a decimal point misplaced by two digits?",
    1000.0: ", a wrong unit prefix?",
}
_LARGE, _LIKE_CLOCKS = 4.0, 1.08  # times; boost clocks that are printed of one card differ by the second
_BYTE, _THOUSAND = 7.9, 900.0  # a little less than eight bits, and than a prefix
CALLED = "called"  # the rule where one figure is given under two values that go by one another's name
DIE = "die"  # the rule where two figures are one, of which one is of a part of a chip
DIFFERS = "differs"  # the rule where two figures are of other things, and no arithmetic lies between them
_UNSURE = (Modality.ESTIMATED, Modality.PROMISED, Modality.REPORTED)
_OF_CLOCKS = ("fp32", "fp64")  # formats whose peaks are worked out from a clock
_WHO, _CHIPS, _DAY, _SELLER = "submitter", "chips", "as_of", "provider"
_NO_RUN = frozenset(("workload", *SCOPE, "condition", "approx"))  # said by other axes of a run, or of none
_NO_VARIANT = "one names a variant, and the other does not"


def relate(domain: Domain, a: Statement, b: Statement) -> Relation:
    """The verdict on two statements. Symmetric but for the order of figures in the reason."""
    metric = domain.metrics.get(a.claim.metric)
    if metric is None or a.key != b.key or (a.claim.quantity is None) != (b.claim.quantity is None):
        return Relation(Verdict.INCOMPARABLE, "subject")
    if a.claim.quantity is None:
        return _categories(domain, metric, a, b)
    nothing = metric.nature == "specified" and not (a.quantity.high and b.quantity.high)  # "0 TFLOPS": not known
    if a.quantity.dimension != b.quantity.dimension or a.comparative != b.comparative or nothing:
        return Relation(Verdict.INCOMPARABLE, "dimension")
    differing = differing_axes(domain, a, b)
    if metric.nature in ("measured", "priced") and not a.comparative:
        return _runs(domain, metric, a, b, differing)
    unlike = _unlike(domain, metric, a, b, differing)
    return Relation(Verdict.INCOMPARABLE, unlike) if unlike else _values(domain, metric, a, b, differing)


def stated_axes(domain: Domain, s: Statement) -> Mapping[str, str]:
    """What a figure is stated under; a price of the table holds for the month of its row."""
    stated = dict(s.claim.qualifiers)
    if s.fact is not None and s.fact.as_of and domain.metrics[s.claim.metric].nature == "priced":
        stated[_DAY] = s.fact.as_of[:MONTH]
    if s.fact is not None and "sparsity" in stated and stated.get("dtype") not in _OF_CLOCKS:
        stated.setdefault("engine", "matrix")  # vector units have no other density
    return stated


def differing_axes(domain: Domain, a: Statement, b: Statement) -> tuple[str, ...]:
    """The axes on which both state a value and not the same one."""
    if (a.count, a.claim.subject, a.claim.qualifiers) == (b.count, b.claim.subject, b.claim.qualifiers):
        return ()
    x, y = stated_axes(domain, a), stated_axes(domain, b)
    differing = [
        axis for axis in x if axis in y and axis != "count" and not go_together(domain, axis, x[axis], y[axis])
    ]
    if a.count is not None and b.count is not None:
        differing = [axis for axis in differing if axis != "aggregation" or a.count != b.count]
        differing += ["count"] if a.count != b.count else []
    own = (domain.entities.get(s.claim.subject) for s in (a, b))
    forms = {s.claim.qualifier("form_factor") or (e.form_factor if e else "") for s, e in zip((a, b), own, strict=True)}
    if variants_differ(domain, a.claim.subject, b.claim.subject) or len(forms - {""}) > 1:
        differing.append("form_factor")
    return tuple(dict.fromkeys(differing))


def variants_differ(domain: Domain, a: str, b: str) -> bool:
    """True for H100 SXM and H100 PCIe, and for A100 40GB and a machine of A100 80GB; not for H100 and one of them, nor for A100 40GB and A100 SXM 40GB."""
    a, b = (domain.variant_of(i) if domain.is_machine(i) else i for i in (a, b))
    if not (domain.is_chip(a) and domain.is_chip(b)) or domain.are_kin(a, b):
        return False
    x, y = ({*domain.entities[i].name.lower().split()} for i in (a, b))
    return domain.chip_of(a) != domain.chip_of(b) or not (x <= y or y <= x)


def go_together(domain: Domain, axis: str, a: str, b: str) -> bool:
    """True where one thing can have both values of an axis: "HBM" is no other kind than "HBM3e", only less of a word for it."""
    row = domain.axes.get(axis)
    if is_wider(a, b) or is_wider(b, a):
        return True
    if OPEN in a + b:
        return bool(set(a.split(OPEN)) & set(b.split(OPEN)))
    if row is None or row.of:
        return row is not None and _is_one_setting(row, a, b)
    # a chip has one of these families only: the "HBM" of a card with GDDR6 is a slip for its memory
    families = {next((f for f in row.one_of if value.startswith(f)), "") for value in (a, b)}
    loosely = bool(row.one_of) and (a.startswith(b) or b.startswith(a))  # many write "141 GB of HBM3" of HBM3e
    loosely |= not row.one_of and (a.endswith(b) or b.endswith(a))  # NVFP4 is a kind of FP4, and GDDR5 none of DDR5
    return loosely or (len(families) > 1 and "" not in families)


def _is_one_setting(row: Axis, a: str, b: str) -> bool:
    """True where two values of an axis of a run may be one: texts leave out names, sizes and the ends of versions."""
    if row.several:
        p, q = ({name: rest for name, _, rest in (one.partition(" ") for one in v.split(", "))} for v in (a, b))
        if row.id == _WHO:
            return not {*a.replace(", ", " ").split()}.isdisjoint(b.replace(", ", " ").split())
        return bool(p.keys() & q.keys()) and all(_versions(p[n], q[n]) for n in p.keys() & q.keys())
    if row.terms and a.partition(" ")[0] == b.partition(" ")[0]:
        return " " not in a or " " not in b  # "llama-2" may be "llama-2 70b"
    return _versions(a, b)


def is_wider(a: str, b: str) -> bool:
    """True where `a` is `b` or takes it in: "hbm" and "hbm3e", "2022" and "2022-05"; not "hbm3" and "hbm3e"."""
    rest = b[len(a) :]
    return a in ("", b) or (b.startswith(a) and (rest[0] == "-" or (a.isalpha() and rest[0].isdigit())))


def _versions(a: str, b: str) -> bool:
    """True for "10.2" and "10.2.0.19", "v4.1" and "4.1"."""
    few, many = sorted((a.removeprefix("v").split("."), b.removeprefix("v").split(".")), key=len)
    return many[: len(few)] == few if a and b else True


def _unlike(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: Sequence[str]) -> str:
    """The rule that makes two figures figures of other things; "" where none does."""
    if a.comparative and not (a.claim.baseline and a.claim.baseline == b.claim.baseline):
        return "baseline"
    if metric.counts and domain.counted(a.quantity.unit) != domain.counted(b.quantity.unit):
        return "dimension"  # "108 SMs" are no "6,912 CUDA cores"
    if metric.nature == "specified" and not _is_of_a_chip(domain, a):
        return "line"  # "GPUs have 80 to 192 GB": a line has no one value
    if not _of_one_kind(domain, metric, a, b) or (metric.of_systems and not domain.is_machine(a.claim.subject)):
        return "system"
    return "workload" if not {*RUN}.isdisjoint(differing) else ""


def _of_one_kind(domain: Domain, metric: Metric, a: Statement, b: Statement) -> bool:
    """False for what a system does not have as many times as it has chips: a rack's TDP and date are not its GPU's."""
    systems = {s.claim.subject for s in (a, b) if domain.is_machine(s.claim.subject)}
    unit = domain.units.get(metric.unit)
    if unit is not None and unit.of == "chips" and not metric.varies:
        return len(systems) <= 1  # how many chips a pod has is said of the pod as well as of its chip
    return metric.scales or not systems or a.claim.subject == b.claim.subject


def _is_of_a_chip(domain: Domain, s: Statement) -> bool:
    unnamed = domain.is_machine(s.chip) and not domain.holds_several(s.chip)  # "a TPU pod"
    return not (unnamed or domain.is_many(s.chip))


def agreement(metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """In what way two figures are one, as written or per chip; None where they are two."""
    x, y = _per_chip(metric, a, b)
    counted = a.count != b.count and a.count is not None and b.count is not None
    too_much = any(f.fact is not None and exceeds(metric, s, f) for s, f in ((a, b), (b, a)))
    if too_much or (counted and not metric.scales):  # a node's TDP says nothing of a chip's
        return None
    bounds, (p, q) = {a.quantity.bound, b.quantity.bound}, (halfway(*x), halfway(*y))
    if len(bounds) == 1 and bounds <= {"at most", "at least"} and abs(p - q) > ROUNDED * q:
        return Relation(Verdict.UNRESOLVED, "bounds", (), "both are bounds, and they differ")
    if _overlap(x, y):
        if counted:
            return Relation(Verdict.EXPLAINED, "count", ("count",), f"{a.count} chips against {b.count}")
        wide = max(x[1] - x[0], y[1] - y[0]) > 0.1 * min(abs(x[1]), abs(y[1]))
        return Relation(Verdict.COMPATIBLE if wide or bounds != {"exact"} else Verdict.SAME, "interval")
    cut = metric.nature == "specified" and metric.dimension.endswith("_rate")
    rounded = (not metric.exact and _is_rounded(p, q)) or (cut and (_is_cut_off(p, q) or _is_cut_off(q, p)))
    named = 1 < gap(a, b) <= metric.names_within
    why = "both are names of one thing" if named else "one is the other, rounded"
    return Relation(Verdict.EXPLAINED, "rounded", (), why) if rounded or named else None


def exceeds(metric: Metric, s: Statement, known: Statement) -> bool:
    """True for "up to 64 GB" of what is known to have 32: a most is what somebody offers of a thing, and not any number above it."""
    # what a machine has at most may be over more of its parts than somebody counts
    if not metric.is_fixed or s.comparative or s.quantity.bound != "at most" or not known.quantity.is_single:
        return False
    x, y = (halfway(*interval) for interval in _per_chip(metric, s, known))
    return x > y * (1 + _AT_ITS_END)


def _per_chip(metric: Metric, a: Statement, b: Statement) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both intervals, of one chip each where it is known how many they are of."""
    scaled = metric.scales and a.count and b.count and a.count != b.count and not a.comparative
    m, n = (a.count or 1, b.count or 1) if scaled else (1, 1)
    return (a.low / m, a.high / m), (b.low / n, b.high / n)


def _overlap(x: tuple[float, float], y: tuple[float, float]) -> bool:
    """True when some value rounds to both; 1.6 ends where 1.7 begins, and is not it."""
    inside = x[0] < y[1] * (1 - 1e-9) and y[0] < x[1] * (1 - 1e-9)
    points = x[0] == x[1] or y[0] == y[1]  # a count, or the end of a range, is a value of its own
    return inside or (points and x[0] <= y[1] * (1 + 1e-9) and y[0] <= x[1] * (1 + 1e-9))


def _is_rounded(p: float, q: float) -> bool:
    """True for the same product of clock and units worked out twice (393, 394), and for 989 written with as few digits as 1,000 has."""
    low, high = sorted((p, q))
    if low <= 0 or high == float("inf"):
        return False
    return high - low <= SAME_DIGITS * high or (high - low <= ROUNDED * high and (_rounds_to(p, q) or _rounds_to(q, p)))


def _rounds_to(coarse: float, fine: float) -> bool:
    digits = len(f"{coarse:.6e}".partition("e")[0].rstrip("0").replace(".", ""))
    return digits <= 2 and f"{fine:.{digits - 1}e}" == f"{coarse:.{digits - 1}e}"  # noqa: PLR2004 (three digits are not few)


def _is_cut_off(coarse: float, fine: float) -> bool:
    """True for the 3.2 TB/s that a maker prints of 3.2768."""
    last = 10.0 ** (floor(log10(coarse)) - 1) if coarse > 0 and isfinite(fine) else 1.0
    digits = round(coarse / last)
    of_two = abs(coarse / last - digits) < _EXACTLY and digits % 10 > 0
    return of_two and coarse <= fine < min(coarse + last, coarse * (1 + ROUNDED))


def gap(a: Statement, b: Statement) -> float:
    """How far the figures of two statements lie apart: a factor of one or more."""
    small, big = sorted((a.middle, b.middle))
    return big / max(small, 1e-300)


# --- Figures of one specification ---


def _values(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: tuple[str, ...]) -> Relation:
    if metric.nature == "specified" and "dtype" not in differing and (slip := _slip_of_unit(domain, metric, a, b)):
        return Relation(Verdict.CONTRADICTION, "value", (), slip)
    if (agreed := _agreed(domain, metric, a, b, differing)) is not None:
        return agreed
    if (made := transform(domain, metric, a, b, differing)) is not None:
        return Relation(Verdict.EXPLAINED if made.stated else Verdict.UNRESOLVED, made.rule, made.axes, made.reason)
    alike = differing == ("sparsity",) and a.count == b.count and a.claim.qualifier("dtype") != ""
    if alike and gap(a, b) > 1 + SAME_DIGITS and OTHER_SPARSITY not in {s.claim.qualifier("sparsity") for s in (a, b)}:
        times = f"{written(domain, a)} and {written(domain, b)} are {gap(a, b):.2f} times apart, which"
        return Relation(Verdict.CONTRADICTION, "factor", differing, f"{times} sparsity does not explain")
    if differing:
        said = ", ".join(domain.axes[axis].name for axis in differing if axis in domain.axes)
        return Relation(Verdict.EXPLAINED, DIFFERS, differing, f"they differ in {said}")
    left_open = _of_each(domain, metric, a, b) or _left_open(domain, metric, a, b)
    return _spread(metric, a, b) or left_open or Relation(Verdict.CONTRADICTION, "value", (), _slip(gap(a, b)))


def _agreed(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: Sequence[str]) -> Relation | None:
    """In what way two are one figure; those that differ in something else may be equal by chance."""
    agreed = agreement(metric, a, b) if all(_equal_there(domain, axis, a, b) for axis in differing) else None
    axes = tuple(axis for axis in differing if axis not in SCOPE)
    if agreed is not None and (a.scope in DIES) != (b.scope in DIES):
        why = "one is per die or core, and the other does not say so"
        return Relation(Verdict.UNRESOLVED, DIE, ("aggregation",), why)
    if agreed is None or not axes:
        return agreed
    said = " and ".join(domain.axes[axis].name for axis in axes)
    return Relation(Verdict.EXPLAINED, CALLED, axes, f"the same figure with another {said}")


def _spread(metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """That such figures vary, or that the table itself has one from reports alone: that others report another is no error."""
    hearsay = any(s.fact is not None and s.claim.modality in (Modality.REPORTED, Modality.ESTIMATED) for s in (a, b))
    # a batch size of no run tells little
    untold = metric.turns_on and not all(any(map(s.claim.qualifier, metric.turns_on)) for s in (a, b))
    if metric.nature == "specified" and not (metric.varies or a.comparative or hearsay or untold):
        return None
    rule = "reported" if metric.nature == "specified" and hearsay else metric.nature
    return Relation(Verdict.SPREAD, rule, (), "such values vary")


def _slip(ratio: float) -> str:
    """What a factor between two figures looks like, in words; "" where it is no large one."""
    looks = next((words for factor, words in _SLIPS.items() if abs(ratio / factor - 1) <= TOLERANCE), "")
    return f"they are {float(f'{ratio:.3g}'):,.10g} times apart{looks}" if looks or ratio >= _LARGE else ""


def _equal_there(domain: Domain, axis: str, a: Statement, b: Statement) -> bool:
    """True where what two statements differ in makes no other figure: of how many it is, TDP for board power, FP16 for BF16."""
    alike = domain.axes[axis].alike if axis in domain.axes else ()
    return axis in SCOPE or {a.claim.qualifier(axis), b.claim.qualifier(axis)} <= set(alike)


def _slip_of_unit(domain: Domain, metric: Metric, a: Statement, b: Statement) -> str:
    """One number with two units, "750 kW" for 750 W, which no axis excuses; eight chips have 400 GB/s where each has 400 Gb/s."""
    least = _BYTE if "aggregation" not in metric.qualifiers or a.count == b.count == 1 else _THOUSAND
    return "the same number with two units" if gap(a, b) > least and same_digits(domain, a, b) else ""


def _variant_open(domain: Domain, a: Statement, b: Statement) -> Relation | None:
    if a.claim.subject == b.claim.subject or len(domain.variants(a.chip)) <= 1:
        return None
    return Relation(Verdict.UNRESOLVED, "form_factor", ("form_factor",), _NO_VARIANT)


def _of_each(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """That one of two figures of as many chips is what each of them has: 4,096 x 32 GiB = 128 TiB, both said of the pod."""
    big, small = (a, b) if a.middle >= b.middle else (b, a)
    total = small.scope == "group" and not small.claim.qualifier("count")
    together = metric.scales and a.count == b.count and (a.count or 1) > 1 and not a.comparative
    if not together or total or small.fact is not None:
        return None
    found = relate(domain, big, replace(small, count=1))
    reason = f"{written(domain, small)} may be per chip, and {written(domain, big)} for all {a.count:,} chips"
    fits = found.agrees or (found.verdict is Verdict.EXPLAINED and found.rule != DIFFERS)
    return Relation(Verdict.UNRESOLVED, "count", ("count",), reason) if fits else None


def _left_open(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation | None:
    """What keeps a gap from being a contradiction: something that the text leaves open and that could account for it."""
    small, big = sorted((a, b), key=lambda s: s.middle)
    axes, power = metric.qualifiers, "accelerators alone"
    opens: tuple[tuple[str, tuple[str, ...], bool, str], ...] = (
        ("certainty", (), (a.claim.modality in _UNSURE) != (b.claim.modality in _UNSURE), "one side is a forecast or a rumor"),
        ("form_factor", ("form_factor",), _variant_open(domain, a, b) is not None, _NO_VARIANT),
        ("one place", (), _one_place(a, b), "one sentence or table gives both, and tells them apart in its own words"),
        ("scope", ("aggregation",), _scope_open(domain, metric, small, big), "one does not say how many chips it is for"),
        ("links", ("direction",), "direction" in axes and gap(a, b) > _TWICE and a.claim.qualifier("direction") != b.claim.qualifier("direction"), "one may count only some of the links, or another direction"),
        ("basis", ("basis",), "basis" in axes and not _is_rated(metric, small), "the smaller one does not say whether it is the peak"),
        ("power_basis", ("power_basis",), small.claim.qualifier("power_basis") == power != big.claim.qualifier("power_basis"), "the smaller one counts only the accelerators"),
        ("clock", (), small.recorded != big.recorded and "dtype" in axes and not any(s.claim.qualifier("dtype") not in ("", *_OF_CLOCKS) for s in (a, b) if s.fact is None) and gap(a, b) <= _LIKE_CLOCKS, "a peak is worked out from a clock, and clocks vary"),
        ("format", ("dtype",), "dtype" in axes and not (big.claim.qualifier("dtype") or _is_rated(metric, big)), "the larger one states neither its format nor that it is the peak"),
    )  # fmt: skip
    found = next(((rule, on, reason) for rule, on, is_open, reason in opens if is_open), None)
    return Relation(Verdict.UNRESOLVED, *found) if found is not None else None


def _one_place(a: Statement, b: Statement) -> bool:
    """True for two figures of one sentence or table."""
    tables = {a.role, b.role} == {Role.TABLE} and (a.claim.passage == b.claim.passage or 0 < a.table == b.table)
    return a.claim.source == b.claim.source and (a.claim.start == b.claim.start or tables)


def _is_rated(metric: Metric, s: Statement) -> bool:
    """True where a figure is called a peak, or has the density that only peaks have; of bandwidths, what is not said to be measured."""
    if s.claim.modality is Modality.MEASURED and metric.dimension.endswith("_rate"):
        return False
    basis = s.claim.qualifier("basis")
    # what the table has goes without saying, and what a table of specifications has
    unsaid = s.fact is not None or "sparsity" not in metric.qualifiers or s.recorded
    return basis == "peak" or bool(s.claim.qualifier("sparsity")) or (unsaid and not basis)


def _scope_open(domain: Domain, metric: Metric, small: Statement, big: Statement) -> bool:
    """True where one does not say how many chips it is for, and that could make up the factor between them."""
    if "aggregation" not in metric.qualifiers or (small.scoped and big.scoped) or same_digits(domain, small, big):
        return False
    if small.count == big.count is not None and small.scoped:
        return False  # "80 GB in total" of a node is said of all of it, like the 640 GB that the node has
    of_parts = any(s.scope in PARTS and s.count is None for s in (small, big))
    of_several = small.count != big.count and bool({small.count, big.count} - {None, 1})
    # what is of one chip is the figure of a whole to nothing; twice as much is another density far more often than a pair
    counts = ({4, 16} | domain.counts_sold.get(big.chip, frozenset((8,)))) - {1, 2}
    is_count = not big.scoped and any(abs(gap(small, big) / count - 1) <= TOLERANCE for count in counts)
    return of_parts or of_several or is_count


# --- Categories and dates ---


def _categories(domain: Domain, metric: Metric, a: Statement, b: Statement) -> Relation:
    x, y = a.claim, b.claim
    if x.object == y.object and not (metric.single and variants_differ(domain, x.subject, y.subject)):
        opposite = x.polarity != y.polarity
        return Relation(Verdict.CONTRADICTION, "polarity") if opposite else Relation(Verdict.SAME, "same")
    tabled = metric.single_in_table and (a.fact is not None) != (b.fact is not None)
    single = metric.single or metric.dimension == "date" or tabled
    if not (single and x.polarity and y.polarity and _is_of_a_chip(domain, a) and _of_one_kind(domain, metric, a, b)):
        return Relation(Verdict.INCOMPARABLE, "other category")
    if differing := tuple(axis for axis in ("form_factor", "as_of") if axis in differing_axes(domain, a, b)):
        return Relation(Verdict.EXPLAINED, DIFFERS, differing, "they are about different variants")
    if is_wider(x.object, y.object) or is_wider(y.object, x.object):
        return Relation(Verdict.COMPATIBLE, "wider category")  # "HBM" and "HBM3e", "2022" and "2022-05"
    # a kind of memory is that of a variant, as its figures are, and so is the day that it came
    of_variants = metric.id in domain.axes or metric.dimension == "date"
    variant = _variant_open(domain, a, b) if of_variants else None
    if metric.dimension == "date" and RELEASE in (x.qualifier("approx"), y.qualifier("approx")):
        why = "a release may be the launch or the general availability"
        return variant or Relation(Verdict.UNRESOLVED, "release", (), why)
    return variant or Relation(Verdict.CONTRADICTION, "category")


# --- Runs and offers ---


def _runs(domain: Domain, metric: Metric, a: Statement, b: Statement, differing: Sequence[str]) -> Relation:
    """3,100 and 1,900 tokens/s, both of Llama 3.1 70B in FP8 at batch 64 on one MI300X, contradict; of no model they are a spread."""
    x, y = stated_axes(domain, a), stated_axes(domain, b)
    axes = [axis for axis in dict.fromkeys((*x, *y)) if axis not in _NO_RUN and axis in domain.axes]
    apart = [axis for axis in differing if axis in axes or axis == "form_factor"]
    if a.claim.subject != b.claim.subject and domain.is_machine(a.claim.subject) and domain.is_machine(b.claim.subject):
        apart.append("form_factor")
    if apart:
        told = (
            f"{domain.axes[axis].name}: {x.get(axis, '')} against {y.get(axis, '')}".rstrip(": ")
            if axis in x
            else domain.axes[axis].name
            for axis in apart
        )
        return Relation(Verdict.EXPLAINED, DIFFERS, tuple(apart), f"they differ in {', '.join(told)}")
    return agreement(metric, a, b) or _of_other_counts(metric, a, b, x, y) or _of_one_run(domain, metric, a, b, axes)


def _of_other_counts(
    metric: Metric, a: Statement, b: Statement, x: Mapping[str, str], y: Mapping[str, str]
) -> Relation | None:
    """That two figures are of different numbers of chips, or may be: what does not say so is hardly of less than twice as many."""
    if not metric.scales or a.count == b.count:
        return None
    if None in (a.count, b.count) and (1 not in (a.count, b.count) or gap(a, b) >= _TWICE):
        return Relation(Verdict.SPREAD, metric.nature, ("aggregation",), "one does not say how many chips it is for")
    if None in (a.count, b.count) or (_CHIPS in x and _CHIPS in y):
        return None
    return Relation(Verdict.EXPLAINED, DIFFERS, ("count",), f"{a.count} chips against {b.count}")


def _of_one_run(domain: Domain, metric: Metric, a: Statement, b: Statement, axes: Sequence[str]) -> Relation:
    """A contradiction where the texts say enough for one run or offer, else a spread."""
    x, y = stated_axes(domain, a), stated_axes(domain, b)
    one_sided = tuple(axis for axis in axes if (axis in x) != (axis in y))
    needed = domain.needs.get(metric.id) or domain.needs.get(metric.nature)
    # what its maker alone rents goes without saying whose price it is, and a text without a date is of today, as a fact is
    unsaid = {_SELLER} if domain.is_rented(a.claim.subject) and domain.is_rented(b.claim.subject) else set()
    facts, dated = [s.fact for s in (a, b) if s.fact is not None], a.count == b.count
    unsaid |= {_DAY} if dated and len(facts) == 1 and (facts[0].as_of or _DAY not in {*x, *y}) else set()
    missing = [axis for axis in (needed.axes if needed is not None else ()) if not (x.get(axis) and y.get(axis))]
    missing = [axis for axis in (*missing, *(i for i in one_sided if not domain.axes[i].loose)) if axis not in unsaid]
    if needed is None or missing:
        said = " or ".join(domain.axes[axis].name for axis in dict.fromkeys(missing))
        why = "such values vary" + (f", and not both state the {said}" if said else "")
        return Relation(Verdict.SPREAD, metric.nature, tuple(missing), why)
    if why := _may_vary(domain, metric, a, b):
        return Relation(Verdict.SPREAD, metric.nature, (), why)
    both = (x[axis] for axis in axes if axis in x and axis in y and axis not in (_WHO, _CHIPS))
    shared = ", ".join(domain.terms[v].name if v in domain.terms else v.replace(OPEN, " or ") for v in both)
    return Relation(Verdict.CONTRADICTION, "run", one_sided, f"both state the same conditions ({shared})")


def _may_vary(domain: Domain, metric: Metric, a: Statement, b: Statement) -> str:
    """Why two figures with the same settings may differ all the same; "" where nothing says so."""
    priced, one = metric.nature == "priced", a.claim.source == b.claim.source and a.claim.passage == b.claim.passage
    if one and (a.claim.start == b.claim.start or Role.TABLE in (a.role, b.role)):
        return "one sentence or table gives both, and tells them apart in its own words"
    if not {a.quantity.bound, b.quantity.bound} <= ({"exact"} if priced else {"exact", "about"}):
        return "one is only a bound"
    if priced and Modality.ESTIMATED in (a.claim.modality, b.claim.modality):
        return "one is an estimate"
    small, big = sorted((a.middle / (a.count or 1), b.middle / (b.count or 1)))
    sold = domain.counts_sold.get(a.chip, frozenset((8,)))
    if priced and any(abs(big / small / n - 1) < _NEAR for n in sold if n > 1):
        return "one may be for the whole machine"
    named = (a.claim.qualifier(_WHO) and b.claim.qualifier(_WHO)) or a.claim.attribution or b.claim.attribution
    return "they are as close as two runs of one setup" if big <= small * LIKE_RUNS and not named else ""
