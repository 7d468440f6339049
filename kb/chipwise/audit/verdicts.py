"""What two statements can be to each other."""

from __future__ import annotations

from enum import StrEnum

from chipwise.values import dataclass


class Verdict(StrEnum):
    """What two statements are to each other."""

    SAME = "same"
    COMPATIBLE = "compatible"
    EXPLAINED = "explained"
    SPREAD = "spread"
    UNRESOLVED = "unresolved"
    CONTRADICTION = "contradiction"
    INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Relation:
    """The verdict with the rule that decided it, the axes that it turned on, and the arithmetic or reason in words."""

    verdict: Verdict
    rule: str = ""
    axes: tuple[str, ...] = ()
    reason: str = ""
