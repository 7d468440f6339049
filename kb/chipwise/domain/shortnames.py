"""Products called by the end of their names alone: "the MI300X has 192 GB, the 325X 256 GB"; "TPU v4 beats v3".

What looks like such a name is one where a relative is named beside it, or where it can be
nothing else: neither a number with a unit ("8t" may be tonnes) nor a multiple ("300X faster").
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention

# a letter and digits, or digits and a letter: "v3", "8i", "355X"; and a number that is called like a thing: "the 4090"
_SHORT = re.compile(
    r"(?<![\w.,$€£/+-])(?:[a-z]\d{1,2}[a-z]?|\d{1,4}[A-Za-z]{1,2}"
    r"|(?:(?<=\b[Tt]he\s)|(?<=\b[Aa]\s)|(?<=\b[Aa]n\s)|(?<=\b[Mm]y\s)|(?<=\b[Oo]ur\s)|(?<=\bvs\s)|(?<=\bvs\.\s))\d{4})(?![\w+/%-]|[.,]\d)"
)
_LIKE_A_NAME = re.compile(
    r"(?:^\W*|\b[Tt]he\s|\b[Oo]ur\s|[,;:]\s(?:and\s|but\s)?|\b(?:and|while|than|of|on)\s(?:the\s)?)$"
)
_BEHIND = 24  # characters, in which a unit would stand
_TIMES = re.compile(r"\d+[xX]$")
_GOES_ON = re.compile(
    r"\s?(?:as\b|the\b|that\b|more\b|less\b|\w+er\b|of\b|speed|performance|increase|improvement|gain)"
)


def with_short_names(domain: Domain, text: str, named: Sequence[Mention]) -> list[Mention]:
    """The names of a sentence with those that are cut short, in order."""
    found = [*named]
    for m in _outside(named, text):
        known = domain.short_names.get(m[0], ())
        kin = _kin(domain, named, known)
        if len(kin) == 1 or (len(known) == 1 and _is_no_figure(domain, text, m)):
            found.append(Mention(m.start(), m.end(), tuple(kin) or known))
    return sorted(found, key=lambda mention: mention.start)


def _outside(named: Sequence[Mention], text: str) -> list[re.Match[str]]:
    """What looks like a short name and is no part of one in full."""
    return [m for m in _SHORT.finditer(text) if not any(n.start < m.end() and m.start() < n.end for n in named)]


def _kin(domain: Domain, named: Sequence[Mention], known: Sequence[str]) -> list[str]:
    """Of the products that go by a short name those of a line that something named is of."""
    lines = {a for n in named for i in n.ids for a in domain.ancestors(i)[:3]} if known else ()
    return [i for i in known if domain.entities[i].parent in lines]


def _is_no_figure(domain: Domain, text: str, match: re.Match[str]) -> bool:
    """True for "8i", which no number with a unit is, and for the "355X" of "the 355X has 288 GB"."""
    if not match[0][0].isdigit():
        return False  # "v3" may be the third version of anything
    if match[0].isdigit():
        counted = domain.unit_table.find(text[match.start() : match.end() + _BEHIND])
        # "the 4090 cores", but not "the 4090 die"
        return not any(q.start == 0 and text[match.start() + q.end - 1] == "s" for q in counted)
    if not domain.unit_table.find(match[0]):
        return True
    told = _LIKE_A_NAME.search(text[: match.start()]) and not _GOES_ON.match(text, match.end())
    return bool(_TIMES.match(match[0]) and len(match[0]) > 3 and told)  # noqa: PLR2004  # no multiple of that size
