"""A figure in another unit: one that a question gives, or one that a fact does.

    "what is 3200 Gbps in GB/s"  ->  "3,200 Gbps / 8 = 400 GB/s."

The factor is shown, so that a reader sees whether bits, or powers of two, make the difference.
"""

from __future__ import annotations

import math

from chipwise import patterns as re
from chipwise.asking.kinds import FIGURE
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import value_text
from chipwise.index.store import Store
from chipwise.text import blanked, words

_TARGET = re.compile(r"\b(?:in|to|into|as|how many)\s+(?P<unit>[A-Za-z]+(?:/[A-Za-z]+)?(?: per \w+)?)", re.I)
# a figure that is all there is to convert: "what's 144 GiB of Trainium3 memory in GB", not "what is its memory in GiB"
_GIVEN = re.compile(
    r"^\W*(?:what(?:['’]s|\s+is|\s+are)|convert|express|how (?:much|many) (?:is|are))\s+(?:the\s+)?\d", re.I
)
_LEAST = 3  # digits of a result
_EXACT = 10  # significant digits of a factor: 1.073741824


def converted(question: Question, _store: Store, domain: Domain, _names: Names) -> Told | None:
    """The one figure of a question in the unit it names, whosever it is; None for a question about anything else."""
    if question.terms or not FIGURE.search(question.text) or not _TARGET.search(question.text):
        return None
    named = [(m.start, m.end) for m in domain.find_entities(question.text)]
    if named and not _GIVEN.search(question.text):
        return None
    found = domain.unit_table.find_all(blanked(question.text, named))
    if len(found) != 1 or found[0].bound != "exact" or found[0].form == "range":
        return None
    given = found[0]
    rest = blanked(question.text, [(given.start, given.end)])
    target = _unit_wanted(rest, domain)
    whose = [*named, *((m.start, m.end) for m in domain.find_metrics_asked(rest))]
    said = set(words(blanked(rest, whose) if named else rest)) - set(words(target))
    if (
        target == given.unit
        or not _alike(given.unit, target, domain)
        or not said <= domain.change_nothing("conversion")
    ):
        return None
    written = question.text[given.start : given.end]
    step = _step(given.middle, given.unit, target, domain, digits=_digits(written))
    return Told.of(f"{step}.")


def step_to(fact: Fact, target: str, domain: Domain, names: Names) -> str:
    """ "4,800 GB/s / 1,000 = 4.8 TB/s"; "" where the fact is in that unit, or in one of another kind."""
    quantity = fact.claim.quantity
    if quantity is None or not quantity.is_single or not _alike(fact.unit, target, domain):
        return ""
    value = float(fact.value) * domain.units[fact.unit].scale
    return _step(value, fact.unit, target, domain, value_text(fact, names), digits=_digits(fact.value))


def _unit_wanted(text: str, domain: Domain) -> str:
    """The unit of "in GB/s"; its case counts, since GB are not Gb."""
    for match in _TARGET.finditer(text):
        found = domain.unit_table.find_all(f"1 {match['unit']}")
        if found and found[0].unit in domain.units:  # "kWh/month" is made of two
            return found[0].unit
    return ""


def _alike(a: str, b: str, domain: Domain) -> bool:
    """True for two units of one dimension and of different sizes; counts are of different things."""
    if a not in domain.units or b not in domain.units:
        return False
    one, other = domain.units[a], domain.units[b]
    same = one.dimension == other.dimension and one.offset == other.offset == 0
    return same and one.dimension != "count" and not math.isclose(one.scale, other.scale)


def _digits(written: str) -> int:
    """As many as a figure has, without those that only place its point: 762.8 GiB/s would be more than 819 GB/s tell."""
    return max(_LEAST, len("".join(c for c in written if c.isdigit()).lstrip("0")))


def _step(value: float, unit: str, target: str, domain: Domain, written: str = "", *, digits: int) -> str:
    """ "3,200 Gbps / 8 = 400 GB/s", of a value in base units."""
    factor = domain.units[unit].scale / domain.units[target].scale
    sign, by = ("x", factor) if factor > 1 else ("/", 1 / factor)
    shown = written or f"{number(value / domain.units[unit].scale, 6)} {unit}"
    return f"{shown} {sign} {number(by, _EXACT)} = {number(value / domain.units[target].scale, digits)} {target}"
