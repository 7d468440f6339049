"""What figure a table's cell holds, and what it measures: by its own words, its label, its header and its heading.

"80" below "Memory (GB)"   ->  80 GB, memory_capacity
"1,979" below "FP8 dense"  ->  1,979 TFLOPS, peak_compute, where the corner says TFLOPS
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims import slots
from chipwise.claims.scene import Scene, read_scene
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import STOP_WORDS, content_words, words

_UNIT_IN = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]|,\s*([^,()]{1,24})$|\bin\s([^\s,()]{1,24})$")
# of a format's figure: it is its peak
_SAYS_NO_MORE = frozenset(("approx", "performance", "speed", "tensor", "core", "cores"))
_OF_EACH = frozenset(("per", "a", "an", "each", "every", "one"))  # what stands before the holder of what is counted
_SCALE = re.compile(r"[(\[](thousand|million|billion|trillion)s?[)\]]\s*$", re.I)
_SCALED = re.compile(r"\s*(\d[\d,.]*\s?(?:thousand|million|billion|trillion))\s*", re.I)
_ONE = r"\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d{1,2})?"
_NOTE = r"(?:\[\^?\w+\]|[*†‡])?"  # behind a number, what sends the reader to a note
_DECORATED = re.compile(
    rf"(?:about|around|roughly|approx\.|ca\.)?[~≈*_`\s]*{_NOTE}"
)  # a number's cell, less the number
_BARE = re.compile(rf"[~≈<>≤≥*_`\s]*({_ONE})(?:\s?[-–]\s?({_ONE}))?[*_`\s]*{_NOTE}$")


def cell_scene(domain: Domain, text: str, units: str) -> Scene:
    """The cell; a bare number takes the unit that its header, its label or the corner gives."""
    scene = read_scene(domain, text)
    bare = _BARE.fullmatch(text) or _SCALED.fullmatch(text)
    if scene.quantities or bare is None:
        return scene
    number = text[bare.start(1) : bare.end(2) if bare.re.pattern == _BARE.pattern and bare[2] else bare.end(1)]
    about = "~" if {"~", "≈"} & set(text[: bare.start(1)]) else ""
    for unit in (*_scaled_units(units), *_units_in(units)):
        found = domain.unit_table.find(f"{about}{number} {unit}")
        if len(found) == 1 and found[0].start <= len(about) and found[0].end > len(number) + len(unit) // 2:
            return replace(scene, quantities=[replace(found[0], start=bare.start(1), end=bare.start(1) + len(number))])
    counted = read_scene(domain, f"{units.partition('|')[0].strip()}: {text.strip()}").quantities
    if len(counted) == 1 and counted[0].dimension == "count":
        return replace(scene, quantities=[replace(counted[0], start=bare.start(1), end=len(text.rstrip()))])
    return scene


def bare_number(domain: Domain, text: str) -> Quantity | None:
    """The number, or the range of two, of a cell that holds nothing else, at its place; None for any other cell."""
    found = domain.unit_table.find_all(text) if any(map(str.isdigit, text)) else []
    alone = len(found) == 1 and found[0].dimension == "number" and found[0].form in ("value", "range")
    return found[0] if alone and _DECORATED.fullmatch(text[: found[0].start] + text[found[0].end :]) else None


def _scaled_units(header: str) -> Iterator[str]:
    """The unit of "Transistors (millions)": "million Transistors"."""
    for part in header.split("|"):
        if scale := _SCALE.search(part):
            yield f"{scale[1].lower()} {part[: scale.start()].strip()}"


def _units_in(header: str) -> Iterator[str]:
    """What in a header may be its unit, likeliest first: "Memory (GB)", "Peak, TFLOPS", "FLOPs/s/chip (bf16)", "Spec TFLOPS"."""
    for match in _UNIT_IN.finditer(header):
        yield next(filter(None, match.groups())).strip()
    for part in header.split("|"):
        yield part.strip().lower()  # "Tokens per second per chip"
        tokens = [t.strip("()[],;") for t in part.replace("\\", " ").split()]
        # "Cores per SM" are no SMs, and "Chips in a pod" no pods
        behind = [(t, before.lower()) for before, t in pairwise(["", *tokens])]
        yield from (
            t for t, before in reversed(behind) if len(t) > 1 and before not in _OF_EACH and t.lower() not in STOP_WORDS
        )


def metric_of(
    domain: Domain, scene: Scene, label: Scene, quantity: Quantity, above: Sequence[str], *, hourly: bool
) -> Metric | None:
    """What the cell says is measured, else what its label says, the heading, or what figures of the kind mostly are."""

    def fits(metric: str, wording: str = "") -> bool:
        wanted = domain.metrics[metric]
        implied = quantity.dimension in wanted.implied_by
        return slots.fits(domain, wanted, quantity) and not (
            implied and not slots.says_per(wanted, wording, hourly=hourly)
        )

    # "PCIe 64 GB/s" below "Interconnect bandwidth" is the cell's word against its header's
    nearest = sorted(scene.metrics, key=lambda m: scene.distance(quantity, m))
    own = [m for m in nearest if m.end <= quantity.start or quantity.end <= m.start]
    units = [m for m in nearest if m not in own]  # the "kilowatts" below "TDP" say less than the header
    for named, mentions in ((scene, own), (label, label.metrics), (scene, units)):
        for mention in mentions:
            for metric in mention.ids:
                if fits(metric, named.text[mention.start : mention.end]):
                    return domain.metrics[metric]
    if quantity.unit == "x":
        return None
    if not _is_bare_label(label):
        return None  # "FP8 matmul" under "Peak and matmul rates" is no peak
    return domain.metrics.get(next(filter(fits, above), "") or slots.by_default(domain, label, quantity))


def _is_bare_label(label: Scene) -> bool:
    """True where a label holds format, density and unit alone: "FP8 dense, TFLOPS"."""
    known = {w for m in (*label.qualifiers, *label.entities) for w in words(label.text[m.start : m.end])}
    units = {w for match in _UNIT_IN.finditer(label.text) for w in words(match[0])}
    rest = set(content_words(label.text)) - known - units - _SAYS_NO_MORE
    return not any(w for w in rest if not w.endswith(("flops", "flop", "tops")))
