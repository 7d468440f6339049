"""Readings as claims: what `chipwise.extract` gives of figures.

A figure without a unit has the one that its metric is stated in, as a table's column or a sentence leaves it out: "141" under "Memory".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims import voice
from chipwise.claims.candidates import BARE, DATE
from chipwise.claims.decode import Reading
from chipwise.claims.leftover import Left, has_unit
from chipwise.claims.model import Claim, Modality
from chipwise.claims.polarity import negation
from chipwise.claims.reader import ClaimReader
from chipwise.claims.units import Unit
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, blanked
from chipwise.types import Passage

LISTING = "listing"  # the zone in which a number may go without its unit
LEAST = 0.3  # confidence below which a reading is no claim
_LINK = ("aggregation", "link")
_WORDS = 24  # characters beside a figure that tell a difference
SURE_BARE = 0.8  # the same of a number without a unit
SURE = 0.5  # and below which it is in doubt: shown, and compared with nothing
_PARTS = re.compile(r"[,;:()]\s?|\sand\s")  # what ends the reach of a "no" before a figure: "no NVLink, 48 GB"
BASE_UNITS = 1e9  # from which on a bare number is one of bytes or FLOPS, as code has them: "HBM_BW = 3.35e12"


def read_claims(
    reader: ClaimReader, domain: Domain, passages: Sequence[Passage], title: str = "", *, unplaced: bool = False
) -> list[Claim]:
    """The claims on figures of one source, in the order of its text, each with its confidence and the runner-up readings.

    One that is less likely than not is in doubt. With `unplaced`, also what the text gives to a product that the
    domain lacks or to none, as claims without a subject, and figures that are no claim, as claims without a metric.
    """
    units, readings = reader.read(passages, title)
    headings = {p.ordinal: p.heading for p in passages}
    source = passages[0].source if passages else ""
    made = list[Claim]()
    for reading in readings:
        unit = units[reading.unit]
        claim = _claim(domain, source, unit, reading)
        if claim is None or not (unplaced or (claim.metric and claim.subject)):
            continue
        said_by = voice.attribution(domain, unit.text, headings.get(unit.passage, ()))
        made.append(replace(_as_put(domain, unit, claim), attribution=said_by))
    beside = {c.start for c in made if c.metric == "link_bandwidth"}
    # "900 GB/s: 18 links x 50 GB/s": what one link has stands beside the total, which is of all
    totals = [c.metric == "interconnect_bandwidth" and c.start in beside for c in made]
    made = [
        replace(c, qualifiers=tuple(q for q in c.qualifiers if q != _LINK)) if t else c
        for c, t in zip(made, totals, strict=True)
    ]
    return sorted(made, key=lambda c: c.value_start)


def _as_put(domain: Domain, unit: Unit, claim: Claim) -> Claim:
    """A claim as its sentence puts it, which denies, supposes or passes on in words that categories share with figures.

    What is supposed, promised or guessed stands behind the word for it: "800 GB/s, or double if you take the other" supposes nothing of the 800.
    """
    if not claim.metric or unit.zone == LISTING:
        return claim
    text, at = unit.text, claim.value_start - claim.start
    # "without sparsity" says which peak it is, and denies nothing
    text = blanked(text, [(m.start, m.end) for m in domain.find_qualifiers(text)])
    begin = max((m.end() for m in _PARTS.finditer(text, 0, at)), default=0)
    denied = negation(text[begin:], at - begin) is not None
    put = voice.of_figure(domain, unit.text, (at, claim.value_end - claim.start))
    return replace(claim, polarity=not denied, modality=put or claim.modality)


def _claim(domain: Domain, source: str, unit: Unit, reading: Reading) -> Claim | None:
    """What a figure is read as; without a metric where it is no claim, None where it has no unit either."""
    place = unit.places[reading.figure]
    subject = reading.subject if reading.subject in domain.entities else ""
    is_claim = bool(reading.metric) and reading.confidence >= LEAST and _fits(domain, reading)
    quantity = quantity_of(domain, reading, place) if is_claim else reading.candidate.quantity
    if quantity is None or (not is_claim and not has_unit(quantity)):
        return None
    if is_claim and reading.candidate.dimension == BARE and unit.zone != LISTING and quantity.dimension != "count":
        return None  # "10.7 instead of 10 PFLOPS": what it is in is not said, as a table's header says it
    quantity = replace(quantity, start=place[0], end=place[1])
    if quantity.form == "value" and _is_difference(domain, unit.text, place[0] - unit.span[0], place[1] - unit.span[0]):
        quantity = replace(quantity, form="difference")
    claim = Claim(source, unit.passage, *unit.span, *place, subject, "", quantity)
    if not is_claim:
        return replace(claim, doubt=Left.of(reading))
    before = unit.text[: place[0] - unit.span[0]]
    if _is_labelled_otherwise(domain, before, reading):
        return replace(claim, doubt=Left.USE)
    axes = dict(reading.axes)
    if reading.scope:
        axes["aggregation"] = reading.scope
    if reading.count:
        axes["count"] = str(reading.count)
    sure = reading.confidence >= (SURE_BARE if reading.candidate.dimension == BARE else SURE)
    doubt = "" if sure else f"read with a confidence of only {reading.confidence:.2f}"
    if _is_set_against(domain, unit.text, before):
        doubt = "it is compared with another figure, and may belong to the other product"
    return replace(
        claim, metric=reading.metric, baseline=_baseline(domain, reading, quantity), qualifiers=tuple(sorted(axes.items())),
        modality=Modality(reading.modality), confidence=round(reading.confidence, 3), rivals=reading.rivals,
        doubt=doubt,
    )  # fmt: skip


def _is_set_against(domain: Domain, text: str, before: str) -> bool:
    """True for the 2.04 of "an H100 has 1.64 times the bandwidth of an A100 (3.35 against 2.04 TB/s)": two products, two figures."""
    *_, a, b, word = ["", "", "", *before.split()]
    named = {domain.chip_of(i) for m in domain.find_entities(text) for i in m.ids if domain.is_specific(i)}
    return word in ("against", "versus", "vs", "vs.") and any(c.isdigit() for c in a + b) and len(named) > 1


def _is_labelled_otherwise(domain: Domain, before: str, reading: Reading) -> bool:
    """True behind a label whose wording is of something else: "KV cache memory: 11 GiB" is no capacity."""
    words, metric = before.rstrip(" ~$"), reading.metric
    label = words[max(map(words.rfind, ",;.()")) + 1 : -1].lower() if words.endswith((":", "=")) else ""
    unit = domain.units.get(domain.find_unit(label.rpartition(" ")[2]))
    bare = reading.candidate.dimension == BARE
    if bare and unit is not None and unit.dimension == "count" != domain.metrics[metric].dimension:
        return True  # "Total generated tokens: 10240" is no rate
    others = any(f" {w.lower()} " in f" {label} " for w in domain.metrics[metric].anti)
    return others and not any(metric in m.ids for m in domain.find_metrics(label))


def _fits(domain: Domain, reading: Reading) -> bool:
    """False for the 10,240 tokens that are read as a rate of tokens: a figure with a unit is of its dimension, or compares two."""
    q, dimension = reading.candidate.quantity, domain.metrics[reading.metric].dimension
    return q is None or q.compares or q.dimension in (dimension, "ratio") or dimension.startswith(q.dimension)


def _is_difference(domain: Domain, text: str, start: int, end: int) -> bool:
    """True for "350 W less" and "an extra 40 GB", which are no amounts."""
    behind, before = text[end : end + _WORDS], " ".join(text[max(0, start - _WORDS) : start].split()[-2:])
    more = behind[:1].isspace() and domain.find_phrase("behind a difference", behind)
    return bool(more or domain.find_phrase("before a difference", before))


def quantity_of(domain: Domain, reading: Reading, place: Span) -> Quantity | None:
    """The figure at its place in the source, None for a date and for a bare number of a metric without a unit."""
    candidate, dimension = reading.candidate, domain.metrics[reading.metric].dimension
    if candidate.dimension == "price" and dimension == "price_rate":  # "$2.49" in a column of prices per hour
        found = domain.unit_table.find(f"{candidate.surface}/hour")
        return replace(found[0], start=place[0], end=place[1]) if len(found) == 1 else None
    if candidate.quantity is not None:
        return replace(candidate.quantity, start=place[0], end=place[1])
    if candidate.written >= BASE_UNITS:
        return Quantity(*place, dimension, domain.metrics[reading.metric].unit, candidate.written, candidate.written)
    unit = domain.units.get(domain.metrics[reading.metric].unit) if candidate.dimension != DATE else None
    found = (
        domain.unit_table.find(f"{candidate.written:.10g} {unit.forms[0]}") if unit is not None and unit.forms else []
    )
    return replace(found[0], start=place[0], end=place[1]) if len(found) == 1 else None


def _baseline(domain: Domain, reading: Reading, quantity: Quantity) -> str:
    known = reading.baseline in domain.entities and reading.baseline != reading.subject
    return reading.baseline if known and quantity.compares else ""
