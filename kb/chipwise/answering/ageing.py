"""Prices that have aged: what an answer adds where the newest price that it gives of something is more than a year old.

TPU v6e at 2.70 USD/chip-hour as of 2024-12, told in 2026
->  "The price of the TPU v6e dates from 2024-12, more than a year ago."
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, date, datetime

from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.figures.phrasing import listed

MONTHS = 12  # a price of the same month of last year is not old yet
_NAMED = 3  # of whose prices, in one sentence


def today() -> date:
    """The present day, or that of SOURCE_DATE_EPOCH (reproducible-builds.org), by which a transcript can be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC).date() if epoch.isdecimal() else datetime.now(UTC).date()


def note_on_age(facts: Iterable[Fact], question: str, names: Names) -> str:
    """A sentence on the prices that are more than a year old; "" where none is, or where the question asks for their year.

    A price beside a newer one of the same chip is told as history, with its date, and is left alone.
    """
    newest: dict[str, str] = {}
    for fact in facts:
        if fact.as_of and names.metrics[fact.claim.metric].nature == "priced":
            chip = names.chip_of(fact.claim.subject) or fact.claim.subject
            newest[chip] = max(newest.get(chip, ""), fact.as_of)
    aged = {chip: as_of for chip, as_of in newest.items() if _is_old(as_of) and as_of[:4] not in question}
    if not aged:
        return ""
    if len(aged) == 1:
        ((chip, as_of),) = aged.items()
        return f"The price of the {names.name(chip)} dates from {as_of}, more than a year ago."
    told = [f"the {names.name(chip)} ({as_of})" for chip, as_of in aged.items()]
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return f"The prices of {listed([*told[:_NAMED], *more])} are more than a year old."


def _is_old(as_of: str) -> bool:
    """True where even the last month that a date may mean ("2024" is December) is more than MONTHS ago."""
    year, month, *_ = (*map(int, as_of.split("-")), 12)
    now = today()
    return 12 * (now.year - year) + now.month - month > MONTHS
