"""Claims and facts as quotes with their place, marked where the figure is."""

from __future__ import annotations

from dataclasses import replace

from chipwise.claims.model import Claim, Fact
from chipwise.types import Evidence, Passage, Role, SourceInfo


def claim_evidence(claim: Claim, info: SourceInfo, passage: Passage) -> Evidence:
    """The sentence or row that a claim stands in, marked where the figure is."""
    before = passage.text[: claim.value_start - passage.start]
    return replace(
        span_evidence(passage, info, claim.start - passage.start, claim.end - passage.start),
        line=passage.line + before.count("\n"),
        column=len(before) - (before.rfind("\n") + 1) + 1,
        mark=(claim.value_start - claim.start, claim.value_end - claim.start),
    )


def span_evidence(passage: Passage, info: SourceInfo | None, start: int, end: int) -> Evidence:
    """The words of a passage from `start` to `end`, offsets in its text."""
    return Evidence(
        source=passage.source,
        title=info.title if info else "",
        origin=info.origin if info else "",
        publisher=info.publisher if info else "",
        published=info.published if info else "",
        heading=passage.heading,
        role=passage.role,
        quote=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
        line=passage.line + passage.text.count("\n", 0, start),
        page=passage.page,
        passage=passage.id,
        digest=info is not None and info.is_digest,
    )


def fact_evidence(fact: Fact) -> Evidence:
    """The digest's sentence that a fact cites."""
    claim, cited = fact.claim, fact.citation
    return Evidence(
        source=claim.source,
        title=cited.title,
        origin=cited.origin,
        publisher=cited.publisher,
        published=cited.published,
        heading=(),
        role=Role.BODY,
        quote=cited.quote,
        start=claim.start,
        end=claim.end,
        line=cited.line,
        page=None,
        passage="",
        mark=(claim.value_start - claim.start, claim.value_end - claim.start),
        digest="://" in cited.origin,  # a primer of ours stands at no address
    )
