"""A question as one that may be a sum: its figures, the chips and how many of them, and what it asks them to be.

"8x H100 at $2 per GPU-hour"  ->  2 USD/hour of nvidia-h100, of 8 chips
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from chipwise import patterns as re
from chipwise.answering.base import Base
from chipwise.answering.givens import Given, givens
from chipwise.answering.query import Query
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.figures.format import number
from chipwise.figures.llms import find_in
from chipwise.index.store import Store
from chipwise.text import blanked
from chipwise.values import dataclass

HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b", re.I)
_POD = re.compile(r"\b(?:full|whole|entire|a|one|complete)\b[^.?]*\b(?:super)?pod\b", re.I)
AXES = ("dtype", "sparsity", "engine", "form_factor", "provider", "price_terms")
_COUNTS = ("pod_size", "slice_size", "chips_per_node", "scale_up_domain")


@dataclass(frozen=True, slots=True)
class Filled:
    """How many chips a question is about: `fact` is what that is cited by, `given` the figure of the question that it is."""

    text: str
    value: float
    fact: Fact | None = None
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The question with its figures; `text` has them blanked out. `chips` is how many it is about, None where it is one."""

    question: Query
    text: str
    figures: tuple[Given, ...]
    chips: Filled | None
    subjects: tuple[str, ...]  # chips, or what is made of them
    wanted: Mapping[str, str]  # values by axis


def read_question(question: Query, base: Base) -> Asked | None:
    """The figures, the chips and the qualifiers of the question; None where one of them is not plain."""
    store, domain = base.store, base.domain
    text = question.text
    found = givens(text, domain)
    if found is None or any(len(ids) != 1 for ids in question.subjects):
        return None
    if domain.find_entities(text[question.since :]):  # how many of another product were spoken of before
        found = [g for g in found if g.start >= question.since or g.kind not in ("chips", "systems")]
    if any(_are_alternatives(a, b, text, domain) for a, b in pairwise(sorted(found, key=lambda g: g.start))):
        return None
    entities = domain.find_entities(text)
    ends = (max([g.end, *(m.end for m in entities if g.start < m.start < g.end)]) for g in found)  # "8 A100" and "80GB"
    rest = blanked(text, ((g.start, end) for g, end in zip(found, ends, strict=True)), "#")
    named = find_in(text)
    model = text[slice(*named[1])].lower() if named is not None else ""
    unknown = [n for n in question.names if n in rest.lower() and n not in model]
    if any(not count for count in store.document_frequencies(unknown).values()):
        return None
    ids = [i for (i,) in question.subjects]
    subjects = tuple(i for i in ids if not domain.is_many(i)) or tuple(filter(None, map(domain.latest_of, ids)))
    stated: dict[str, set[str]] = {}
    for mention in reversed(domain.find_qualifiers(text)):
        axis, _, value = mention.ids[0].partition("=")
        if (
            mention.start >= question.since or axis not in stated
        ):  # what was said before holds where nothing else is said
            stated.setdefault(axis, set()).add(value)
    if any(len(stated.get(axis, ())) > 1 for axis in AXES):
        return None
    chips, unambiguous = _chips(found, subjects, text, store, domain)
    wanted = {axis: next(iter(stated[axis])) for axis in AXES if axis in stated}
    return Asked(question, rest, tuple(found), chips, subjects, wanted) if unambiguous else None


def _chips(
    found: Sequence[Given], subjects: Sequence[str], text: str, store: Store, domain: Domain
) -> tuple[Filled | None, bool]:
    """How many chips the question is about, if it says so; and whether that is one number."""
    counts = [g for g in found if g.kind == "chips"]
    systems = [i for i in subjects if domain.holds_several(i)]
    if len(counts) > 1 or len(systems) > 1:
        return None, False
    asks_machines = (
        systems and counts and HOW_MANY.search(text) and domain.entities[systems[0]].chips != counts[0].value
    )
    if counts and not asks_machines:  # "how many NVL72 for 1,000 GPUs" is about machines
        fits = not systems or domain.entities[systems[0]].chips == counts[0].value
        return Filled(counts[0].text, counts[0].value, given=counts[0]), fits
    about = systems[0] if systems else subjects[0] if len(subjects) == 1 and _POD.search(text) else ""
    if not about:
        return None, True
    facts = store.facts([about, domain.nearest_chip(about) or about], _COUNTS)
    held = domain.entities[about].chips if systems else 0
    for fact in sorted(facts, key=lambda f: f.claim.subject != about):
        value = fact.amount
        fits = value == held or (not systems and fact.claim.metric == "pod_size")
        if fact.is_exact and fits and fact.rank == "preferred" and store.holds(fact):
            return Filled(f"{number(value)} chips", value, fact), True
    return (Filled(f"{held} chips", held), True) if held else (None, True)


def _are_alternatives(first: Given, second: Given, text: str, domain: Domain) -> bool:
    """True for "10 GB or 12 GB", of which no sum takes both."""
    between = text[first.end : second.start].strip()
    said = {o.kind for o in domain.operators_in(between)}
    return first.kind == second.kind and said == {"or"} and len(between.split()) == 1
