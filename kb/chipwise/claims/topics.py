"""What a text is about as it goes on: whom "it" and "they" mean.

"The TPU v5p is a beast. ... It costs $4 per hour."   -> google-tpu-v5p
## H100                                                 -> nvidia-h100, until something else is the subject
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.claims.naming import COMPARED, coordinated, own_mentions
from chipwise.claims.scene import Scene, ids, read_scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CHIP, PRODUCT, THE
from chipwise.numbers.numerals import SEVERAL
from chipwise.text import ITEM_MARK
from chipwise.types import Passage, Role

_SUBORDINATE = re.compile(
    r"\s*(?:while|where|although|though|whereas|unlike|compared (?:to|with)|against|if|when|since|because|as)\b[^,]{0,200},",
    re.I,
)
# "..., whereas its sibling stays at 1,000 W": what a sentence sets beside what it is about
_TRAILING = re.compile(r",\s(?:while|whereas|where|although|though|unlike|compared (?:to|with)|against|but)\s", re.I)
# "every chip", said below a machine: what it is made of
_ONE_CHIP = re.compile(rf"(?<!\bas\s)(?<!\blike\s)\b(?:{THE}|an?\s)(?:{CHIP})\b(?!s)", re.I)
# what a clause within the sentence is about, and not the sentence: "the stalls that limited v5p"
_WITHIN = re.compile(r"\s(?:that|which|who)\s(?:\w+ly\s)?\w+(?:ed|s)\s(?:the\s|an?\s)?$")
_WHOSE = re.compile(rf"{ITEM_MARK.pattern}\W*(?:{PRODUCT})\W*:", re.I)
_THEY = re.compile(r"\W*(?:\w+,\s)?(?:they|these|those)\b", re.I)
# "Its shaders appear identical to those of the MI300X", "It replaces the A100": still about what "it" is
_ITS = re.compile(r"\W*(?:(?:and|but|also|however|moreover|overall),?\s)?(?:its|it|their|they)\b", re.I)
_SO_MANY = re.compile(rf"\b(?:{SEVERAL}|\d+)\s?[x×]?\s(?:(?:NVIDIA|AMD|Intel|Google)\s)?(?:Tesla\s)?$", re.I)
_EACH_ONE = re.compile(rf"\W*each\s(?:of\s(?:them|these|the)\s?)?(?:{PRODUCT})?\b", re.I)
_SO_MANY_TIMES = re.compile(r"(?:\d\s?[x×]|\b(?:times|twice|half|double))\s(?:[\w-]+\s){0,5}$", re.I)
_BEHIND_COLON = re.compile(r"[:;]\s(?:the\s|an?\s|your\s|our\s)?$", re.I)
_SUCCESSOR = re.compile(r"\b(?:its|the) (?:direct )?successor\b(?!,? (?:to|of))", re.I)


@dataclass
class Topic:
    """The state that reading a source in order needs: what was spoken of last, under which heading."""

    domain: Domain
    title: str = ""
    heading: tuple[str, ...] | None = None
    role: Role | None = None
    about: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # product lines that the heading names: only their chips are carried
    counted: tuple[str, ...] = ()  # the chips that the last sentence counts: "eight V100. Each GPU has 32 GB"
    item: tuple[str, ...] = ()  # what the item of a list names that is being read: the rest of it is of that
    in_item: bool = False  # whether a sentence goes on with an item that one before it began
    line: str = ""  # the line that was spoken of last while one of its chips still is: "TPUs ... they"
    sole: str = ""  # the one product that the whole source is about (`sole_product`), or ""

    def enter(self, passage: Passage) -> None:
        """Begins a passage; a new heading ends what was spoken of before."""
        if passage.heading == self.heading and passage.role is self.role:
            return
        self.heading, self.role, self.line = passage.heading, passage.role, ""
        named = ids(named_above(self.domain, (passage.context, *reversed(passage.heading), self.title)))
        specific = tuple(i for i in named if self.domain.is_specific(i))
        if len(specific) > 1:
            specific = ()  # "H100 against H200": what follows is about either
        # a table's header names every column, so it is no row's subject
        sole = (self.sole,) if self.sole and passage.role.speaks_for_the_source and not named else ()
        self.about = () if passage.role is Role.TABLE else specific or sole
        self.lines = () if any(map(self.domain.is_specific, named)) else named

    def follow(self, scene: Scene) -> None:
        """Remembers what a sentence was about: the first that its main clause names, with all coordinated to it.

        "While H100s hit 52%, TPUs hit 58%" is about TPUs; where a TPU was spoken of,
        it still is. An item names a part or an example: the items after it are about
        what the list is about.
        """
        if not self.in_item:
            self.item = self._opens_with(scene) if ITEM_MARK.match(scene.text) else ()
        self._follow(scene)

    def _opens_with(self, scene: Scene) -> tuple[str, ...]:
        """The one chip or system that an item of a list names."""
        named = tuple(i for i in ids(own_mentions(self.domain, scene)) if self.domain.is_specific(i))
        return named if len(named) == 1 else ()

    def _follow(self, scene: Scene) -> None:
        several = [m for m in scene.entities if _SO_MANY.search(scene.text, 0, m.start)]
        self.counted = tuple(i for i in ids(several) if self.domain.is_chip(i))
        if self.role is Role.TABLE or self.in_item or ITEM_MARK.match(scene.text):
            self.about = self._narrowed(scene) or self.about
            return
        own = own_mentions(self.domain, scene)
        until = _until_contrast(scene) if self.about else len(scene.text)
        named = [
            m for m in own if _main_clause(scene.text) <= m.start < until and not COMPARED.search(scene.before(m, 64))
        ]
        if self.about:
            named = [m for m in named if not _WITHIN.search(scene.before(m, 40))]
        subject = coordinated(scene, named[:1], named)
        its = self.about and _ITS.match(scene.text) and not _SUCCESSOR.search(scene.text)
        if not subject or its or self._comes_back(scene, own):
            return
        if not any(self.domain.is_specific(i) for i in subject):
            if any(set(subject) & set(self.domain.ancestors(a)) for a in self.about):
                self.line = subject[0]
                return
            later = [i for m in named for i in m.ids if self.domain.is_specific(i)]
            subject = tuple(later[-1:]) or subject
        fitting = [e for e in subject if not self.lines or set(self.domain.ancestors(e)) & set(self.lines)]
        if fitting:
            self.about, self.line = tuple(fitting), ""

    def _comes_back(self, scene: Scene, own: Sequence[Mention]) -> bool:
        """True for "The H100 manages 3.35 TB/s: Gaudi 3 offers more", where a Gaudi 3 was spoken of."""
        back = (m for m in own if _BEHIND_COLON.search(scene.text, 0, m.start))
        return any(i in self.about for m in back for i in m.ids)

    def _narrowed(self, scene: Scene) -> tuple[str, ...]:
        """The H100 SXM of "- GPU: H100 SXM 80GB", below which a list on the H100 goes on about that."""
        named = self._opens_with(scene) if _WHOSE.match(scene.text) else ()
        return named if named and any(a in self.domain.ancestors(named[0]) for a in self.about) else ()

    def carried(self, scene: Scene) -> tuple[str, ...]:
        """What a sentence without a subject of its own is about."""
        if self.in_item and self.item:
            return self.item
        if _SUCCESSOR.search(scene.text):
            next_ones = tuple(k for i in self.about for k in self.domain.after(i))
            return next_ones if len(next_ones) == 1 else ()
        if len(self.counted) == 1 and _EACH_ONE.match(scene.text):
            return self.counted
        if self.line and _THEY.search(scene.text[_main_clause(scene.text) :]):
            return (self.line,)
        first = min((q.start for q in scene.quantities), default=0)
        if not _ONE_CHIP.search(scene.text, 0, first):
            return self.about
        return tuple(self.domain.nearest_chip(i) or i for i in self.about)  # of a machine the chip that it is made of


def sole_product(domain: Domain, title: str, passages: Sequence[Passage]) -> str:
    """The one product that a source names, in its title or its first passage already: whom it is about where it names none; or "".

    What it is only compared with counts for nothing. Of a chip and one of its variants it is the variant; a chip and what
    is made of it are two, and so are a chip and a line that it is not of ("Is the LPU just a GPU?").
    """
    found: set[str] = set()
    first = {i for m in domain.find_entities(title) for i in m.ids}
    for number, passage in enumerate(p for p in passages if p.role is not Role.CODE):
        told = domain.find_entities(passage.text)
        named = {i for m in told if not _is_yardstick(passage.text, m) for i in m.ids}
        found |= named
        first |= set() if number else named
    specific = set(filter(domain.is_specific, found))
    whom = {i for i in specific if not any(i in domain.ancestors(o)[1:] and domain.is_chip(o) for o in specific)}
    if len(whom) != 1 or not any(domain.are_kin(i, *whom) for i in first):
        return ""
    (sole,) = whom
    others = (i for i in found - specific if domain.entities[i].parent and i not in domain.ancestors(sole))
    return "" if any(others) else sole


def _is_yardstick(text: str, mention: Mention) -> bool:
    """True for the H100 of "than an H100" and of "2.4x the bandwidth of the H100"."""
    begin = max(0, mention.start - 64)
    return bool(COMPARED.search(text, begin, mention.start) or _SO_MANY_TIMES.search(text, begin, mention.start))


def named_above(domain: Domain, parts: Sequence[str]) -> list[Mention]:
    """The names of the innermost heading that has any; none where that is of a product that is not known: "Radeon PRO W7800"."""
    for part in parts:
        scene = read_scene(domain, part)
        if scene.entities or scene.unknown:
            return list(scene.entities)
    return []


def _until_contrast(scene: Scene) -> int:
    """Where a clause begins that sets something else beside what the sentence is about, or its end."""
    trails = _TRAILING.search(scene.text)
    return trails.start() if trails else len(scene.text)


def _main_clause(text: str) -> int:
    match = _SUBORDINATE.match(text)
    return match.end() if match else 0
