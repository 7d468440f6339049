"""The figures of a text that make no claim, kept as claims without a metric, and why each makes none.

    "The H100 offers 9 TB/s."                -> (nvidia-h100, "", 9 TB/s): what it measures is not said
    "An extra 40 GB would have helped."      -> ("", "", 40 GB): a difference

A reader of a check sees by them what nobody looked at; they are compared with nothing.
"""

from __future__ import annotations

from enum import StrEnum

from chipwise.claims.decode import Reading
from chipwise.claims.model import Claim
from chipwise.numbers.quantity import Quantity

_UNITLESS = ("count", "number")  # "8 GPUs", "132": numbers of things, and no figures with a unit


class Left(StrEnum):
    """Why a figure cannot be judged."""

    REQUIREMENT = "it is what something needs"
    USE = "it is what something uses"
    HOST = "it is of the machine around the chips"
    SETTING = "it is a setting under which something was run"
    TOTAL = "it is a total or a step of arithmetic"
    OTHER = "it is of something else than hardware"
    REFERENCE = "it is only pointed at"
    EXAMPLE = "it is an example"
    COMPARISON = "what it compares, or with what, is not said"
    METRIC = "what it measures is not said"
    SUBJECT = "no chip that is known is named"

    @classmethod
    def of(cls, reading: Reading) -> Left:
        """Why a reading without a metric, or an unlikely one, is no claim."""
        if reading.reason:
            return _REASONS.get(reading.reason, cls.OTHER)
        return cls.COMPARISON if reading.ratio else cls.METRIC


_REASONS = {
    "requirement": Left.REQUIREMENT,
    "use": Left.USE,
    "host": Left.HOST,
    "setting": Left.SETTING,
    "total": Left.TOTAL,
    "reference": Left.REFERENCE,
    "example": Left.EXAMPLE,
}


def has_unit(quantity: Quantity) -> bool:
    """False for a number of things."""
    return quantity.dimension not in _UNITLESS or quantity.compares


def why_left(claim: Claim) -> str:
    """Why the figure of a claim without subject or metric says nothing that could be judged."""
    return Left.SUBJECT if claim.quantity is None or claim.metric else claim.doubt
