"""A claim beside all that is known on its key: supported, refuted, explained or open, by what, and why.

"The B200 SXM has 2,800 GB/s of NVLink"   the table has 1,800 for every B200: refuted
"The H100 draws 500 W"                    700 W as SXM, 350 W as PCIe: no variant has that
"The H100 draws 350 W"                    the PCIe card does: it says no variant, and stays open
"The H100 does 500 TFLOPS in BF16"        below 989 dense: it may be what is achieved, and stays open
"The H100 peaks at 600 TFLOPS in BF16"    called a peak, and no variant's: refuted
"The DGX B200 does 72 PFLOPS dense"       72 with sparsity, and dense half of that: refuted
"The H100 has 640 GB of memory"           eight have that: refuted, unless the text speaks of several

Which fact a question is answered with is `resolve`'s to say. Here no single one is chosen: a figure that is wrong has to contradict
them all, and what supports one says all that it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum

from chipwise import patterns as re
from chipwise.claims.model import Modality
from chipwise.domain.catalogue import PARTS
from chipwise.domain.model import Domain
from chipwise.figures.alike import TOLD_APART, is_of_slower_units
from chipwise.figures.relate import (
    CALLED,
    DIE,
    DIFFERS,
    Relation,
    Verdict,
    differing_axes,
    exceeds,
    gap,
    is_wider,
    relate,
    stated_axes,
)
from chipwise.figures.statement import Statement
from chipwise.figures.transforms import written
from chipwise.numbers.spoken import read_words
from chipwise.values import dataclass


class Standing(StrEnum):
    """What the knowledge base says of one claim of a checked document."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    EXPLAINED = "explained difference"
    UNKNOWN = "not in the knowledge base"
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else there is: the words of a claim's sentence before its figure, its section, and the kinds that the table has of its chip on an axis."""

    before: Callable[[Statement], str] = lambda _: ""
    section: Callable[[Statement], str] = lambda _: ""
    kinds: Callable[[str, str], Sequence[str]] = lambda _chip, _axis: ()


_NO_WORDS = Surroundings()


@dataclass(frozen=True, slots=True)
class Assessment:
    """How a claim stands, by which statements, the first of them by `relation`; `known` where some fact has the figure."""

    standing: Standing
    by: tuple[Statement, ...] = ()
    relation: Relation = Relation(Verdict.INCOMPARABLE)
    known: bool = False


DEPRECATED, UNLABELLED, TOTAL = (
    "deprecated",
    "unlabelled",
    "total",
)  # rules of relations that only all facts together tell
_RECONCILE = (
    "rounded",
    "count",
    "binary-prefix",
    "binary-label",
    CALLED,
)  # rules that make another figure of the same thing
_SEVERAL = ("scope", "count")  # rules that take a figure without a scope for that of several chips
_BINDING = ("dtype", "sparsity", "direction", "exclusive", "price_terms", "provider", "region", "capacity")
_PEAK_AXES = {"dtype", "sparsity", "basis"}  # of a metric whose figures are peaks, each of a format and a density
_USUAL = ("bf16", "fp16")  # formats that a peak without one is taken for
# "<200 W", "under 200 W": any figure below is so, where "up to 200 W" tells what there is
_BELOW = re.compile(r"(?:<|\b(?:under|below|(?:less|fewer|lower|smaller|shorter) than))[\s*_`~≈$€£]*$", re.I)
_WHOLE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.,]\d)|(?<![\w.,])\d+(?![\w.,]\d)")
_WORD = re.compile(r"\b[A-Za-z]+")


def judge(domain: Domain, s: Statement, others: Sequence[Statement], around: Surroundings = _NO_WORDS) -> Assessment:
    """How `s` stands beside `others`, which have its key: the facts, and what other sources say."""
    facts = [o for o in others if o.fact is not None]
    if (repeated := _repeated(domain, s, facts)) is not None:
        return repeated
    facts = [f for f in facts if f.asserted]
    related = [(o, _seen_whole(domain, s, o, facts, around)) for o in others if o.asserted]
    tabled = [(f, r) for f, r in related if f.fact is not None]
    known = _is_known(domain, s, tabled)
    refuted = (
        []
        if known
        else [
            (f, r)
            for f, r in tabled
            if r.contradicts and r.rule != "polarity" and not _is_just_below(domain, s, f, around)
        ]
    )
    if refuted and (s.quantity.dimension or s.claim.object):
        fact, relation = min(refuted, key=lambda pair: _distance(s, *pair))
        return Assessment(Standing.CONTRADICTED, (fact,), relation)
    if peaks := unlabelled(domain, s, facts):
        return Assessment(Standing.EXPLAINED, tuple(peaks), Relation(Verdict.UNRESOLVED, UNLABELLED), known)
    supporting = sorted(
        ((o, r) for o, r in related if r.agrees and _supports(domain, s, o, around)),
        key=lambda pair: pair[1].verdict is not Verdict.SAME,
    )
    explaining = [
        (o, r)
        for o, r in related
        if r.verdict in (Verdict.EXPLAINED, Verdict.SPREAD) and _explains(domain, s, o, r, facts)
    ]
    for standing, found in ((Standing.SUPPORTED, supporting), (Standing.EXPLAINED, explaining)):
        if found:
            return Assessment(standing, tuple(o for o, _ in found), found[0][1], known)
    if (above := peak_above(domain, s, facts)) is not None:
        return Assessment(Standing.UNCHECKED, (above,), Relation(Verdict.UNRESOLVED, "basis", ("basis",)), known)
    return _open(s, related, known)


def _open(s: Statement, related: Sequence[tuple[Statement, Relation]], known: bool) -> Assessment:
    """Nothing settles the claim: what comes closest, which may be the same figure of something else."""
    agreeing = next(((o, r) for o, r in related if r.agrees), None)
    elsewhere = ((o, r) for o, r in related if r.rule == DIFFERS and o.low <= s.high and s.low <= o.high)
    left_open = [(o, r) for o, r in related if r.verdict is Verdict.UNRESOLVED and r.reason]
    nearest = min(left_open, key=lambda pair: (pair[0].fact is None, gap(s, pair[0])), default=None)
    found = agreeing or (next(elsewhere, None) if s.claim.quantity is not None else None) or nearest
    by, relation = ((found[0],), found[1]) if found is not None else ((), Relation(Verdict.INCOMPARABLE))
    return Assessment(Standing.UNKNOWN, by, relation, known)


def _distance(s: Statement, fact: Statement, relation: Relation) -> tuple[int, bool, bool, float]:
    """Sorts facts so that the one that is labelled like a figure, preferred and nearest to it stands first."""
    dense = fact.claim.qualifier("sparsity") in ("", "dense")
    return len(relation.axes), not dense, not fact.preferred, gap(s, fact) if s.claim.quantity is not None else 0.0


# --- Known as it is, or known to be wrong ---


def _repeated(domain: Domain, s: Statement, facts: Sequence[Statement]) -> Assessment | None:
    """That a claim repeats what the table has as a known wrong value, unless a right one has that figure too."""
    wrong = next((f for f in facts if f.deprecated and relate(domain, f, s).verdict is Verdict.SAME), None)
    if wrong is None or wrong.fact is None:
        return None
    right = any(_may_be(domain, f, s) for f in facts if not f.deprecated)
    # what holds under a condition alone repeats nothing that was said without
    if right or wrong.claim.source == s.claim.source or s.claim.qualifier("condition"):
        return Assessment(Standing.UNKNOWN, (wrong,), known=True)
    return Assessment(
        Standing.CONTRADICTED, (wrong,), Relation(Verdict.CONTRADICTION, DEPRECATED, (), wrong.fact.reason)
    )


def _may_be(domain: Domain, fact: Statement, s: Statement) -> bool:
    """True where a figure is that of a fact, or would be if it said its density: "3.9 PFLOPS in FP8" may be the sparse one."""
    if fact.fact is not None and is_of_slower_units(fact.fact) and not s.claim.qualifier("engine"):
        return False  # what names no units is not what the slower ones reach
    unlabelled_ = s.claim.quantity is not None and not s.claim.qualifier("sparsity") and _meet(fact, s)
    alike = unlabelled_ and not differing_axes(domain, fact, s) and fact.count == s.count
    return alike or relate(domain, fact, s).agrees


def _is_known(domain: Domain, s: Statement, tabled: Sequence[tuple[Statement, Relation]]) -> bool:
    """True for a claim that agrees with some fact: it is right of something, whatever else differs from it.

    A fact on something else of the family, or a bound, says nothing for a variant of which the table has another figure.
    """
    by_others = refuted = False
    subject = s.claim.subject
    for fact, relation in tabled:
        of = fact.claim.subject
        agrees = relation.agrees or (relation.verdict is Verdict.EXPLAINED and relation.rule in _RECONCILE)
        own = fact.count in (None, 1, s.count) and (subject == of or subject in domain.ancestors(of))
        if agrees and own and fact.quantity.bound not in ("at most", "at least"):
            return True
        by_others |= agrees
        refuted |= fact.preferred and subject == of and relation.contradicts
    return by_others and not refuted


def _is_just_below(domain: Domain, s: Statement, fact: Statement, around: Surroundings) -> bool:
    """True for "under 200 W" of what is known to draw 165 W, which "up to 200 W" would not tell."""
    return exceeds(domain.metrics[s.claim.metric], s, fact) and bool(_BELOW.search(around.before(s)))


# --- One fact, seen beside all others ---


def _seen_whole(
    domain: Domain, s: Statement, other: Statement, facts: Sequence[Statement], around: Surroundings
) -> Relation:
    """The relation to one statement, with what only the other facts and the text around tell."""
    relation = relate(domain, s, other)
    if relation.contradicts and peak_above(domain, s, facts) is not None:
        reason = "one does not say whether it is the peak, and is no more than one"
        return Relation(Verdict.UNRESOLVED, "basis", ("basis",), reason)
    if other.fact is None:
        return relation
    if relation.contradicts and s.claim.quantity is not None:
        faster = _is_of_faster_units(s, other, facts)
        of_units = Relation(Verdict.INCOMPARABLE, "engine", ("engine",))
        return of_units if faster else _of_a_die(domain, s, relation, facts, around)
    if relation.rule == DIFFERS and _is_one_rating(domain, s, other, relation, facts):
        return Relation(
            Verdict.CONTRADICTION, "value", (), "the table knows one rating, whichever name a text has for it"
        )
    if relation.verdict is not Verdict.UNRESOLVED:
        return relation
    found = _under_another_density(domain, s, other, facts) or _as_total(domain, s, other, relation, around)
    return found or _of_variants(domain, s, other, relation, facts, around)


def _is_of_faster_units(s: Statement, fact: Statement, facts: Sequence[Statement]) -> bool:
    """True where a fact is of vector units, and `s` of no units in a format for which there are matrix units: it means those."""
    if fact.fact is None or s.claim.qualifier("engine") or not is_of_slower_units(fact.fact):
        return False
    dtype = fact.claim.qualifier("dtype")
    return any(
        f.claim.qualifier("dtype") == dtype and f.fact is not None and not is_of_slower_units(f.fact) for f in facts
    )


def _is_one_rating(
    domain: Domain, s: Statement, fact: Statement, relation: Relation, facts: Sequence[Statement]
) -> bool:
    """True where only names that texts use for each other tell two figures apart, TDP and board power, and the table has one of them."""
    return TOLD_APART.issuperset(relation.axes) and all(
        {fact.claim.qualifier(axis), s.claim.qualifier(axis)} <= set(domain.axes[axis].alike)
        and not any(f.claim.qualifier(axis) == s.claim.qualifier(axis) for f in facts)
        for axis in relation.axes
    )


def _of_a_die(
    domain: Domain, s: Statement, relation: Relation, facts: Sequence[Statement], around: Surroundings
) -> Relation:
    """A contradiction with the words for what it is, the figure of one of a chip's dies; open where the text speaks of dies."""
    of_die = next((f for f in facts if f.scope in PARTS and relate(domain, f, s).rule == DIE), None)
    if of_die is None:
        return relation
    if _scopes(domain, around.section(s)) & PARTS:
        reason = f"it may be of one {of_die.scope}, as others in the text are"
        return Relation(Verdict.UNRESOLVED, DIE, ("aggregation",), reason)
    reason = f"{written(domain, of_die)} is what one {of_die.scope} of it has, put as the figure of the whole"
    return Relation(Verdict.CONTRADICTION, DIE, (), reason)


def _as_total(
    domain: Domain, s: Statement, fact: Statement, relation: Relation, around: Surroundings
) -> Relation | None:
    """A contradiction where several have together what is put as the figure of one, and the text speaks of no several."""
    if relation.rule not in _SEVERAL or s.count is not None or fact.count != 1 or s.middle <= fact.middle:
        return None
    count, text = round(s.middle / fact.middle), around.section(s)
    machines = any(domain.is_machine(i) for m in domain.find_entities(text) for i in m.ids)
    numbers = {int(m[0].replace(",", "")) for m in _WHOLE.finditer(text)}
    numbers |= {int(w.value) for m in _WORD.finditer(text) if (w := read_words(text, m.start())) is not None}
    if machines or _scopes(domain, text) - PARTS - {"chip"} or count in numbers:
        return None
    reason = f"{count} x {written(domain, fact)} = {written(domain, s)}: what {count} chips have together, put as the figure of one"
    return Relation(Verdict.CONTRADICTION, TOTAL, (), reason)


def _scopes(domain: Domain, text: str) -> set[str]:
    """The scopes that a text names: "per node", "each die"."""
    ids = (i.partition("=") for m in domain.find_qualifiers(text) for i in m.ids)
    return {value for axis, _, value in ids if axis == "aggregation"}


def _of_variants(
    domain: Domain, s: Statement, fact: Statement, relation: Relation, facts: Sequence[Statement], around: Surroundings
) -> Relation:
    """A contradiction for a figure of the chip that no variant has, and for one of a variant where the chip's is all variants'."""
    if relation.rule != "form_factor":
        return relation
    subjects = {f.claim.subject for f in facts}
    if fact.claim.subject == fact.chip:
        return relate(domain, fact, _as_of(fact, s)) if subjects <= {fact.chip} else relation
    # a chip came with its first variant, which may be another one
    if s.claim.subject != s.chip or domain.metrics[s.claim.metric].dimension == "date":
        return relation
    fewest = 1 if s.claim.qualifier("dtype") else min(2, len(subjects))
    own = [f for f in facts if _is_of_its_format(domain, s, f)]
    related = [(f, relate(domain, f, _as_of(f, s))) for f in own]
    live = [(f, _as_total(domain, s, f, r, around) or r) for f, r in related if r.verdict is not Verdict.INCOMPARABLE]
    if not all(r.contradicts for _, r in live) or len({f.claim.subject for f, _ in live}) < fewest:
        return relation
    nearest, found = min(
        live, key=lambda pair: (not pair[0].preferred, pair[0].claim.modality is Modality.MEASURED, gap(pair[0], s))
    )
    if nearest is not fact:
        return relation
    return (
        found if found.rule == TOTAL else Relation(Verdict.CONTRADICTION, "value", (), "no variant has such a figure")
    )


def _is_of_its_format(domain: Domain, s: Statement, fact: Statement) -> bool:
    """True for a fact of one chip in the format that `s` states, and for one in another that matrix units run as fast where that has the figure."""
    own, other = s.claim.qualifier("dtype"), fact.claim.qualifier("dtype")
    one = fact.count in (None, 1, s.count)
    return not own or (own == other and one) or ({own, other} <= set(domain.axes["dtype"].alike) and _meet(s, fact))


def _as_of(fact: Statement, s: Statement) -> Statement:
    """What is said, as though it were said of the variant that a fact is of."""
    return replace(s, claim=replace(s.claim, subject=fact.claim.subject))


# --- Peaks: which one a figure is, or stays below ---


def _under_another_density(
    domain: Domain, s: Statement, fact: Statement, facts: Sequence[Statement]
) -> Relation | None:
    """A contradiction with the fact for the density that `s` states, or where there is none, with the one whose figure it is."""
    stated = s.claim.qualifier("sparsity")
    if not stated or not s.claim.qualifier("dtype") or s.comparative:
        return None
    known = [f for f in facts if f.preferred and set(differing_axes(domain, f, s)) <= {"sparsity", "count"}]
    own = [f for f in known if f.claim.qualifier("sparsity") in ("", stated)]
    other = next((f for f in known if f not in own and _meet(f, s)), None)
    as_many = [f for f in own if f.claim.qualifier("sparsity") == stated and f.count == (s.count or 1)]
    if other is None or any(_meet(f, s) for f in own) or fact not in (as_many or (other,)):
        return None
    reason = f"{written(domain, other)} is what the table has under sparsity {other.claim.qualifier('sparsity')}, not {stated}"
    return Relation(Verdict.CONTRADICTION, "sparsity", ("sparsity",), reason)


def peak_above(domain: Domain, s: Statement, facts: Sequence[Statement]) -> Statement | None:
    """The fact for the least peak that a figure does not exceed, which says neither its density nor what it is."""
    metric, q = domain.metrics[s.claim.metric], s.quantity
    of_a_peak = metric.qualifiers and set(metric.qualifiers) >= _PEAK_AXES and q.dimension == metric.dimension
    if not of_a_peak or s.fact is not None or s.comparative or (s.count or 1) > 1 or not s.claim.qualifier("dtype"):
        return None
    if s.claim.qualifier("sparsity") or s.claim.qualifier("basis"):
        return None
    stated = {axis: s.claim.qualifier(axis) for axis in ("dtype",)} | {"basis": "peak"}
    peaks = (
        f for f in facts if f.asserted and f.claim.states(stated) and f.count == 1 and not differing_axes(domain, f, s)
    )
    return min((f for f in peaks if s.high <= f.high), key=lambda f: f.low, default=None)


def unlabelled(domain: Domain, s: Statement, facts: Sequence[Statement]) -> list[Statement]:
    """The facts whose peak a figure without its density is, where none of them is the one that it would be taken for.

    "1,979 TFLOPS in BF16" are those with sparsity; "989 TFLOPS in BF16" are the dense ones, which go without saying.
    """
    metric, q = domain.metrics[s.claim.metric], s.quantity
    if "sparsity" not in metric.qualifiers or s.claim.qualifier("sparsity") or s.comparative or (s.count or 1) > 1:
        return []
    if not s.asserted or q.bound not in ("exact", "about"):
        return []
    free = {*_PEAK_AXES, "engine"} - {axis for axis, _ in s.claim.qualifiers}
    own = [
        f
        for f in facts
        if f.preferred and (f.count or 1) == 1 and _meet(f, s) and set(differing_axes(domain, f, s)) <= free
    ]
    integers = q.unit.endswith("OPS") and not q.unit.endswith("FLOPS")
    has_usual = any(f.claim.qualifier("dtype") in _USUAL for f in facts)

    def goes_without_saying(fact: Statement) -> bool:
        dtype = fact.claim.qualifier("dtype")
        taken_for = dtype.startswith("int") if integers else dtype in ("", *_USUAL) or not has_usual
        dense = fact.claim.qualifier("sparsity") in ("", "dense")
        return dense and (bool(s.claim.qualifier("dtype")) or taken_for)

    return [] if any(map(goes_without_saying, own)) else own


def _meet(a: Statement, b: Statement) -> bool:
    return a.low <= b.high and b.low <= a.high


# --- What supports a claim, and what explains it ---


def _supports(domain: Domain, s: Statement, other: Statement, around: Surroundings) -> bool:
    """True where `other`, which agrees, says all that the claim says, and no less.

    "989 or 1,979 TFLOPS, the first dense" does not support "1,979 TFLOPS dense", "up to 700 W" not "350 W", "runs JAX" not "runs only JAX".
    """
    a, b = s.claim, other.claim
    stated = all(b.qualifier(axis) == value for axis, value in a.qualifiers if axis in _BINDING)
    bound = a.quantity is None or b.quantity is None or b.quantity.bound in ("exact", "about", a.quantity.bound)
    about = a.subject == b.subject or a.subject in domain.ancestors(b.subject)
    whole = s.scope not in ("", "chip", *PARTS)  # what a node has one chip has not
    as_many = s.count == other.count is not None or (s.count is None and other.count in (None, 1) and not whole)
    as_many = (as_many or (whole and s.count is None)) and (
        s.scope == other.scope if (whole and s.count is None) or s.scope in PARTS else as_many
    )
    reached = not exceeds(domain.metrics[a.metric], s, other) or _is_just_below(domain, s, other, around)
    return (
        stated and bound and about and as_many and reached
        and is_wider(a.object, b.object)  # "uses HBM" does not support "uses HBM3e"
        and _is_of_its_kind(s, around)
        and _is_of_its_day(domain, s, other)
    )  # fmt: skip


def _is_of_its_kind(s: Statement, around: Surroundings) -> bool:
    """False for "216 GB of HBM3" where the table has HBM3e alone: the number is right, and what is said of it is not."""
    stated = ((value, around.kinds(s.chip, axis)) for axis, value in s.claim.qualifiers)
    return all(not kinds or any(is_wider(value, k) or is_wider(k, value) for k in kinds) for value, kinds in stated)


def _is_of_its_day(domain: Domain, s: Statement, other: Statement) -> bool:
    """False for the price of another month than the one that the text states."""
    day, known = (
        s.claim.qualifier("as_of"),
        stated_axes(domain, other).get("as_of", "") or (other.fact.as_of if other.fact else ""),
    )
    return not day or (bool(known) and (known.startswith(day) or day.startswith(known)))


def _explains(domain: Domain, s: Statement, other: Statement, relation: Relation, facts: Sequence[Statement]) -> bool:
    """False where another format, density or scope explains nothing, as there are figures for what the claim states, or the chip has none such."""
    if relation.rule in (CALLED, DIFFERS):
        return relation.rule == CALLED
    stated = [(axis, value) for axis in relation.axes if (value := s.claim.qualifier(axis))]
    if any(f.claim.qualifier(axis) == value for f in facts for axis, value in stated):
        return False
    rule = domain.explanations.get(relation.rule)
    if rule is None or not rule.more:
        return True
    known = [c.claim.qualifier(rule.axis) for c in (*facts, s, other)]
    return not facts or rule.more in known
