"""Whom a sentence is about: the names that it may be about, and what was spoken of as a text goes on ("it", "they").

"The TPU v5p is a beast. ... It costs $4 per hour."   -> google-tpu-v5p
## H100                                                 -> nvidia-h100, until something else is the subject
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.claims.scene import Scene, ids, read_scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import SEVERAL
from chipwise.text import ITEM_MARK
from chipwise.types import Passage, Role

_ARTICLE = r"(?:(?:an?|the|its|some|NVIDIA(?:['’]s)?|Google['’]s)\s){0,2}[\[*_`]{0,3}$"
_COMPARES = (
    r"\b(?:than|over|versus|vs\.?|against|compared (?:to|with)|relative to|unlike|instead of|rather than|replac\w+|based on|as"
    r"|(?:successor|predecessor|upgrade|alternative) (?:of|to)|half|twice|times|\d\s?[x×])\s(?:(?:of|on|for|in|with|that of)\s)?"
)
# what stands before a name that a sentence is not about: a count, a comparison
ASIDE = re.compile(rf"(?:(?:\d|\b(?:{SEVERAL}|many|several))[\s-]|\b(?:every|per|like)\s|{_COMPARES}){_ARTICLE}", re.I)
COMPARED = re.compile(f"{_COMPARES}{_ARTICLE}", re.I)
# whom a sentence is about that names nobody: "They run PyTorch", "and this chip has HBM3"
PRONOUN = re.compile(
    r"\W*(?:(?:and|but|so|also|however|instead|still|today|here|there|yes|no),?\s)*(?:they|it|you|we|these|those|this|both|users|developers|teams"
    r"|(?:the|this|these|each|every)\s(?:chip|accelerator|card|GPU|system|platform|generation|machine|rack|card|server)s?|its|their)\b",
    re.I,
)
COORDINATES = re.compile(r"\s*(?:,|/|&|and|or|to|,\s?and)\s*(?:the\s|an?\s|both\s)?", re.I)
_COUNTING = re.compile(rf"(?:\b(?:per|each|an?|single|one|every|{SEVERAL})|[\d/-])[\s-]?$", re.I)
_THEY = re.compile(r"\W*(?:\w+,\s)?(?:they|these|those)\b", re.I)
_SUCCESSOR = re.compile(r"\b(?:its|the) (?:direct )?successor\b(?!,? (?:to|of))", re.I)
_LOOK_BACK = 64  # characters


def own_mentions(domain: Domain, scene: Scene) -> list[Mention]:
    """The names that a sentence may be about: chips and systems, and lines where they stand as nouns.

    One that is counted ("a rack of 72 B200") is what the subject is made of, one after "than" what it is compared with.
    """
    found: list[Mention] = []
    for m in scene.entities:
        specific = any(domain.is_specific(i) for i in m.ids)
        if (specific or _stands_alone(scene, m)) and not ASIDE.search(
            scene.text, max(0, m.start - _LOOK_BACK), m.start
        ):
            found.append(m)
    return found


def _stands_alone(scene: Scene, mention: Mention) -> bool:
    """True for "GPUs" and "for TPU."; not for "per GPU", "GPU memory" and "the H100 Tensor Core GPU"."""
    text, beside = scene.text, [m for m in scene.entities if 0 <= mention.start - m.end <= len(" Tensor Core ")]
    if any(m is not mention for m in beside) or _COUNTING.search(text, max(0, mention.start - 12), mention.start):
        return False
    follows = text[mention.end : mention.end + 2]
    return text[: mention.end].endswith("s") or not (follows[:1] in " -" and follows[1:].isalpha())


def _coordinated(scene: Scene, named: Sequence[Mention]) -> tuple[str, ...]:
    """The ids of the first name with those that "and", "or" or a comma join to it; () where one is ambiguous."""
    joined = [*named[:1]]
    for mention in named[1:]:
        if COORDINATES.fullmatch(scene.text, joined[-1].end, mention.start):
            joined.append(mention)
    return ids(joined) if all(len(m.ids) == 1 for m in joined) else ()


@dataclass
class Topic:
    """The state that reading a source in order needs: what was spoken of last, under which heading."""

    domain: Domain
    title: str = ""
    heading: tuple[str, ...] | None = None
    role: Role | None = None
    about: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # product lines that the heading names: only their chips are carried
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
        """Remembers what a sentence was about: the first that it names, with all coordinated to it.

        An item names a part or an example: the items after it are about what the list is about.
        """
        own = own_mentions(self.domain, scene)
        specific = tuple(i for i in ids(own) if self.domain.is_specific(i))
        if not self.in_item:
            self.item = specific if ITEM_MARK.match(scene.text) and len(specific) == 1 else ()
        if self.role is Role.TABLE or self.in_item or ITEM_MARK.match(scene.text):
            return
        subject = _coordinated(scene, own)
        if not subject:
            return
        if not any(self.domain.is_specific(i) for i in subject):
            if any(set(subject) & set(self.domain.ancestors(a)) for a in self.about):
                self.line = subject[0]
                return
            subject = specific[-1:] or subject
        fitting = [e for e in subject if not self.lines or set(self.domain.ancestors(e)) & set(self.lines)]
        if fitting:
            self.about, self.line = tuple(fitting), ""

    def carried(self, scene: Scene) -> tuple[str, ...]:
        """What a sentence without a subject of its own is about."""
        if self.in_item and self.item:
            return self.item
        if _SUCCESSOR.search(scene.text):
            next_ones = tuple(k for i in self.about for k in self.domain.after(i))
            return next_ones if len(next_ones) == 1 else ()
        return (self.line,) if self.line and _THEY.match(scene.text) else self.about


def sole_product(domain: Domain, title: str, passages: Sequence[Passage]) -> str:
    """The one product that a source names, in its title or its first passage already: whom it is about where it names none; or "".

    What it is only compared with counts for nothing. Of a chip and one of its variants it is the variant; a chip and what
    is made of it are two, and so are a chip and a line that it is not of ("Is the LPU just a GPU?").
    """
    found: set[str] = set()
    first = {i for m in domain.find_entities(title) for i in m.ids}
    for number, passage in enumerate(p for p in passages if p.role is not Role.CODE):
        told = domain.find_entities(passage.text)
        own = (m for m in told if not COMPARED.search(passage.text, max(0, m.start - _LOOK_BACK), m.start))
        named = {i for m in own for i in m.ids}
        found |= named
        first |= set() if number else named
    specific = set(filter(domain.is_specific, found))
    whom = {i for i in specific if not any(i in domain.ancestors(o)[1:] and domain.is_chip(o) for o in specific)}
    if len(whom) != 1 or not any(domain.are_kin(i, *whom) for i in first):
        return ""
    (sole,) = whom
    others = (i for i in found - specific if domain.entities[i].parent and i not in domain.ancestors(sole))
    return "" if any(others) else sole


def named_above(domain: Domain, parts: Sequence[str]) -> list[Mention]:
    """The names of the innermost heading that has any; none where that is of a product that is not known: "Radeon PRO W7800"."""
    for part in parts:
        scene = read_scene(domain, part)
        first = scene.entities[0].start if scene.entities else 0
        if scene.unknown or (scene.entities and not COMPARED.search(scene.text, 0, first)):  # not of "per chip, vs v5e"
            return list(scene.entities)
    return []
