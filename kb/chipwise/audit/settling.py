"""A figure of a chip beside the table's figures of its variants, and the other way round.

"The B200 SXM has 2,800 GB/s of NVLink"   the table has 1,800 for every B200: a contradiction
"The H100 draws 500 W"                    700 W as SXM, 350 W as PCIe: no variant has that
"The H100 draws 350 W"                    the PCIe card does: it says no variant, and stays unresolved
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.comparing import FAR, gap, relate
from chipwise.audit.readings import Comparison
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.model import Modality

_FEWEST = 2  # variants with a figure: of one alone, the others are not known


def settle_variants(book: Casebook, compared: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons of a chip with its variants, settled where all facts on them say the same of a figure."""
    return [replace(c, relation=_settled(book, c)) if c.relation.rule == "form_factor" else c for c in compared]


def _settled(book: Casebook, c: Comparison) -> Relation:
    facts = [s for s in (c.a.best, c.b.best) if s.fact is not None]
    if c.relation.verdict is not Verdict.UNRESOLVED or len(facts) != 1:
        return c.relation
    fact = facts[0]
    said = c.b.best if c.a.best is fact else c.a.best
    told = [f for f in book.facts.get(said.key, ()) if f.asserted]
    if fact.claim.subject == fact.chip:
        of_variants = any(f.claim.subject != f.chip for f in told)
        return c.relation if of_variants else relate(book.domain, fact, _as_of(fact, said))
    return _of_no_variant(book, fact, said, told) or c.relation


def _of_no_variant(book: Casebook, fact: Statement, said: Statement, told: Sequence[Statement]) -> Relation | None:
    """A contradiction where `said` is of the chip, and contradicts each figure of a variant, of which `fact` is the nearest."""
    if said.claim.subject != said.chip or len({f.claim.subject for f in told}) < _FEWEST:
        return None
    if book.domain.metrics[said.claim.metric].dimension == "date":
        return None  # a chip came with its first variant, which may be another one
    # what the table stands behind goes before what was measured on one, or was another's figure
    nearest = min(
        told,
        key=lambda f: (
            f.fact is None or f.fact.rank != "preferred",
            f.claim.modality is Modality.MEASURED,
            gap(f, said),
        ),
    )
    contradicts = all(relate(book.domain, f, _as_of(f, said)).verdict is Verdict.CONTRADICTION for f in told)
    if nearest is not fact or not contradicts or gap(fact, said) > FAR:
        return None
    return Relation(Verdict.CONTRADICTION, "value", (), "no variant has such a figure")


def _as_of(fact: Statement, said: Statement) -> Statement:
    """What is said, as though it were said of the variant that a fact is of."""
    return replace(said, claim=replace(said.claim, subject=fact.claim.subject))
