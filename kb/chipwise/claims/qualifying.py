"""Where a claim stands on the axes of comparability: what the text states of dtype, sparsity, scope and the rest.

A wording belongs to the figure that it stands closest to. One before the first
figure holds for all of its sentence; so does one that is the only value of its axis.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.model import Qualifiers
from chipwise.claims.naming import TIMES_ALL
from chipwise.claims.scene import Scene
from chipwise.claims.scoping import leads, scope, take, values_of
from chipwise.claims.sides import is_other_side
from chipwise.domain.catalogue import RUN, SCOPE, SOLD
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity

# axes whose wording in one place of a sentence holds for the whole of it
_SENTENCE_WIDE = ("dtype", "sparsity", "engine", "form_factor", "workload", "benchmark", "provider", "price_terms")
_KIND = "memory_kind"
_ENGINE = "engine"
RESOLD = "used"  # the only terms that something is sold on
_ONE_WAY, _BOTH_WAYS = "one way", "both"
_AROUND = 24  # characters beside a figure for a word that it is all that goes either way
_ALL_OF_IT = re.compile(
    r"\b(?:total|in all|both|altogether|aggregate|combined|together|which is|that is)\b|\d[^()]*\([^()]*\d|i\.e\.", re.I
)
_FORMAT = ("dtype", "sparsity")
_HEADED = (*RUN, "provider")  # axes that a heading states for all below it
# "training Llama 3", "for inference": what is run; "the company behind Claude" runs nothing
_WORKED_ON = re.compile(
    r"(?:^\W*|\b(?:train\w*|performs?|for|on|of|serv\w+|run\w*|infer\w*|with|in|when|during|at|faster|of the)\s)(?:\w+[\s-]){0,2}$",
    re.I,
)
_RUNS = re.compile(r"(?:train|serve|fine-tune|decode)s\b", re.I)
# the model of "GPT-3 175B training"
_DONE = re.compile(
    r"(?:\s\d+(?:\.\d+)?[BT])?\s(?:pre-?training|training|inference|serving|decoding|prefill|fine-tuning)\b", re.I
)
_MODEL_SIZE = re.compile(r"(?:(?<![\w.,$])(\d{1,4}(?:\.\d+)?)\s?([BT])|(?<=\w[:-])(\d{1,4}(?:\.\d+)?)([bB]))(?![\w/])")
# "the same range as FP32", "cheaper than AWS": what stands there is of the other side; "FP8 support" is of no figure
_OF_ANOTHER = re.compile(
    r"\b(?:than|(?:same|similar)\s(?:[\w-]+\s){0,3}(?:as|to))\s(?:the\s|an?\s|with\s|in\s|at\s)?$", re.I
)
_IS_SUPPORTED = re.compile(r"[\s-](?:support(?:ed|s)?|capab(?:le|ility)|format|Transformer Engine)\b", re.I)
_OR_ANOTHER = re.compile(r"\s(?:vs\.?|versus|or)\s")
_ACCUMULATES = re.compile(r"\s?-?\s?accum", re.I)
_LEFT_OUT = re.compile(
    r"\b(?:besides|apart from|except(?: for| in)?|other than|excluding|beyond|not in|unlike|than what)\s(?:the\s)?$"
    # "HBM3 instead of the newer HBM3E": what is not there
    r"|\b(?:instead of|rather than|in place of|as opposed to)\s(?:using\s)?(?:the\s|an?\s)?(?:(?:newer|older|faster|slower|usual|standard|more expensive|cheaper)\s)?$",
    re.I,
)
_ASIDE = re.compile(r"\([^()]*$")
# what is asked whether it is so; not "regardless of whether it fits, the ...", nor what goes on behind it
_WHETHER = re.compile(
    r"\S\s(?<!regardless of )(?<!no matter )whether\b(?:(?!,\s(?:the|it|this|its|an?|they)\b)[^.;])*$", re.I
)
# what "733 TFLOPS, twice its BF16 rate" and "312 TFLOPS and support for 2:4 sparsity" do not say of the figure
_TIMES_ITS = re.compile(
    r"\b(?:twice|half|double|triple|thrice|\w+\stimes|\d[\d.]*x)\s(?:of\s)?(?:its|the|their|that\sof)\s$", re.I
)
_HAS_IT_TOO = re.compile(
    r"\b(?:support(?:s|ed|ing)?(?:\sfor)?|adds?|added|introduc\w+|gains?|understands?)\s(?:the\s|an?\s|hardware\s|fine-grained\s)?$",
    re.I,
)
_BARE_NUMBER = re.compile(r"[(,;/]\s?(?:or\s|about\s|up\sto\s)?~?(\d[\d,.]*)\s(?:with\s)?$")
_USED = re.compile(r"(?:^|[^\w\s]\s?|\b(?:an?|the|for|one|buy|of)\s)used\s(?:NVIDIA\s|AMD\s)?$", re.I)
_NEXT_ITEM = re.compile(r"(?:[,;]|\s(?:and|or|while|vs\.?|but))\s\W*(?:(?:and|the|an?|on|at|with)\s\W*){0,2}$")
_ITEM_ENDS = re.compile(r"[,;.]\s|\s(?:and|or|while|but)\s")
_PARTS_CLAUSES = re.compile(r"[,;:—]\s|\bwhile\b")
_LASTS = re.compile(
    r"\s(?:workloads?|loads?|us(?:e|age))\b", re.I
)  # "favoring sustained workloads" is said of no figure
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
        take(found, mention, wanted)
    found |= {axis: value for axis, value in _stated(domain, scene, quantity).items() if axis in wanted}
    if "direction" in wanted and "direction" not in found and _is_of_both_ways(domain, scene, quantity):
        found["direction"] = _BOTH_WAYS
    if "aggregation" in wanted or quantity.count > 1:
        found.update(scope(domain, scene, quantity))
    if metric.rented_as and _is_of_a_used_one(scene, quantity):
        found["price_terms"] = RESOLD
    if metric.rented_as and found.get("price_terms") != RESOLD:
        found.pop("price_terms", None)  # the "list price" of what is sold is none on demand
    if "as_of" in wanted and (date := _date_at(scene, quantity)):
        found["as_of"] = date
    return tuple(sorted(without_sums(metric, found).items()))


def _is_of_a_used_one(scene: Scene, quantity: Quantity) -> bool:
    """True for the price behind "a used RTX 3090", where no other one is named between."""
    before = [m for m in scene.entities if m.end <= quantity.start][-1:]
    return any(_USED.search(scene.text, 0, m.start) for m in before)


def _is_of_both_ways(domain: Domain, scene: Scene, quantity: Quantity) -> bool:
    """True for the 128 of "128 GB/s in total (64 GB/s in each direction)": twice what goes one way, and said to be all."""
    for half in scene.figures:
        twice = half.dimension == quantity.dimension and math.isclose(2 * half.middle, quantity.middle)
        around = scene.text[max(0, min(half.start, quantity.start) - _AROUND) : max(half.end, quantity.end) + _AROUND]
        if twice and _ALL_OF_IT.search(around) and _stated(domain, scene, half).get("direction") == _ONE_WAY:
            return True
    return False


def without_sums(metric: Metric, found: dict[str, str]) -> dict[str, str]:
    """Less a "total" without a number of chips, where N chips have not N times as much: of power and links it is the chip's own."""
    summed = found.get("aggregation") == "group" and "count" not in found and not metric.scales
    return {axis: value for axis, value in found.items() if not (summed and axis == "aggregation")}


def stated_above(domain: Domain, above: str) -> list[Mention]:
    """What a heading says that was run ("Llama 3.1 405B"), who rents it, or in which format, where it names one such thing on an axis.

    A density is that of the format beside it: "BF16 dense TFLOPS".
    """
    found = domain.find_qualifiers(above)
    headed = {*_HEADED, *_FORMAT} if any(axis == _FORMAT[0] for m in found for axis, _ in values_of(m)) else {*_HEADED}
    run = [m for m in found for axis, _ in values_of(m) if axis in headed]
    stated = Counter(axis for m in run for axis in {axis for axis, _ in values_of(m)})
    return [m for m in run if all(stated[axis] == 1 for axis, _ in values_of(m))]


def terms_stated(domain: Domain, lead: str) -> list[Mention]:
    """The terms that what leads into a list states for its prices, where they are one."""
    found = [m for m in domain.find_qualifiers(lead) if all(i.startswith("price_terms=") for i in m.ids)]
    return found if len({m.ids for m in found}) == 1 else []


def model_size(text: str) -> str:
    """The one size of a model that a text names, as a workload: "70B model", or ""."""
    # "llama3.2:3b" as well as "a 3B model"
    sizes = {f"{m[1] or m[3]}{(m[2] or m[4]).upper()} model" for m in _MODEL_SIZE.finditer(text)}
    return sizes.pop() if len(sizes) == 1 else ""


def with_run(domain: Domain, metric: Metric, found: Qualifiers, run: str) -> Qualifiers:
    """With `run` as the workload of a measurement that states none: an MFU of a 16B model is none of a 128B one.

    Where a model is stated without its size, it takes that of `run`: "llama-3" is "llama-3-70b".
    """
    if not run or metric.nature != "measured" or "workload" not in metric.qualifiers:
        return found
    stated = next((value for axis, value in found if axis == "workload"), "")
    if not stated:
        return tuple(sorted((*found, ("workload", run))))
    term, size = domain.terms.get(stated), run.split(maxsplit=1)[0].lower()
    if term is None or term.kind != "model" or size[:-1] in stated.split("-")[-1]:
        return found
    return tuple((axis, f"{stated}-{size}" if axis == "workload" else value) for axis, value in found)


def _stated(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """Of each axis but scope, the value that holds for this figure; none where the sentence leaves it open."""
    by_axis: dict[str, list[tuple[Mention, str]]] = {}
    for mention in scene.qualifiers:
        for axis, value in values_of(mention) if _is_meant(scene, mention) else ():
            if axis == "workload" and not _is_run(scene.text, mention):
                continue
            if axis in domain.axes and axis not in SCOPE and not _is_apart(domain, scene, quantity, axis, mention):
                by_axis.setdefault(axis, []).append((mention, value))
    chosen: dict[str, str] = {}
    for axis, stated in by_axis.items():
        vague = domain.axes[axis].vague  # "LLM training" is training
        mine = [(m, v) for m, v in stated if scene.owner(m) is quantity]
        values = {value for _, value in stated}
        values = values.difference(vague) or values
        if mine and not _is_left_open(scene, axis, mine):
            chosen[axis] = min(mine, key=lambda pair: (pair[1] in vague, scene.distance(quantity, pair[0])))[1]
        elif (
            not mine
            and len(values) == 1
            and (
                leads(scene, stated[0][0])
                or (axis in _SENTENCE_WIDE and _may_spread(scene, quantity, axis, stated[0][0]))
                or (axis == _KIND and _closes_a_list(scene, stated[0][0]))
                # "a 50 MB L2 cache, 1.25x larger": what it has several kinds of, and no chip's one memory
                or (
                    axis == _KIND and quantity.compares and not min(values).startswith(tuple(domain.axes[_KIND].one_of))
                )
            )
        ):
            chosen[axis] = values.pop()
    return chosen


def _is_apart(domain: Domain, scene: Scene, quantity: Quantity, axis: str, mention: Mention) -> bool:
    """True for what is of another figure, or of none.

    The GCP of "GCP asks $11.85 and the ND H100 v5 is $12.50", the sparsity of "989 TFLOPS (1,979 with sparsity)", and
    what a clause of its own says to be usable.
    """
    if axis == "capacity":
        apart = min(mention.end, quantity.end), max(mention.start, quantity.start)
        return _PARTS_CLAUSES.search(scene.text, *apart) is not None
    if axis in _FORMAT:
        bare = _BARE_NUMBER.search(scene.text, 0, mention.start)
        return bare is not None and quantity.end <= bare.start(1)
    if axis not in SOLD:
        return False
    if mention.start >= quantity.end:
        return _heads_another_price(scene, quantity, mention)
    paid = [q.end for q in scene.figures if q.dimension.startswith("price") and q.end <= quantity.start]
    if not paid:
        return False
    behind = max(min(paid), mention.end)
    return any(behind <= m.start < quantity.start and any(map(domain.is_rented, m.ids)) for m in scene.entities)


def _heads_another_price(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the RunPod of "$1.29 an hour, RunPod spot $0.80": a new item begins with it, and has a price of its own."""
    if not _NEXT_ITEM.search(scene.text, quantity.end, mention.start):
        return False
    ends = _ITEM_ENDS.search(scene.text, mention.end)
    end = ends.start() if ends else len(scene.text)
    return any(q.dimension.startswith("price") and mention.end <= q.start < end for q in scene.figures)


def _is_meant(scene: Scene, mention: Mention) -> bool:
    """False for the SXM of "the same as the H100 SXM", the FP4 of "besides FP4", the FP32 of an "FP32 accumulator" and counted "CUDA cores"."""
    named = any(m.start <= mention.start and mention.end <= m.end for m in scene.entities)
    left_out = _LEFT_OUT.search(scene.text, max(0, mention.start - 40), mention.start)
    left_out = left_out or _TIMES_ITS.search(scene.text, max(0, mention.start - 24), mention.start)
    if all(i.startswith("sparsity=") for i in mention.ids):
        left_out = left_out or _HAS_IT_TOO.search(scene.text, max(0, mention.start - 32), mention.start)
    asked = _WHETHER.search(scene.text, 0, mention.start)
    lasts = all(i.startswith("basis=") for i in mention.ids) and _LASTS.match(scene.text, mention.end)
    counted = any(q.dimension == "count" and q.start <= mention.start < q.end for q in scene.quantities)
    other = counted or _is_of_the_other(scene, mention) or _is_of_another(scene, mention)
    other = other or _is_another_form(scene, mention)
    return not (named or left_out or asked or lasts or other or _ACCUMULATES.match(scene.text, mention.end))


def _is_another_form(scene: Scene, mention: Mention) -> bool:
    """True for the SXM of "three quarters of the SXM" and "more than the SXM"."""
    if not all(i.startswith("form_factor=") for i in mention.ids):
        return False
    return is_other_side(scene.text, mention) or TIMES_ALL.search(scene.before(mention, 40)) is not None


def _is_of_another(scene: Scene, mention: Mention) -> bool:
    """True for the format or provider that a clause compares with, or says to be there: "cheaper than AWS", "; FP8 support"."""
    axes = {axis for axis, _ in values_of(mention)}
    if not axes & {"dtype", "provider"}:
        return False
    supported = "dtype" in axes and not leads(scene, mention) and _IS_SUPPORTED.match(scene.text, mention.end)
    return bool(supported or _OF_ANOTHER.search(scene.text, max(0, mention.start - 48), mention.start))


def _is_of_the_other(scene: Scene, mention: Mention) -> bool:
    """True for the format right behind what a figure is set against: "2x over H100 FP8"."""
    of_format = all(i.startswith("dtype=") for i in mention.ids)
    return of_format and any(
        scene.text[m.end : mention.start] == " " and is_other_side(scene.text, m) for m in scene.entities
    )


def _is_run(text: str, mention: Mention) -> bool:
    """True for what the words say is run, and for the verb that says so: "trains 2x faster"."""
    worked_on = _WORKED_ON.search(text[max(0, mention.start - 32) : mention.start])
    return bool(worked_on or _RUNS.match(text, mention.start) or _DONE.match(text, mention.end))


def _is_left_open(scene: Scene, axis: str, stated: Sequence[tuple[Mention, str]]) -> bool:
    """True for "$1.39 to $1.49 an hour, SXM vs PCIe": which of them has which is not said."""
    pairs = pairwise([m for m, _ in stated])
    return axis == "form_factor" and any(_OR_ANOTHER.fullmatch(scene.text, a.end, b.start) for a, b in pairs)


def _closes_a_list(scene: Scene, mention: Mention) -> bool:
    """True for the L1 of "16 kB (MI100), 128 kB (V100) and 192 kB (A100) of L1 cache": it is of all of them."""
    alike = len({(q.dimension, q.unit) for q in scene.figures}) == 1 < len(scene.figures)
    alike = alike and _ASIDE.search(scene.text, 0, mention.start) is None  # "(192 GB) and the MI350X (288 GB HBM3E)"
    return alike and mention.start >= max(q.end for q in scene.figures)


def _may_spread(scene: Scene, quantity: Quantity, axis: str, mention: Mention) -> bool:
    """False for what is of one of several figures: "989, 1,979 or 134 TFLOPS, and only the first is dense", "$1.80, or reserved $1.20, or at RunPod $2"."""
    alike = [q for q in scene.figures if q.dimension == quantity.dimension]
    between = any(q.end <= mention.start for q in alike) and any(q.start >= mention.end for q in alike)
    return not (axis in ("sparsity", _ENGINE) and len(alike) > 1) and not (axis in SOLD and between)


def _date_at(scene: Scene, quantity: Quantity) -> str:
    """The date that a sentence gives for a figure: the one of its clause, or the only one, where no other figure is nearer."""
    for match in _YEAR.finditer(scene.text):
        at = Mention(match.start(), match.end(), ())
        aside = "(" in scene.text[match.end() : quantity.start]
        if scene.owner(at) is quantity or (leads(scene, at) and not aside):
            return stated_date(match[0])
    return ""


def stated_date(text: str) -> str:
    """The month or year that a sentence gives for what it says, as an ISO date, or ""."""
    match = _YEAR.search(text)
    if match is None:
        return ""
    *month, year = match[1].split()
    return f"{year}-{_MONTHS.index(month[0]) + 1:02}" if month else year
