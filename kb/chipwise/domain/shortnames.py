"""Products that a text names by the end of their name, where a relative is named next to it.

    "the MI300X has 192 GB, the 325X 256 GB"; "TPU v4 beats v3"

Without a relative, "8t" may be tons and "300X" a multiple.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention

# a letter and digits, or digits and a letter: "v3", "8i", "355X"; a number only after an article: "the 4090"
_SHORT = re.compile(
    r"(?<![\w.,$€£/+-])(?:[a-z]\d{1,2}[a-z]?|\d{1,4}[A-Za-z]{1,2}"
    r"|(?:(?<=\b[Tt]he\s)|(?<=\b[Aa]\s)|(?<=\b[Aa]n\s)|(?<=\b[Mm]y\s)|(?<=\b[Oo]ur\s)|(?<=\bvs\s)|(?<=\bvs\.\s))\d{4})(?![\w+/%-]|[.,]\d)"
)


def with_short_names(domain: Domain, text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Add the shortened names of a sentence to its mentions, in order."""
    lines = {a for mention in mentions for i in mention.ids for a in domain.ancestors(i)[:3]}
    short: list[Mention] = []
    for m in _SHORT.finditer(text) if lines else ():
        relatives = tuple(i for i in domain.short_names.get(m[0], ()) if domain.entities[i].parent in lines)
        taken = any(mention.start < m.end() and m.start() < mention.end for mention in mentions)
        if len(relatives) == 1 and not taken:
            short.append(Mention(m.start(), m.end(), relatives))
    return sorted([*mentions, *short], key=lambda mention: mention.start)
