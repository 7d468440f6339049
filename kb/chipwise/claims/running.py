"""Whether a text says of what was measured what was run: "433,606 tokens/s" and "1.6x faster" alone compare with nothing."""

from __future__ import annotations

from chipwise.claims.model import Claim
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

NO_RUN = "what was run is not said"
RUNS = ("model", "framework", "library", "benchmark")  # kinds of terms that a measurement may be made with
_FEW = 4  # digits of what is told of a chip whatever is run on it
_OF_A_RUN = ("token_rate", "time")  # dimensions of what depends on nothing as much as on what is run


def without_run(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """What was reached, or how long it took, without a word of what was run: "433,606 tokens/s" compares with nothing.

    That it was "training" says as little. "About 3,800 tokens/s" and "1,790 tokens/s per chip" are put as what a chip does, whatever is run.
    """
    metric = domain.metrics[claim.metric]
    if metric.of_runs:
        return "" if states_a_run(domain, claim) else NO_RUN
    if quantity.compares or metric.nature != "measured" or metric.dimension not in _OF_A_RUN:
        return ""
    roughly = quantity.bound != "exact" or (claim.qualifier("aggregation") == "chip" and _is_round(quantity))
    if metric.dimension == "token_rate" and roughly:
        return ""
    told = states_a_run(domain, claim) and not tells_the_deed_only(domain, claim)
    stated = told or "workload" not in metric.qualifiers
    return "" if stated else NO_RUN


def _is_round(quantity: Quantity) -> bool:
    """True for 1,790, and not for 12,525, which is what one run gave."""
    return float(f"{quantity.middle:.{_FEW - 1}e}") == quantity.middle


def tells_the_deed_only(domain: Domain, claim: Claim) -> bool:
    """True for "7x faster training": of which model, and at which size, decides by how much."""
    axis = domain.axes["workload"]
    return claim.qualifier("workload") in axis.deeds and not claim.qualifier("benchmark")


def states_a_run(domain: Domain, claim: Claim) -> bool:
    """True where a claim says what was run, and not only that it was some "LLM"."""
    workload, axis = claim.qualifier("workload"), domain.axes.get("workload")
    return bool(claim.qualifier("benchmark") or (workload and (axis is None or workload not in axis.vague)))


def not_stated(domain: Domain, claim: Claim) -> tuple[str, ...]:
    """The axes of which a claim would have to state one to tell much, and states none: of an MFU what was run.

    That "training" was done says nothing of the model.
    """
    axes = domain.metrics[claim.metric].turns_on if claim.metric else ()
    told = any(_tells_much(domain, axis, claim.qualifier(axis)) for axis in axes)
    return () if told or ("provider" in axes and domain.is_rented(claim.subject)) else axes


def _tells_much(domain: Domain, axis: str, value: str) -> bool:
    known = domain.axes.get(axis)
    return bool(value) and (known is None or value not in (*known.deeds, *known.vague))
