"""What a text is about as it goes on: whom "it", "they" and a bare figure belong to.

"The TPU v5p is a beast. ... It costs $4 per hour."   -> google-tpu-v5p
## H100                                                 -> nvidia-h100, until something else is the subject
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.model import Modality
from chipwise.claims.naming import COMPARED, COORDINATES, coordinated, names_the_maker, own_mentions
from chipwise.claims.nesting import Outer
from chipwise.claims.referring import goes_on, is_short_answer, says_what_one_has
from chipwise.claims.relatives import Spoken, relative
from chipwise.claims.scene import Scene, ids, read_scene
from chipwise.claims.sides import LIKENED, has_what_is_exceeded, is_set_against
from chipwise.claims.voice import modality
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CHIP, COMPUTER, LAPTOP, PRODUCT, THE
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantity import Quantity
from chipwise.text import ITEM_MARK, asks
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
# "Architecture: Hopper (GH100)": what a chip is made of is nobody else
_OWN_PARTS = re.compile(
    r"\W*(?:\w+\s){0,2}(?:architecture|code\s?name|die|process(?: node)?|family|generation|memory|interface|interconnect|form factor)\W*:",
    re.I,
)
_VARIANT = re.compile(r"[\s-](?:(?:SXM|PCI|NVL|OAM|HGX)\w*|\d{1,3}\s?G[iB])", re.I)  # behind a name: "V100-PCIE-32GB"
_LAPTOPS = re.compile(rf"\s(?:{LAPTOP}|mobile|max-q)\b", re.I)  # behind a name: "RTX 5090 Laptop GPU"
_DESKTOP = re.compile(r"\bdesktop\b", re.I)
_THEY = re.compile(r"\W*(?:\w+,\s)?(?:they|these|those)\b", re.I)
_THEIRS = re.compile(r"\b(?:their|they|both|respectively)\b", re.I)
# "Its shaders appear identical to those of the MI300X", "It replaces the A100": still about what "it" is
_ITS = re.compile(r"\W*(?:(?:and|but|also|however|moreover|overall),?\s)?(?:its|it|their|they)\b", re.I)
_SO_MANY = re.compile(rf"\b(?:{SEVERAL}|\d+)\s?[x×]?\s(?:(?:NVIDIA|AMD|Intel|Google)\s)?(?:Tesla\s)?$", re.I)
_EACH_ONE = re.compile(rf"\W*each\s(?:of\s(?:them|these|the)\s?)?(?:{PRODUCT})?\b", re.I)
_LABELS = re.compile(r":\s?\**~?$")
# what has memory, power and a price of its own: "We also bought a workstation."
_OTHER_MACHINE = re.compile(rf"\b(?:(?:{COMPUTER}|phone|Xeon|DPU)s?|EPYC)\b")
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
    headed: tuple[str, ...] = ()  # what the heading is about
    lines: tuple[str, ...] = ()  # product lines that the heading names: only their chips are carried
    above: str = ""
    variants: dict[str, str] = field(default_factory=dict)  # by chip, what `_variants_headed` finds in the headings
    others_since: bool = False  # whether something else was named since `about` was
    listed: tuple[str, ...] = ()  # the chips that the last sentence which names some does, in order
    counted: tuple[str, ...] = ()  # the chips that the last sentence counts: "eight V100. Each GPU has 32 GB"
    fresh: bool = False  # whether the last sentence was about it
    unbroken: bool = False  # whether all sentences below the heading were, which names one chip
    item: tuple[str, ...] = ()  # what the item of a list names that is being read: the rest of it is of that
    outer: Outer = field(default_factory=Outer)  # the items that a sentence stands below
    in_item: bool = False  # whether a sentence goes on with an item that one before it began
    mobile: set[str] = field(
        default_factory=set
    )  # chips that a laptop's was named after: what has their name may be that
    answers: bool = False  # whether a sentence stands right behind a question about some metric
    line: str = ""  # the line that was spoken of last while one of its chips still is: "TPUs ... they"
    sole: str = ""  # the one product that the whole source is about (`sole_product`), or ""
    beside: set[str] = field(default_factory=set)  # the chips that the paragraph has named so far, each by its chip
    proven: tuple[str, ...] = ()  # whom the paragraph is about for certain (`recognising.prove`)
    named: set[str] = field(default_factory=set)  # the chips that the text has named so far, each by its chip
    other: bool = False  # whether the section has named a product that the domain does not know
    hourly: bool = False  # whether the section has spoken of prices of an hour
    measured: dict[str, str] = field(
        default_factory=dict
    )  # by dimension, the metric that was measured last below the heading

    def with_measured(self, scene: Scene, metrics: Mapping[Quantity, str]) -> dict[Quantity, str]:
        """With the metric that is gone on about for a figure without one: "They got 71% MFU. The 128B model on a v5p-512: 68.83%".

        Notes what the sentence measured.
        """
        told = {q: self.measured.get(q.dimension, "") for q in scene.figures if not metrics[q] and not q.compares}
        found = {**metrics, **{q: m for q, m in told.items() if m and _goes_on_measuring(self.domain, scene)}}
        natures = ((q.dimension, self.domain.metrics.get(m)) for q, m in metrics.items() if not q.compares)
        self.measured |= {d: m.id for d, m in natures if m is not None and m.nature == Modality.MEASURED}
        return found

    def begin_paragraph(self) -> None:
        """What a paragraph names is counted anew."""
        self.beside, self.proven = set(), ()

    def enter(self, passage: Passage) -> None:
        """Begins a passage; a new heading ends what was spoken of before."""
        if passage.heading == self.heading and passage.role is self.role:
            return
        if passage.heading != self.heading:
            # what was named since the text's one product still was, below a heading that names nothing
            self.others_since = self.others_since and bool(self.sole)
            self.other, self.hourly, self.measured = False, False, {}
        before, self.outer = self.heading, Outer()
        self.heading, self.role, self.line, self.listed = passage.heading, passage.role, "", ()
        self.above = " / ".join((*passage.heading[-1:], passage.context))
        self.variants = _variants_headed(self.domain, passage.heading)
        for chip, variant in _variants_headed(self.domain, (self.title,)).items():
            if _is_named_after(self.domain, variant, chip):
                self.variants.setdefault(chip, variant)
        named = ids(named_above(self.domain, (passage.context, *reversed(passage.heading), self.title)))
        specific = tuple(i for i in named if self.domain.is_specific(i))
        if len(specific) > 1:
            specific = ()  # "H100 against H200": what follows is about either
        # a table's header names every column, so it is no row's subject
        sole = (self.sole,) if self.sole and passage.role.speaks_for_the_source and not named else ()
        self.about = () if passage.role is Role.TABLE else specific or sole
        self.headed = specific or ("",)
        self.others_since = self.others_since and not specific
        # right below its name
        self.fresh = self.unbroken = bool(specific) and passage.heading != before
        self.lines = () if any(map(self.domain.is_specific, named)) else named

    def as_headed(self, own: Modality) -> Modality:
        """How a sentence puts a figure, or where it states it flatly, how its heading does: below "Rumours" all is reported."""
        put = modality(self.domain, "; ".join(h for h in self.heading or () if not asks(h)), own)
        flat = own in (Modality.SPECIFIED, Modality.MEASURED, Modality.PRICED)
        return put if flat and put is not Modality.MEASURED else own

    def follow(self, scene: Scene) -> None:
        """Remembers what a sentence was about: the first that its main clause names, with all coordinated to it.

        "While H100s hit 52%, TPUs hit 58%" is about TPUs; where a TPU was spoken of,
        it still is. An item names a part or an example: the items after it are about
        what the list is about.
        """
        refers = bool(self.continued(scene))
        self.mobile.update(i for m in scene.entities if _LAPTOPS.match(scene.text, m.end) for i in m.ids)
        if not self.in_item:
            self.item = self._opens_with(scene) if ITEM_MARK.match(scene.text) else ()
        named = (m.ids for m in scene.entities)
        self.beside |= {self.domain.chip_of(i) or i for some in named for i in some if self.domain.is_specific(i)}
        self.named |= set(filter(self.domain.is_chip, self.beside))
        self.other = self.other or bool(scene.unknown)
        self._follow(scene)
        self.fresh = self._names_it(scene) or refers
        self.unbroken = self.unbroken and self.fresh and not self.others_since

    @property
    def in_named_item(self) -> bool:
        """Whether a sentence goes on with an item that names one chip, or stands in a list below one."""
        return bool(self.in_item and self.item) or self.outer.named() is not None

    def is_mobile(self, scene: Scene, subject: str) -> bool:
        """True where what is called by a card's name may be the laptop's chip that the text named before."""
        here = any(subject in m.ids and _LAPTOPS.match(scene.text, m.end) for m in scene.entities)
        return here or (subject in self.mobile and not _DESKTOP.search(scene.text))

    def _opens_with(self, scene: Scene) -> tuple[str, ...]:
        """The one chip or system that an item of a list names."""
        named = tuple(i for i in ids(own_mentions(self.domain, scene)) if self.domain.is_specific(i))
        return named if len(named) == 1 else ()

    def _follow(self, scene: Scene) -> None:
        several = [m for m in scene.entities if _SO_MANY.search(scene.text, 0, m.start)]
        self.counted = tuple(i for i in ids(several) if self.domain.is_chip(i))
        if (
            self._names_another(scene)
            or _OTHER_MACHINE.search(scene.text)
            or (scene.unknown and not _OWN_PARTS.match(scene.text))
        ):
            self.others_since = True
        elif self._names_it(scene):
            self.others_since = False
        if self.role is Role.TABLE or self.in_item or ITEM_MARK.match(scene.text):
            self.about = self._narrowed(scene) or self.about
            return
        own = own_mentions(self.domain, scene)
        self.listed = ids(m for m in own if all(self.domain.is_specific(i) for i in m.ids)) or self.listed
        until = _until_contrast(scene) if self.about else len(scene.text)
        named = [m for m in own if _main_clause(scene.text) <= m.start < until and not is_set_against(scene.text, m)]
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
            if not any(self.domain.are_kin(a, p) for a in fitting for p in self.proven):
                self.proven = ()
            self.about, self.line, self.others_since = tuple(fitting), "", False

    def _comes_back(self, scene: Scene, own: Sequence[Mention]) -> bool:
        """True for "The H100 manages 3.35 TB/s: Gaudi 3 offers more", where a Gaudi 3 was spoken of."""
        back = (m for m in own if _BEHIND_COLON.search(scene.text, 0, m.start))
        return any(i in self.about for m in back for i in m.ids)

    def _narrowed(self, scene: Scene) -> tuple[str, ...]:
        """The H100 SXM of "- GPU: H100 SXM 80GB", below which a list on the H100 goes on about that."""
        named = self._opens_with(scene) if _WHOSE.match(scene.text) else ()
        return named if named and any(a in self.domain.ancestors(named[0]) for a in self.about) else ()

    def _names_it(self, scene: Scene) -> bool:
        """True where a sentence names what the text is about, or what is made of it: "- TPU v5p-8 slice: $8"."""
        about = set(self.about)
        return any(about & set(self.domain.ancestors(i)) for i in ids(own_mentions(self.domain, scene)))

    def _names_another(self, scene: Scene) -> bool:
        """True where a sentence names a product, or another sort of thing ("CPU"), that is no kin of what the text is about."""
        domain = self.domain
        # who is set beside it at the end is not gone on about
        until = _until_contrast(scene) if self.about else len(scene.text)
        own = [m for m in own_mentions(domain, scene) if not has_what_is_exceeded(scene.text, m)]
        products = (i for i in ids(m for m in own if m.start < until) if domain.is_specific(i))
        sorts = (
            i
            for i in ids(m for m in scene.entities if m.start < until)
            if not any(domain.share_a_line(a, i) for a in self.about)
        )
        return any(not any(domain.are_kin(a, i) for a in self.about) for i in (*products, *sorts))

    def continued(self, scene: Scene) -> tuple[str, ...]:
        """`carried`, where the sentence refers back to it.

        A long text comes to speak of other things, named or not: "The bandwidth between HBM
        and the core is 1 TB/s" is not of the chip that the sentence before it named.
        """
        fresh = self.fresh or self.in_named_item
        refers = goes_on(scene, fresh=fresh, headed=self.about == self.headed)
        refers = refers or (
            (self.unbroken or self._is_alone())
            and says_what_one_has(self.domain, scene, self.about, sole=bool(self.sole))
        )
        if self.answers and fresh and not own_mentions(self.domain, scene):
            refers = refers or is_short_answer(scene)
        return self.carried(scene) if refers else ()

    def _is_alone(self) -> bool:
        """Whether the paragraph has named no chip but the one that it is about, and the section no product that is not known."""
        whose = {self.domain.chip_of(i) or i for i in self.about}
        if len(whose) != 1 or self.others_since or self.other:
            return False
        return not self.beside - whose

    def one_each(self, scene: Scene, alike: Sequence[Quantity], quantity: Quantity) -> tuple[str, ...]:
        """Whose one of several figures is that one plural speaks of, "Their peaks are 989 and 275 TFLOPS"; else ()."""
        if quantity not in alike or scene.entities or not len(alike) == len(self.listed) > 1:
            return ()
        between = [scene.text[a.end : b.start].rstrip("$~") for a, b in pairwise(alike)]
        plural = _THEIRS.search(scene.text) or any(scene.text[m.start : m.end].endswith("s") for m in scene.metrics)
        told = plural and all(COORDINATES.fullmatch(b) for b in between)
        return (self.listed[alike.index(quantity)],) if told else ()

    def of_the_company(self, scene: Scene, found: tuple[str, ...]) -> tuple[str, ...]:
        """The chip that was spoken of last for its maker, who tells something of it: "Cerebras puts the peak at 125 PFLOPS"."""
        told = [m for m in scene.entities if m.ids == found]
        if not told or self.others_since or len(self.about) != 1 or not self.domain.is_specific(self.about[0]):
            return found
        made = found[0] in self.domain.ancestors(self.about[0])
        return self.about if made and all(names_the_maker(self.domain, scene, m) for m in told) else found

    def relative(self, scene: Scene, quantity: Quantity) -> tuple[str, ...] | None:
        """`relatives.relative` of what the text is about, named last and has named so far."""
        about = self.about if self.fresh else ()
        return relative(self.domain, scene, quantity, Spoken(about, self.listed, frozenset(self.named)))

    def carried(self, scene: Scene) -> tuple[str, ...]:
        """What a sentence without a subject of its own is about."""
        named = self.item if self.in_item and self.item else self.outer.named()
        if named is not None:
            return named
        if _SUCCESSOR.search(scene.text):
            next_ones = tuple(k for i in self.about for k in self.domain.after(i))
            return next_ones if len(next_ones) == 1 else ()
        if len(self.counted) == 1 and _EACH_ONE.match(scene.text):
            return self.counted
        if self.line and _THEY.search(scene.text[_main_clause(scene.text) :]):
            return (self.line,)
        first = min((q.start for q in scene.figures), default=0)
        if not _ONE_CHIP.search(scene.text, 0, first):
            return self.about
        return tuple(self.domain.nearest_chip(i) or i for i in self.about)  # of a machine the chip that it is made of


def _goes_on_measuring(domain: Domain, scene: Scene) -> bool:
    """True for a sentence with one figure of its kind that names on what it was measured, and no other metric."""
    named = any(domain.is_specific(i) for m in scene.entities for i in m.ids)
    if not named or scene.metrics or len(scene.figures) != 1:
        return False
    return _LABELS.search(scene.text[: scene.figures[0].start]) is not None


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
            return [m for m in scene.entities if not LIKENED.search(scene.before(m, 64))]
    return []


def _variants_headed(domain: Domain, headings: Sequence[str]) -> dict[str, str]:
    """By chip, the variant that the headings name of it; "" for one that the domain does not know, or for several."""
    found: dict[str, str] = {}
    for heading in headings:
        named = domain.find_entities(heading)
        plain = {i for m in named for i in m.ids if domain.kind(i) != "variant" and not _VARIANT.match(heading, m.end)}
        for m in named:
            for i in m.ids:
                chip = domain.chip_of(i) or i
                if chip in plain:  # "B200 / GB200": of either
                    continue
                variant = i if domain.kind(i) == "variant" else ""
                if (variant or _VARIANT.match(heading, m.end)) and found.setdefault(chip, variant) != variant:
                    found[chip] = ""
    return found


def _is_named_after(domain: Domain, variant: str, chip: str) -> bool:
    """True for a V100-PCIE-32GB, which a writer calls "the V100" again; a GB200's GPU is no plain "B200"."""
    if variant not in domain.entities:
        return False
    return set(domain.entities[chip].name.split()) <= set(domain.entities[variant].name.split())


def _until_contrast(scene: Scene) -> int:
    """Where a clause begins that sets something else beside what the sentence is about, or its end."""
    trails = _TRAILING.search(scene.text)
    return trails.start() if trails else len(scene.text)


def _main_clause(text: str) -> int:
    match = _SUBORDINATE.match(text)
    return match.end() if match else 0
