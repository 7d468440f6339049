"""Figures that leave their unit to the one before them, as people compare two products.

    "A v4 chip peaks at 275 TFLOPS where v3 had 123"           123 TFLOPS
    "the compute sees 80 TB/s, against 3.35 on an H100"        3.35 TB/s
    "an MI300X finished in 29.25 minutes, while one with MI325X took 22.04"
    "the v5p reads it at 2,765 GB/s. Trillium does 1,638."                      of the sentence before
    "2,307 TFLOPS in BF16, 4,614 in FP8"                                        in another format

A bare number is read so only where a product or a format is named right at it, and where it is of the size of the figure before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity

_NUMBER = re.compile(r"(?<![\w.,$€£%-])~?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?=[,.;:)]?(?:\s|$))(?!\s?(?:[x×]\s|%))")
_SAYS = r"(?:had|has|have|does|did|makes|made|manages|managed|reaches|reached|gets|got|took|takes|needs|needed|draws|offers|gives|delivers|comes\swith|at|with)"
# between a product and its number, and between a number and its product
_HAS = re.compile(rf"(?:['’]s)?\s{_SAYS}\s(?:only\s|just\s|about\s|some\s|a\s(?:mere|full)\s)?~?$")
_OTHER = re.compile(
    r"(?:\b(?:where|while|whereas|and|but|than)|,)\s(?:the\s|an?\s|each\s|one\swith\s|one\sof\s|that\sof\s)?(?:the\s|an?\s)?(?:[A-Z]\w+\s)?$"
)
_ANOTHER = re.compile(r"\b(?:and|while|,)\s(?:each|an?|the)\s$")
_STRAIGHT = re.compile(r"\s~?")  # "and each A100 4,641"
# behind a number in another format than the figure before it has
_IN_FORMAT = re.compile(r"\sin\s(?:dense\s|sparse\s)?(?:MX|NV)?(?:FP|BF|TF|INT)\d{1,2}\b")
_LISTED = re.compile(r"(?:,|\b(?:and|or))\s~?$")
_RATE = "compute_rate"
_ON = re.compile(r"\s(?:on|of|for|in|from)\s(?:the\s|an?\s|one\s)?(?:[A-Z]\w+['’]?s?\s)?$")
_AGAINST = re.compile(
    r"\b(?:against|versus|vs\.?|instead\sof|rather\sthan|compared\s(?:to|with)|up\sfrom|down\sfrom|not)\s(?:the\s|only\s|just\s)?~?$",
    re.I,
)
_ENDS = re.compile(r"[,.;:)]|\s?$|\s(?:and|but|while|so)\b")
_MOST = 20  # figures of a sentence that compares two products
_FACTOR = 10.0  # times the figure before: of another size a number counts something else


def with_unsaid_units(
    domain: Domain, text: str, entities: Sequence[Mention], found: Sequence[Quantity]
) -> list[Quantity]:
    """The quantities of a text, in order, with the bare numbers that a product is named at, in the unit of the figure before them."""
    told = list(found)
    if not 0 < len(found) <= _MOST or not (entities or _IN_FORMAT.search(text)):
        return told
    for number in _NUMBER.finditer(text):
        start, end = number.span(1)
        if any(q.start < end and start < q.end for q in told) or any(m.start < end and start < m.end for m in entities):
            continue
        before = [q for q in found if q.end <= start and _has_a_unit(q)]
        formatted = bool(before) and before[-1].dimension == _RATE and _IN_FORMAT.match(text, end)
        formatted = formatted and _LISTED.search(text, 0, start)
        if not before or not (formatted or _is_of_a_product(text, entities, start, end)):
            continue
        if (read := _in_unit_of(domain, before[-1], text, start, end)) is not None:
            told.append(read)
    return sorted(told, key=lambda q: q.start)


def _has_a_unit(q: Quantity) -> bool:
    return q.form == "value" and not q.compares and q.dimension not in ("count", "number")


def _in_unit_of(domain: Domain, figure: Quantity, text: str, start: int, end: int) -> Quantity | None:
    """The number there in the unit of a figure, where it is of its size."""
    number = next((q for q in domain.unit_table.find_all(text[start:end]) if q.dimension == "number"), None)
    if figure.unit not in domain.units or number is None or number.low <= 0 or figure.low <= 0:
        return None
    read = _in_unit(domain, figure.unit, number)
    alike = 1 / _FACTOR <= read.low / figure.low <= _FACTOR
    return replace(read, start=start, end=end) if alike else None


def _is_of_a_product(text: str, entities: Sequence[Mention], start: int, end: int) -> bool:
    """True for the numbers of "where v3 had 123" and "against 3.35 on an H100"."""
    owner = next((m for m in entities if m.start >= end), None)
    if owner is not None and _ON.fullmatch(text, end, owner.start) and _AGAINST.search(text, 0, start):
        return True
    owner = next((m for m in reversed(entities) if m.end <= start), None)
    if owner is None or not _ENDS.match(text, end):
        return False
    if _STRAIGHT.fullmatch(text, owner.end, start) and _ANOTHER.search(text, 0, owner.start):
        return True
    return bool(_HAS.fullmatch(text, owner.end, start) and _OTHER.search(text, 0, owner.start))


def _in_unit(domain: Domain, unit_id: str, number: Quantity) -> Quantity:
    """A bare number, whose ends count nothing yet, as so many of a unit."""
    unit = domain.units[unit_id]
    low, high = number.low * unit.scale, number.high * unit.scale
    return replace(number, low=low, high=high, unit=unit.id, dimension=unit.dimension)
