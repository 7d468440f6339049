"""What a figure measures: a metric of the domain, or "" where the text does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from chipwise import patterns as re
from chipwise.claims.around import segment
from chipwise.claims.baselines import is_compared
from chipwise.claims.clauses import Clause, clause_at, clauses_of
from chipwise.claims.plain import of_a_whole, of_each_counted, plainly
from chipwise.claims.referring import ON_A_CHIP
from chipwise.claims.renting import rented
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.nouns import CHIP, MACHINE
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity
from chipwise.text import words

_AFTER_IS_DEARER = 1.5  # "a TDP of 700 W": the wording mostly comes first
_LEADS = re.compile(
    r"\W*(?:\w+\s(?:says?|claims?|promises?|suggests?|shows?|expects?|estimates?)(?:\sthat)?\s|.{0,40}\bthat\s)?", re.I
)
_RATE = re.compile(
    r"\b(?:hour(?:ly)?\b|hr\b|rent|rates?\b|on[- ]demand|spot\b|runs (?:at|about|around|for|from|roughly|[~$\d]))", re.I
)
_COUNT_BEFORE = re.compile(rf"(?:\d|\b(?:{SEVERAL}|several|many))\s$", re.I)
_PLURAL = re.compile(r"s\b")
_PRICES = ("price", "price_rate", "ratio")  # of what may be a rent after all
_CLOSE = 45  # characters between a multiple and what it is of
_SAYS_OF = re.compile(
    r"(?:\s?\([^)]{0,20}\))?\s(?:[^.,;]{0,30}\s)?(?:(?:is|are|was|were)\s(?:therefore|thus|then|hence|now|so|also|still|even)|is|are|was|were|by|of|rose|grew|fell|up|improv\w+|increas\w+|decreas\w+|reduc\w+|drop\w*|to|reaches)"
    r"\s(?:about\s|around\s|roughly\s|only\s|nearly\s|some\s|up to\s|at least\s)?[~]?|\s?[(:|]\s?~?|\s?\([\w\s.-]{2,30}:\s?~?",
    re.I,
)
# what stands between a wording and what follows it in "it costs 38% less than" and "draws 20% more"
_SO_MUCH_LESS = re.compile(r"\s(?:less|more)(?=\s(?:than|on|with|in|at|when|for|against|to)\b|\s?[.,;:()]|\s?$)", re.I)
_BESIDE = 40  # characters between a price and an hourly one that tells that it is hourly, too
# "twice the rate of the L40", no "twice the work"
_GOES_ON = re.compile(r",\s(?:the|its|their)\s", re.I)
_OF_ITS_OWN = re.compile(r"\s(?:the|an?)\s(?!\d|(?:work|performance|output|result|value|job|amount)s?\b)", re.I)
_CLAUSE_END = re.compile(r"[;:—]|\.\s|\s[-–]\s|,?\s(?:but|while|whereas|although|though|because)\s")
_UNIT_ALONE = 60  # characters: the price of a metric that the unit itself is a cue of
_OF_EACH_ONE = re.compile(rf"\s(?:apiece|each|(?:an?|per|each)\s(?:{CHIP}|card))\b(?!-)", re.I)
_MOST_AN_HOUR = 50.0  # dollars for one chip: what costs more is bought
_BOUGHT = re.compile(r"\b(?:b(?:uy|ought)\w*|purchas\w*|retail\w*|shops?|second-?hand|list\sfor)\b", re.I)
_PER_MACHINE = re.compile(rf"\s(?:per|an?|each|every)\s(?:[\w-]+\s)?(?:{MACHINE})\b", re.I)
_OVER = re.compile(r"\bover\s(?:the\s|its\s)?$", re.I)
_MACHINES = frozenset(f"aggregation={scope}" for scope in ("node", "rack", "pod", "cluster"))
_MORE_OF_IT = re.compile(r"\bmore\s(\w+)\b", re.I)
# "288 GB is 2x that of the H200, with bandwidth doubled": of what was spoken of before
_THAT_OF = re.compile(r"\s(?:that|those)\sof\b", re.I)
# "gains (12x) reduce the TCO": what is done by so much, and not what is so many times as large
_DOES_SO = re.compile(r"\)\s(?:to\s)?(?:reduc|lower|cut|improv|increas|boost|rais|driv|mak|help)\w*\s", re.I)
_CLOSES = re.compile(r"[^()]*\)")
_FARTHEST = 90  # characters between a figure and the wording that gives it its metric


def metrics(
    domain: Domain, scene: Scene, above: Sequence[str], before: str = "", *, hourly: bool = False
) -> dict[Quantity, str]:
    """What each figure of a sentence measures: the wording of its dimension closest to it.

    `before` is the sentence that it goes on from: "It has 80 GB of memory. Bandwidth is 3.35 TB/s." With `hourly`
    the text has spoken of prices of an hour, of which "$2.74 apiece" is one.

    A wording goes to the figure that it is closest to first; figures left without
    share the nearest, then what stands `above` (heading, table header, lead-in).
    """
    named = _telling(domain, scene, before)
    machine = _speaks_of_a_machine(domain, scene)  # the power of a rack is another metric than that of a chip
    pairs = sorted(
        (
            _metric_cost(scene, quantity, mention),
            n,
            k,
            domain.metrics[metric].of_systems != _is_of_a_machine(scene, quantity, machine),
            metric,
        )
        for n, quantity in enumerate(scene.figures)
        for k, mention in enumerate(named)
        for metric in mention.ids
        if not (is_compared(scene, mention) and not _goes_over(scene, mention))  # "smaller than HBM (128 MiB)"
        and (not quantity.compares or (_is_of_this(scene, quantity, mention) and not _is_aside(scene, mention)))
        and not (quantity.compares and _is_of_what_follows(domain, scene, metric, mention))
        and not (quantity.compares and _is_outdone(domain, scene, metric, quantity, mention, named))
        and fits(domain, domain.metrics[metric], quantity)
        and not _is_of_another_kind(domain.metrics[metric], scene, quantity)
        and not _is_told_already(quantity, mention, scene)
        and not (_overlap(quantity, mention) and domain.metrics[metric].of_systems and not machine)
        and _says_rate(domain.metrics[metric], scene, quantity, mention)
        and not (quantity.dimension == "count" and _are_several(scene, quantity, mention))
    )
    found: dict[Quantity, str] = {}
    used: set[int] = set()
    for cost, n, k, _, metric in pairs:
        quantity = scene.figures[n]
        if quantity not in found and k not in used and cost <= _FARTHEST:
            found[quantity] = metric
            used.add(k)
    for cost, n, _, _, metric in pairs:
        if cost <= _FARTHEST:
            found.setdefault(scene.figures[n], metric)
    for quantity in scene.figures:
        if quantity.compares and quantity not in found and (only := _only_of_clause(domain, scene, quantity, named)):
            found[quantity] = only
    clauses: list[Clause] = []
    for quantity in scene.figures:
        if quantity not in found:
            far = {metric for _, n, _, _, metric in pairs if scene.figures[n] is quantity}
            # what the sentence itself speaks of goes before its heading, however far it stands
            told = "" if far else _from_above(domain, scene, above, quantity) or by_default(domain, scene, quantity)
            clauses = clauses or clauses_of(domain, scene)
            own = clause_at(clauses, quantity).scene
            told = told or _of_both(scene, found, quantity) or ("" if far else plainly(domain, own, quantity))
            found[quantity] = far.pop() if len(far) == 1 else told
    if hourly:
        found |= {q: rent for q in scene.figures if not found[q] and (rent := _rent_of_each(domain, scene, q))}
    found |= {q: share for q in scene.figures if (share := of_a_whole(domain, scene, q))}
    bare = [q for q in scene.figures if not found[q] or domain.metrics[found[q]].dimension in _PRICES]
    rents = {
        q: rent for q in bare if (rent := rented(domain, scene, q))
    }  # not the "$0.42" of "cost per million tokens"
    rents |= {q: one for q in scene.figures if (one := of_each_counted(domain, scene, q))}
    return {**found, **rents, **{q: "discount" for q, metric in found.items() if _is_off(domain, q, metric)}}


def _rent_of_each(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """The metric of the "$2.74 apiece" of a text on prices of an hour."""
    each = _OF_EACH_ONE.match(scene.text, quantity.end) and not quantity.compares
    each = each and quantity.middle <= _MOST_AN_HOUR and not _BOUGHT.search(scene.text)
    rents = (m.rented_as for m in domain.metrics.values() if m.rented_as and m.dimension == quantity.dimension)
    return next(rents, "") if each else ""


def _is_of_another_kind(metric: Metric, scene: Scene, quantity: Quantity) -> bool:
    """True for "288 GB of HBM, larger SRAM": the kind of memory that stands right at the figure is no SRAM."""
    behind = (m for m in scene.qualifiers if scene.text[quantity.end : m.start].strip() in ("", "of"))
    kinds = [i.partition("=")[2] for m in behind if m.start >= quantity.end for i in m.ids]
    return any(kind.startswith(anti.lower()) for kind in kinds for anti in metric.anti)


def _is_told_already(quantity: Quantity, mention: Mention, scene: Scene) -> bool:
    """True for the cache of "the 192 GiB of one chip leave room for the cache": so much of a chip is its memory."""
    of_chip = ON_A_CHIP.match(scene.text, quantity.end) if quantity.dimension == "information" else None
    return of_chip is not None and mention.start > of_chip.end() + _CLOSE // 2


def _is_off(domain: Domain, quantity: Quantity, metric: str) -> bool:
    """True for "45% off the price": what is taken off is no price."""
    return quantity.form == "discount" and any(
        m.rented_as and metric in (m.id, m.rented_as) for m in domain.metrics.values()
    )


def _speaks_of_a_machine(domain: Domain, scene: Scene) -> bool:
    return any(domain.is_machine(i) for m in scene.entities for i in m.ids) or any(
        i in _MACHINES for m in scene.qualifiers for i in m.ids
    )


def _is_of_a_machine(scene: Scene, quantity: Quantity, spoken_of: bool) -> bool:
    """Whether a figure is of a machine: as what stands right behind it says, else where the sentence speaks of one."""
    if _PER_MACHINE.match(scene.text, quantity.end):
        return True
    return spoken_of and not _OF_EACH_ONE.match(scene.text, quantity.end)


def _only_of_clause(domain: Domain, scene: Scene, comparison: Quantity, named: Sequence[Mention]) -> str:
    """What a multiple far from any wording is of: the one metric that its clause speaks of, "" for several.

    "In memory bandwidth, the H200 beats the H100 by 1.4x". One that is told by what it is of
    goes before the general "faster": "Per dollar, it outperforms the H100 by 1.4x".
    """
    if sum(q.compares for q in scene.figures) > 1:
        return ""
    spoken = _of_clause(domain, scene, comparison, named)
    told = {metric for metric in spoken if not domain.metrics[metric].general} or spoken
    return next(iter(told)) if len(told) == 1 else ""


def _is_of_what_follows(domain: Domain, scene: Scene, metric: str, mention: Mention) -> bool:
    """True for the "times more" of "seven times more bandwidth than": no more is said of how fast it is."""
    noun = _MORE_OF_IT.search(scene.text, mention.start)
    more = noun is not None and noun.start() <= mention.end <= noun.start(1)
    return bool(noun and more and domain.metrics[metric].general and noun[1].lower() in domain.shared_words)


def _is_outdone(
    domain: Domain, scene: Scene, metric: str, comparison: Quantity, mention: Mention, named: Sequence[Mention]
) -> bool:
    """True for "beats" where its clause says in what: "In memory bandwidth, the H200 beats the H100 by 1.4x".

    What stands behind the multiple ("a 2.3x improvement") goes on to what is a ratio itself ("in performance per dollar").
    """
    if not domain.metrics[metric].general or sum(q.compares for q in scene.figures) != 1:
        return False
    others = (domain.metrics[other] for other in _of_clause(domain, scene, comparison, named))
    before = mention.start < comparison.start
    return any(not other.general and (before or other.dimension == "ratio") for other in others)


def _of_clause(domain: Domain, scene: Scene, comparison: Quantity, named: Sequence[Mention]) -> set[str]:
    """The metrics that a multiple's clause speaks of; what the multiple itself is said to be of stands behind it."""
    start = max((m.end() for m in _CLAUSE_END.finditer(scene.text, 0, comparison.start)), default=0)
    end = min((m.start() for m in _CLAUSE_END.finditer(scene.text, comparison.end)), default=len(scene.text))
    start = comparison.end if _OF_ITS_OWN.match(scene.text, comparison.end) else start
    within = (
        m for m in named if start <= m.start and m.end <= end and not (_overlap(comparison, m) or _is_aside(scene, m))
    )
    return {i for m in within for i in m.ids if fits(domain, domain.metrics[i], comparison)}


def _telling(domain: Domain, scene: Scene, before: str) -> list[Mention]:
    """The wordings of metrics, less a bare word that many share where another one says whose, or nothing does.

    "NeuronLink has 2.56 TB/s of bandwidth" is of NeuronLink, "a bandwidth of 256 GB/s
    inside the server" of what it does not say, "80 GB of memory with 2 TB/s of bandwidth" of the memory.
    """
    bare = [m for m in scene.metrics if scene.text[m.start : m.end].lower() in domain.shared_words]
    of = {domain.metrics[i].dimension for m in scene.metrics if m not in bare for i in m.ids}
    written = set(words(f"{before} {scene.text}"))
    kinds = any(i.startswith("memory_kind=") for m in domain.find_qualifiers(before) for i in m.ids)
    if kinds or any(q.dimension == "information" for q in scene.figures):
        written.add("memory")  # "It has 288 GB of HBM3e. Bandwidth stays at 8 TB/s.", "16 GB and 900 GB/s of bandwidth"

    def tells(m: Mention) -> bool:
        return not any(domain.metrics[i].dimension in of for i in m.ids) and _is_named(domain, m, written)

    return [m for m in scene.metrics if m not in bare or tells(m)]


def _is_named(domain: Domain, mention: Mention, written: Set[str]) -> bool:
    """True where more of a metric's name stands in the sentence than the word itself."""
    return any(len(written & set(words(domain.metrics[i].name))) > 1 for i in mention.ids)


def _of_both(scene: Scene, found: Mapping[Quantity, str], comparison: Quantity) -> str:
    """What a multiple or change is of that follows two figures of one metric: "from 80 to 141 GB, 76% more"."""
    before = [found[q] for q in scene.figures if q.end <= comparison.start and found.get(q) and not q.compares]
    ranged = [q for q in scene.figures if q.end <= comparison.start and q.form == "range"]
    both = len(before) > 1 or bool(ranged)
    return before[-1] if comparison.compares and both and len(set(before[-2:])) == 1 else ""


def _metric_cost(scene: Scene, quantity: Quantity, mention: Mention) -> float:
    if _overlap(quantity, mention) and not quantity.compares:
        return _UNIT_ALONE  # "TDP: 700 kilowatts": a unit says less than any other word
    distance = scene.distance(quantity, mention)
    return distance * _AFTER_IS_DEARER if mention.start >= quantity.end else distance


def _overlap(quantity: Quantity, mention: Mention) -> bool:
    return mention.start < quantity.end and quantity.start < mention.end


def _goes_over(scene: Scene, mention: Mention) -> bool:
    """True for "over NeuronLink with 1.28 TB/s": a way, where "4x over HBM" is a comparison."""
    return bool(_OVER.search(scene.text, 0, mention.start)) and not any(
        q.compares and q.end <= mention.start for q in scene.quantities
    )


def _are_several(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the pods of "12 pods (3,072 chips)": the chips are of all of them."""
    counted = _COUNT_BEFORE.search(scene.text, max(0, mention.start - 12), mention.start)
    plural = _PLURAL.search(scene.text[mention.start : mention.end])
    return bool(counted and plural and mention.end <= quantity.start)


def _says_rate(metric: Metric, scene: Scene, quantity: Quantity, mention: Mention | None) -> bool:
    """False for a price where nothing says that it is one for an hour, or right beside it for so many tokens."""
    if quantity.dimension not in metric.implied_by:
        return True
    near = mention is not None and scene.distance(quantity, mention) <= _CLOSE
    wording = scene.text[mention.start : mention.end] if mention is not None and near else ""
    return says_per(metric, wording, hourly=_is_hourly(scene, quantity))


def says_per(metric: Metric, wording: str, *, hourly: bool) -> bool:
    """True where a price can be one of `metric`: it is `hourly`, or the wording names the tokens that it is per."""
    per = metric.dimension.partition("_per_")[2]
    return per in wording.lower() if per else hourly


def _is_hourly(scene: Scene, price: Quantity) -> bool:
    """True where the words around a price, or another one beside it, say that it is a rate: "$30,000 apiece" is none."""
    rates = [q for q in scene.figures if q.dimension.endswith("_rate") and q.form in ("value", "range")]
    beside = any(max(q.start, price.start) - min(q.end, price.end) <= _BESIDE for q in rates)
    return beside or is_rate(scene.text[max(0, price.start - _FARTHEST) : price.end + _CLOSE])


def is_rate(text: str) -> bool:
    """True for words that make a price one for an hour."""
    return bool(_RATE.search(text))


def _is_of_this(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True when a multiple is of what is named: right behind it ("2.3x the bandwidth"), or its subject ("bandwidth is 2.3x").

    Any metric can be compared, so that the one next in the sentence is mostly not the one that is.
    """
    if mention.start >= quantity.end or _overlap(quantity, mention):  # "1.9 times faster"
        # "the claimed 2.8x speed, the performance per dollar of ..." begins something else
        other = _THAT_OF.match(scene.text, quantity.end) or _DOES_SO.match(scene.text, quantity.end)
        other = other or _CLOSES.match(
            scene.text, quantity.end, mention.start
        )  # "(10x over it) is as good as throughput"
        return (
            not other
            and scene.distance(quantity, mention) <= _CLOSE
            and not _GOES_ON.search(scene.text, quantity.end, mention.start)
        )
    between = scene.text[mention.end : quantity.start]
    if not between.strip() and _SO_MUCH_LESS.match(scene.text, quantity.end):
        return True
    if _LEADS.fullmatch(scene.text[: mention.start]) and between.startswith(","):
        return True  # "Per dollar, the H200 does 1.6 times the work"
    return len(between) <= _CLOSE and bool(_SAYS_OF.fullmatch(between))


def _is_aside(scene: Scene, mention: Mention) -> bool:
    """True for "In practice, ...", which qualifies what follows and does not say what is compared."""
    leads = scene.text.startswith(",", mention.end) and _LEADS.fullmatch(scene.text, 0, mention.start) is not None
    return leads and any(q.start <= mention.start and mention.end <= q.end for q in scene.qualifiers)


def fits(domain: Domain, metric: Metric, quantity: Quantity) -> bool:
    """True when a figure can be one of `metric`, by its dimension, its unit and its form."""
    if quantity.compares:
        # "2.3x the bandwidth" compares any metric
        return metric.dimension not in ("text", "date")
    if quantity.dimension in metric.implied_by:
        return True
    if metric.dimension != quantity.dimension:
        return False
    if quantity.dimension == "count":
        return domain.counts(metric, quantity.unit)
    # a share is no saving: "they need not run at 90% to be cheaper"
    return not (
        quantity.dimension == "ratio"
        and (metric.unit == "x" or (quantity.form == "share" and metric.nature == "priced"))
    )


def _from_above(domain: Domain, scene: Scene, above: Sequence[str], quantity: Quantity) -> str:
    fitting = (
        m
        for m in above
        if fits(domain, domain.metrics[m], quantity) and _says_rate(domain.metrics[m], scene, quantity, None)
    )
    if quantity.compares:
        return "discount" if quantity.form == "discount" else ""
    return next(fitting, "")


def by_default(domain: Domain, scene: Scene, quantity: Quantity) -> str:
    """What a figure without any wording is taken for: a peak, where a format or density stands beside it, a link's rate by its direction.

    "620, 668 and 708 TFLOPS are a spread" says nothing of what was measured.
    """
    if any(domain.terms[i].kind in ("model", "benchmark") for m in scene.terms for i in m.ids):
        return ""  # "800 TFLOPS for Llama 3 8B in FP8" was achieved
    # what stands right around another figure of the kind tells nothing of this one
    others = [segment(scene, q) for q in scene.quantities if q is not quantity and q.dimension == quantity.dimension]
    own = (m for m in scene.qualifiers if not any(start <= m.start < end for start, end in others))
    axes = {name.partition("=")[0] for m in own for name in m.ids}
    return next((m.id for m in domain.told_metrics.get(quantity.dimension, ()) if axes & set(m.told_by)), "")
