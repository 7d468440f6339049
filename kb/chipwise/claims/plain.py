"""What a figure is of that a product simply has: 80 GB are a chip's memory, 700 W its TDP.

    "L20: 48 GB, 864 GB/s, 275 W"     a chip and figures, and nothing else is said
    "The H200's 141 GB"

Where words stand around it that may make something else of it, nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.around import aside_end, is_in, named, segment, unaccounted_in
from chipwise.claims.forms import is_form, opens_clause
from chipwise.claims.referring import ON_A_CHIP
from chipwise.claims.scene import Scene
from chipwise.claims.scoping import scope
from chipwise.claims.sides import is_contrasted
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.nouns import MACHINE, PRODUCT, THE
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span, blanked, words

# "It", "The chip's", "The memory of the chip", "AMD rates the board"
_IT = re.compile(
    rf"\W*(?:(?-i:[A-Z]\w+)\s(?:rates|lists|specifies|quotes|puts|gives|sells)\s)?(?:the\s[\w-]+\s(?:of|on|in)\s)?(?:it|its|they|their|each|{THE}(?:{PRODUCT})|an?\s(?:full|whole|complete|entire)\s(?:{MACHINE}))(?:['’]s)?\b",
    re.I,
)
_POSSESSIVE = re.compile(r"(?:['’]s|,\swhose)\s(?:own\s|full\s|whole\s)?")
_ITS = re.compile(r"(?<!\bfor\s)\b(?:its|their)\s(?:own\s|full\s|whole\s)?$", re.I)
# "The 750 W MI300X is hard to cool"; no "a 40 GB H100 slice"
_AN = re.compile(
    r"(?:^|[\s(])(?:the|an?|our|your|this|that|each|every)\s(?:(?:new|newer|old|older|huge|small)\s)?$", re.I
)
_OF_EACH_ONE = re.compile(r"\s(?:per|(?:on|in|of)\s(?:each|every))\s(?:of\sthe\s)?", re.I)
_GOES_ON_AS = re.compile(rf"[\s-](?:{MACHINE}|cluster|box|partition|share|profile|build|rig|setup)s?\b", re.I)
# words that what a product is called has none of: another thing, or what leads to one ("next to rivals with 192 GB")
_NO_OTHER = rf"(?!(?:{MACHINE}|cluster|box|part|member|half|piece|host|to|of|for|in|on|by|from|than|beside|between|among|against|over|under|and|or|but|one|that|which|next)s?\b)"
# "The B200 is a monster with 8 TB/s": what a product is called has what it has
_IS_A = re.compile(
    rf"\s(?:is|are|was|were|remains?)\s(?:still\s|by far\s)?(?:an?|the|our)\s(?:{_NO_OTHER}[a-z][\w-]*,?\s){{0,3}}{_NO_OTHER}[a-z][\w-]*(?:\s(?:with|at)\s(?:up to\s|its\s)?|:\s)"
)
# before a figure that something else has: "141 GB instead of 80 GB"
_OTHERS = re.compile(r"\b(?:instead of|rather than|up from|down from)\s(?:the\s|only\s|just\s|its\s)?~?$", re.I)
_AND_HAS = re.compile(
    r"(?:,|\b(?:and|but))\s(?:also\s|still\s|now\s|already\s)?(?:has|carries|offers|holds|packs|takes\sup|draws|comes\swith|brings|sports|boasts)\s",
    re.I,
)
_HAS = re.compile(
    r"\b(?:has|have|had|carries|carry|offers?|holds?|packs?|gives?|comes?\swith|brings?|boasts?|sports?|draws?|peaks?|delivers?)\b",
    re.I,
)
_INSTEAD = re.compile(r"\s(?:instead of|rather than|up from)\s", re.I)
_ITS_CHIPS = re.compile(
    rf"(?<!\beach\sof\s)(?<!\bof\s)\b(?:its|the|all)\s(?:{SEVERAL}|\d+)\s(?:GPUs|chips|accelerators)\b", re.I
)
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
_SPARE = 4  # other content words around a figure whose chip is said to have it, where none of those below is among them
# words that make something else of a figure behind the name of a chip: a part, a use, a need, what was reached or is left, another memory
_TELLING = frozenset(
    """use uses used using run runs running ran fit fits fitting need needs needed require requires required consume consumes
    consumed take takes took occupy occupies allocate allocated limit limits limited cost costs save saves saved reduce reduces
    reduced free left remaining measured achieved achieve achieves reached reach reaches sustained sustain observed cache caches
    host ram cpu system disk ssd storage network link links nic ethernet infiniband pcie nvlink context weights weight model models
    parameters parameter kv batch checkpoint checkpoints dataset file files copy copies transfer transfers moving load loads loaded
    loading only of shared pool pooled total sum together combined all partition slice mig usable available effective actual minimum
    least recommended recommend access accesses other another remote peer too for want wants would should could may might if than versus vs""".split()
)

_SHARES = ("share", "value", "range")
_LABELS = re.compile(r"\**\s?:\s?\**\s?(?:(?:up to|about|around|over)\s)?[~≈<>]?")
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
    # "the SXM module is allowed 700 W, the PCIe card 350 W": a form stands for the chip of that form
    at += [m for m in scene.qualifiers if is_form(m) and opens_clause(scene, m)]

    def nearest(figure: Quantity) -> Mention | None:
        told = (m for m in at if not (is_contrasted(scene.text, figure.end, m) or _opens_behind(scene, figure, m)))
        return _in_order(scene, figure, at) or min(told, key=lambda m: _distance(scene, figure, m), default=None)

    owner = nearest(quantity)
    alike = (q for q in scene.figures if q is not quantity and q.dimension == quantity.dimension and not q.compares)
    if any(nearest(q) is owner and not _OTHERS.search(scene.text, 0, q.start) for q in alike):
        return ""  # "announced with 288 GB and sold with 256 GB": which it has is not said
    # "8x H100, 80 GB each"
    of_each = (
        _EACH_BEHIND.match(scene.text, quantity.end) and scope(domain, scene, quantity).get("aggregation") == "chip"
    )
    machine = owner is not None and all(domain.is_machine(i) for i in owner.ids) and not of_each
    if owner is not None and owner.start < quantity.end and quantity.start < owner.end:
        return ""  # "A100 40GB" is a name
    for metric in fitting:
        if (
            (_can_be_of(domain, metric, machine=machine) or (machine and _is_of_its_chips(scene, quantity, metric)))
            and (metric.dimension != "count" or domain.counts(metric, quantity.unit))
            and _is_enough(domain, metric, quantity)
            and _has(domain, scene, quantity, metric, owner)
        ):
            return metric.id
    return ""


def _in_order(scene: Scene, figure: Quantity, at: Sequence[Mention]) -> Mention | None:
    """The MI300X for the 192 GB of "The H100 and the MI300X have 80 GB and 192 GB respectively"."""
    alike = [q for q in scene.figures if q.dimension == figure.dimension and not q.compares]
    told = len(alike) == len(at) > 1 and figure in alike and "respectively" in scene.text
    return at[alike.index(figure)] if told else None


def _distance(scene: Scene, figure: Quantity, mention: Mention) -> int:
    """How far a name stands from a figure, less what is put in behind the name."""
    behind = aside_end(scene, mention)
    return figure.start - behind if mention.end < behind <= figure.start else scene.distance(figure, mention)


def _opens_behind(scene: Scene, figure: Quantity, mention: Mention) -> bool:
    """True for the SXM of "the PCIe card draws 300 W; SXM may use 400 W", of which the first figure is not."""
    return is_form(mention) and figure.end <= mention.start and opens_clause(scene, mention)


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
    """What a share is of whose whole is named: "60-80% of peak memory bandwidth" and "Memory bandwidth: 80% of peak" are none of the compute."""
    if quantity.dimension != "ratio" or quantity.form not in _SHARES:
        return ""
    told = [
        m
        for m in scene.metrics
        if (m.start > quantity.end and _OF_WHAT.fullmatch(scene.text, quantity.end, m.start))
        or (m.end < quantity.start and _LABELS.fullmatch(scene.text, m.end, quantity.start))
    ]
    whole = next((domain.metrics[i] for m in told for i in m.ids if domain.metrics[i].share_as), None)
    return whole.share_as if whole is not None else ""


def _can_be_of(domain: Domain, metric: Metric, *, machine: bool) -> bool:
    """True for the power of a rack and the TDP of a chip, and for a machine's compute, which none of its other parts has."""
    shared = any(m.of_systems and m.dimension == metric.dimension for m in domain.metrics.values())
    return metric.of_systems == machine or (machine and metric.scales and not shared)


def _is_of_its_chips(scene: Scene, quantity: Quantity, metric: Metric) -> bool:
    """True for "A DGX H100 has 640 GB across its eight GPUs", which are not in its CPU's memory."""
    alone = all(q is quantity or q.dimension != quantity.dimension for q in scene.figures)
    return metric.scales and alone and _ITS_CHIPS.search(scene.text) is not None


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
    forms = [(m.start, m.end) for m in scene.qualifiers if is_form(m)]  # a "PCIe card" is one that has the figure
    own = [span for span in known if span not in others or span in forms]
    bare = blanked(scene.text, named(scene))  # "16 GB per chip" says no more than "16 GB"

    # "shuffles 2 TB/s in and out of its memory": a rate beside the memory is the memory's, whatever the verb
    spare = 1 if metric.dimension == "information_rate" and _is_beside_memory(domain, scene, quantity) else 0

    spared = owner is not None and _says_what_it_has(scene, quantity, metric, owner, bare)

    def plain(start: int, end: int, known: Sequence[Span]) -> bool:
        left = {w.lower() for w in unaccounted_in(scene.text, start, end, known)}
        taken = _NO_FIGURE_OF_ITS_OWN | (_USED if quantity.dimension == "information" else frozenset())
        if spared and len(left - set(metric.plain)) <= _SPARE:
            return True
        return len(left - set(metric.plain)) <= spare and not taken & set(words(bare[start:end]))

    if owner is None:
        # "It has 80 GB", or a list of figures and no more
        if ON_A_CHIP.match(scene.text, quantity.end):  # "With 32 GiB on a chip you cannot ..."
            return not (_USED | _NO_FIGURE_OF_ITS_OWN) & set(words(bare[slice(*segment(scene, quantity))]))
        alone = plain(*segment(scene, quantity), own)
        # "141 GB of HBM3e, 4.8 TB/s, 700 W": a kind of memory is no other metric
        listed = len(scene.figures) > 1 or metric.nature == "specified"
        listed = listed and plain(0, len(scene.text), [*own, *((m.start, m.end) for m in scene.qualifiers)])
        return alone and (listed or bool(spare or _IT.match(scene.text)))
    if _is_attribute(scene, quantity, owner):
        return True
    start, until = segment(scene, quantity)
    if instead := _INSTEAD.match(scene.text, quantity.end):
        until = instead.start()
    if is_a := _IS_A.match(scene.text, owner.end, quantity.start):
        return plain(is_a.end(), until, known)
    between = min(_last_has(scene, owner, quantity), quantity.end), max(owner.start, quantity.start)
    return plain(start, until, own) and (_is_label(scene, owner) or plain(*between, known))


def _says_what_it_has(scene: Scene, quantity: Quantity, metric: Metric, owner: Mention, bare: str) -> bool:
    """True for "The L4 of our lab has 24 GB": a verb of having between the two, and no word that makes something else of it."""
    if quantity.start < owner.end:
        return False
    names_only = blanked(scene.text, ((m.start, m.end) for m in (*scene.entities, *scene.qualifiers)))
    between = names_only[owner.end : quantity.start].strip(" *(:–—-")
    has = _HAS.search(between) if between else True
    telling = (_TELLING - set(metric.plain)) & set(words(bare[owner.end : segment(scene, quantity)[1]]))
    return bool(has) and not telling


def _last_has(scene: Scene, owner: Mention, quantity: Quantity) -> int:
    """Where it begins to tell what an owner has: behind the "and has" of "The NVL would fit as well and has 94 GB"."""
    begin = aside_end(scene, owner)
    if any(m.start >= begin and m.end <= quantity.start for m in scene.entities):
        return begin
    return max((m.end() for m in _AND_HAS.finditer(scene.text, begin, quantity.start)), default=begin)


def _is_attribute(scene: Scene, quantity: Quantity, owner: Mention) -> bool:
    """True for "that is why the H200's 141 GB matter", "because of its 141 GB", "The 750 W MI300X is hard to cool" and "162 GiB on every TPU7x"."""
    if quantity.end <= owner.start:
        if _OF_EACH_ONE.fullmatch(scene.text, quantity.end, owner.start):
            return not _USED & set(words(scene.text[slice(*segment(scene, quantity))]))
        joined = not scene.text[quantity.end : owner.start].strip(" -")
        return (
            joined and bool(_AN.search(scene.text, 0, quantity.start)) and not _GOES_ON_AS.match(scene.text, owner.end)
        )
    its = _ITS.search(scene.text, owner.end, quantity.start) or _POSSESSIVE.fullmatch(
        scene.text, owner.end, quantity.start
    )
    return bool(its) and not _OF.match(scene.text, quantity.end)


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
