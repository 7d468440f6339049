"""Prices without a time that are rents all the same: of what nobody sells, or nobody for so little.

    "Google asks $88.49 for the a3-highgpu-8g."         an instance is rented and not sold
    "Oracle: $10.00 for an H100, $14.00 for a B200."    a cloud is named, and no H100 is sold for that
    "The H100 run on AWS cost us $12."                  the price of something else

What is sold, by whom and for how much at least, is data (metrics.toml).
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.claims.around import named, segment, unaccounted_in
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.numbers.numerals import SEVERAL, numeral_at
from chipwise.numbers.quantities import Quantity

_DEEDS = ("model", "benchmark", "workload")  # kinds of terms: what is done with a chip has a price, too
_FOR_EACH = re.compile(r"\s?(?:/|\b(?:per|an?|each|every)\s)", re.I)
_OF_A_CLOUD = "provider="
# of a change, or of what was spent: "cut by $18", "the run cost us $12"
_NO_RENT = re.compile(
    r"\b(?:cheaper|dearer|less|more|cut|cuts|reduced|raised|lowered|off|by|sav\w+|runs?|ran|jobs?|us|me|experiments?)\b",
    re.I,
)
_OF_SO_MANY = re.compile(rf"\b(?:node|server|system|machine|box|board)\s(?:of|with)\s({SEVERAL}|\d+)\b", re.I)


def rent(domain: Domain, subject: str, price: Quantity, *, by_a_cloud: bool) -> str:
    """The metric that a price of `subject` is of where it is one for an hour, else ""."""
    entity = domain.entities.get(subject)
    sold = next((m for m in domain.metrics.values() if m.rented_as), None)
    if entity is None or sold is None or not domain.is_specific(subject) or price.dimension != sold.dimension:
        return ""
    least = sold.least * domain.units[sold.unit].scale * entity.chips
    rented = by_a_cloud or entity.vendor in sold.never_of
    return sold.rented_as if rented and price.form in ("value", "range") and 0 < price.high < least else ""


def rented(domain: Domain, scene: Scene, price: Quantity) -> str:
    """The same for a price of a sentence that says no more of it than whose it is, and where."""
    at = [m for m in scene.entities if any(domain.is_specific(i) for i in m.ids)]
    owner = min(at, key=lambda m: scene.distance(price, m), default=None)
    deeds = any(domain.terms[i].kind in _DEEDS for m in scene.terms for i in m.ids)
    if owner is None or deeds or len(owner.ids) != 1:
        return ""
    # "each chip of the v6e pod costs $2.70": not the pod
    of_each = any("aggregation=chip" in m.ids and scene.owner(m) is price for m in scene.qualifiers)
    if of_each and domain.entities[owner.ids[0]].chips > 1:
        return ""
    found = rent(domain, owner.ids[0], price, by_a_cloud=names_a_cloud(domain, scene.text))
    return found if found and _is_plain(domain, scene, price, found, domain.entities[owner.ids[0]].chips) else ""


def names_a_cloud(domain: Domain, text: str) -> bool:
    """True where somebody is named who rents."""
    return any(i.startswith(_OF_A_CLOUD) for m in domain.find_qualifiers(text) for i in m.ids)


def _is_plain(domain: Domain, scene: Scene, price: Quantity, metric: str, chips: int) -> bool:
    """False for "$12 per run" and "$4,000 for the weekend"; an "HGX H100 node of eight" has the `chips` that it has anyway."""
    known = [*named(scene), *((m.start, m.end) for m in scene.terms)]
    whole = ((m, numeral_at(scene.text, m.start(1))) for m in _OF_SO_MANY.finditer(scene.text))
    known += [m.span() for m, many in whole if many is not None and many.value == chips]
    start, end = segment(scene, price)
    if _NO_RENT.search(scene.text, start, end):
        return False
    each = _FOR_EACH.match(scene.text, price.end)
    if each and not any(m.start <= each.end() and each.start() < m.end for m in scene.qualifiers):
        return False
    left = {w.lower() for w in unaccounted_in(scene.text, start, end, known)}
    return left <= set(domain.metrics[metric].plain)
