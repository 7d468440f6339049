"""The clauses of a sentence that each speak of something else, so that whose a figure is is asked of its own clause.

    "It has 192 GB at 5.3 TB/s, whereas the H100 makes do with 80 GB"
        -> "It has 192 GB at 5.3 TB/s" | "whereas the H100 makes do with 80 GB"

A sentence is parted only where each side has a figure of its own and the second begins with a name or a pronoun for its
subject. What is measured, and in which format, is still read from the whole: "In BF16, the H100 ..., while the A100 ...".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.claims.naming import own_mentions
from chipwise.claims.scene import Scene, ids
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import IT, PRODUCT
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span

_IT_DOES = re.compile(r":\s(?=(?:it|they)\s)", re.I)
_MARK = re.compile(rf";\s|{_IT_DOES.pattern}|,?\s(?:while|whereas|where|but|and|though|although|yet)\s", re.I)
_SUBORDINATE = re.compile(r"\W*(?:while|whereas|where|although|though)\s", re.I)
# what opens a clause up to its subject, and a subject that is no name
_OPENS = re.compile(
    r"(?:(?:in|at|for)\s(?!the\s)(?:[\w-]+\s){1,2})?(?:the\s|an?\s|our\s|on\s(?:the\s|an?\s)|(?-i:[A-Z]\w+['’]s?\s)){0,2}",
    re.I,
)
_NO_NAME = re.compile(rf"(?:{IT}|the\s(?:older|newer|former|latter|other|old|new)\s(?:one|{PRODUCT}))\b(?!['’])", re.I)
_VERB = re.compile(
    r"(?:['’]s)?(?:\s(?:GPU|chip|card|accelerator|module)s?)?\s(?!and\b|or\b|with\b|of\b|in\b|from\b)[a-z]"
)
_ASIDE = re.compile(r",\s[^,;:]{3,60},(?=\s)")
_FIGURE = re.compile(r"\s(?:at\s|with\s|only\s|just\s)?[~$€£]?\d")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence as a scene as long as the whole, with blanks for the rest; `it` is what a pronoun in it means."""

    span: Span
    scene: Scene
    it: tuple[str, ...] = ()


def clauses_of(domain: Domain, scene: Scene) -> list[Clause]:
    """The clauses of a sentence in order; one, where nothing parts it."""
    whole = [Clause((0, len(scene.text)), scene)]
    least = 1 if _IT_DOES.search(scene.text) else 2
    if sum(not q.compares for q in scene.figures) < least or not _is_parted_behind(scene):
        return whole
    if not scene.entities or "respectively" in scene.text:
        return whole
    spans = list(_spans(domain, scene))
    if len(spans) < 2:  # noqa: PLR2004
        return whole
    told: list[Clause] = []
    for span in spans:
        inner = _within(scene, span)
        it = (ids(own_mentions(domain, told[-1].scene)[:1]) or told[-1].it) if told else ()
        told.append(Clause(span, inner, it))
    return told


def _is_parted_behind(scene: Scene) -> bool:
    """True where nothing is compared, or only before "it does": "the H200 gives twice as much as the A100: it processes ..."."""
    compared = [q.end for q in scene.quantities if q.compares]
    goes_on = _IT_DOES.search(scene.text)
    return not compared or (goes_on is not None and max(compared) <= goes_on.start())


def clause_at(clauses: Sequence[Clause], quantity: Quantity) -> Clause:
    """The one of `clauses_of` a sentence that a figure of it stands in."""
    return next((c for c in clauses if c.span[0] <= quantity.start < c.span[1]), clauses[0])


def _spans(domain: Domain, scene: Scene) -> Iterator[Span]:
    """From where a clause begins to the next one; what has no figure of its own belongs to the one behind it."""
    own = own_mentions(domain, scene)
    starts = [0, *(m.start() for m in _MARK.finditer(scene.text) if _begins(scene, own, m.end()))]
    if _SUBORDINATE.match(scene.text):
        commas = (m.start() for m in re.finditer(r",\s", scene.text))
        first = next((at for at in commas if _begins(scene, own, at + 2)), None)
        starts = sorted({*starts, first}) if first is not None else starts
    edges = [*starts, len(scene.text)]
    begin = 0
    for end in edges[1:]:
        tells = _has_figure(scene, begin, end) or _IT_DOES.match(scene.text, end)
        if tells and (end == len(scene.text) or _has_figure(scene, end, len(scene.text))):
            yield begin, end
            begin = end


def _has_figure(scene: Scene, start: int, end: int) -> bool:
    return any(start <= q.start and q.end <= end for q in scene.figures)


def _begins(scene: Scene, own: list[Mention], at: int) -> bool:
    """True where a clause with a subject of its own begins: "the H100 makes", "it is", "a B200 $14.00"."""
    opened = _OPENS.match(scene.text, at)
    begin = opened.end() if opened else at
    if _NO_NAME.match(scene.text, at) or _NO_NAME.match(scene.text, begin):
        return True
    subject = next((m for m in own if m.start == begin), None)
    if subject is None:
        return False
    aside = _ASIDE.match(scene.text, subject.end)
    end = aside.end() if aside else subject.end
    return bool(_VERB.match(scene.text, end) or _FIGURE.match(scene.text, end))


def _within(scene: Scene, span: Span) -> Scene:
    """What of a sentence stands in one clause."""
    start, end = span
    text = " " * start + scene.text[start:end] + " " * (len(scene.text) - end)

    def here(mentions: Sequence[Mention]) -> list[Mention]:
        return [m for m in mentions if start <= m.start and m.end <= end]

    return Scene(
        text,
        here(scene.entities),
        here(scene.metrics),
        here(scene.terms),
        here(scene.qualifiers),
        [q for q in scene.quantities if start <= q.start and q.end <= end],
    )
