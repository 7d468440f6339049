"""What an answer is: its text, where each sentence of it stands, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chipwise.types import Evidence, Finding

YES, NO, SAME = "Yes: ", "No: ", "No, the same: "  # how one begins that bears out, or denies
EXCEEDED = "No, more than that: "
DEPENDS = "It depends on what is meant. "


@dataclass(frozen=True, slots=True)
class Citation:
    """Number `n` in the answer's text, and the evidence that it stands for."""

    n: int
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` with its citations, or, where `reason` is not empty, why there is none.

    `consulted` are the sources of the passages that were read, `disagreements`
    where the sentences quoted give different figures for one thing.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    reason: str = ""
    consulted: tuple[str, ...] = ()
    disagreements: tuple[Finding, ...] = ()

    @property
    def answered(self) -> bool:
        """False for a refusal."""
        return not self.reason


def as_read(found: Answer, asked: str, slips: Sequence[tuple[str, str]]) -> Answer:
    """The answer to what was `asked`, saying which of its words were taken for others."""
    if not slips:
        return replace(found, question=asked)
    said = " and ".join(f'"{written}" as "{read}"' for written, read in slips)
    if found.answered:
        return replace(found, question=asked, text=f"Read {said}. {found.text}")
    return replace(found, question=asked, reason=f"{found.reason} (read {said})")
