"""Figures that leave their unit to the one before them, as people compare two products.

    "A v4 chip peaks at 275 TFLOPS where v3 had 123"           123 TFLOPS
    "the compute sees 80 TB/s, against 3.35 on an H100"        3.35 TB/s
    "an MI300X finished in 29.25 minutes, while one with MI325X took 22.04"

A bare number is read so only where a product is named right at it, and where it is of the size of the figure before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity

_NUMBER = re.compile(r"(?<![\w.,$€£%-])~?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?=[,.;:)]?(?:\s|$))(?!\s?(?:[x×]\s|%))")
_SAYS = r"(?:had|has|have|does|did|makes|made|manages|managed|reaches|reached|gets|got|took|takes|needs|needed|draws|offers|gives|delivers|comes\swith|at|with)"
# between a product and its number, and between a number and its product
_HAS = re.compile(rf"(?:['’]s)?\s{_SAYS}\s(?:only\s|just\s|about\s|some\s|a\s(?:mere|full)\s)?~?$")
_OTHER = re.compile(
    r"(?:\b(?:where|while|whereas|and|but|than)|,)\s(?:the\s|an?\s|one\swith\s|one\sof\s|that\sof\s)?(?:the\s|an?\s)?(?:[A-Z]\w+\s)?$"
)
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
    if not entities or not 0 < len(found) <= _MOST:
        return told
    for number in _NUMBER.finditer(text):
        start, end = number.span(1)
        if any(q.start < end and start < q.end for q in told) or any(m.start < end and start < m.end for m in entities):
            continue
        if not _is_of_a_product(text, entities, start, end):
            continue
        before = [
            q
            for q in found
            if q.end <= start and q.form == "value" and not q.compares and q.dimension not in ("count", "number")
        ]
        unit = domain.units.get(before[-1].unit) if before else None
        if unit is None:
            continue
        read = next((q for q in domain.unit_table.find_all(text[start:end]) if q.dimension == "number"), None)
        if read is None or read.low <= 0 or before[-1].low <= 0:
            continue
        low, high = read.low * unit.scale, read.high * unit.scale
        if 1 / _FACTOR <= low / before[-1].low <= _FACTOR:
            told.append(replace(before[-1], start=start, end=end, low=low, high=high, bound=read.bound))
    return sorted(told, key=lambda q: q.start)


def _is_of_a_product(text: str, entities: Sequence[Mention], start: int, end: int) -> bool:
    """True for the numbers of "where v3 had 123" and "against 3.35 on an H100"."""
    owner = next((m for m in entities if m.start >= end), None)
    if owner is not None and _ON.fullmatch(text, end, owner.start) and _AGAINST.search(text, 0, start):
        return True
    owner = next((m for m in reversed(entities) if m.end <= start), None)
    if owner is None or not _ENDS.match(text, end):
        return False
    return bool(_HAS.fullmatch(text, owner.end, start) and _OTHER.search(text, 0, owner.start))
