"""The kind of a thing that stands beside its figure, as a claim of its own.

    "Maia 200 has 216 GB HBM3."  ->  (microsoft-maia-200, memory_capacity, 216 GB), and (microsoft-maia-200, memory_kind, hbm3)

Who writes a kind so says of the chip that it has that kind: it may be wrong while the figure is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims.model import Claim
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.types import Passage

# "216 GB HBM3", "216 GB of HBM3", "216 GB of fast HBM3", "216 GB (HBM3)"; "80 GB, HBM3e for the other" is another's
_BESIDE = re.compile(r"\s?\(?(?:of\s)?(?:[a-z-]+\s)?", re.I)
_NEAR = 40  # characters behind a figure in which its kind can stand


def kinds_beside(domain: Domain, passage: Passage, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The categories that qualifiers of `claims` state in the words behind their figures, less those that are claims already."""
    told = {(c.start, c.subject, c.metric, c.object) for c in claims}
    for c in claims:
        if c.quantity is None or not (c.subject and c.polarity) or c.doubt or domain.is_machine(c.subject):
            continue  # a machine has a memory of its own beside that of its chips
        for axis, value in c.qualifiers:
            named = _named(domain, passage, c, value) if _is_the_only(domain, axis, value) else None
            if named is not None and (c.start, c.subject, axis, value) not in told:
                told.add((c.start, c.subject, axis, value))
                at, end = c.value_end + named.start, c.value_end + named.end
                kind = replace(c, metric=axis, object=value, quantity=None, qualifiers=())
                yield replace(kind, value_start=at, value_end=end)


def _is_the_only(domain: Domain, axis: str, value: str) -> bool:
    """True for a category of which a chip has one: "48 MiB of SRAM" is of a memory beside its HBM."""
    return axis in domain.relations and any(value.startswith(family) for family in domain.axes[axis].one_of)


def _named(domain: Domain, passage: Passage, claim: Claim, value: str) -> Mention | None:
    """Where the words right behind a figure name `value`, counted from its end."""
    start = claim.value_end - passage.start
    behind = passage.text[start : min(claim.end - passage.start, start + _NEAR)]
    first = next(iter(domain.find_terms(behind)), None)
    return first if first and value in first.ids and _BESIDE.fullmatch(behind, 0, first.start) else None
