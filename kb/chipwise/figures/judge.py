"""A claim beside all that is known on its key: supported, refuted, explained or open, by what, and why.

"The H100 peaks at 600 TFLOPS in BF16"    called a peak, and no variant's: refuted
"The H100 has 640 GB of memory"           eight have that: refuted, unless the text speaks of several

A figure that is wrong has to contradict all facts, and what supports one says all that it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property

from chipwise.claims.model import Modality
from chipwise.claims.scene import read_scene
from chipwise.domain.catalogue import PARTS, SCOPE, TWINS
from chipwise.domain.model import Domain
from chipwise.figures.alike import is_of_slower_units
from chipwise.figures.relate import (
    CALLED,
    DIE,
    DIFFERS,
    Relation,
    Verdict,
    differing_axes,
    exceeds,
    gap,
    go_together,
    is_wider,
    relate,
    stated_axes,
)
from chipwise.figures.statement import Statement
from chipwise.figures.transforms import SAME_DIGITS, TOLERANCE, form, written
from chipwise.grids.labels import OPEN
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
    """What else there is: a claim's section, all of a file of data, and the kinds that the table has of its subject on an axis."""

    section: Callable[[Statement], str] = lambda _: ""
    whole: Callable[[Statement], str] = lambda _: ""
    kinds: Callable[[Statement, str], Sequence[str]] = lambda _statement, _axis: ()


_NO_WORDS = Surroundings()


@dataclass(frozen=True, slots=True)
class Assessment:
    """How a claim stands, by which statements, the first of them by `relation`; `known` where some fact has the figure."""

    standing: Standing
    by: tuple[Statement, ...] = ()
    relation: Relation = Relation(Verdict.INCOMPARABLE)
    known: bool = False


DEPRECATED, UNLABELLED, TOTAL = "deprecated", "unlabelled", "total"  # rules that only all facts together tell
# rules that make another figure of the same thing
_RECONCILE = ("rounded", "count", "binary-prefix", "binary-label", CALLED)
_BINDING = ("dtype", "sparsity", "direction", "exclusive", "price_terms", "provider", "region", "capacity")
_PEAK_AXES = {"dtype", "sparsity", "basis"}  # of a metric whose figures are peaks, each of a format and a density
_LABELS = {"dtype", "sparsity", "engine"}  # axes of which each value has a figure of its own
_UNSURE = ("certainty", "reported", "clock")  # rules that leave open whether a fact is more right than a figure
_FORMATS, _CLOCKS = 3, 0.05  # a chip with peaks in as many formats has them in the table; rates at other clocks differ
_INTEGER = "int8"  # what TOPS without a format are taken for
_USUAL = ("bf16", "fp16")  # formats that a peak without one is taken for


def judge(domain: Domain, s: Statement, others: Sequence[Statement], around: Surroundings = _NO_WORDS) -> Assessment:
    """How `s` stands beside `others`, which have its key: the facts, and what other sources say."""
    return _Case(domain, s, [o for o in others if o.fact is not None], around).judged(others)


def peak_above(domain: Domain, s: Statement, facts: Sequence[Statement]) -> Statement | None:
    """The fact for the least peak that a figure of prose does not exceed, which says neither its density nor what it is."""
    metric, q = domain.metrics[s.claim.metric], s.quantity
    of_a_peak = set(metric.qualifiers) >= _PEAK_AXES and q.dimension == metric.dimension and not q.compares
    told = s.claim.qualifier("sparsity") or s.claim.qualifier("basis") or not s.claim.qualifier("dtype") or s.recorded
    if not of_a_peak or told or s.fact is not None or (s.count or 1) > 1:
        return None
    stated = {"dtype": s.claim.qualifier("dtype"), "basis": "peak"}
    peaks = (f for f in facts if f.asserted and f.claim.states(stated) and f.count == 1 and s.high <= f.high)
    return min((f for f in peaks if not differing_axes(domain, f, s)), key=lambda f: f.low, default=None)


def unlabelled(domain: Domain, s: Statement, facts: Sequence[Statement]) -> list[Statement]:
    """The facts whose peak a figure without its density is, where none of them is the one that it would be taken for.

    "1,979 TFLOPS in BF16" are those with sparsity; "989 TFLOPS in BF16" are the dense ones, which go without saying. Where
    the table has the dense peak alone, it is that one that the figure is twice of.
    """
    q, dtype = s.quantity, s.claim.qualifier("dtype")
    silent = "sparsity" in domain.metrics[s.claim.metric].qualifiers and not s.claim.qualifier("sparsity")
    if not silent or q.compares or q.bound not in ("exact", "about") or (s.count or 1) > 1 or not s.asserted:
        return []
    free = {*_PEAK_AXES, "engine"} - {axis for axis, _ in s.claim.qualifiers}
    near = [f for f in facts if f.preferred and (f.count or 1) == 1]
    alike = [f for f in near if _differ_in_label(domain, f, s)]
    near = [f for f in near if set(differing_axes(domain, f, s)) <= free]
    own = [f for f in near if _meet(f, s)] or [f for f in alike if _meet(f, s)]
    integers = q.unit.endswith("OPS") and not q.unit.endswith("FLOPS")
    formats = {f.claim.qualifier("dtype") for f in facts}
    usual = (_INTEGER,) if integers else ("", *_USUAL)

    def goes_without_saying(fact: Statement) -> bool:
        taken_for = fact.claim.qualifier("dtype") in usual or formats.isdisjoint(usual)
        return fact.claim.qualifier("sparsity") in ("", "dense") and (bool(dtype) or taken_for)

    def is_half(fact: Statement) -> bool:
        fits = abs(s.middle / max(fact.middle, 1e-9) / 2 - 1) <= TOLERANCE
        return fits and fact.claim.qualifier("sparsity") == "dense" and fact.claim.qualifier("engine") != "vector"

    if slower := of_slower_units(s, facts):
        return slower if any(f.claim.qualifier("dtype") == dtype and f not in slower for f in near) else []
    if own or not dtype:
        return [] if any(map(goes_without_saying, own)) else own
    return [f for f in near if is_half(f)]


def of_slower_units(s: Statement, facts: Sequence[Statement]) -> list[Statement]:
    """The facts whose figure a peak in 16 bits is that names no matrix units, as vector units reach it: once or twice what they do in FP32."""
    c, axes = s.claim, dict(s.claim.qualifiers)
    if axes.get("engine") == "matrix" or "sparsity" in axes or axes.get("dtype", "") not in _USUAL or s.comparative:
        return []
    peaks = [f for f in facts if f.asserted and f.count in (None, 1) and f.claim.qualifier("sparsity") != "2:4"]
    own = [f for f in peaks if f.claim.qualifier("dtype") == c.qualifier("dtype")]
    slower = [f for f in own if f.fact is not None and is_of_slower_units(f.fact) and _meet(f, s)]
    times = ((f, s.middle / max(f.middle, 1e-9)) for f in peaks if f.claim.qualifier("dtype") == "fp32")
    slower += [f for f, x in times if any(abs(x / n - 1) <= _CLOCKS for n in (1, 2))]
    return [] if any(_meet(f, s) for f in own if f not in slower) else slower


def _differ_in_label(domain: Domain, fact: Statement, s: Statement) -> bool:
    """True where two differ in formats alone that matrix units run as fast."""
    both = {fact.claim.qualifier("dtype"), s.claim.qualifier("dtype")}
    return both <= set(domain.axes["dtype"].alike) and set(differing_axes(domain, fact, s)) == {"dtype"}


def _meet(a: Statement, b: Statement) -> bool:
    near = a.quantity.dimension == b.quantity.dimension and abs(a.middle - b.middle) <= SAME_DIGITS * abs(b.middle)
    return near or (a.low <= b.high and b.low <= a.high)


@dataclass(frozen=True)
class _Case:
    """A claim, the facts on its key, and what else there is."""

    domain: Domain
    s: Statement
    table: Sequence[Statement]
    around: Surroundings

    @cached_property
    def facts(self) -> list[Statement]:
        """What stands; what names no units is not what the slower ones reach, where there are faster ones for its format."""
        stands = [f for f in self.table if f.asserted]
        slower = [f for f in stands if f.fact is not None and is_of_slower_units(f.fact)]
        if self.s.claim.qualifier("engine") or not slower:
            return stands
        faster = {f.claim.qualifier("dtype") for f in stands if f not in slower}
        return [f for f in stands if f not in slower or f.claim.qualifier("dtype") not in faster]

    def judged(self, others: Sequence[Statement]) -> Assessment:
        """The first that holds: repeated, refuted, unlabelled, supported, explained, below a peak, open."""
        if (repeated := self._repeated()) is not None:
            return repeated
        s, kept = self.s, set(map(id, self.facts))
        related = [(o, self._seen_whole(o)) for o in others if id(o) in kept or (o.fact is None and o.asserted)]
        tabled = [(f, r) for f, r in related if f.fact is not None]
        known = self._is_known(tabled)
        refuted = [(f, r) for f, r in tabled if r.contradicts and r.rule != "polarity"]
        outside = self._outside if s.claim.quantity is not None else self._of_no_variant
        wrong = min(refuted, key=lambda pair: self._distance(*pair)) if refuted else outside()
        if wrong is not None and not known:
            return Assessment(Standing.CONTRADICTED, wrong[:1], wrong[1])
        if peaks := unlabelled(self.domain, s, self.table):
            return Assessment(Standing.EXPLAINED, tuple(peaks), Relation(Verdict.UNRESOLVED, UNLABELLED), known)
        supporting = [(o, r) for o, r in related if r.agrees and self._supports(o)]
        supporting.sort(key=lambda pair: (pair[1].verdict is not Verdict.SAME, self._remote(pair[0])))
        explained = (Verdict.EXPLAINED, Verdict.SPREAD)
        explaining = [(o, r) for o, r in related if r.verdict in explained and self._explains(o, r)]
        explaining.sort(key=lambda pair: (not pair[0].preferred, self._remote(pair[0])))
        for standing, found in ((Standing.SUPPORTED, supporting), (Standing.EXPLAINED, explaining)):
            if found:
                return Assessment(standing, tuple(o for o, _ in found), found[0][1], known)
        if (above := peak_above(self.domain, s, self.facts)) is not None:
            return Assessment(Standing.UNCHECKED, (above,), Relation(Verdict.UNRESOLVED, "basis", ("basis",)), known)
        return self._open(related, known)

    def _open(self, related: Sequence[tuple[Statement, Relation]], known: bool) -> Assessment:
        """Nothing settles the claim: what comes closest, which may be the same figure of something else."""
        figure = self.s.claim.quantity is not None
        agreeing = [(o, r) for o, r in related if r.agrees]
        agreeing += [(o, r) for o, r in related if r.rule == DIFFERS and figure and _meet(o, self.s)]
        left_open = [(o, r) for o, r in related if r.verdict is Verdict.UNRESOLVED and r.reason]
        left_open.sort(key=lambda pair: (pair[0].fact is None, gap(self.s, pair[0])))
        by, relation = next(iter((*agreeing, *left_open)), (None, Relation(Verdict.INCOMPARABLE)))
        return Assessment(Standing.UNKNOWN, (by,) if by is not None else (), relation, known)

    def _distance(self, fact: Statement, relation: Relation) -> tuple[int, int, int, bool, bool, float]:
        """Sorts facts so that the one that is labelled like the figure, of its own variant, preferred and nearest to it stands first."""
        dense = fact.claim.qualifier("sparsity") in ("", "dense")
        remote = self._remote(fact), self._usual.get(fact.claim.subject, len(self._usual))
        return len(relation.axes), *remote, not dense, not fact.preferred, gap(self.s, fact)

    @cached_property
    def _usual(self) -> dict[str, int]:
        """The chip and its variants, by how readily its bare name means one: "H100" the SXM module before the PCIe card."""
        return {id_: n for n, id_ in enumerate((self.s.chip, *self.domain.variants(self.s.chip)))}

    def _remote(self, other: Statement) -> int:
        """0 of what is said of the very subject, 1 of what it is a kind of, 2 of its kinds and of others."""
        own, subject = self.s.claim.subject, other.claim.subject
        return 0 if subject == own else 1 if subject in self.domain.ancestors(own) else 2

    def _repeated(self) -> Assessment | None:
        """That a claim repeats what the table has as a known wrong value, unless a right one has that figure too."""
        s, table = self.s, self.table
        wrong = [f for f in table if f.deprecated and relate(self.domain, f, s).verdict is Verdict.SAME]
        if not wrong or wrong[0].fact is None:
            return None
        figure = s.claim.quantity is not None and not s.claim.qualifier("sparsity")  # "3.9 PFLOPS in FP8" may be sparse
        own = (f for f in self.facts if figure and _meet(f, s) and f.count == s.count)
        right = any(relate(self.domain, f, s).agrees for f in self.facts) or of_slower_units(s, self.table)
        if right or any(not differing_axes(self.domain, f, s) for f in own):
            return None
        # what holds under a condition alone repeats nothing that was said without
        if wrong[0].claim.source == s.claim.source or s.claim.qualifier("condition"):
            return Assessment(Standing.UNKNOWN, (wrong[0],), known=True)
        relation = Relation(Verdict.CONTRADICTION, DEPRECATED, (), wrong[0].fact.reason)
        return Assessment(Standing.CONTRADICTED, (wrong[0],), relation)

    def _is_known(self, tabled: Sequence[tuple[Statement, Relation]]) -> bool:
        """True for a claim that agrees with some fact: it is right of something, whatever else differs from it.

        A fact on something else of the family, or a bound, says nothing for a variant of which the table has another figure.
        """
        by_others, refuted, subject = False, False, self.s.claim.subject
        for fact, relation in tabled:
            of = fact.claim.subject
            agrees = relation.agrees or (relation.verdict is Verdict.EXPLAINED and relation.rule in _RECONCILE)
            own = fact.count in (None, 1, self.s.count) and subject in self.domain.ancestors(of)
            if agrees and own and fact.quantity.bound not in ("at most", "at least"):
                return True
            by_others |= agrees
            refuted |= fact.preferred and subject == of and relation.contradicts
        return by_others and not refuted

    def _seen_whole(self, other: Statement) -> Relation:
        """The relation to one statement, with what only the other facts and the text around tell."""
        relation = relate(self.domain, self.s, other)
        if relation.contradicts and of_slower_units(self.s, self.table):
            return Relation(Verdict.UNRESOLVED, "engine", ("engine",), "it may be the peak of the vector units")
        if relation.contradicts and peak_above(self.domain, self.s, self.facts) is not None:
            return Relation(Verdict.UNRESOLVED, "basis", ("basis",), "one does not say whether it is the peak")
        if other.fact is None:
            return relation
        if relation.contradicts:
            return self._caused(relation) if self.s.claim.quantity is not None else relation
        settled = relation.verdict is not Verdict.UNRESOLVED and relation.rule != DIFFERS
        found = None if settled else self._exchanged(other) or self._as_total(other, relation)
        return found or relation

    def _caused(self, relation: Relation) -> Relation:
        """A contradiction with the words for what it is, the figure of another format or of one of a chip's dies; open where the text speaks of dies."""
        s, domain = self.s, self.domain
        for f in self.facts if relation.rule != DIE else ():
            apart = [axis for axis in differing_axes(domain, f, s) if axis not in SCOPE]
            if f.preferred and f.count in (None, 1) and apart and {*apart} <= _LABELS and _meet(f, s):
                why = f"{written(domain, f)} is its figure {form(domain, f, 'for')}"
                return Relation(Verdict.CONTRADICTION, "label", (), why)
        if not (of_die := next((f for f in self.facts if f.scope in PARTS and relate(domain, f, s).rule == DIE), None)):
            return relation
        if self._scopes(f"{self.around.section(s)}\n{self.around.whole(s)}") & PARTS:
            reason = f"it may be per {of_die.scope}, like others in the text"
            return Relation(Verdict.UNRESOLVED, DIE, ("aggregation",), reason)
        reason = f"{written(self.domain, of_die)} is the figure of one {of_die.scope}, given as that of the whole"
        return Relation(Verdict.CONTRADICTION, DIE, (), reason)

    def _as_total(self, fact: Statement, relation: Relation) -> Relation | None:
        """A contradiction where several have together what is put as the figure of one, and the text speaks of no several."""
        s, open_ = self.s, relation.rule in ("scope", "count")
        if not open_ or s.count is not None or fact.count != 1 or s.middle <= fact.middle:
            return None
        count = round(s.middle / fact.middle)
        if self._tells_of(count):
            return None
        made = f"{count} x {written(self.domain, fact)} = {written(self.domain, s)}"
        why = f"{made}: the figure of {count} chips, given as that of one"
        return self._caused(Relation(Verdict.CONTRADICTION, TOTAL, (), why))

    def _tells_of(self, count: int = 0) -> bool:
        """True where the text around speaks of so many chips, or of any number of several, or of a machine."""
        text = read_scene(self.domain, self.around.section(self.s)).text
        machines = any(self.domain.is_machine(i) for m in self.domain.find_entities(text) for i in m.ids)
        counted = (q for q in self.domain.unit_table.find(text) if self.domain.counted(q.unit) == "chips")
        several = any(q.middle == count if count else q.middle > 1 for q in counted)
        return machines or several or bool(self._scopes(text) - PARTS - {"chip"})

    def _scopes(self, text: str) -> set[str]:
        """The scopes that a text names: "per node", "each die"."""
        found = (i.partition("=") for m in self.domain.find_qualifiers(text) for i in m.ids)
        return {value for axis, _, value in found if axis == "aggregation"}

    def _outside(self) -> tuple[Statement, Relation] | None:
        """The nearest fact where a figure is none that the table has, whichever variant, density or direction is meant."""
        s, metric = self.s, self.domain.metrics[self.s.claim.metric]
        one = (s.count or 1) == 1 and s.scope in ("", "chip") and s.claim.modality is not Modality.MEASURED
        beyond = s.quantity.bound == "at most" and all(exceeds(metric, s, f) for f in self.facts)
        single = one and (s.quantity.bound in ("exact", "about") or beyond) and s.quantity.form == "value"
        several = self.domain.counted(s.quantity.unit) == "chips" or self.domain.holds_several(s.claim.subject)
        slower = single and (of_slower_units(s, self.table) or peak_above(self.domain, s, self.facts))
        if not (s.asserted and single and metric.is_fixed) or several or slower:
            return None
        if not s.recorded and metric.scales and self._tells_of():
            return None
        own, related = s.claim.subject, self._of_kin()
        kin = [f for f, _ in related]
        alike = [f for f, r in related if f.preferred and r.rule != "dimension" and self._is_of_its_kind(f)]
        is_open = any(r.agrees or (f.preferred and r.rule in _UNSURE) for f, r in related)
        if is_open or not alike or (not beyond and any(_meet(f, s) for f in alike)):
            return None
        formats = {f.claim.qualifier("dtype") for f in kin}
        made = {*self.domain.explanations, "rounded", "count", "capacity", "scope", CALLED, DIE}
        made -= {"dtype"} if s.claim.qualifier("dtype") or len(formats) >= _FORMATS else set()
        dense_only = len(formats) > 1 and all(f.claim.qualifier("sparsity") != "2:4" for f in (*kin, s))
        made -= {"sparsity"} if dense_only and s.claim.qualifier("dtype") not in ("", "fp16") else set()
        if any(not r.contradicts and r.rule in made and self._as_total(f, r) is None for f, r in related):
            return None

        def remoteness(fact: Statement) -> tuple[int, int, float]:
            usual = self._usual.get(fact.claim.subject, len(self._usual))
            return len(differing_axes(self.domain, fact, s)), usual, gap(s, fact)

        fact, subjects = min(alike, key=remoteness), {f.claim.subject for f in alike}
        forms = [v for v in self.domain.variants(own) if self.domain.entities[v].form_factor]
        meant = {own, s.chip, *(forms if len(forms) == 1 else ())}  # "B200" is the SXM module
        if len(subjects) == 1 and not subjects & meant and gap(fact, s) <= metric.variants_within:
            return None  # of another variant nothing is known
        none = Relation(Verdict.CONTRADICTION, "value", (), f"no variant has {written(self.domain, s)}")
        return fact, self._as_total(fact, self._as_of(fact)) or self._caused(none)

    def _of_kin(self) -> list[tuple[Statement, Relation]]:
        """The facts on the product, its variants and what it is one of, related as though they were of the product."""
        up, own = self.domain.ancestors, self.s.claim.subject
        rated = (f for f in self.facts if f.count in (None, 1) and f.claim.modality is not Modality.MEASURED)
        return [(f, self._as_of(f)) for f in rated if own in up(f.claim.subject) or f.claim.subject in up(own)]

    def _of_no_variant(self) -> tuple[Statement, Relation] | None:
        """The first fact for a category of which each has one, where the product and all its variants have another: GDDR6 of the A100."""
        s, metric = self.s, self.domain.metrics.get(self.s.claim.metric)
        judged = metric is not None and metric.single and s.asserted and self.domain.is_chip(s.claim.subject)
        related = self._of_kin() if judged else []
        return related[0] if related and all(r.contradicts and r.rule != "polarity" for _, r in related) else None

    def _is_of_its_kind(self, fact: Statement) -> bool:
        """True for a fact in the format, density and direction that a figure states, and in any where it states none."""
        stated = [(x, v) for x in (*TWINS, "engine", "basis", "capacity") if (v := self.s.claim.qualifier(x))]
        own, other, row = self.s.claim.qualifier("dtype"), fact.claim.qualifier("dtype"), self.domain.axes["dtype"]
        alike = not own or (other and go_together(self.domain, "dtype", own, other)) or {own, other} <= set(row.alike)
        axes = stated_axes(self.domain, fact)
        return bool(alike) and all(axes.get(x, v) == v for x, v in stated)

    def _as_of(self, fact: Statement) -> Relation:
        """The relation of a fact to what is said, as though it were said of the variant that the fact is of."""
        return relate(self.domain, fact, replace(self.s, claim=replace(self.s.claim, subject=fact.claim.subject)))

    def _exchanged(self, fact: Statement) -> Relation | None:
        """A contradiction with the fact for the density or direction that is stated, or where there is none, with the one whose figure it is."""
        s = self.s
        for axis in TWINS if not s.comparative and (s.claim.qualifier("dtype") or not s.scope) else ():
            if not (stated := s.claim.qualifier(axis)):
                continue
            known = [f for f in self.facts if f.preferred and {*differing_axes(self.domain, f, s)} <= {axis, "count"}]
            own = [f for f in known if f.claim.qualifier(axis) in ("", stated)]
            other = next((f for f in known if f not in own and _meet(f, s)), None)
            as_many = [f for f in own if f.claim.qualifier(axis) == stated and f.count == (s.count or 1)]
            many = axis != "sparsity" and not as_many  # of a link there are many ways to count
            if many or other is None or any(_meet(f, s) for f in own) or fact not in (as_many or (other,)):
                continue
            why = f"{written(self.domain, other)} is listed as {other.claim.qualifier(axis)}, not {stated}"
            return Relation(Verdict.CONTRADICTION, axis, (axis,), why)
        return None

    def _supports(self, other: Statement) -> bool:
        """True where `other`, which agrees, says all that the claim says, and no less.

        "989 or 1,979 TFLOPS, the first dense" does not support "1,979 TFLOPS dense", "up to 700 W" not "350 W".
        """
        s, a, b = self.s, self.s.claim, other.claim
        stated = all(b.qualifier(axis) in value.split(OPEN) for axis, value in a.qualifiers if axis in _BINDING)
        bound = b.quantity is None or b.quantity.bound in ("exact", "about", s.quantity.bound)
        about = a.subject == b.subject or a.subject in self.domain.ancestors(b.subject)
        of_several = s.count is None and s.scope not in ("", "chip", *PARTS)  # what a node has one chip has not
        as_many = s.count == other.count if s.count is not None else of_several or other.count in (None, 1)
        as_many = as_many and (s.scope == other.scope or not (of_several or s.scope in PARTS))
        day, known = a.qualifier("as_of"), b.qualifier("as_of") or (other.fact.as_of if other.fact else "")
        # no price of another month
        dated = not day or (bool(known) and (known.startswith(day) or day.startswith(known)))
        kinds = ((value, self.around.kinds(s, axis)) for axis, value in a.qualifiers)
        # "216 GB of HBM3" where the table has HBM3e alone: the number is right, and what is said of it is not
        of_its_kind = all(not ks or any(is_wider(v, k) or is_wider(k, v) for k in ks) for v, ks in kinds)
        reached = not exceeds(self.domain.metrics[a.metric], s, other)
        wide = is_wider(a.object, b.object)  # "uses HBM" does not support "uses HBM3e"
        return stated and bound and about and as_many and dated and of_its_kind and reached and wide

    def _explains(self, other: Statement, relation: Relation) -> bool:
        """False where another format, density or scope explains nothing: there are figures for what the claim states, or the chip has none such."""
        if relation.rule in (CALLED, DIFFERS):
            return relation.rule == CALLED and not exceeds(self.domain.metrics[self.s.claim.metric], self.s, other)
        stated = [(axis, value) for axis in relation.axes if (value := self.s.claim.qualifier(axis))]
        if any(f.claim.qualifier(axis) == value for f in self.facts for axis, value in stated):
            return False
        rule = self.domain.explanations.get(relation.rule)
        told = (f.claim.qualifier(rule.axis) for f in (*self.facts, self.s, other)) if rule is not None else ()
        return rule is None or not rule.more or not self.facts or rule.more in told
