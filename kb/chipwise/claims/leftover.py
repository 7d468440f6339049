"""The figures of a text that make no claim, kept as claims without a metric, and why each makes none.

    "The H100 offers 9 TB/s."                -> (nvidia-h100, "", 9 TB/s): the text does not say what it measures
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

    REQUIREMENT = "it is a requirement"
    USE = "it is an amount used"
    HOST = "it is about the machine around the chips"
    SETTING = "it is a setting of a run"
    TOTAL = "it is a total or a step of arithmetic"
    OTHER = "it is not about hardware"
    REFERENCE = "it is only referred to"
    EXAMPLE = "it is an example"
    COMPARISON = "the text does not say what it compares"
    METRIC = "the text does not say what it measures"
    SUBJECT = "no known chip is named"

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
