"""Products that a text calls by what they are to others it has named: "its predecessor", "the newer one", "the Ampere card"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chipwise import patterns as re
from chipwise.claims.naming import own_mentions
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.nouns import MACHINE, PRODUCT
from chipwise.numbers.quantities import Quantity

_SIBLING = r"sibling|counterpart|cousin"
_RELATIVE = re.compile(
    rf"\b(?:(?:its|their|the)\s(?:direct\s|immediate\s|own\s)?(?:[a-z]+\s)?(?P<kin>predecessor|successor|{_SIBLING})\b(?!,?\s(?:to|of))"
    r"|the\s(?P<which>newer|older|new|old|former|latter|bigger|smaller|larger|faster|slower|cheaper|dearer)"
    rf"(?:\s(?:of\sthe\stwo|one|model|generation|{PRODUCT}|{MACHINE})\b|(?=\s(?:has|had|is|was|gets|carries|holds|offers|comes)\b|[,.;)]|\s?$)))",
    re.I,
)
_THE_CARD = re.compile(rf"\b(?:the|that|this)\s(?P<make>(?-i:[A-Z])\w+)\s(?:{PRODUCT}|one)\b", re.I)
_OPENING = re.compile(r"(?:^|[.;:,—–]\s|\b(?:while|whereas|where|and|but|though|although|yet)\s)\W*$", re.I)
_SOMEBODY = re.compile(r",|\b(?:it|they|this|that)\b", re.I)
_OLDER, _NEWER = ("older", "old"), ("newer", "new")
_BOTH = 2


class Spoken(NamedTuple):
    """What a text has named: `about` it is now, `listed` in the last sentence that named products, `named` of all chips."""

    about: Sequence[str]
    listed: Sequence[str]
    named: frozenset[str]


def relative(domain: Domain, scene: Scene, quantity: Quantity, known: Spoken) -> tuple[str, ...] | None:
    """Whose a figure is that stands behind such a name: () where nobody tells, None where there is none.

    "Its predecessor stopped at 96 GB", "the newer part carries 256 GB, the older one 192 GB" of two that were named.
    """
    told = _last(_RELATIVE, scene.text, quantity.start) or _last(_THE_CARD, scene.text, quantity.start)
    if told is None or not _is_subject(domain, scene, told, quantity):
        return None
    if told.re.pattern == _THE_CARD.pattern:
        # "the PCIe card" is a form, and "the Cloud TPU v5p" and "the H100 card" are names
        names = [m for m in scene.entities if any(map(domain.is_specific, m.ids)) or m.end >= told.end()]
        taken = any(m.start < told.end("make") and told.start("make") < m.end for m in (*scene.qualifiers, *names))
        return None if taken else _of_make(domain, told["make"], known.named)
    if told["kin"]:
        before = [i for m in scene.entities if m.end <= told.start() for i in m.ids if domain.is_specific(i)]
        return _kin(domain, told["kin"].lower(), before[-1:] or known.about, known.listed)
    return _which(domain, told["which"].lower(), known.listed)


def _last(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    return max(pattern.finditer(text, 0, end), key=re.Match.start, default=None)


def _is_subject(domain: Domain, scene: Scene, told: re.Match[str], quantity: Quantity) -> bool:
    """True where it opens its clause, and nobody else is named or meant between it and the figure: no "unlike its predecessor it has"."""
    if any(m.start >= told.end() and m.end <= quantity.start for m in own_mentions(domain, scene)):
        return False
    opens = _OPENING.search(scene.text, 0, told.start())
    return opens is not None and not _SOMEBODY.search(scene.text, told.end(), quantity.start)


def _of_make(domain: Domain, make: str, named: frozenset[str]) -> tuple[str, ...]:
    """The one chip of a family or a maker among those `named`; nobody for another make."""
    known = {i for m in domain.find_entities(make) for i in m.ids}
    kin = {i for i in named if known & set(domain.ancestors(i)) or domain.entities[i].vendor.lower() == make.lower()}
    return tuple(kin) if len(kin) == 1 else ()


def _kin(domain: Domain, kin: str, about: Sequence[str], listed: Sequence[str]) -> tuple[str, ...]:
    """The predecessor or successor of what the text is about, or the other one of two."""
    if kin not in ("predecessor", "successor"):
        both = len(listed) == _BOTH and bool(set(about) & set(listed))
        return tuple(i for i in listed if i not in about) if both else ()
    told = [k for i in about for k in (domain.before(i) if kin == "predecessor" else domain.after(i))]
    return tuple(told) if len(told) == 1 else ()


def _which(domain: Domain, which: str, listed: Sequence[str]) -> tuple[str, ...] | None:
    """The one of two that were named; nobody for "the old one" of whatever else."""
    if len(listed) != _BOTH:
        return () if which in _OLDER else None
    if which in ("former", "latter"):
        return (listed[which == "latter"],)
    first, second = listed
    if which not in (*_OLDER, *_NEWER) or not (_precedes(domain, first, second) or _precedes(domain, second, first)):
        return ()
    if domain.is_chip(first) is not domain.is_chip(second):  # "an MI300X node beat one with the MI325X": of the chips
        first, second = domain.nearest_chip(first) or first, domain.nearest_chip(second) or second
    older = first if _precedes(domain, first, second) else second
    return (older,) if which in _OLDER else tuple(i for i in (first, second) if i != older)


def _precedes(domain: Domain, a: str, b: str) -> bool:
    """True where `a` is among those that came before `b` in its line."""
    at, seen = domain.chip_of(b) or b, set[str]()
    while at and at not in seen:
        seen.add(at)
        at = domain.entities[at].predecessor
    return a != b and (domain.chip_of(a) or a) in seen
