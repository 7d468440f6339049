"""An answer written down: the one place that numbers citations, puts rulings into words and joins what was told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from chipwise.answering.model import Answer, Citation, Ruling
from chipwise.answering.quoting import Cited, Part, Told, row_of, together
from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.figures.format import listed
from chipwise.types import Evidence, Finding
from chipwise.values import dataclass

_NOTHING = Told(())
MONTHS = 12  # a price of the same month of last year is not old yet
_NAMED = 3  # of whose prices, in one sentence


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be answered to one question, or the reason why nothing is.

    `is_full` is False where something asked for is not known; where `names_only`, passages may tell more. The rest is as in Answer.
    """

    question: str
    told: Told = _NOTHING
    reason: str = ""
    consulted: tuple[str, ...] = ()
    disagreements: tuple[Finding, ...] = ()
    confidence: float = 1.0
    is_full: bool = True
    names_only: bool = False
    nearest: Evidence | None = None

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason


def render(asked: str, drafts: Sequence[Draft], names: Names) -> Answer:
    """Drafts as one answer to what was `asked`; of what has no answer, the question and the reason."""
    # "which instance has the Trainium2, and how many are in it" gets one answer for both
    kept = [d for n, d in enumerate(drafts) if not any(o.answered and d.told == o.told for o in drafts[:n])]
    answered, missed = [d for d in kept if d.answered], [d for d in kept if not d.answered]
    consulted = tuple(dict.fromkeys(source for draft in kept for source in draft.consulted))
    if not answered:
        reason = "; ".join(dict.fromkeys(draft.reason for draft in missed))
        near = next((draft.nearest for draft in missed if draft.nearest is not None), None)
        return Answer(asked, "", (), reason, kept[0].consulted, confidence=kept[0].confidence, nearest=near)
    whole = together([draft.told for draft in answered], "\n\n")
    unanswered = (f'\n\nNo answer to "{draft.question.rstrip("?")}": {draft.reason}.' for draft in missed)
    note = note_on_age(whole.facts, asked, names)
    is_list = any(part == "\n- " for part in whole.parts)
    aged = (("\n" if is_list else " ") + note,) if note else ()
    whole = replace(whole, parts=(*whole.parts, *aged, *unanswered))
    verdicts = {draft.told.verdict for draft in answered} - {None}
    return Answer(
        asked,
        written(whole),
        tuple(Citation(n, evidence) for evidence, n in _numbers(whole).items()),
        consulted=consulted,
        disagreements=tuple({f.fingerprint: f for draft in kept for f in draft.disagreements}.values()),
        rows=tuple(dict.fromkeys((*whole.rows, *(row_of(fact, names) for fact in whole.facts)))),
        verdict=verdicts.pop() if len(verdicts) == 1 else None,
        confidence=min(draft.confidence for draft in answered),
    )


def written(told: Told) -> str:
    """The words of what was told, each citation as the number that it has there."""
    return "".join(_words(told.parts, _numbers(told)))


def _numbers(told: Told) -> dict[Evidence, int]:
    """The number of each quote; what rests on one quote shares it."""
    return {evidence: n for n, evidence in enumerate(dict.fromkeys(c.evidence for c in told.cited), start=1)}


def _words(parts: Sequence[Part], numbers: Mapping[Evidence, int]) -> Iterator[str]:
    for part, following in zip(parts, (*parts[1:], ""), strict=True):
        if isinstance(part, Ruling):
            starts_a_line = isinstance(following, str) and following.startswith("\n")
            yield part.value.rstrip() if starts_a_line else part.value
        else:
            yield f"[{numbers[part.evidence]}]" if isinstance(part, Cited) else part


def today() -> date:
    """The present day, or that of SOURCE_DATE_EPOCH (reproducible-builds.org), by which a transcript can be repeated."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC).date() if epoch.isdecimal() else datetime.now(UTC).date()


def note_on_age(facts: Iterable[Fact], question: str, names: Names) -> str:
    """A sentence on prices over a year old, but for one beside a newer one of its chip, and where the question asks for the year."""
    newest: dict[str, str] = {}
    for fact in facts:
        if fact.as_of and names.metrics[fact.claim.metric].nature == "priced":
            chip = names.chip_of(fact.claim.subject) or fact.claim.subject
            newest[chip] = max(newest.get(chip, ""), fact.as_of)
    aged = {chip: as_of for chip, as_of in newest.items() if _is_old(as_of) and as_of[:4] not in question}
    told = listed([f"the {names.name(chip)} ({as_of})" for chip, as_of in aged.items()], _NAMED)
    return f"More than a year old: the price of {told}." if told else ""


def _is_old(as_of: str) -> bool:
    """True where even the last month that a date may mean ("2024" is December) is more than MONTHS ago."""
    year, month, *_ = (*map(int, as_of.split("-")), 12)
    now = today()
    return 12 * (now.year - year) + now.month - month > MONTHS
