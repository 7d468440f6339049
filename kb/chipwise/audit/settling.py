"""A figure beside all that the table has on its key: every variant of the chip, and every peak of its format.

"The B200 SXM has 2,800 GB/s of NVLink"   the table has 1,800 for every B200: a contradiction
"The H100 draws 500 W"                    700 W as SXM, 350 W as PCIe: no variant has that
"The H100 draws 350 W"                    the PCIe card does: it says no variant, and stays unresolved
"The H100 does 500 TFLOPS in BF16"        below 989 dense: it may be what is achieved, and stays unresolved
"The H100 does 1,500 TFLOPS in BF16"      below 1,979 with sparsity: so does it
"The H100 does 2,500 TFLOPS in BF16"      beyond what any variant does in any density: a contradiction
"The H100 peaks at 600 TFLOPS in BF16"    called a peak, and no variant's: a contradiction
"The DGX B200 does 72 PFLOPS dense"       72 with sparsity, and dense half of that: a contradiction

Which fact a figure is answered with is `figures.resolve`'s to say. Here no single one is chosen: a figure that is wrong
has to contradict them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.comparing import DIFFERS, gap, relate
from chipwise.audit.drafting import figure
from chipwise.audit.earning import TOTAL, earned, of_a_die
from chipwise.audit.peaks import is_of_one_alike, of_another_density, of_its_format, peak_above, peaks
from chipwise.audit.readings import Comparison
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.model import Modality
from chipwise.figures.alike import TOLD_APART, is_of_slower_units

_FEWEST = 2  # variants with a figure: of one alone, the others are not known
_VARIANT = "form_factor"  # what a figure of no variant leaves open beside that of one


def settle(book: Casebook, compared: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons with those verdicts changed that a look at all facts on a figure, or at its text, changes."""
    settled = ((c, _settled(book, c)) for c in compared)
    return [c if relation is c.relation else replace(c, relation=relation) for c, relation in settled]


def _settled(book: Casebook, c: Comparison) -> Relation:
    pair = (c.a.best, c.b.best)
    if c.relation.verdict is Verdict.CONTRADICTION and any(peak_above(book, s) is not None for s in pair):
        reason = "one does not say whether it is the peak, and is no more than one"
        return Relation(Verdict.UNRESOLVED, "basis", ("basis",), reason)
    facts = [s for s in pair if s.fact is not None]
    if len(facts) != 1:
        return c.relation
    said = next(s for s in pair if s.fact is None)
    return _beside_the_table(book, c.relation, facts[0], said)


def _beside_the_table(book: Casebook, relation: Relation, fact: Statement, said: Statement) -> Relation:
    """The relation of a figure to a fact, seen beside the other facts: those of other units, dies, densities, variants."""
    if relation.verdict is Verdict.CONTRADICTION:
        faster = _is_of_faster_units(book, fact, said)
        return Relation(Verdict.INCOMPARABLE, "engine", ("engine",)) if faster else of_a_die(book, relation, said)
    if _is_of_one_rating(book, relation, fact, said):
        reason = "the table knows one rating, whichever name a text has for it"
        return Relation(Verdict.CONTRADICTION, "value", (), reason)
    if relation.verdict is not Verdict.UNRESOLVED:
        return relation
    found = _under_another_density(book, fact, said) or earned(book, relation, fact, said)
    if found is relation and relation.rule == _VARIANT:
        if fact is _nearest_peak(book, said):
            return Relation(Verdict.CONTRADICTION, "peaks", (), "no variant has such a peak, dense or sparse")
        return _beside_the_variants(book, fact, said) or relation
    return found


def _is_of_one_rating(book: Casebook, relation: Relation, fact: Statement, said: Statement) -> bool:
    """True where only names that texts use for each other tell two figures apart, and the table has the chip under one of them.

    A maker rates a card by its TDP or by its board power. Where the table has both, each is a figure of its own.
    """
    if relation.rule != DIFFERS or not TOLD_APART.issuperset(relation.axes):
        return False
    known = [f.claim for f in book.facts.get(said.key, ()) if f.asserted]
    return all(
        {fact.claim.qualifier(axis), said.claim.qualifier(axis)} <= set(book.domain.axes[axis].alike)
        and not any(c.qualifier(axis) == said.claim.qualifier(axis) for c in known)
        for axis in relation.axes
    )


def _is_of_faster_units(book: Casebook, fact: Statement, said: Statement) -> bool:
    """True where a fact is of vector units, and `said` of no units in a format for which there are matrix units: it means those."""
    if fact.fact is None or said.claim.qualifier("engine") or not is_of_slower_units(fact.fact):
        return False
    dtype = fact.claim.qualifier("dtype")
    return any(
        f.fact is not None and f.asserted and f.claim.qualifier("dtype") == dtype and not is_of_slower_units(f.fact)
        for f in book.facts.get(said.key, ())
    )


def _beside_the_variants(book: Casebook, fact: Statement, said: Statement) -> Relation | None:
    """How a figure of a variant relates to the chip's where no variant has its own, and one of the chip to those of all variants."""
    told = [f for f in book.facts.get(said.key, ()) if f.asserted]
    variants = {f.claim.subject for f in told}
    if fact.claim.subject == fact.chip:
        return relate(book.domain, fact, _as_of(fact, said)) if variants <= {fact.chip} else None
    # a chip came with its first variant, which may be another one
    dated = book.domain.metrics[said.claim.metric].dimension == "date"
    if said.claim.subject != said.chip or len(variants) < _FEWEST or dated:
        return None
    relations = [earned(book, relate(book.domain, f, _as_of(f, said)), f, said) for f in told]
    contradicts = all(r.verdict is Verdict.CONTRADICTION for r in relations)
    nearest = min(told, key=lambda f: (*_worth(f), gap(f, said)))
    if nearest is not fact or not contradicts:
        return None
    found = relations[told.index(nearest)]
    return (
        found if found.rule == TOTAL else Relation(Verdict.CONTRADICTION, "value", (), "no variant has such a figure")
    )


def _worth(fact: Statement) -> tuple[bool, bool]:
    """What the table stands behind goes before what was measured on one, or was another's figure."""
    return fact.fact is None or fact.fact.rank != "preferred", fact.claim.modality is Modality.MEASURED


def _as_of(fact: Statement, said: Statement) -> Statement:
    """What is said, as though it were said of the variant that a fact is of."""
    return replace(said, claim=replace(said.claim, subject=fact.claim.subject))


def _under_another_density(book: Casebook, fact: Statement, said: Statement) -> Relation | None:
    """A contradiction with the fact for the density that `said` states, or where there is none, with the one whose figure it is."""
    other = of_another_density(book, said)
    if other is None:
        return None
    stated = said.claim.qualifier("sparsity")
    alike = (f for f in of_its_format(book, said) if f.claim.qualifier("sparsity") == stated)
    own = [f for f in alike if f.count == (said.count or 1)]
    if fact not in (own or (other,)):
        return None
    known = other.claim.qualifier("sparsity")
    reason = f"{figure(book, other)} is what the table has under sparsity {known}, not {stated}"
    return Relation(Verdict.CONTRADICTION, "sparsity", ("sparsity",), reason)


def _nearest_peak(book: Casebook, s: Statement) -> Statement | None:
    """The fact nearest to a figure that is none of all peaks of its format, and no multiple of one; None for another figure."""
    known = peaks(book, s)
    called = s.claim.qualifier("basis") == "peak" or bool(s.claim.qualifier("sparsity"))
    if not known or is_of_one_alike(book, s) or s.low <= 0 or not (called or s.low > max(f.high for f in known)):
        return None
    relations = [relate(book.domain, s, f) for f in known]
    if any(r.verdict is not Verdict.CONTRADICTION and r.rule != _VARIANT for r in relations):
        return None
    return min(known, key=lambda f: max(f.low / s.low, s.low / f.low))
