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
        digest=info is not None and bool(info.verified) and "://" in info.origin,  # we tell what we made it from
    )


def fact_evidence(fact: Fact) -> Evidence:
    """The digest's sentence that a fact cites."""
    claim, cited = fact.claim, fact.citation
    by = (claim.source, cited.title, cited.origin, cited.publisher, cited.published)
    mark = (claim.value_start - claim.start, claim.value_end - claim.start)
    is_digest = "://" in cited.origin  # a primer of ours stands at no address
    at = (cited.quote, claim.start, claim.end, cited.line)
    return Evidence(*by, (), Role.BODY, *at, page=None, passage="", mark=mark, digest=is_digest)
