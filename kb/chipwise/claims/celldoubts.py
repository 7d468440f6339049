"""Why it is not certain that a table says what a claim of one of its cells says.

"1,460 tokens/s" in the row "8 | 0.75 | FP32"     conditions stand beside it that the claim has lost
"Memory" beside "Accelerator memory"              the bare one is the machine's
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chipwise import patterns as re
from chipwise.claims.around import named
from chipwise.claims.drawing import of_all_around
from chipwise.claims.implying import is_sum_for_a_rate
from chipwise.claims.misreadings import (
    bare_count,
    in_bits,
    is_of_some,
    no_property,
    no_such_size,
    of_machine,
    of_nobody,
    of_which_model,
    paid_in_all,
    right_behind,
    unread,
)
from chipwise.claims.model import Claim
from chipwise.claims.ofpart import is_needed, of_its_scope, of_one_of_many
from chipwise.claims.qualifying import model_size
from chipwise.claims.reached import as_configured
from chipwise.claims.running import RUNS, without_run
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.nouns import MACHINE
from chipwise.numbers.quantities import Quantity
from chipwise.text import words

# what a row has beside the memory of a machine
_NODE = re.compile(
    r"\b(?:CPUs?|v?CPU cores?|sockets?|Xeon|EPYC|Opteron|Threadripper|disks?|SSDs?|NVMe|local storage|scratch)\b", re.I
)
_COUNTED = re.compile(r"(?<![\w.])\d+\s?[x×]\s(?=[A-Za-z])")
_SIZE = re.compile(r"\s*\d+(?:\.\d+)?\s?[BT]\s*")
_MODEL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?[BM](?![\w/])")  # "Qwen3Model 0.6B"
_CHIP_COUNT = re.compile(
    r"\b(?:GPU|chip|accelerator|TPU|device)s?\s(?:count|number)\b|(?:#|\bno\.?|\bnumber)\s?(?:of\s)?(?:GPU|chip|accelerator|TPU|device)s?\b|^\W*(?:GPUs|chips|TPUs)\W*$",
    re.I,
)
_SEVERAL = re.compile(r"[2-9]|[1-9]\d{1,4}")
_MADE_OF = re.compile(r"\s?\(=?\s?([2-9]|[1-9]\d{1,3})\s?[x×*]\s?[~$]?\d")
_WHOLE = re.compile(
    rf"[\s,(]*((?:(?:for|of)\s)?(?:the\s)?(?:entire|whole|complete|full|total)\s(?:{MACHINE}|system|box|rig|PC|computer|laptop|desktop))\b",
    re.I,
)
_TIMES_BEHIND = re.compile(r"[\s(]([2-9]|[1-9]\d{1,3})\s?[x×](?!\w)")
_FROM_TO = re.compile(r"^(.+?)(?<!\bup)(?<!compared)(?<!relative)(?<!equal)\s(?:to|->|→|<->|↔)\s(.+)$", re.I)
_PERIOD = re.compile(r"\b(day|week|month|quarter|year)(?:s|ly)?\b", re.I)
_OF_A_BATCH = re.compile(
    r"^\W*(?:micro-?|global\s)?batch(?:\s?size)?\W*$|\b(?:block\ssize|sequence\slength|seq(?:\s?len)?|context\s(?:length|size))\b",
    re.I,
)
_PER_MONEY = re.compile(r"(?:/|\bper)\s?(?:\$|USD\b|dollars?\b|€|euros?\b)", re.I)
_HOUR = re.compile(r"\b(?:per|an|a) hour\b|\bhourly\b|/\s?h(?:ou)?r?\b", re.I)
_NO_CONDITION = re.compile(
    r"\b(?:sources?|notes?|links?|refs?|references?|date|rank|vendor|maker|status|url|#|no)\b", re.I
)


def doubt_of_cell(
    domain: Domain,
    scene: Scene,
    label: Scene,
    quantity: Quantity,
    claim: Claim,
    beside: Sequence[tuple[str, str]],
    headed: str,
) -> str:
    """The same for a cell under its `label` and all that is `headed`; `beside` are headers and words of the row's other cells."""
    several = sum(q.dimension == quantity.dimension for q in scene.quantities) > 1
    return (
        of_nobody(domain, quantity, claim, plural=False)
        or ("the cell has several figures" if several else "")
        or _of_all_of_it(scene, quantity, claim)
        or right_behind(domain, scene, quantity, claim)
        or is_needed(domain, scene, quantity, claim)
        or paid_in_all(domain, scene, quantity, claim)
        or _under_a_rate(domain, label, claim)
        or _paid_for_a_run(domain, label, quantity, claim, beside)
        or of_machine(domain, label, quantity, claim)
        or _of_another_period(domain, label, claim)
        or _per_money(domain, label, claim)
        or _taken_by_a_run(domain, claim, beside)
        or bare_count(domain, label, quantity, claim)
        or _unread_label(domain, label, claim)
        or _of_somebody_else(domain, label, claim)
        or _beside_its_kind(domain, label, claim, beside)
        or ("of how many together is not said" if is_of_some(domain, claim) else "")
        or ("what it is compared with is not said" if quantity.compares and not claim.baseline else "")
        or no_property(domain, quantity, claim, headed, in_use=True)
        or no_such_size(domain, quantity, claim)
        or of_all_around(domain, quantity, claim, label.text)
        or _one_of_ports(domain, scene, quantity, claim)
        or (_row_conditions(domain, claim, beside) if _is_measured(domain, quantity, claim) else "")
        or without_run(domain, quantity, claim)
        or of_its_scope(domain, claim)
        or of_one_of_many(domain, label, quantity, claim)
        or as_configured(domain, quantity, claim, " | ".join(said for _, said in beside))
        or in_bits(domain, quantity, claim)
        or of_a_kind_of_core(domain, label, claim)
        or _of_what_was_measured(domain, label, claim, beside)
        or of_which_model(domain, claim)
    )


def _of_all_of_it(scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a cell says its figure to be made of, or of what: "800W (2×400)", "270 W (entire box)"."""
    if claim.qualifier("count") or quantity.compares:
        return ""
    made = _MADE_OF.match(scene.text, quantity.end)
    of = _WHOLE.match(scene.text, quantity.end)
    return f"it may be of all {made[1]}" if made else f"it may be of the {of[1].lower()}" if of else ""


def _of_what_was_measured(domain: Domain, label: Scene, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """A rate of a row whose other column was measured: the "Ridge point" beside a "Measured ceiling"."""
    metric = domain.metrics[claim.metric]
    if metric.nature != "specified" or metric.plain or _RATED.search(label.text):
        return ""
    told = next((m for header, _ in beside if (m := _MEASURED.search(header))), None)
    return f"it may follow from what was {told[0].lower()}" if told else ""


def _one_of_ports(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """Whether a rate is of one or of all that are counted before it: "8x ConnectX-7 (up to 400 Gb/s)"."""
    told = (
        _COUNTED.search(scene.text, 0, quantity.start)
        if "direction" in domain.metrics[claim.metric].qualifiers
        else None
    )
    return f"it may be of one or of all {told[0].strip()}" if told and not claim.qualifier("aggregation") else ""


def of_a_kind_of_memory(domain: Domain, claim: Claim, row: str) -> str:
    """A row that is of a kind of memory and only tells who has it: "HBM3 | 600 GB/s | 2022 | H100", where 600 are a stack's."""
    if "memory_kind" not in domain.metrics[claim.metric].qualifiers:
        return ""
    name = row.strip(" *`_")
    kinds = (m for m in domain.find_qualifiers(name) if (m.start, m.end) == (0, len(name)))
    told = any(i.startswith("memory_kind=") for m in kinds for i in m.ids)
    return f"its row is of {name}" if told else ""


def of_a_path(domain: Domain, claim: Claim, label: str) -> str:
    """A memory's rate in a row that goes from one thing to another: "Grace LPDDR to local Hopper"."""
    told = _FROM_TO.search(label) if "memory_kind" in domain.metrics[claim.metric].qualifiers else None
    named = told and domain.find_entities(told[2])
    return f"it may be of the way to {told[2].strip()}" if told and named else ""


def of_a_cpu(domain: Domain, claim: Claim, labels: Iterable[str], *, named: bool) -> str:
    """What a table below the name of a machine says that gives its CPU's cores, too: "Clock rate: 3.1 GHz"."""
    of_either = domain.metrics[claim.metric].of_chips and not named
    told = next((m for label in labels if (m := _NODE.search(label))), None) if of_either else None
    return f"it may be of the machine's CPU ({told[0]})" if told else ""


_WHAT_IS_RUN = re.compile(r"\W*(?:model|LLM|network|checkpoint|workload)s?(?:\s(?:name|id|size))?\W*", re.I)
_INSTANCE = re.compile(
    r"\W*(?:\w+\s)?(?:instance|VM|machine|node|server|SKU|shape|flavou?r)s?(?:\s(?:type|name|size))?s?\W*", re.I
)
_TERMS_OF = re.compile(r"\b(?:spot|on[- ]demand|reserved|preemptible)\s(?:instance|VM)s?\b", re.I)
_OF_INSTANCE = re.compile(r"\b(?:instance|VM|machine|node|server)\b", re.I)


def taken_by_a_model(domain: Domain, claim: Claim, row: str, beside: Sequence[tuple[str, str]], *, named: bool) -> str:
    """The memory of a row that opens with what is run: "Llama 3 70B | INT8 | 37 GB | 1,800 tokens/s" below the name of a card."""
    metric = domain.metrics[claim.metric]
    if metric.dimension != "information" or not metric.plain or domain.find_entities(row):
        return ""
    run = any(domain.terms[m.ids[0]].kind in RUNS for m in domain.find_terms(row)) or bool(_MODEL.search(row))
    # in a row that names its chip beside; below the name of a card a "Model" is one of its kinds
    run = run or (named and any(said == row and bool(_WHAT_IS_RUN.fullmatch(header)) for header, said in beside[:1]))
    return f"it may be what {row.strip(' *`_')} takes" if run else ""


def of_how_many(domain: Domain, claim: Claim, naming: str, beside: Sequence[tuple[str, str]]) -> str:
    """Whether it is of one or of all, in a row that counts them: "H100 (8x) | 68 hours", "B200 | 8 | 1,536 GB" under "GPU Count"."""
    metric = domain.metrics[claim.metric]
    several = metric.scales or metric.nature in ("priced", "measured")
    if not several or claim.qualifier("count") or not domain.is_chip(claim.subject):
        return ""
    told = [said for header, said in beside if _CHIP_COUNT.search(header) and _SEVERAL.fullmatch(said.strip())]
    told += [m[1] for m in _TIMES_BEHIND.finditer(naming)]
    return f"it may be of one or of all {told[0].strip()}" if told and claim.qualifier("aggregation") != "chip" else ""


_MEASURED = re.compile(r"\b(?:measured|empirical|observed|benchmarked)\b", re.I)
_RATED = re.compile(r"\b(?:peak|theoretical|spec\w*|rated|nominal|max\w*)\b", re.I)
_HOSTS = re.compile(r"\b(?:RAM|(?:system|host|main|instance)\smemory)\b", re.I)
_VCPUS = re.compile(r"\bv?CPUs?\b(?:\scores)?", re.I)
_OF_GPU = re.compile(r"\b(?:GPUs?|VRAM|HBM\w*|accelerator|device|card|chip|TPU)\b|\bGPU", re.I)
_KIND_OF_CORE = re.compile(r"\b(?:tensor|matrix|RT|ray|texture)\b", re.I)


def of_a_kind_of_core(domain: Domain, label: Scene, claim: Claim) -> str:
    """The bare number below "TENSOR cores / matrix cores": of which of them is open."""
    metric = domain.metrics[claim.metric]
    counted = metric.dimension == "count" and metric.of_chips
    plain = counted and claim.quantity is not None and claim.quantity.unit == metric.unit
    kind = _KIND_OF_CORE.search(label.text) if plain else None
    return f"it may be of one kind of core ({kind[0]})" if kind else ""


def of_its_instance(domain: Domain, claim: Claim, over: str, beside: Sequence[tuple[str, str]]) -> str:
    """What a row with an "instance type" asks for its chip, and the "Memory" of one with vCPUs: they may be the machine's."""
    metric = domain.metrics[claim.metric]
    if metric.dimension == "information" and metric.plain and not _OF_GPU.search(over):
        told = any(_HOSTS.search(header) for header, _ in beside)  # a column of its own
        cpus = next((m for header, _ in beside if not told and (m := _VCPUS.search(header))), None)
        return f"it may be the host's, like its {cpus[0]}" if cpus else ""
    of_chip = domain.is_chip(claim.subject) and claim.qualifier("aggregation") != "chip"
    if metric.nature != "priced" or not of_chip:
        return ""
    machine = _OF_INSTANCE.search(_TERMS_OF.sub("", over)) or next(
        (m for header, _ in beside if (m := _INSTANCE.fullmatch(header))), None
    )
    return "it may be of the whole instance" if machine else ""


def of_a_link(domain: Domain, label: Scene, claim: Claim, around: str) -> str:
    """The bare "Bandwidth" of a row that names a link: "NVLink 4.0 | H100 | 50 GB/s" is of no memory."""
    metric = domain.metrics[claim.metric]
    own = [label.text[m.start : m.end].lower() for m in label.metrics if claim.metric in m.ids]
    if "memory_kind" not in metric.qualifiers or metric.dimension != "information_rate" or own != ["bandwidth"]:
        return ""
    names = domain.find_entities(around)  # the PCIe of an "H100 PCIe" is no link
    links = (
        m
        for m in domain.find_terms(around)
        if domain.terms[m.ids[0]].kind == "interconnect" and not any(n.start <= m.start < n.end for n in names)
    )
    return next((f"it may be of the link ({around[m.start : m.end]})" for m in links), "")


def _of_another_period(domain: Domain, label: Scene, claim: Claim) -> str:
    """What "12-Month Cost" stands over is no price of an hour, and none of a card."""
    priced = domain.metrics[claim.metric].nature == "priced" and not _HOUR.search(label.text)
    told = _PERIOD.search(label.text) if priced else None
    return f"it may be what a {told[1].lower()} costs" if told else ""


def _under_a_rate(domain: Domain, label: Scene, claim: Claim) -> str:
    """What stands below "Cost (~$2/hr)": the header has the rate, and the cell what it comes to."""
    rate = next((q for q in label.quantities if q.dimension == "price_rate"), None)
    told = rate is not None and domain.metrics[claim.metric].nature == "priced"
    return f"it may be what comes of {label.text[rate.start : rate.end]}" if told and rate else ""


def _paid_for_a_run(
    domain: Domain, label: Scene, quantity: Quantity, claim: Claim, beside: Sequence[tuple[str, str]]
) -> str:
    """The "$32" of a row that tells how long something took, where its own header names no hour: "H100 | ~18min | $32"."""
    metric = domain.metrics[claim.metric]
    if not is_sum_for_a_rate(metric, quantity) or _HOUR.search(label.text):
        return ""
    took = next((said for _, said in beside for q in domain.unit_table.find(said) if q.dimension == "time"), "")
    return f"it may be what a run of {took.strip()} cost" if took else ""


def _per_money(domain: Domain, label: Scene, claim: Claim) -> str:
    """What stands below "FP16 TFLOPS/$" is no peak."""
    apart = domain.metrics[claim.metric].nature == "specified" and _PER_MONEY.search(label.text)
    return "it may be of what a dollar buys" if apart else ""


def _taken_by_a_run(domain: Domain, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """The memory of a row that tells how large its batches are: "A100 80GB | 4 | 4096 | ~70 GB"."""
    metric = domain.metrics[claim.metric]
    if metric.dimension != "information" or not metric.plain:
        return ""
    told = next((header for header, _ in beside if _OF_A_BATCH.search(header)), "")
    return f"it may be what a run takes (by its {told.strip().lower()})" if told else ""


def _is_measured(domain: Domain, quantity: Quantity, claim: Claim) -> bool:
    return domain.metrics[claim.metric].nature == "measured" and not quantity.compares


def _unread_label(domain: Domain, label: Scene, claim: Claim) -> str:
    """What a column or row is called beyond its metric, unit and qualifiers: "Base", "shared L1"."""
    left = unread(domain, claim, label.text, named(label))
    return f"{' '.join(left[:4])!r} over it is not understood" if left else ""


def _of_somebody_else(domain: Domain, label: Scene, claim: Claim) -> str:
    """What else the label names: the price under "CPU" below the name of an accelerator."""
    for m in label.entities:
        other = not all(map(domain.is_generic, m.ids)) or "cpu" in m.ids
        if other and not any(domain.are_kin(claim.subject, i) for i in m.ids):
            return f"it is of the {label.text[m.start : m.end]}"
    return ""


def _beside_its_kind(domain: Domain, label: Scene, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """A bare "Memory" beside another column that says whose: "Accelerator memory"."""
    own = {w for m in label.metrics if claim.metric in m.ids for w in words(label.text[m.start : m.end])}
    metric = domain.metrics[claim.metric]
    if len(own) != 1 or not metric.plain or metric.dimension != "information":
        return ""
    if any(_NODE.search(f"{header} {said}") for header, said in beside):
        return "it may be of the machine"
    for header, _ in beside:
        for m in domain.find_metrics(header):
            longer = own < {*words(header[m.start : m.end])} or domain.find_entities(header[: m.start])
            if claim.metric in m.ids and longer:
                return f"another column has the {header.strip().lower()}"
    return ""


def _row_conditions(domain: Domain, claim: Claim, beside: Sequence[tuple[str, str]]) -> str:
    """The first cell of the row that says under what conditions something was measured, and not what else was."""
    stated = {value for _, value in claim.qualifiers}
    for header, said in beside:
        named = [domain.metrics[i] for m in domain.find_metrics(header) for i in m.ids]
        # another figure of the row is no condition, a batch size and a number of chips are
        other = (m for m in named if not m.of_runs)
        if any(m.dimension != "count" or m.nature == "measured" for m in other) or _NO_CONDITION.search(header):
            continue
        values = {i.partition("=")[2] for m in domain.find_qualifiers(said) for i in m.ids}
        values |= {model_size(said)} if _SIZE.fullmatch(said) else set()
        if not values or not all(_is_stated(value, stated) for value in values):
            return f"it may hold for {header} {said} only".replace("  ", " ")
    return ""


def _is_stated(value: str, stated: set[str]) -> bool:
    """True for "llama-2" where "llama-2-70b" is stated."""
    return any(s == value or s.startswith(f"{value}-") for s in stated)
