"""Functions that need no knowledge base: the claims of a text, and the relation of two claims.

They read only the shipped domain files and the claim reader, and know no facts, so that a text is read for
what it says and not for what it should say.
"""

from __future__ import annotations

from chipwise.claims.extract import extract as _extract
from chipwise.claims.model import Claim, Fact
from chipwise.domain.files import shipped_domain
from chipwise.figures.relate import Relation
from chipwise.figures.relate import relate as _relate
from chipwise.figures.statement import place
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.types import Role


def extract(text: str, confidence: float = 0.5) -> list[Claim]:
    """Return the claims of a Markdown or plain text, in the order of their figures; spans point into `text`.

    Claims on figures come from the learned reader, with `confidence` and `rivals`; less confident ones are dropped.
    Claims of categories and dates ("runs PyTorch", "announced in May 2022") come from wording. Empty for a text
    without any. Raises SourceUnreadable if the text is too long, ModelUnavailable if the reader's weights don't load.
    """
    if not text.strip():
        return []
    document = read_bytes(text.encode("utf-8", "replace"), name="text.md", origin="text")
    _, claims = _extract(split(document), shipped_domain(), document.info.title)
    return sorted((c for c in claims if c.confidence >= confidence), key=lambda claim: claim.value_start)


def relate(a: Claim | Fact, b: Claim | Fact) -> Relation:
    """Compare two claims or facts: the verdict, the rule behind it, and the arithmetic or reason in words."""
    domain = shipped_domain()
    facts = [(source.claim, source) if isinstance(source, Fact) else (source, None) for source in (a, b)]
    return _relate(domain, *(place(domain, claim, Role.BODY, fact) for claim, fact in facts))
