"""A source read twice: by rules, which know the facts and doubt what departs from them, and by the learned reader, which does not.

Where the rules are in doubt or see nothing, the reader's confident claims stand in their place: a figure that is wrong looks
to the rules like one that they have misread, and a check is there for just those. Where both read, the rules' claim stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise.claims import voice
from chipwise.claims.extract import extract
from chipwise.claims.known import Known
from chipwise.claims.model import Claim, Sentence
from chipwise.claims.reader import reader_of
from chipwise.claims.told import read_claims
from chipwise.types import Passage

CONFIDENT = 0.7  # from which the reader's claim takes the place of a doubt or of nothing


def read_twice(
    passages: Sequence[Passage], known: Known, title: str = "", *, unplaced: bool = False
) -> tuple[list[tuple[Sentence, ...]], list[Claim]]:
    """As `extract`: for each passage of one source its sentences, and all claims. Raises ModelUnavailable."""
    domain = known.domain
    sentences, ruled = extract(passages, domain, title, unplaced=unplaced, known=known)
    headings = {p.ordinal: p for p in passages}
    read = read_claims(reader_of(domain), domain, passages, title, least=CONFIDENT)
    settled = [c for c in ruled if c.quantity is None or (c.metric and c.subject and not c.doubt)]
    added = [
        replace(c, attribution=_said_by(c, headings[c.passage], known))
        for c in read
        if not any(o.quantity is not None and _overlap(c, o) for o in settled)
    ]
    left = [c for c in ruled if c not in settled and not any(_overlap(c, o) for o in added)]
    return sentences, [*settled, *left, *added]


def _said_by(claim: Claim, passage: Passage, known: Known) -> str:
    text = passage.text[claim.start - passage.start : claim.end - passage.start]
    return voice.attribution(known.domain, text, passage.heading)


def _overlap(a: Claim, b: Claim) -> bool:
    return a.value_start < b.value_end and b.value_start < a.value_end
