"""Whose figure it is.

Each answer is ids of the domain, or empty where the text does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.baselines import has_what_is_multiplied, is_against, is_compared, is_left_behind
from chipwise.claims.naming import COMPARED
from chipwise.claims.preceding import named_before
from chipwise.claims.scene import COUNTED, Scene, ids
from chipwise.claims.setting import Setting, all_or_common, certain
from chipwise.claims.sides import begins_to_raise, has_what_is_exceeded
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.nouns import HOLDER
from chipwise.numbers.numerals import SEVERAL
from chipwise.numbers.quantities import Quantity
from chipwise.text import ITEM_MARK

_OWNS = re.compile(
    r"(?:\sof(?:\s\w+){1,4}|(?:\s\w+){0,3}?)\s(?:of|for|in|on|per|with|from|by)\s(?:the\s|an?\s|each\s|one\s|every\s|early\s|current\s|first\s|NVIDIA\s|NVIDIA['’]s\s|Google['’]s\s)?|\s\(|\s",
    re.I,
)
# "and for $8 an hour the H100 gives ...": what opens a clause and is its subject's
_FOR = re.compile(r"(?:^|[,;]\s|\b(?:and|while|but|whereas)\s)(?:for|at|with)\s[~$]?$", re.I)
_OF = re.compile(r"\sof\s(?:the\s|an?\s)?")
_THE = re.compile(r"\s(?:the|an?)\s(?-i:[A-Z]\w+\s)?", re.I)
# between figures of a list, and between the last and whose they all are
_LISTED = re.compile(r"(?:\sof\s[\w-]+|\s[\w-]+){0,3}(?:,|,?\sand|\sat|\swith)\s~?", re.I)
_OF_ALL = re.compile(r"(?:\sof\s[\w-]+|\s[\w-]+){0,3}\s(?:for|on|per)\s(?:the\s|an?\s|each\s)?(?-i:[A-Z]\w+\s)?", re.I)
_GENERAL = re.compile(r"\b(?:usually|typically|generally|in general|commonly|on the order of|often between)\b", re.I)
_OTHER_SIDE = re.compile(
    r"\b(?:against|versus|vs\.?|instead of|rather than|compared (?:to|with))\s(?:the\s|only\s|its\s)?[~$]?$", re.I
)
_OF_A_MAKER = re.compile(r"\((?:vs\.?|versus|against|compared (?:to|with))\s([A-Z]\w+)['’]s?\s[~$]?$")
# what begins an item before its name, what parts the name from what is said of it, and how a part of it is introduced
_ITEM_LEAD = re.compile(r"\W*(?:the\s)?(?-i:[A-Z]\w+\s)?", re.I)
_ITEM_BREAK = re.compile(r"[^\w\s]*\s*(?:\([^)]*\)\s*)?[-–—:]\s")
_PART_OF = re.compile(rf"(?:\(\d\)\s|\b(?:an?|one|{SEVERAL}|\d+)[\sx×]\s?|\+\s|\bwith\s(?:an?\s)?)(?:\w+\s)?$", re.I)
_PRONOUN = re.compile(r"\W*(?:(?:[^,.;:]|(?<=\d),(?=\d)){0,40}\s)??(?:it|they)\b", re.I)
# what names a document by what it is on
_TITLES = re.compile(
    r"['’]?s?\s(?:\w+\s)?(?:data\s?sheet|white\s?paper|product (?:page|brief)|spec(?:ification)?s?(?: sheet| page)?|documentation|docs|blog|announcement|support matrix|manual|guide|brochure|page)\b",
    re.I,
)
# what goes over to something else: "cuts the power by 66%, though comparisons for the GB300 are missing"
_ANOTHER_MATTER = re.compile(r",\s(?:though|although|whereas|even though)\s|;\s", re.I)
_TIMES = re.compile(rf"(?:\d\s?[x×]|\b(?:{SEVERAL}))\s(?:[A-Z]\w+\s)?$", re.I)
_A_MACHINE_WITH = re.compile(
    rf"(?:^|[.,;:]\s)\W*(?:an?|each|every|the|one|our|such an?)\s(?:[\w-]+\s){{0,2}}(?:{HOLDER})\s(?:with|of|holding|containing|that has)\s(?:its\s)?$",
    re.I,
)
_IT_HAS = re.compile(
    r"(?:\s(?:GPU|TPU|card|chip|accelerator)s)?(?:\s(?:therefore|thus|then|so|hence|together|now|only|still|already|will|would|can|could|should|must)){0,2}"
    r"\s(?:has|have|holds?|offers?|provides?|delivers?|gives?|carries|reaches|comes?\s(?:with|to)|adds?\sup\sto)\b",
    re.I,
)
_HAS_SO_MANY = re.compile(
    r"\s(?:has|have|gets?|uses?|ships\swith|comes\swith|enables?)\s(?:only\s|just\s)?[~$]?\d", re.I
)
_EACH = re.compile(r"(?:\sof\s[\w-]+|\s[\w-]+)?\s(?:each|apiece)\b")
# behind a name, what goes on to tell of it, and what ends that
_WHICH_HAS = re.compile(
    r",\swhich\s(?:(?:only|still|also|itself|already|in turn|alone|now)\s)*(?:has|had|holds|carries|offers|draws|reaches|delivers|provides|packs|peaks|stops|gets"
    r"|comes|ships|costs|rents|uses|consumes|features|runs|reads|tops|manages)\b",
    re.I,
)
_ENDS_IT = re.compile(
    r"[.;:]\s|,\s(?!(?:and\s)?[~$\d]|with\b|at\b)|\b(?:while|whereas|but|though|than|against|versus|vs)\b", re.I
)
_ASIDE = re.compile(r"(?:\s\([^()]{1,40}\))?")
_AGAIN = re.compile(r"\s?\([^()]{1,24}\)")
_ON_SO_MANY = re.compile(
    rf"\b(?:on|across|over|using)\s(?:up to\s|about\s|some\s|over\s)?(?:[\d,]+|{SEVERAL})\s(?:[A-Z]\w+\s)?$"
)


def subjects(domain: Domain, scene: Scene, quantity: Quantity, carried: Sequence[str]) -> tuple[str, ...]:
    """The entities that a figure is about: several only when each of them has it. The first rule that tells decides."""
    if quantity.compares:
        scene = _narrowed(domain, scene)
    setting = Setting(domain, scene, quantity, tuple(carried))
    told = (rule(setting) for rule in _RULES)
    return next((found for found in told if found is not None), ())


def _narrowed(domain: Domain, scene: Scene) -> Scene:
    """With what all readings of a name are a kind or made of, for it: "GB200 is 2x faster" is said of its B200s either way."""
    if all(len(m.ids) == 1 for m in scene.entities):
        return scene
    common = [(m, domain.common(m.ids)) for m in scene.entities]
    told = [replace(m, ids=(c,)) if c and domain.is_specific(c) else m for m, c in common]
    return replace(scene, entities=told)


def _named_within(s: Setting) -> tuple[str, ...] | None:
    """Whom the figure's own words name: "3,800 tokens per second per H100"."""
    # the GPU of "per GPU-hour" is nobody
    counted = s.quantity.dimension == "count"  # but "100 GPUs" are GPUs
    named = (m for m in s.scene.entities if counted or any(s.domain.is_specific(i) for i in m.ids))
    within = (m for m in named if m.start < s.quantity.end and s.quantity.start < m.end)
    return certain(next(within, None))


def _within_its_relative(s: Setting) -> tuple[str, ...] | None:
    """Whom a clause behind a name tells of: the 900 GB/s of "the TPU v4 beats the V100, which has 900 GB/s"."""
    if s.quantity.compares:
        return None
    told = next((m for m in reversed(list(_WHICH_HAS.finditer(s.scene.text, 0, s.quantity.start)))), None)
    if told is None or _ENDS_IT.search(s.scene.text, told.end(), s.quantity.start):
        return None
    named = [m for m in s.scene.entities if _is_specific(s.domain, m) and m.end <= s.quantity.start]
    if not named or named[-1].end > told.start() or _is_several(s.scene, named[-1]):
        return None
    return certain(named[-1]) if _ASIDE.fullmatch(s.scene.text, named[-1].end, told.start()) else None


def _is_several(scene: Scene, mention: Mention) -> bool:
    """True for the "eight H100s" of a node, which may be told of together."""
    return scene.text[mention.end - 1] == "s" or bool(_TIMES.search(scene.text, 0, mention.start))


def _named_as_owner(s: Setting) -> tuple[str, ...] | None:
    """Who follows with a word that makes it the figure's owner: "667 TFLOPS of Trainium2"."""
    family = next((m for m in s.scene.entities if m.start >= s.quantity.end and _is_family(s.domain, m)), None)
    if family is not None and _OWNS.fullmatch(s.scene.text[s.quantity.end : family.start]):
        return certain(family)  # "1.8 TB/s per Blackwell GPU"
    after = next((m for m in s.owners if m.start >= s.quantity.end), None)
    directly = after is not None and _OF.fullmatch(s.scene.text, s.quantity.end, after.start)
    if after is None or (is_compared(s.scene, after) and not directly):  # "more than the 667 TFLOPS of Trainium2"
        return None
    if s.quantity.compares and (has_what_is_multiplied(s.scene, s.quantity, after) or is_left_behind(s.scene, after)):
        return None
    # "450 GB/s (3.6 Tb/s) for the H100": the same once more
    between = _AGAIN.sub("", s.scene.text[s.quantity.end : after.start].removeprefix(")"))
    if _FOR.search(s.scene.text[: s.quantity.start]) and _THE.fullmatch(between):
        return certain(after)
    if s.domain.unit_table.find(between):
        return certain(after) if _owns_all(s.scene, s.quantity, after) else None
    return certain(after) if _OWNS.fullmatch(between) else None


def _owns_all(scene: Scene, quantity: Quantity, owner: Mention) -> bool:
    """True where figures are listed before whose they are: "256 GB of HBM3e and 6.0 TB/s for the MI325X"."""
    figures = [quantity, *(q for q in scene.figures if quantity.end <= q.start and q.end <= owner.start)]
    listed = all(_LISTED.fullmatch(scene.text[a.end : b.start]) for a, b in pairwise(figures))
    return len(figures) > 1 and listed and bool(_OF_ALL.fullmatch(scene.text[figures[-1].end : owner.start]))


def _on_the_other_side(s: Setting) -> tuple[str, ...] | None:
    """The other of two chips for the 80 GB of "The H200 is an H100 with 141 GB rather than 80 GB"; else nobody.

    "95 GB against 80 GB per chip" is of something that is not named there.
    """
    if not _OTHER_SIDE.search(s.scene.text[max(0, s.quantity.start - 24) : s.quantity.start]):
        return () if _is_some_makers(s) else None
    before = [m for m in s.scene.entities if m.end <= s.quantity.start and _is_specific(s.domain, m)]
    named = ids(before)
    first = named_before(s) if named else None
    return tuple(i for i in named if i not in first) if first and len(first) == 1 and len(named) == 2 else ()  # noqa: PLR2004


def _is_some_makers(s: Setting) -> bool:
    """True for the 1,800 of "(vs. Cerebras' 1,800 tokens/s)", which is nobody's that is named."""
    maker = _OF_A_MAKER.search(s.scene.text, max(0, s.quantity.start - 40), s.quantity.start)
    return maker is not None and not any(m.start < maker.end(1) and maker.start(1) < m.end for m in s.scene.entities)


def _is_family(domain: Domain, mention: Mention) -> bool:
    return all(domain.entities[i].kind == "family" for i in mention.ids)


def _is_specific(domain: Domain, mention: Mention) -> bool:
    return all(domain.is_specific(i) for i in mention.ids)


def _heads_the_item(s: Setting) -> tuple[str, ...] | None:
    """Whom an item is about that begins with a name and a dash: "- GH200 - one H100 with 96 GB and a Grace CPU"."""
    head = s.owners[0] if s.owners else None
    if head is None or not ITEM_MARK.match(s.scene.text) or len(head.ids) != 1:
        return None
    opens = _ITEM_LEAD.fullmatch(s.scene.text[: head.start]) and _ITEM_BREAK.match(s.scene.text, head.end)
    others = [m for m in s.owners[1:] if m.end <= s.quantity.start]
    # "- H100: 80 GB, the A100 40 GB" goes over to another
    parts = all(_PART_OF.search(s.scene.before(m, 24)) for m in others)
    return head.ids if opens and others and parts and not COMPARED.search(s.scene.before(others[-1], 48)) else None


def _in_general(s: Setting) -> tuple[str, ...] | None:
    """No chip in particular for "HBM bandwidth is usually around 1-2 TB/s"."""
    return () if not s.own and _GENERAL.search(s.scene.text) else None


def _subject_after(s: Setting) -> tuple[str, ...] | None:
    """The sentence's subject where it follows: "With 141 GB of memory, the H200 ..."."""
    if s.carried and _PRONOUN.search(s.scene.text, 0, s.quantity.start):
        return None  # "In BF16 it peaks at 1,835 TFLOPS against 432 TFLOPS for Gaudi 2"
    # "With 96 GB against the 16 GB of the T4, the Gaudi 2 ...": who has another figure of the sentence is not its subject
    own = s.own if s.quantity.compares else [m for m in s.own if not _is_measure(s, m)]
    own = [m for m in own if not (_TITLES.match(s.scene.text, m.end) or _is_bracketed_at_another(s, m))]
    own = [m for m in own if not _ANOTHER_MATTER.search(s.scene.text, s.quantity.end, m.start)]
    own = [m for m in own if not _has_its_own_in_brackets(s, m)]
    free = [m for m in own if not any(_is_owner(s.scene, q, m) for q in s.scene.figures if q is not s.quantity)]
    if s.quantity.compares:  # "With twice the memory of the H100, the H200 ..."
        free = [m for m in free if not is_against(s.scene, s.quantity, m)]
        if s.quantity.form != "discount":  # "45% off the price of the A100" is the A100's
            return certain(free[0]) if free else None  # "a chip with 2x the peak of the H100" is not the H100
    return certain((free or own)[0]) if own else None


def _is_bracketed_at_another(s: Setting, mention: Mention) -> bool:
    """True for the H100 of "Bandwidth 2417 GB/s, 4 tok/s (4090), 13 tok/s (H100)", which is what reached the last figure alone."""
    if not s.scene.text.startswith(")", mention.end):
        return False
    others = (q for q in s.scene.quantities if q is not s.quantity and s.quantity.end <= q.start)
    return any(s.scene.text[q.end : mention.start] == " (" for q in others)


def _has_its_own_in_brackets(s: Setting, mention: Mention) -> bool:
    """True for the H100 of "144 SMs (the H100 SXM has 132 enabled)": what stands before the bracket is of something larger."""
    opened = s.scene.text.rfind("(", s.quantity.end, mention.start)
    return opened >= 0 and _HAS_SO_MANY.match(s.scene.text, mention.end) is not None


def _is_measure(s: Setting, mention: Mention) -> bool:
    """True for what only serves to tell how much that is: the H100 of "8 TB/s, which is 2.4x the bandwidth of the H100"."""
    if s.scene.text[: s.quantity.start].rstrip(" ~$").endswith("("):
        return False  # "less than half of the RTX PRO 6000 Blackwell (1,792 GB/s)"
    multiples = (q for q in s.scene.figures if q.compares)
    exceeded = has_what_is_exceeded(s.scene.text, mention)  # "eight share a host, against four for Ironwood"
    return (
        exceeded or is_compared(s.scene, mention) or any(has_what_is_multiplied(s.scene, q, mention) for q in multiples)
    )


def _is_owner(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    return mention.start >= quantity.end and bool(_OWNS.fullmatch(scene.text[quantity.end : mention.start]))


def _counted(s: Setting) -> tuple[str, ...] | None:
    """The chip that the sentence counts first: "8 TPU v6e chips have 256 GB"."""
    counts = [q for q in s.scene.quantities if s.scene.counts_subject(q)]
    return certain(next((m for q in counts for m in s.scene.entities if q.start <= m.start < q.end), None))


def _makes_up_the_machine(s: Setting) -> tuple[str, ...] | None:
    """The chip of "a server with eight L40S GPUs has 384 GB", of which there is no name for the eight."""
    text = s.scene.text
    for count in s.scene.quantities:
        inside = [m for m in s.scene.entities if count.start < m.start < count.end and _is_specific(s.domain, m)]
        if (
            len(inside) == 1
            and count.end <= s.quantity.start
            and _A_MACHINE_WITH.search(text, 0, count.start)
            and _IT_HAS.match(text, max(count.end, inside[0].end))
        ):
            return certain(inside[0])
    return None


def _ran_on(s: Setting) -> tuple[str, ...] | None:
    """The chips that a share was reached on, alike on each: "was trained on 6,144 TPU v4 chips and reached an MFU of 46.2%"."""
    if s.quantity.dimension != "ratio" or s.quantity.compares:
        return None
    chips = [m for m in s.scene.entities if _is_specific(s.domain, m)]
    return certain(chips[0]) if len(chips) == 1 and _ON_SO_MANY.search(s.scene.before(chips[0], 40)) else None


def _made_up(s: Setting) -> tuple[str, ...] | None:
    """Nobody for 256 GiB in "ct6e-standard-8t has 8 TPU v6e chips and 256 GiB": they make up what is not known."""
    counted = [m for m in s.scene.entities if COUNTED.search(s.scene.before(m, 8))]
    if s.carried and _PRONOUN.match(s.scene.text) and not any(_is_specific(s.domain, m) for m in counted):
        return None  # "It joins 72 GPUs into one domain, with 130 TB/s"
    of_each = counted or [
        m for m in s.scene.entities if _TIMES.search(s.scene.before(m, 8)) and m.end <= s.quantity.start
    ]
    if len(of_each) == 1 and _EACH.match(s.scene.text, s.quantity.end):
        return certain(of_each[0])  # "2x H100 SXM GPUs with 80 GB of VRAM each"
    return () if counted else None


def _goes_beyond(s: Setting) -> tuple[str, ...] | None:
    """Who has more than somebody else: the H200 of "the H200 lifts the memory of the H100 to 141 GB"."""
    for other in s.scene.entities:
        raised = begins_to_raise(s.scene.text, other, s.quantity.start)
        above = [m for m in s.own if raised is not None and m.end <= raised]
        if above and not s.domain.are_kin(above[-1].ids[0], other.ids[0]):
            return certain(above[-1])
        if raised is not None and s.carried and _PRONOUN.match(s.scene.text) and not set(s.carried) & set(other.ids):
            return _spoken_of(s)
    return None


def _of_something_larger(s: Setting) -> tuple[str, ...] | None:
    """Nobody for the full die's 144 in "144 SMs (H100 SXM5 has 132 enabled)", below the name of that chip."""
    kin = all(any(s.domain.are_kin(c, i) for c in s.carried for i in m.ids) for m in s.own)
    bracketed = bool(s.own) and all(_has_its_own_in_brackets(s, m) for m in s.own)
    return () if bracketed and (kin or not s.carried) else None


def _of_a_family(s: Setting) -> tuple[str, ...] | None:
    """The family that a sentence goes over to: behind one on the A100, "Hopper went to 18 links" is not of that."""
    named = [m for m in s.scene.entities if _is_family(s.domain, m) and m.end <= s.quantity.start]
    above = {a for i in s.carried for a in s.domain.ancestors(i)}
    return certain(named[-1]) if s.carried and named and above.isdisjoint(named[-1].ids) else None


def _spoken_of(s: Setting) -> tuple[str, ...] | None:
    """What the text was about before: "It has 80 GB."."""
    return all_or_common(s.domain, s.carried, s.quantity)


_RULES: tuple[Callable[[Setting], tuple[str, ...] | None], ...] = (
    _named_within,
    _goes_beyond,
    _of_something_larger,
    _named_as_owner,
    _within_its_relative,
    _on_the_other_side,
    _heads_the_item,
    _in_general,
    named_before,
    _subject_after,
    _counted,
    _makes_up_the_machine,
    _ran_on,
    _made_up,
    _of_a_family,
    _spoken_of,
)


def models(domain: Domain, scene: Scene, quantity: Quantity, metric: Metric) -> tuple[str, ...]:
    """For a metric of models ("parameters"), the model named nearest; () where none is, or for another metric."""
    about = [m for m in scene.terms if domain.terms[m.ids[0]].kind in metric.about]
    nearest = min(about, key=lambda m: scene.distance(quantity, m), default=None)
    return nearest.ids[:1] if nearest is not None else ()
