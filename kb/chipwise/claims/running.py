"""Whether a text says of what was measured what was run: "433,606 tokens/s" and "1.6x faster" alone compare with nothing."""

from __future__ import annotations

from chipwise.claims.model import Claim
from chipwise.domain.model import Domain


def not_stated(domain: Domain, claim: Claim) -> tuple[str, ...]:
    """The axes of which a claim would have to state one to tell much, and states none: of an MFU what was run.

    That "training" was done says nothing of the model.
    """
    axes = domain.metrics[claim.metric].turns_on if claim.metric else ()
    stated = ((domain.axes.get(axis), claim.qualifier(axis)) for axis in axes)
    told = any(value and (known is None or value not in (*known.deeds, *known.vague)) for known, value in stated)
    return () if told or ("provider" in axes and domain.is_rented(claim.subject)) else axes
