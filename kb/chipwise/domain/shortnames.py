"""Products that a text names by the end of their name.

    "the MI300X has 192 GB, the 325X 256 GB"; "TPU v4 beats v3"

A short name counts if a relative is mentioned next to it, or if it can be nothing else: neither
a number with a unit ("8t" may be tons) nor a multiple ("300X faster").
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
_LIKE_A_NAME = re.compile(
    r"(?:^\W*|\b[Tt]he\s|\b[Oo]ur\s|[,;:]\s(?:and\s|but\s)?|\b(?:and|while|than|of|on)\s(?:the\s)?)$"
)
_BEHIND = 24  # characters within which a unit would follow
_TIMES = re.compile(r"\d+[xX]$")
_GOES_ON = re.compile(
    r"\s?(?:as\b|the\b|that\b|more\b|less\b|\w+er\b|of\b|speed|performance|increase|improvement|gain)"
)


def with_short_names(domain: Domain, text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Add the shortened names of a sentence to its mentions, in order."""
    lines = {a for mention in mentions for i in mention.ids for a in domain.ancestors(i)[:3]}
    short: list[Mention] = []
    for m in _SHORT.finditer(text):
        candidates = domain.short_names.get(m[0], ())
        if not candidates or any(mention.start < m.end() and m.start() < mention.end for mention in mentions):
            continue
        relatives = tuple(i for i in candidates if domain.entities[i].parent in lines)
        if len(relatives) == 1 or (len(candidates) == 1 and _is_no_figure(domain, text, m)):
            short.append(Mention(m.start(), m.end(), relatives or candidates))
    return sorted([*mentions, *short], key=lambda mention: mention.start)


def _is_no_figure(domain: Domain, text: str, match: re.Match[str]) -> bool:
    """True for "8i", which can't be a number with a unit, and for the "355X" of "the 355X has 288 GB"."""
    if not match[0][0].isdigit():
        return False  # "v3" may be the third version of anything
    if match[0].isdigit():
        counted = domain.unit_table.find(text[match.start() : match.end() + _BEHIND])
        # "the 4090 cores", but not "the 4090 die"
        return not any(q.start == 0 and text[match.start() + q.end - 1] == "s" for q in counted)
    if not domain.unit_table.find(match[0]):
        return True
    like_a_name = _LIKE_A_NAME.search(text[: match.start()]) and not _GOES_ON.match(text, match.end())
    return bool(_TIMES.match(match[0]) and len(match[0]) > 3 and like_a_name)  # noqa: PLR2004 (no multiple is that large)
