"""Products that a question calls by what they are to another one: "the predecessor of the H200", "the H200's successor".

    "memory of the predecessor of the H200?"  ->  "memory of the NVIDIA H100?", which is told with the answer

Where the domain knows none, or several, nobody's figure is the answer: least of all the figure of the one that is named.
A question on who it is ("What was the predecessor of the H200?") stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.text import Span

_KIN = r"(?:direct\s|immediate\s)?(?P<kin>predecessor|forerunner|successor)"
_SOME_KIN = re.compile(_KIN, re.I)
_OF = re.compile(
    rf"(?:\b(?:the|an?)\s|(?-i:\b[A-Z])\w*['’]s\s)?\b{_KIN}\s(?:of|to)\s(?:the\s|an?\s)?(?:(?-i:[A-Z])\w+['’]s\s)?$",
    re.I,
)
_HIS = re.compile(rf"['’]s?\s{_KIN}\b", re.I)
_ITS = re.compile(rf"\bits\s(?:own\s)?{_KIN}\b(?!\s(?:of|to|for)\b)", re.I)
_THE = re.compile(r"\bthe\s(?:(?-i:[A-Z])\w+\s)?$", re.I)
_EARLIER = ("predecessor", "forerunner")
_COMPARES = re.compile(r"\b(?:compar\w+|differ\w*|versus|vs\.?|than|better|worse|faster|slower)\b", re.I)
# between a product and what it is called: "the H200, the successor of the H100", "is the H200 the successor of the H100"
_CALLED = re.compile(r"(?:,|\sis|\swas|\sas)?\s?")
_MOST_NAMED = 3
_DEEPEST = 3  # "the predecessor of the H200's predecessor"


class Read(NamedTuple):
    """A question with such products by name, the pairs of what it said and how that is read, or why one can't be."""

    text: str
    pairs: tuple[tuple[str, str], ...] = ()
    reason: str = ""


class _Told(NamedTuple):
    span: Span
    of: str  # the id of the one that is named
    kin: str


def read_relatives(domain: Domain, question: str) -> Read:
    """The question as it is where it names none so, or asks nothing more of it."""
    pairs: list[tuple[str, str]] = []
    if not _SOME_KIN.search(question):
        return Read(question)  # as nearly all do
    for _ in range(_DEEPEST):
        told = list(_find(domain, question))
        if not told or not (domain.find_metrics_asked(question) or _COMPARES.search(question)):
            break
        (start, end), of, kin = told[-1]
        found = domain.before(of) if kin in _EARLIER else domain.after(of)
        if len(found) != 1:
            return Read(question, reason=_why_not(domain, of, found, "predecessor" if kin in _EARLIER else "successor"))
        name = domain.entities[found[0]].name
        pairs.insert(0, (question[start:end], name))
        question = f"{question[:start]}the {name}{question[end:]}"
    return Read(question, tuple(pairs))


def _find(domain: Domain, question: str) -> Iterator[_Told]:
    """What a question calls so, in order."""
    named = [m for m in domain.find_entities(question) if len(m.ids) == 1 and domain.kind(m.ids[0]) != "line"]
    its = _ITS.search(question)
    found = [t for t in (_told_at(question, m) for m in named) if t is not None]
    if its is not None and len({m.ids for m in named if domain.is_specific(m.ids[0])}) == 1:
        about = next(m for m in named if domain.is_specific(m.ids[0]))
        found.append(_Told(its.span(), about.ids[0], its["kin"].lower()))
    yield from sorted(t for t in found if not _is_said_of_one(question, named, t))


def _is_said_of_one(question: str, named: Sequence[Mention], told: _Told) -> bool:
    """True where the product that stands right before is called so, and nobody else is asked for."""
    last = max((m.end for m in named if m.end <= told.span[0]), default=-1)
    return last >= 0 and _CALLED.fullmatch(question, last, told.span[0]) is not None


def _told_at(question: str, mention: Mention) -> _Told | None:
    """The one that a name is put beside as of whom it is: "the predecessor of the [H200]", "the [H200]'s successor"."""
    if before := _OF.search(question, 0, mention.start):
        return _Told((before.start(), mention.end), mention.ids[0], before["kin"].lower())
    behind = _HIS.match(question, mention.end)
    if behind is None:
        return None
    the = _THE.search(question, 0, mention.start)
    return _Told((the.start() if the else mention.start, behind.end()), mention.ids[0], behind["kin"].lower())


def _why_not(domain: Domain, named: str, found: tuple[str, ...], which: str) -> str:
    """That none, or more than one, is known as `which` of a product."""
    name = domain.entities[named].name
    if not found:
        return f"no {which} of {name} is known here"
    names = ", ".join(domain.entities[i].name for i in found[:_MOST_NAMED])
    return f"{name} has more than one {which} ({names}); ask about one of them"
