"""The facts that fill a table: the curated ones, and claims of added documents in the same form.

A claim that a document makes without doubt stands behind the curated facts, and not where it says what they say.
"""

from __future__ import annotations

from collections.abc import Iterable

from chipwise.claims.model import Citation, Claim, Fact
from chipwise.domain.names import Names
from chipwise.figures.alike import agree
from chipwise.index.store import Store
from chipwise.values import dataclass

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Facts of a store with the claims of the sources `added`."""

    store: Store
    names: Names
    added: frozenset[str]

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        """Curated facts, then those of added documents: all, or those about some subjects, of some metrics."""
        subjects, wanted = (None if x is None else list(x) for x in (about, metrics))
        curated = self.store.facts(subjects, wanted)
        if not self.added or subjects is None:
            return curated
        said = self.store.claims_about(subjects, wanted if wanted is not None else self.names.metrics)
        own = [self._fact(c) for c in said if c.source in self.added and _is_plain(c) and self._is_written(c)]
        cited = {f.claim.source for f in curated}  # what the table cites was read for it
        own = [f for f in own if f.claim.source not in cited]
        held = [f for f in curated if self.store.holds(f)]
        return [*curated, *(f for f in own if not any(restates(f, other) for other in held))]

    def holds(self, fact: Fact) -> bool:
        """True where a fact can be cited."""
        return self.store.holds(fact)

    def count_facts(self) -> dict[str, int]:
        """How many curated facts there are about each subject."""
        return self.store.count_facts()

    def _is_written(self, claim: Claim) -> bool:
        """False for a figure in no known unit, and for a peak in no stated format."""
        metric = self.names.metrics[claim.metric]
        formats = "dtype" in metric.qualifiers and metric.nature == "specified" and not claim.qualifier("dtype")
        return claim.quantity is None or (claim.quantity.unit in self.names.units and not formats)

    def _fact(self, claim: Claim) -> Fact:
        info, text = self.store.find_source(claim.source), self.store.source_text(claim.source)
        line = text.count("\n", 0, claim.start) + 1
        quote = text[claim.start : claim.end]
        told = ("", "", "", "") if info is None else (info.title, info.origin, info.publisher, info.published)
        q, unit = claim.quantity, "" if claim.quantity is None else claim.quantity.unit
        value = claim.object
        if q is not None:
            scale = self.names.units[q.unit].scale
            ends = (q.low, q.high) if q.form == "range" else (q.middle,)
            value = "..".join(f"{end / scale:.{_DIGITS}g}" for end in ends)
        place = Citation(*told, quote, line)
        id_ = f"{claim.source}#{claim.passage}:{claim.value_start}"
        return Fact(id_, claim, value, unit, "preferred", "", told[3], "", place)


def _is_plain(claim: Claim) -> bool:
    """True for what a document says of a product as it is, without doubt and not of hearsay."""
    return not claim.doubt and claim.polarity and not claim.attribution and claim.modality.value not in _LOOSE


_LOOSE = ("hypothetical", "promised", "estimated", "rumored")


def restates(fact: Fact, other: Fact) -> bool:
    """True where a claim gives the figure of a fact of the same thing, on axes that do not differ."""
    a, b = fact.claim, other.claim
    stated = dict(b.qualifiers)
    alike = a.subject == b.subject and a.metric == b.metric and agree(fact, other)
    return alike and all(stated.get(axis, value) == value for axis, value in a.qualifiers)
