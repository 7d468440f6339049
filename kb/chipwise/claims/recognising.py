"""Whose a figure is, and what it is of, by what is known: where the words of a text leave that open.

    "Gaudi 3 came after Gaudi 2. ... Speaking of which: it reads at 3.67 TB/s."     the Gaudi 3's memory bandwidth
    "141 GB of HBM3e running at 5.6 TB/s"                                           whose the 141 GB are: the H200's

Sizes that much has ("32 GB") tell nobody but whom the sentence before named, and nothing where the sentence
speaks of another thing. What is known is never held against the words: a chip that is named for a figure has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.known import telling_digits
from chipwise.claims.model import Claim
from chipwise.claims.naming import names, own_mentions
from chipwise.claims.scene import Scene
from chipwise.claims.sides import is_set_against
from chipwise.claims.stretches import PRONOUN
from chipwise.claims.topics import Topic
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import ITEM_MARK

_TELLING = 3  # digits of a figure that hardly anything else has
# what else in a computer has a size, a rate or a power of its own
_ANOTHER_THING = re.compile(
    r"\b(?:data\s?sets?|corpus|files?|checkpoints?|models?|weights|caches?|fans?|SSDs?|NVMe|disks?|drives?|storage|arrays?|pipelines?"
    r"|hosts?|CPUs?|RAM|DDR\d\w*|PSUs?|power suppl(?:y|ies)|images?|containers?|switch(?:es)?|lamps?|laptops?|desktops?)\b",
    re.I,
)
_PEAK = re.compile(r"\bpeaks?\b", re.I)
_NEAR = 40  # characters
_RIGHT_AT = re.compile(r"\s?[\s(,:–-]\s?")
# behind a figure, what it is of besides one chip: "95 GB per core", "700 W for the pair"
_OF_OTHERS = re.compile(
    r"[\s,]{1,2}(?:(?:of|in|with)\s[\w-]+\s)?(?:per|for|together|in\s(?:all|total)|combined|total|shared|across|each\score)\b",
    re.I,
)


def metric_given(topic: Topic, scene: Scene, quantity: Quantity, found: Sequence[str]) -> str:
    """The one metric of which `found`, or without a name whom the sentence is about, has such a figure; else ""."""
    telling = telling_digits(scene.text[quantity.start : quantity.end])
    if own_mentions(topic.domain, scene):
        whose = _chips_at(topic, scene, quantity) or found
        told = {m for i in whose if (m := topic.known.metric_of(i, quantity, telling))}
        return told.pop() if len(told) == 1 else ""
    about = _spoken_of(topic, scene, surely=telling >= _TELLING)
    told = {m for i in about if (m := topic.known.metric_of(i, quantity, telling))}
    chips = (c for i in about if (c := topic.domain.nearest_chip(i)))
    told = told or {m for c in chips if (m := topic.known.metric_of(c, quantity, telling))}
    return told.pop() if len(told) == 1 else ""


def owner_given(
    topic: Topic, scene: Scene, metric: Metric, quantity: Quantity, found: Sequence[str]
) -> tuple[str, ...]:
    """Who has such a figure, where a sentence names nobody itself: `found` by its words, else by what the text has named; else ().

    Whom it is about by the words goes first, then what that is made of, then the one product that the paragraph or the text has named.
    """
    known, domain = topic.known, topic.domain
    telling = telling_digits(scene.text[quantity.start : quantity.end]) >= _TELLING
    about = tuple(found) or _spoken_of(topic, scene, surely=telling)
    if about and all(known.has(i, metric.id, quantity) for i in about):
        return about
    # "a single pod links 4,096 chips" is said of pods, whosever pod has as many
    of_any = any(domain.is_machine(i) and not domain.holds_several(i) for i in found)
    if scene.unknown or of_any or metric.nature == "priced":
        return ()
    chips = {c for i in about if (c := domain.nearest_chip(i)) and c != i}
    # below its name, one of whom no such figure is known may well have it
    headed = bool(found) and {*found} <= {*topic.headed}
    others = telling and (not headed or any(known.gives_any(i, metric.id) for i in found))
    for some in (chips, *((topic.beside, topic.named) if others else ())):
        having = [i for i in some if known.has(i, metric.id, quantity)]
        if having:
            return (having[0],) if len(having) == 1 else ()
    return ()


def settled(topic: Topic, scene: Scene, metric: Metric, quantity: Quantity, about: tuple[str, ...]) -> tuple[str, ...]:
    """Whom the text is about, for a figure of theirs that its sentence seems to give to one it only compares them with.

    Below "L40S": "the same memory as the L40, fifty watts more (350 W)" has 350 W, and no L40.
    """
    if not topic.known or len(about) != 1 or quantity.compares or topic.known.has(about[0], metric.id, quantity):
        return about
    named = [m for m in scene.entities if names(topic.domain, m, about[0])]
    own = own_mentions(topic.domain, scene)
    if not named or any(m in own and not is_set_against(scene.text, m) for m in named):
        return about
    spoken_of = {*topic.headed, *topic.proven, *topic.carried(scene)} - {"", about[0]}
    having = [i for i in spoken_of if topic.known.has(i, metric.id, quantity)]
    return (having[0],) if len(having) == 1 else about


def may_be_of(topic: Topic, scene: Scene, metric: Metric, quantity: Quantity, subject: str) -> str:
    """Whose a figure may be that is carried over to `subject`, which has another, or ""; in the words of a doubt.

    The other product of the text that is known to have just that, or whose the paragraph's figures before it were.
    """
    known, domain = topic.known, topic.domain
    if quantity.compares or metric.nature == "priced" or known.has(subject, metric.id, quantity):
        return ""
    if any(names(domain, m, subject) for m in scene.entities) or PRONOUN.match(scene.text):
        return ""
    telling = telling_digits(scene.text[quantity.start : quantity.end]) >= _TELLING
    others = {*topic.proven, *topic.headed, *topic.beside, *(topic.named if telling else ())} - {"", subject}
    having = [i for i in others if not domain.are_kin(i, subject) and known.has(i, metric.id, quantity)]
    if having:
        return f"the {domain.entities[having[0]].name}, which is named as well, has just that"
    proven = next((i for i in topic.proven if not domain.are_kin(i, subject)), "")
    return f"figures before it are of the {domain.entities[proven].name}" if proven else ""


def reached(topic: Topic, metric: Metric, scene: Scene, quantity: Quantity, about: Sequence[str]) -> Metric:
    """What was reached of a peak, where the one of whom it is said is known to reach just that: "794.5 TFLOPS, 80% of its peak"."""
    known = topic.known
    if not metric.measured_as or quantity.compares or len(about) != 1 or known.has(about[0], metric.id, quantity):
        return metric
    telling = telling_digits(scene.text[quantity.start : quantity.end]) >= _TELLING
    told = telling and known.has(about[0], metric.measured_as, quantity)
    told = told and not _PEAK.search(scene.text, max(0, quantity.start - _NEAR), quantity.start)
    return topic.domain.metrics[metric.measured_as] if told else metric


def prove(topic: Topic, claim: Claim) -> None:
    """Notes in `topic` whom the paragraph is about for certain: who is known to have a figure that it gives."""
    if not claim.doubt and topic.known.gives(claim):
        topic.proven = (claim.subject,)


def owner_proven(topic: Topic, scene: Scene) -> tuple[str, ...]:
    """Whom a sentence that names nobody is about, where the paragraph's figures before it were that one's; else ()."""
    about = topic.carried(scene)
    same = len(about) == len(topic.proven) == 1 and topic.domain.are_kin(about[0], topic.proven[0])
    return topic.proven if same and not (scene.entities or scene.unknown or topic.others_since) else ()


def named_at(topic: Topic, scene: Scene, quantity: Quantity, metric: Metric) -> str:
    """The chip right before a figure, or named with it, that is known to have it: of "4x A100 40GB servers" each chip the 40 GB."""
    return next((i for i in _chips_at(topic, scene, quantity) if topic.known.has(i, metric.id, quantity)), "")


def _chips_at(topic: Topic, scene: Scene, quantity: Quantity) -> list[str]:
    """The chips named right before a figure or with it, where nothing behind it says that it is of more, or of less, than one."""
    if _OF_OTHERS.match(scene.text, quantity.end):
        return []
    at = (
        m
        for m in scene.entities
        if (m.start < quantity.start and quantity.end <= m.end)
        or _RIGHT_AT.fullmatch(scene.text, m.end, quantity.start)
    )
    return [m.ids[0] for m in at if len(m.ids) == 1 and topic.domain.is_chip(m.ids[0])]


def _spoken_of(topic: Topic, scene: Scene, *, surely: bool) -> tuple[str, ...]:
    """Whom a figure may be given to for what is known of it: one that little has, or in plain prose right behind a name."""
    if scene.unknown or _ANOTHER_THING.search(scene.text):
        return ()
    return topic.carried(scene) if surely or (topic.fresh and not ITEM_MARK.match(scene.text)) else ()
