"""Where a claim stands on the axes of comparability: what the text states of dtype, sparsity, scope and the rest.

A wording belongs to the figure that it stands closest to. One before the first
figure holds for all of its sentence; so does one that is the only value of its axis.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from chipwise.claims.model import Qualifiers
from chipwise.claims.scene import SPECIFIC, Scene
from chipwise.claims.topics import wholes
from chipwise.domain import PARTS, Domain
from chipwise.phrasebook import Mention
from chipwise.quantities import Quantity
from chipwise.records import Metric

# axes whose wording in one place of a sentence holds for the whole of it
_SENTENCE_WIDE = ("dtype", "sparsity", "form_factor", "workload", "benchmark", "provider", "price_terms")
_SCOPE = ("aggregation", "count")
_RUN = ("workload", "benchmark")
_HEADED = (*_RUN, "provider")  # axes that a heading states for all below it
# "training Llama 3", "for inference": what is run; "the company behind Claude" runs nothing
_WORKED_ON = re.compile(
    r"(?:^|\b(?:train\w*|for|on|of|serv\w+|run\w*|infer\w*|with|in|when|during|faster|of the)\s)(?:\w+[\s-]){0,2}$",
    re.I,
)
_RUNS = re.compile(r"(?:train|serve|fine-tune|decode)s\b", re.I)
_COUNT_BEFORE = re.compile(r"(?:\d\s?[x×]?|\b(?:two|three|four|six|eight|ten|several|many|all))[\s-]$", re.I)
_NEAR = 45  # characters, with what parts clauses: "750 W, and decides how a rack is cooled" is of no rack
_PER_PART = re.compile(r"/\s?([A-Za-z]{2,10})\b")
_EACH_BEHIND = re.compile(r"\s?(?:of\s(?:[\w-]+\s){1,3})?(?:each|apiece)\b", re.I)
_MODEL_SIZE = re.compile(r"(?<![\w.$])(\d{1,4}(?:\.\d+)?)\s?([BT])(?![\w/])")
_NEXT_WORD = re.compile(r"(?:['’]s)?\s([A-Za-z]+)\b")
_EACH = re.compile(r"\b(?:per|each|every|single)(?:\sof)?\s(?:an?\s|the\s)?$", re.I)
_EACH_OF = re.compile(r"per\b|each\b|apiece\b", re.I)  # "per rack" is said of the figure wherever it stands
_LEFT_OUT = re.compile(
    r"\b(?:besides|apart from|except(?: for| in)?|other than|excluding|beyond|not in|unlike)\s(?:the\s)?$", re.I
)
_YEAR = re.compile(
    r"\b(?:[Ii]n|[Aa]s of|since|by|during|at|for)\s(?:(?:early|mid|late|the (?:end|start) of)[\s-])?"
    r"((?:(?:January|February|March|April|May|June|July|August|September|October|November|December)\s)?20[12]\d)\b"
)
_MONTHS = "January February March April May June July August September October November December".split()


def qualifiers(
    domain: Domain, scene: Scene, quantity: Quantity, metric: Metric, above: Iterable[Mention] = ()
) -> Qualifiers:
    """(axis, value) for each axis that matters to `metric` and that the text states, in the order of the axes.

    `above` are the qualifiers of the table header or row label over a cell; the
    sentence's own go before them.
    """
    wanted = {*metric.qualifiers, "count"}
    found: dict[str, str] = {}
    for mention in above:
        _take(found, mention, wanted)
    found |= {axis: value for axis, value in _stated(domain, scene, quantity).items() if axis in wanted}
    if "aggregation" in wanted or quantity.count > 1:
        found.update(_scope(domain, scene, quantity))
    if "as_of" in wanted and (date := _date_at(scene, quantity)):
        found["as_of"] = date
    return tuple(sorted(without_sums(metric, found).items()))


def without_sums(metric: Metric, found: dict[str, str]) -> dict[str, str]:
    """Less a "total" without a number of chips, where N chips have not N times as much: of power and links it is the chip's own."""
    summed = found.get("aggregation") == "group" and "count" not in found and not metric.scales
    return {axis: value for axis, value in found.items() if not (summed and axis == "aggregation")}


def stated_above(domain: Domain, above: str) -> list[Mention]:
    """What a heading says that was run ("Llama 3.1 405B"), or who rents it, where it names one such thing on an axis."""
    run = [m for m in domain.find_qualifiers(above) for axis, _ in _values(m) if axis in _HEADED]
    stated = Counter(axis for m in run for axis in {axis for axis, _ in _values(m)})
    return [m for m in run if all(stated[axis] == 1 for axis, _ in _values(m))]


def model_size(text: str) -> str:
    """The one size of a model that a text names, as a workload: "70B model", or ""."""
    sizes = {f"{m[1]}{m[2]} model" for m in _MODEL_SIZE.finditer(text)}
    return sizes.pop() if len(sizes) == 1 else ""


def with_run(metric: Metric, found: Qualifiers, run: str) -> Qualifiers:
    """With `run` as the workload of a measurement that states none: an MFU of a 16B model is none of a 128B one."""
    told = any(axis == "workload" for axis, _ in found)
    if not run or told or metric.nature != "measured" or "workload" not in metric.qualifiers:
        return found
    return tuple(sorted((*found, ("workload", run))))


def _values(mention: Mention) -> Iterator[tuple[str, str]]:
    """The (axis, value) pairs that a wording may state."""
    for name in mention.ids:
        axis, _, value = name.partition("=")
        yield axis, value


def _take(found: dict[str, str], mention: Mention, wanted: Iterable[str]) -> None:
    """What a wording states on the axes `wanted`, where nothing did before."""
    for axis, value in _values(mention):
        if axis in wanted:
            found.setdefault(axis, value)


def _stated(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """Of each axis but scope, the value that holds for this figure; none where the sentence leaves it open."""
    by_axis: dict[str, list[tuple[Mention, str]]] = {}
    for mention in scene.qualifiers:
        if any(m.start <= mention.start and mention.end <= m.end for m in scene.entities):
            continue  # the SXM of "the same as the H100 SXM" is that one's
        if _LEFT_OUT.search(scene.text, max(0, mention.start - 24), mention.start):
            continue  # "besides FP4, its FLOPS are ..."
        for axis, value in _values(mention):
            if axis == "workload" and not _is_run(scene.text, mention):
                continue
            if axis in domain.axes and axis not in _SCOPE:
                by_axis.setdefault(axis, []).append((mention, value))
    chosen: dict[str, str] = {}
    for axis, stated in by_axis.items():
        vague = domain.axes[axis].vague  # "LLM training" is training
        mine = [(m, v) for m, v in stated if scene.owner(m) is quantity]
        values = {value for _, value in stated}
        values = values.difference(vague) or values
        if mine:
            chosen[axis] = min(mine, key=lambda pair: (pair[1] in vague, scene.distance(quantity, pair[0])))[1]
        elif len(values) == 1 and (
            _leads(scene, stated[0][0]) or (axis in _SENTENCE_WIDE and _may_spread(scene, quantity, axis))
        ):
            chosen[axis] = values.pop()
    return chosen


def _is_run(text: str, mention: Mention) -> bool:
    """True for what the words say is run, and for the verb that says so: "trains 2x faster"."""
    worked_on = _WORKED_ON.search(text[max(0, mention.start - 32) : mention.start])
    return bool(worked_on or _RUNS.match(text, mention.start))


def _may_spread(scene: Scene, quantity: Quantity, axis: str) -> bool:
    """False for the density of one of several figures: "989, 1,979 or 134 TFLOPS, and only the first is dense"."""
    return axis != "sparsity" or sum(q.dimension == quantity.dimension for q in scene.figures) == 1


def _leads(scene: Scene, mention: Mention) -> bool:
    return mention.end <= min((q.start for q in scene.figures), default=0)


def _scope(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """What the figure is of: one chip, or how many together. What is written at it goes before what the sentence says."""
    return scope_at(domain, scene, quantity) or _scope_around(domain, scene, quantity)


def scope_at(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope in the figure's unit, in "8 x 80 GB" and "16 GB each", and behind a slash: "32 KiB L1/CU"."""
    by_unit = _scope_of_unit(domain, quantity)
    if by_unit:
        return by_unit
    if quantity.count > 1:
        return {"aggregation": "chip"}
    for part in _PER_PART.findall(_stretch(scene, quantity)):  # of "192 KiB L1/texture memory/SM", only SM is one
        for mention in domain.find_qualifiers(f"per {part}"):
            if _scopes(mention):
                return {"aggregation": _scopes(mention)}
    each = _EACH_BEHIND.match(scene.text, quantity.end) and any(_counts_chips(domain, q) for q in scene.quantities)
    return _of_each(domain, scene, quantity) or {"aggregation": "chip"} if each else {}


def _is_of_one(domain: Domain, scene: Scene) -> bool:
    """True where a sentence speaks of one chip, and neither of several nor of what holds some."""
    named = [m for m in scene.entities if all(domain.entities[i].kind in ("chip", "variant") for i in m.ids)]
    several = any(scene.text[m.end - 1] == "s" or _COUNT_BEFORE.search(scene.text, 0, m.start) for m in named)
    machines = len(named) < len(scene.entities) or any(
        _scopes(m) not in ("", "group", "chip", *PARTS) for m in scene.qualifiers
    )
    return (
        len(named) == 1 and not several and not machines and not any(_counts_chips(domain, q) for q in scene.quantities)
    )


def _counts_chips(domain: Domain, quantity: Quantity) -> bool:
    return quantity.dimension == "count" and domain.units[quantity.unit].of in ("chips", "chip")


def _scope_around(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope that the sentence gives to the figure."""
    if each := _of_each(domain, scene, quantity):
        return each
    found: dict[str, str] = {}
    held = [
        m
        for m in scene.qualifiers
        if _scopes(m) and _holds(scene, quantity, m) and not _is_of_what_has_it(domain, scene, quantity, m)
    ]
    if _is_of_one(domain, scene):
        held = [m for m in held if _scopes(m) != "group"]  # what "the H100 has in total" is of one H100
    # "760 GB of total memory in an 8-chip slice": "total" says less than any other scope
    nearest = min(held, key=lambda m: (_scopes(m) == "group", scene.distance(quantity, m)), default=None)
    if nearest is not None and (scene.distance(quantity, nearest) <= _NEAR or _leads(scene, nearest)):
        found["aggregation"] = _scopes(nearest)
    for count in scene.quantities:
        of_chips = scene.tells_scope(count) and _counts_chips(domain, count)
        as_mention = Mention(count.start, count.end, ())
        if not of_chips or not _holds(scene, quantity, as_mention):
            continue
        # "192 GB per chip, in 4-chip VMs": what stands closer says what it is of
        is_of_each = nearest is not None and found.get("aggregation") == "chip"
        if not (is_of_each and nearest and scene.distance(quantity, nearest) <= scene.distance(quantity, as_mention)):
            _take_count(found, count)
    return found


def _stretch(scene: Scene, quantity: Quantity) -> str:
    """What follows a figure up to the next one: as far as a "/part" behind it can be its own."""
    following = next((q.start for q in scene.quantities if q.start >= quantity.end), len(scene.text))
    return scene.text[quantity.end : min(following, quantity.end + 60)]


def _scopes(mention: Mention) -> str:
    """The scope that a wording states, or ""."""
    return next((value for axis, value in _values(mention) if axis == "aggregation"), "")


def _scope_of_unit(domain: Domain, quantity: Quantity) -> dict[str, str]:
    """The scope that a unit itself states: "USD/chip-hour" is per chip."""
    unit = domain.units.get(quantity.unit)
    found: dict[str, str] = {}
    for mention in domain.find_qualifiers(f"per {unit.per}") if unit is not None and unit.per else ():
        _take(found, mention, ("aggregation",))
    return found


def _of_each(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope of "1,280 GB/s per Trainium2 chip" and of "8 GiB for each TPU v2 core"."""
    for m in scene.entities:
        chip = all(domain.entities[i].kind in ("chip", "variant") for i in m.ids)
        if chip and scene.owner(m) is quantity and _EACH.search(scene.text[max(0, m.start - 12) : m.start]):
            part = _NEXT_WORD.match(scene.text, m.end)
            parts = domain.find_qualifiers(f"per {part[1]}") if part else ()
            return {"aggregation": next(filter(None, map(_scopes, parts)), "chip")}
    return {}


def _holds(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True when a wording of scope is this figure's: it stands closest, or before all figures and no new name between.

    "An 8-chip H100 node costs $12, a v5p-8 slice $8": the slice begins a scope of its own.
    """
    if scene.owner(mention) is quantity:
        return True
    first = min((q.end for q in scene.figures), default=0)
    renamed = any(first <= m.start < quantity.start for m in scene.entities)
    return not renamed and _leads(scene, mention)


def _is_of_what_has_it(domain: Domain, scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the rack of "With a TDP of 750 W, the Gaudi 2 decides how a rack is cooled": something is said of the chip there."""
    if any(m.start <= mention.start <= m.end for m in wholes(domain, scene)):
        return True  # "an H100 of a DGX H100 node"
    if mention.start < quantity.end or _EACH_OF.match(scene.text, mention.start):
        return False
    chips = (m for m in scene.entities if all(domain.entities[i].kind in SPECIFIC for i in m.ids))
    between = (m for m in chips if quantity.end <= m.start and m.end < mention.start)
    return any(scene.text[m.end : mention.start].strip() for m in between)


def _take_count(found: dict[str, str], count: Quantity) -> None:
    """How many chips a figure is of, which makes it one of a group; "4 to 8 chips" tells no number, nor does "½ chips"."""
    if count.low == count.high and count.low >= 1 and count.low.is_integer():
        found["count"] = f"{count.low:.0f}"
        if found.get("aggregation", "chip") == "chip":
            found["aggregation"] = "group"


def scope_of(domain: Domain, scene: Scene) -> dict[str, str]:
    """The scope that a label or a cell states for its figure: "(per chip)", "Hourly cost (8-chip)"."""
    found: dict[str, str] = {}
    for mention in scene.qualifiers:
        _take(found, mention, ("aggregation",))
    for quantity in scene.quantities:
        unit = domain.units.get(quantity.unit)
        if unit is not None and unit.of == "chips":
            _take_count(found, quantity)
    return found


def _date_at(scene: Scene, quantity: Quantity) -> str:
    """The date that a sentence gives for a figure: the one of its clause, or the only one, where no other figure is nearer."""
    for match in _YEAR.finditer(scene.text):
        at = Mention(match.start(), match.end(), ())
        aside = "(" in scene.text[match.end() : quantity.start]
        if scene.owner(at) is quantity or (_leads(scene, at) and not aside):
            return stated_date(match[0])
    return ""


def stated_date(text: str) -> str:
    """The month or year that a sentence gives for what it says, as an ISO date, or ""."""
    match = _YEAR.search(text)
    if match is None:
        return ""
    *month, year = match[1].split()
    return f"{year}-{_MONTHS.index(month[0]) + 1:02}" if month else year
