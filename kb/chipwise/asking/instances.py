"""Which machines of a cloud hold a chip, and which chips a machine holds, each with a sentence that says so.

"Which AWS instance has the H200?"    ->  "AWS p5e/p5en.48xlarge (8 x NVIDIA H200 SXM) [1]."
"Which GPU does a p5.48xlarge have?"  ->  "AWS p5.48xlarge (8 x NVIDIA H100 SXM) [1]."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.asking.answers import Row
from chipwise.asking.plain import is_plain
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite
from chipwise.claims.model import Fact, Key
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Entity
from chipwise.figures.phrasing import listed
from chipwise.index.store import Store
from chipwise.numbers.quantity import Quantity

_ASKS = re.compile(
    r"^(?:on [\w ]+?,? )?(?:which|what)(?:['’]s)?\b[^?]{0,40}?\b(?:instance|machine|VM|virtual machine|SKU|shape|node)s?\b",
    re.I,
)
_ASKS_CHIPS = re.compile(
    r"^(?:which|what) (?:(?:kind|type|sort) of |model of )?(?:GPU|TPU|chip|accelerator|card)s?\b[^?]*\b(?:in|inside|has|have|does|do|uses?|comes?|with|on)\b",
    re.I,
)
# "which cloud offers MI300X instances" asks for the cloud, "which Google Cloud VMs" for the machines
_ASKS_CLOUDS = re.compile(
    r"^(?:which|what) (?:[\w-]+ )?(?:clouds?|(?:cloud )?providers?|hyperscalers?) (?:offers?|has|have|sells?|rents?|hosts?|provides?|can|do|does|is|are)\b",
    re.I,
)
_NARROWS = re.compile(r"\b(?:not|no|without|was|were|most|least|fewest)\b|n['’]t\b", re.I)
_MOST = 6


def machines_with(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The machines of the cloud that is named, or of any, that hold the one chip asked about; None where more is asked."""
    chips = {domain.nearest_chip(ids[0]) for ids in question.subjects}
    others = set(question.metrics) - {"chips_per_node", "cloud_availability"}
    counts = {int(w) for w in question.free_words if w.isdigit()}  # "with 8 H100s" narrows to those of eight
    others_said = {w for w in question.free_words if not w.isdigit()}
    says_more = others_said - domain.change_nothing("look-up", "category", "machine")
    plain = _ASKS.search(question.text) and not _NARROWS.search(question.text) and not (says_more or question.years)
    if not plain or len(chips) != 1 or "" in chips or others or _ASKS_CLOUDS.match(question.text):
        return None
    named = [domain.terms[t].name for t in question.terms if domain.terms[t].kind == "cloud"]
    clouds = named or [t.name for t in domain.terms.values() if t.kind == "cloud"]
    holding = _holders(chips.pop(), clouds, store, domain)
    facts = [f for f in holding if not counts or domain.entities[f.claim.subject].chips in counts][:_MOST]
    if not facts:
        return None
    return _told(facts, store, domain, names)


def chips_of(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The chips of the one machine that is asked about, and how many; None where more is asked."""
    machines = {ids[0] for ids in question.subjects}
    says_more = set(question.free_words) - domain.change_nothing("look-up", "category", "machine")
    others = set(question.metrics) - {"chips_per_node"} or question.years or question.wants_verdict
    plain = _ASKS_CHIPS.search(question.text) and not _NARROWS.search(question.text) and not (says_more or others)
    machine = machines.pop() if len(machines) == 1 else ""
    if not plain or not machine or not domain.is_machine(machine) or not domain.nearest_chip(machine):
        return None
    chip = domain.nearest_chip(machine)
    found = [f for f in store.facts([machine]) if f.rank == "preferred" and store.holds(f) and _names(f, chip, domain)]
    # a sentence that counts them rather than one on what they cost
    fact = min(found, key=lambda f: f.claim.quantity is None or not _counts(f, domain), default=None)
    return _told([fact], store, domain, names) if fact is not None else None


def in_one_machine(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """How many of a chip are in one machine, by the machines that hold it: of the chip alone no fact tells."""
    chips = {domain.nearest_chip(ids[0]) for ids in question.subjects if not domain.is_machine(ids[0])}
    counted = [m for m in question.metrics if domain.metrics[m].holders]
    if len(chips) != 1 or "" in chips or counted != list(question.metrics) or not is_plain(question, domain):
        return None
    held = (f for e in _machines_of(chips.pop(), domain) for f in store.facts([e.id], counted))
    facts = [f for f in held if f.rank == "preferred" and store.holds(f)][:_MOST]
    return _told(facts, store, domain, names) if facts else None


def _counts(fact: Fact, domain: Domain) -> bool:
    unit = domain.units.get(fact.unit)
    return unit is not None and unit.of == "chips"


def _machines_of(chip: str, domain: Domain) -> list[Entity]:
    """The systems that are made of a chip or of a variant of it."""
    kin = {chip, *domain.variants(chip)}
    return [e for e in domain.entities.values() if e.kind == "system" and kin & set(domain.ancestors(e.id))]


def _holders(chip: str, clouds: list[str], store: Store, domain: Domain) -> Iterator[Fact]:
    """For each such machine a fact whose quote names the chip beside it."""
    for machine in (e for e in _machines_of(chip, domain) if e.name.startswith(tuple(clouds))):
        facts = (f for f in store.facts([machine.id]) if f.rank == "preferred" and store.holds(f))
        fact = next((f for f in facts if _names(f, chip, domain)), None)
        if fact is not None:
            yield fact


def _names(fact: Fact, chip: str, domain: Domain) -> bool:
    """True where the quote of a machine's fact has the chip's name, or "eight H100", which is that of another machine, too."""
    mentions = domain.find_entities(fact.citation.quote)
    beside = (i for m in mentions if fact.claim.subject not in m.ids for i in m.ids)
    return any(domain.are_kin(chip, domain.nearest_chip(i)) for i in beside if domain.nearest_chip(i))


def _told(facts: Sequence[Fact], store: Store, domain: Domain, names: Names) -> Told:
    """The machine of each fact with its chips, which the domain counts."""
    said, rows = [], []
    for n, fact in enumerate(facts, start=1):
        machine = domain.entities[fact.claim.subject]
        said.append(f"{machine.name} ({machine.chips} x {names.name(domain.nearest_chip(machine.id))}) [{n}]")
        count = Quantity(0, 0, "count", "", machine.chips, machine.chips)
        rows.append(Row(machine.id, Key(machine.id, "chips_per_node"), count, "", str(machine.chips), fact))
    return replace(Told.of(f"{listed(said)}.", cite(store, facts), facts), rows=tuple(rows))
