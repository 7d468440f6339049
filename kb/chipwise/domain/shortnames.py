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
# the number of a line's chip beside another one's: "Gaudi 2 vs 3"
_NUMBERED = re.compile(
    r"\b(?P<line>[A-Za-z]+)(?P<gap> ?)(?P<first>\d)\s*(?:,|/|&|\bvs\.?|\bversus|\band|\bor|\bto|\bagainst|\bthan|\bover)\s*(?P<second>\d)\b(?![.,\w%/-]|\s?[a-zA-Z]+s\b)"
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


def in_full(domain: Domain, question: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A question with names that are cut short as they are in full ("the 355x" -> "the AMD MI355X"), and which it had.

    Case does not count in a question; what stands behind it is no unit.
    """
    question = _with_lines(domain, question)
    folded = {short.lower(): ids for short, ids in domain.short_names.items()}
    named = domain.find_entities(question)
    read: list[tuple[str, str]] = []
    for m in reversed(_outside(named, question)):
        known = folded.get(m[0].lower(), ())
        kin = _kin(domain, named, known)
        one = kin if len(kin) == 1 else list(known) if len(known) == 1 and _TIMES.match(m[0]) and len(m[0]) > 3 else []  # noqa: PLR2004
        if one and not _GOES_ON.match(question, m.end()):
            name = domain.entities[one[0]].name
            question = f"{question[: m.start()]}{name}{question[m.end() :]}"
            if not name.lower().endswith(f" {m[0].lower()}"):  # of "v4" nobody needs to be told that it is the TPU v4
                read.append((m[0], name))
    return question, tuple(reversed(read))


def _with_lines(domain: Domain, question: str) -> str:
    """A question in which each number has the name of its line: "Gaudi 2 vs 3" -> "Gaudi 2 vs Gaudi 3"."""
    for m in reversed(list(_NUMBERED.finditer(question))):
        full = [f"{m['line']}{m['gap']}{number}" for number in (m["first"], m["second"])]
        made = [
            [
                i
                for n in domain.find_entities(name)
                if (n.start, n.end) == (0, len(name))
                for i in n.ids
                if domain.is_chip(i)
            ]
            for name in full
        ]
        if all(made):
            question = f"{question[: m.start('second')]}{m['line']}{m['gap']}{question[m.start('second') :]}"
    return question


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
