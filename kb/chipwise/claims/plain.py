"""What a figure is of that a product simply has: 80 GB are a chip's memory, 700 W its TDP.

    "L20: 48 GB, 864 GB/s, 275 W"     a chip and figures, and nothing else is said
    "The H200's 141 GB"

Where words stand around it that may make something else of it, nothing is taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chipwise.claims.around import is_in, named, segment, unaccounted_in
from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_contrasted
from chipwise.domain.model import Domain
from chipwise.domain.nouns import MACHINE, PRODUCT, THE
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span, blanked, words

# "It", "The chip's", "The memory of the chip", "AMD rates the board"
_IT = re.compile(
    rf"\W*(?:(?-i:[A-Z]\w+)\s(?:rates|lists|specifies|quotes|puts|gives|sells)\s)?(?:the\s[\w-]+\s(?:of|on|in)\s)?(?:it|its|{THE}(?:{PRODUCT})|an?\s(?:full|whole|complete|entire)\s(?:{MACHINE}))(?:['’]s)?\b",
    re.I,
)
_POSSESSIVE = re.compile(r"['’]s\s(?:own\s|full\s|whole\s)?")
_OF = re.compile(r"\s(?:of|for|in|worth)\b")
_OF_EACH = re.compile(r"\sof\s(?:up\sto\s)?")
_EACH_BEHIND = re.compile(r"\s(?:each|apiece)\b", re.I)
_AT = re.compile(r"\s(?:at|with|running\sat)\s(?:up\sto\s)?", re.I)
_IN_ALL = re.compile(
    r"\s(?:[a-z]+\s){0,2}(?:in\s(?:all|total|sum)|altogether|together|combined|overall|total|aggregated?)\b", re.I
)
# "any GPU can access any other memory at 1.8 TB/s", "the L1 memory": not what a chip has beside it
_OTHER_MEMORY = re.compile(
    r"\b(?:others?|another|remote|host|system|peer|CPUs?|unified|shared|pooled|L[1-3]|caches?|SRAM|buffer|copy|copies|copying|between|across|network|links?|achiev\w*|measur\w*|sustain\w*)\b",
    re.I,
)
_USES = (
    "model",
    "benchmark",
    "workload",
    "framework",
    "library",
)  # beside what takes memory, a figure may be what it takes
# which say of memory that it is taken, and of a price or a limit that it is one
_USED = frozenset("use uses used using run runs running ran free fit fits draw drew".split())
_NO_FIGURE_OF_ITS_OWN = frozenset("limit limits per cost costs".split())

_SHARES = ("share", "value", "range")
_OF_WHAT = re.compile(
    r"\**\sof\s(?:(?:the|its|their|an?|each|[\w-]+['’]s?)\s)?(?:(?:theoretical|peak|max(?:imum)?|available|total|rated|full|sustained|advertised)\s){0,3}(?:(?:GPU|device)\s)?",
    re.I,
)


def plainly(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """What a figure is of that a product has of which no more is said: 80 GB are a chip's memory, 700 W its TDP.

    A rate is of the memory where the sentence speaks of that; alone it may be a link's.
    """
    fitting = domain.plain_metrics.get(quantity.dimension, ()) if quantity.form in ("value", "range") else ()
    if not fitting or _speaks_of_a_use(domain, scene, quantity):
        return ""
    if quantity.dimension == "information_rate" and not _speaks_of_memory(domain, scene):
        return ""
    at = [m for m in scene.entities if any(domain.is_specific(i) for i in m.ids)]

    def nearest(figure: Quantity) -> Mention | None:
        told = (m for m in at if not is_contrasted(scene.text, figure.end, m))
        return min(told, key=lambda m: scene.distance(figure, m), default=None)

    owner = nearest(quantity)
    alike = (q for q in scene.figures if q is not quantity and q.dimension == quantity.dimension and not q.compares)
    if any(nearest(q) is owner for q in alike):
        return ""  # "announced with 288 GB and sold with 256 GB": which it has is not said
    machine = owner is not None and all(domain.is_machine(i) for i in owner.ids)
    if owner is not None and owner.start < quantity.end and quantity.start < owner.end:
        return ""  # "A100 40GB" is a name
    for metric in fitting:
        if (
            _can_be_of(domain, metric, machine=machine)
            and (metric.dimension != "count" or domain.counts(metric, quantity.unit))
            and _is_enough(domain, metric, quantity)
            and _has(domain, scene, quantity, metric, owner)
        ):
            return metric.id
    return ""


def of_each_counted(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """What a figure is of that what is counted right before it has, each of them: "24 ports of 200 Gb/s", and not "of 4.8 Tb/s in all"."""
    of_all = _IN_ALL.match(scene.text, quantity.end) or quantity.form not in ("value", "range")
    counts = (q for q in scene.quantities if q.dimension == "count" and q.end < quantity.start)
    count = max(counts, key=lambda q: q.end, default=None)
    if of_all or count is None:
        return ""
    each = _EACH_BEHIND.match(scene.text, quantity.end) and _AT.fullmatch(scene.text, count.end, quantity.start)
    if not each and not _OF_EACH.fullmatch(scene.text, count.end, quantity.start):
        return ""
    whose = (m for m in domain.metrics.values() if m.each and domain.counts(m, count.unit))
    fitting = (m.each for m in whose if domain.metrics[m.each].dimension == quantity.dimension)
    return next(fitting, "")


def of_a_whole(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """What a share is of whose whole stands behind it: "60-80% of peak memory bandwidth" is no share of the compute."""
    if quantity.dimension != "ratio" or quantity.form not in _SHARES:
        return ""
    behind = [
        m for m in scene.metrics if m.start > quantity.end and _OF_WHAT.fullmatch(scene.text, quantity.end, m.start)
    ]
    whole = next((domain.metrics[i] for m in behind for i in m.ids if domain.metrics[i].share_as), None)
    return whole.share_as if whole is not None else ""


def _can_be_of(domain: Domain, metric: Metric, *, machine: bool) -> bool:
    """True for the power of a rack and the TDP of a chip, and for a machine's compute, which none of its other parts has."""
    shared = any(m.of_systems and m.dimension == metric.dimension for m in domain.metrics.values())
    return metric.of_systems == machine or (machine and metric.scales and not shared)


def _speaks_of_a_use(domain: Domain, scene: Scene, quantity: Quantity) -> bool:
    """True where a model or the like is named beside a figure, which may be of that; "DGX" in "DGX B200" is a name's."""
    names, (start, end) = [(m.start, m.end) for m in scene.entities], segment(scene, quantity)
    terms = (m for m in scene.terms if start <= m.start < end and not is_in((m.start, m.end), names))
    return any(domain.terms[i].kind in _USES for m in terms for i in m.ids)


def _speaks_of_memory(domain: Domain, scene: Scene) -> bool:
    capacities = {m.id for m in domain.plain_metrics.get("information", ())}
    return any(q.dimension == "information" for q in scene.figures) or any(
        capacities & set(m.ids) for m in scene.metrics
    )


def _is_beside_memory(domain: Domain, scene: Scene, quantity: Quantity) -> bool:
    capacities = {m.id for m in domain.plain_metrics.get("information", ())}
    start, end = segment(scene, quantity)
    others = _OTHER_MEMORY.search(scene.text) or any(
        i.startswith("aggregation=") for m in scene.qualifiers for i in m.ids
    )
    return not others and any(start <= m.start and m.end <= end and capacities & set(m.ids) for m in scene.metrics)


def _has(domain: Domain, scene: Scene, quantity: Quantity, metric: Metric, owner: Mention | None) -> bool:
    """True where nothing stands around a figure and between it and its owner but other figures and what says that it has them."""
    makers = [(m.start, m.end) for m in scene.terms if all(domain.terms[i].kind == "company" for i in m.ids)]
    others = [(m.start, m.end) for m in scene.metrics if metric.id not in m.ids]
    known = [*named(scene), *makers]
    own = [span for span in known if span not in others]
    bare = blanked(scene.text, named(scene))  # "16 GB per chip" says no more than "16 GB"

    # "shuffles 2 TB/s in and out of its memory": a rate beside the memory is the memory's, whatever the verb
    spare = 1 if metric.dimension == "information_rate" and _is_beside_memory(domain, scene, quantity) else 0

    def plain(start: int, end: int, known: Sequence[Span]) -> bool:
        left = {w.lower() for w in unaccounted_in(scene.text, start, end, known)}
        taken = _NO_FIGURE_OF_ITS_OWN | (_USED if quantity.dimension == "information" else frozenset())
        return len(left - set(metric.plain)) <= spare and not taken & set(words(bare[start:end]))

    if owner is None:
        # "It has 80 GB", or a list of figures and no more
        it_has = bool(spare or _IT.match(scene.text)) and plain(*segment(scene, quantity), own)
        return it_has or (len(scene.figures) > 1 and plain(0, len(scene.text), own))
    if _POSSESSIVE.fullmatch(scene.text[owner.end : quantity.start]) and not _OF.match(scene.text, quantity.end):
        return True  # "that is why the H200's 141 GB matter"
    between = min(owner.end, quantity.end), max(owner.start, quantity.start)
    return plain(*segment(scene, quantity), own) and (_is_label(scene, owner) or plain(*between, known))


def _is_label(scene: Scene, owner: Mention) -> bool:
    """True for "- **T4**: the old faithful, 16 GB and 70 W", all of which is of the one product."""
    behind = scene.text[owner.end :].lstrip("*_ ")
    opens = not scene.text[: owner.start].strip(" *_-•+")
    return opens and behind.startswith(":")


def _is_enough(domain: Domain, metric: Metric, quantity: Quantity) -> bool:
    """False for 128 MiB, which are a cache far more often than a memory."""
    unit = domain.units.get(metric.unit)
    least = quantity.high if quantity.bound == "at most" else quantity.low
    return unit is None or least >= metric.plain_least * unit.scale
