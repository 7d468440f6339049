"""What stands over a figure, or was done for it, that makes something else of it: a laptop's, one configuration's, what a kernel reached.

"## GEMM results" over "A100: 19 TFLOPS"     no peak
"## Dual RTX 3090" over "VRAM: 48 GB"        of both
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.misreadings import MOBILE, UNKNOWN_VARIANT
from chipwise.claims.model import Claim
from chipwise.claims.particular import SPECIAL
from chipwise.claims.running import NO_RUN, states_a_run, tells_the_deed_only
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.nouns import PRODUCT
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity

_MEASURING = re.compile(
    r"\b(?:GEMMs?|GEMVs?|mat\s?muls?|kernels?|(?:cu|hip|roc)BLAS\w*|micro\s?benchmarks?|benchmark\s(?:results?|runs?)|(?:actual|typical)\sresults?)\b",
    re.I,
)
_SO_MANY = re.compile(
    rf"\b(?:dual|twin|quad|{SEVERAL}|[2-9]\s?[x×]|1\d\s?[x×]|(?<![\w.,$])(?:[2-9]\d{{0,3}}|1\d{{1,3}}))\s(?:(?-i:[A-Z])\w+\s)?$",
    re.I,
)
# what stands below is of what was run there
_OF_RUNS = re.compile(r"\b(?:benchmarks?|experiments?|evaluations?|(?:test|benchmark)\sresults)\b", re.I)
_PART = re.compile(r"\b(?:SM|SMX|CU|XCD|GCD|GPC|TPC|MXU|NeuronCore|TensorCore)s?\b(?!.*\.$)")
_ROUGH = re.compile(r"\b(?:napkin|ballpark|rules? of thumb|back[- ]of[- ]the[- ]envelope)\b", re.I)
_MEASURED = re.compile(r"\b(?:empirical|realistic|rounded|validated)\b", re.I)
_SPECIAL = re.compile(rf"{SPECIAL}(?:(?-i:[A-Z])[\w/-]*\s){{0,2}}(?:{PRODUCT})s?\b(?!\s\w)", re.I)
_SLICED = re.compile(r"\bMIG\b")
_CONFIGURED = re.compile(r"\b(?:config(?:uration)?s?|scenarios?|presets?|batter(?:y|ies)|(?:best|worst)\scase)\b", re.I)


def of_its_heading(domain: Domain, claim: Claim, quantity: Quantity, headings: Sequence[str]) -> str:
    """What the headings over a figure make of it: a laptop's, one configuration's, a benchmark's."""
    metric = domain.metrics[claim.metric]
    if any(MOBILE.search(h) for h in headings):
        return UNKNOWN_VARIANT
    told = _MEASURING.search(headings[-1]) if headings and metric.measured_as else None
    if told:
        return f"it may be what {told[0]} reached"
    others = (
        _of_another_one(heading) or _of_the_host(domain, metric, heading) or _rough_or_of_part(metric, claim, heading)
        for heading in headings[-2:]
    )
    if reason := next(filter(None, others), ""):
        return reason
    if several := of_several_above(domain, claim, headings[-2:]):
        return several
    run = states_a_run(domain, claim) and not tells_the_deed_only(domain, claim)
    if quantity.compares and metric.general and not run and any(map(_OF_RUNS.search, headings)):
        return NO_RUN
    told = _CONFIGURED.search(headings[-1]) if headings and (metric.nature == "measured" or quantity.compares) else None
    return f"its heading states conditions ({told[0]})" if told else ""


def _of_the_host(domain: Domain, metric: Metric, heading: str) -> str:
    """What a memory's figure is of below "4. System Memory (RAM)", where no chip is named."""
    named = (domain.metrics[m.ids[0]] for m in domain.find_metrics(heading) if len(m.ids) == 1)
    hosts = any(other.of_systems and other.dimension == "information" for other in named)
    told = hosts and "memory_kind" in metric.qualifiers and not domain.find_entities(heading)
    return "its heading speaks of the host's memory" if told else ""


def _of_another_one(heading: str) -> str:
    """What stands below "Modified NVIDIA cards"."""
    told = _SPECIAL.search(heading)
    return f"it may be of another one ({told[1].lower()})" if told else ""


def _rough_or_of_part(metric: Metric, claim: Claim, heading: str) -> str:
    """What stands below "Napkin numbers", a rate below "Empirical ceilings", and a cache below "A100 SM architecture"."""
    rate = metric.dimension.endswith("_rate")
    told = (
        (_ROUGH.search(heading) or (_MEASURED.search(heading) if rate else None))
        if metric.nature == "specified"
        else None
    )
    if told:
        return f"it may be a rough figure ({told[0]})"
    if (
        metric.plain
        and metric.dimension == "information"
        and _SLICED.search(heading)
        and not claim.qualifier("aggregation")
    ):
        return "it may be of a slice (MIG)"
    cache = "memory_kind" in metric.qualifiers and metric.dimension == "information" and not metric.plain
    told = _PART.search(heading) if cache and not claim.qualifier("aggregation") else None
    return f"it may be of one {told[0]}" if told else ""


def of_several_above(domain: Domain, claim: Claim, above: Sequence[str]) -> str:
    """What is below "Total Cluster (32 DGX H100):" and says not of how many it is."""
    metric = domain.metrics[claim.metric]
    adds_up = metric.scales or metric.of_systems or bool(metric.of_machines) or metric.dimension == "information_rate"
    return (
        "its heading counts several"
        if adds_up and not claim.qualifier("aggregation") and _counts_it(domain, above, claim.subject)
        else ""
    )


def _counts_it(domain: Domain, headings: Sequence[str], subject: str) -> bool:
    """True for what stands below "Dual RTX 3090": it may be of one or of both."""
    return any(
        _SO_MANY.search(heading, 0, m.start)
        for heading in headings
        for m in domain.find_entities(heading)
        if any(domain.is_specific(i) and domain.are_kin(subject, i) for i in m.ids)
    )


def was_measured(domain: Domain, claim: Claim, text: str) -> str:
    """What of a peak may be what was reached: "10-20 TFLOPS with cuBLAS"."""
    told = _MEASURING.search(text) if domain.metrics[claim.metric].measured_as else None
    return f"it may be what {told[0]} reached" if told else ""
