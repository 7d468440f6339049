"""Machines by the chips that they hold, and chips by their machine, each with a sentence that says so.

"Which AWS instance has the H200?"    ->  "The AWS p5e/p5en.48xlarge has 8 H200 SXM [1]."
"Which GPU does a p5.48xlarge have?"  ->  "The AWS p5.48xlarge has 8 H100 SXM [1]."
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.answering.base import Base
from chipwise.answering.model import Row
from chipwise.answering.query import CLOUDS, COUNTS, Query
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, name
from chipwise.claims.model import Fact, Key
from chipwise.numbers.quantity import Quantity

_MOST = 6


def machines_holding(query: Query, base: Base) -> Told | None:
    """The machines, of the cloud or maker that is named or of any, that hold the chips asked about."""
    clouds = [c.value for c in query.of.where if c.measure.metric == CLOUDS]
    if len(clouds) != len(query.of.where) or query.what or query.order or query.asserts or len(query.of.holding) != 1:
        return None
    held = query.of.holding[0]
    chip = base.domain.nearest_chip(held.entity)
    named = [base.domain.terms[str(c)].name for c in clouds] or [
        t.name for t in base.domain.terms.values() if t.kind == "cloud"
    ]
    facts = []
    for machine in _made_of(chip, base) if chip else ():
        entity = base.domain.entities[machine]
        counted = held.count in (None, entity.chips)
        owned = (entity.vendor in query.of.makers) if query.of.makers else entity.name.startswith(tuple(named))
        if counted and owned:
            facts += list(_saying(machine, chip, base))[:1]
    return _told(facts[:_MOST], base)


def chips_of(query: Query, base: Base) -> Told | None:
    """Which chip is in each machine that is named."""
    facts = []
    for counted in query.of.entities:
        chip = base.domain.nearest_chip(counted.entity)
        said = sorted(_saying(counted.entity, chip, base), key=lambda f: f.claim.metric != COUNTS) if chip else []
        facts += said[:1]
    return _told(facts, base) if len(facts) == len(query.of.entities) else None


def machines_of(query: Query, base: Base) -> Told | None:
    """How many of a chip are in one machine, by the machines that hold it: of the chip alone no fact tells."""
    if len(query.of.entities) != 1 or base.domain.is_machine(query.of.entities[0].entity):
        return None
    chip = base.domain.nearest_chip(query.of.entities[0].entity)
    every = base.store.facts(list(_made_of(chip, base)), [COUNTS]) if chip else []
    return _told([f for f in every if f.rank == "preferred" and base.store.holds(f)][:_MOST], base)


def _made_of(chip: str, base: Base) -> Iterator[str]:
    """The systems that are made of a chip or of a variant of it."""
    kin = {chip, *base.domain.variants(chip)}
    for entity in base.domain.entities.values():
        if entity.kind == "system" and not kin.isdisjoint(base.domain.ancestors(entity.id)):
            yield entity.id


def _saying(machine: str, chip: str, base: Base) -> Iterator[Fact]:
    """The facts of a machine whose quote names its chip beside it: "eight H100" of a p5.48xlarge."""
    for fact in base.store.facts([machine]):
        if fact.rank != "preferred" or not base.store.holds(fact):
            continue
        mentions = base.domain.find_entities(fact.citation.quote)
        beside = (base.domain.nearest_chip(i) for m in mentions if machine not in m.ids for i in m.ids)
        if any(base.domain.are_kin(chip, other) for other in beside if other):
            yield fact


def _told(facts: Sequence[Fact], base: Base) -> Told | None:
    if not facts:
        return None
    writer = Writer(base)
    for n, fact in enumerate(facts):
        machine = base.domain.entities[fact.claim.subject]
        chips = name(base.domain.nearest_chip(machine.id), base)
        between = "" if n == 0 else " and " if n == len(facts) - 1 else ", "
        writer.add(between, f"{machine.name} ({machine.chips} x {chips}) ", fact)
        count = Quantity(0, 0, "count", "", machine.chips, machine.chips)
        writer.row(Row(machine.id, Key(machine.id, COUNTS), count, "", str(machine.chips), fact))
    writer.end()
    return writer.told()
