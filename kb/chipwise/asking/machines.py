"""Which machines have so much of something, where a system, a node or a rack is asked for and no chip.

"Which systems have at least 1.5 TB of memory?"      ->  those of which facts give it
"Which 8-GPU nodes have at least 1.5 TB of memory?"  ->  "AMD MI325X 8 x 256 GB [1] = 2,048 GB", whatever they stand in
"""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from chipwise import nouns
from chipwise import patterns as re
from chipwise.asking.filtering import MOST, limit_of, of_products
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, cite
from chipwise.asking.ranking import figures_of, products
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import listed, value_text
from chipwise.index.store import Store

# "which 8-GPU systems", "what nodes"
_MACHINES = re.compile(
    rf"^(?P<which>(?:which|what|list|name|show(?: me)?)\s(?:all\s|the\s)?)(?:(?P<count>\d+)[\s-]?(?P<chip>{nouns.CHIP}|card)s?\s)?"
    rf"(?P<noun>{nouns.SYSTEM}|node|server|box)(?:e?s)?\b",
    re.I,
)
_OF_EACH = re.compile(rf"\b(?:per|each|every|a single)\s(?:{nouns.CHIP}|card)\b", re.I)
_IN_A_RACK = 16  # chips: machines of fewer stand in a rack, and are none
_MEMORY = re.compile(r"\b(?:HBM\w*|VRAM)\b", re.I)


def machines_within(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The machines whose figure keeps to a bound, or so many chips that together do; None for a question about anything else."""
    asked = _MACHINES.match(question.text)
    if asked is None or _OF_EACH.search(question.text):
        return None
    rest = _MEMORY.sub("memory", question.text[asked.end() :])
    about = of_products(understand(f"{asked['which']}{asked['chip'] or 'accelerator'}s{rest}", domain), domain)
    stated = domain.unit_table.find(about.text) if about is not None else []
    bounds = limit_of(about, stated[0], domain) if about is not None and len(stated) == 1 else None
    if about is None or bounds is None:
        return None
    limit, metric = bounds
    if domain.metrics[metric].nature == "priced":  # on which terms, and when, a list of machines does not tell
        return None
    chips = int(asked["count"] or 0)
    if chips > 1 and domain.metrics[metric].scales:
        of_one = figures_of(products(about, domain), replace(about, metrics=(metric,), unit=""), store, domain, names)
        met = sorted((f for f in of_one if limit.met(f.amount * chips)), key=attrgetter("amount"), reverse=True)
        said = [f"{value_text(f, names)} [{n}] = {_together(f, chips, domain)}" for n, f in enumerate(met, start=1)]
        each = [f"{names.name(f.claim.subject)} {chips} x {text}" for f, text in zip(met, said, strict=True)]
        head = f"{chips} of each together, in whatever machine they stand, by what is known of {len(of_one)} chips: "
        return Told.of(f"{head}{listed(each, MOST)}.", cite(store, met[:MOST]), met[:MOST]) if met else None
    least = _IN_A_RACK if asked["noun"].lower() == "rack" else 0
    known = [f for f in _known(chips, metric, store, domain) if domain.entities[f.claim.subject].chips >= least]
    known = [f for f in known if not about.makers or domain.entities[f.claim.subject].vendor in about.makers]
    met = sorted((f for f in known if limit.met(f.amount)), key=attrgetter("amount"), reverse=not limit.met(0.0))
    each = [f"{names.name(f.claim.subject)} {value_text(f, names)} [{n}]" for n, f in enumerate(met, start=1)]
    head = f"{len(met)} of {len(known)} machines of which that is known: "
    return Told.of(f"{head}{listed(each, MOST)}.", cite(store, met[:MOST]), met[:MOST]) if met else None


def _known(chips: int, metric: str, store: Store, domain: Domain) -> list[Fact]:
    """Of each machine, of so many chips where a number is asked for, what stands of the metric; a slice is a part of one."""
    found: list[Fact] = []
    for e in domain.entities.values():
        if e.kind == "system" and domain.holds_several(e.id) and chips in (0, e.chips):
            facts = store.facts([e.id], [domain.metric_of(metric, e.id)])
            fact = next((f for f in facts if f.rank == "preferred" and store.holds(f)), None)
            found += [fact] if fact is not None else []
    return found


def _together(fact: Fact, times: int, domain: Domain) -> str:
    """What so many have together, in the unit of one's figure."""
    return f"{number(fact.amount / domain.units[fact.unit].scale * times)} {fact.unit}"
