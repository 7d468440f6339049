"""Which of the names in a sentence it may be about: not one that is counted, compared with, or part of a longer name.

"A rack of 72 B200 is faster than an H100 pod"   -> the rack
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.scene import Scene, ids
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import SEVERAL

# What stands before a name that the sentence is not about: a count, a comparison, an apposition.
_COUNTS = rf"(?:\d|\b(?:{SEVERAL}|many|several))[\s-]"
_PER = r"\b(?:every|per)\s"
_COMPARES = (
    r"\b(?:than|over|versus|vs\.?|against|compared (?:to|with)|relative to|unlike|replac\w+|switch\w* from|move\w* from"
    r"|improv\w+ (?:on|upon)|builds? (?:on|upon)|(?:keep|share|retain|inherit)s? (?:the )?(?:[a-z][\w-]* ){1,3}(?:of|with)|instead of|alternative to|competes? with|rather than|(?:successor|predecessor|follow-on|sequel|refresh|upgrade|update|revision|evolution) (?:of|to)|based on|derived from"
    r"|(?:variant|version|half|twice) (?:of|as)|(?:half|twice|double|triple|more than|less than) what|(?:1/\d|a (?:half|third|quarter|fifth|tenth)|half|two thirds) of(?: that of)?|(?:unchanged|inherited|carried over|up|down) from|same (?:[\w,.-]+\s){0,4}as(?:\s(?:for|with|on|in))?|times)\s(?:(?:on|for|in|with|that of|those of)\s)?(?:an?\s|the\s|its\s|NVIDIA\s|NVIDIA['’]s\s|Google['’]s\s|some\s)?(?:(?:plain|older?|newer?|original|ordinary|regular|standard|big|small|full|\d{1,3}\s?GB)\s)?(?:(?:successor|predecessor|sibling|rival|counterpart)s?,?\s(?:the\s)?(?-i:[A-Z]\w+\s)?)?"
)
_LIKENS = r"\b(?:like|as)\s(?:an?\s)?"
_MARKED = r"[\[*_`]{0,3}"  # "successor to the [v5p](...)"
ASIDE = re.compile(f"(?:{_COUNTS}|{_PER}|{_COMPARES}|{_LIKENS}){_MARKED}$", re.I)
# whom a sentence is about that names nobody: "They run PyTorch", "and this chip has HBM3"
PRONOUN = re.compile(
    r"\W*(?:(?:and|but|so|also|however|instead|still|today|here|there|yes|no),?\s)*(?:they|it|you|we|these|those|this|both|users|developers|teams"
    r"|(?:the|this|these|each|every)\s(?:chip|accelerator|card|GPU|system|platform|generation|machine|rack|card|server)s?|its|their)\b",
    re.I,
)
COMPARED = re.compile(f"{_COMPARES}{_MARKED}$", re.I)
COORDINATES = re.compile(r"\s*(?:,|/|&|and|or|to|,\s?and)\s*(?:the\s|an?\s|both\s)?", re.I)
_COUNTING = re.compile(
    rf"(?:\b(?:per|each|an?|single|one|every|{SEVERAL}|dozens? of|hundreds of|thousands of)|[\d/-])[\s-]?$", re.I
)
_SHARE_OF = re.compile(r"(?:\d\s?%\s(?:of\s)?|\bbeyond\s)(?:an?\s|the\s)?$", re.I)
_SORT_OF = re.compile(r"\+?\s(?:competitors?|alternatives?|rivals?|killers?|clones?|equivalents?|class|tier)\b", re.I)
_TIMES = re.compile(r"\d\s?[x×]\s$", re.I)
# "twice the plain L40", "three quarters of the SXM"
TIMES_ALL = re.compile(
    r"\b(?:half|twice|double|triple|(?:quarters?|thirds?|half)\sof)\s(?:the|an?)\s(?:(?:plain|older?|newer?|original|ordinary|regular|standard|big|small|full)\s)?$",
    re.I,
)
_OF_THAT = re.compile(r"(?:['’]s)?\s(?:[a-z]+\s)?", re.I)
_GOES_ON = re.compile(r"\s*(?:,|/|&|and\b|or\b)")
# "the B200's predecessor", "the successor to the A100": somebody else, named by a relative
_RELATIVES = r"(?:predecessor|successor|sibling|rival|competitor|counterpart|replacement|(?:big|little|older|younger) (?:brother|sister))s?"
_KIN = re.compile(rf"(?:['’]s?\s(?:[\w-]+\s){{0,2}}?|\s){_RELATIVES}\b", re.I)
_KIN_OF = re.compile(rf"\b{_RELATIVES}\s(?:of|to|for)\s(?:an?\s|the\s)?(?-i:[A-Z]\w+(?:['’]s)?\s)?$", re.I)


def own_mentions(domain: Domain, scene: Scene) -> list[Mention]:
    """The names that a sentence may be about.

    One that is counted ("a rack of 72 B200") is what the subject is made of, one
    after "than" what it is compared with, and "GPU" in "H100 GPU" or "GPU memory" no
    subject at all.
    """
    return [
        m
        for m in subjects_of(domain, scene)
        if not (ASIDE.search(scene.text[max(0, m.start - 64) : m.start]) or _is_multiplied(scene, m))
        and not is_likened(scene.text, m)
    ]


def is_likened(text: str, mention: Mention) -> bool:
    """True for the H100 of "~70% H100", "beyond H100", "H100+ class" and "an H100 competitor", none of which is one."""
    return bool(_SHARE_OF.search(text, max(0, mention.start - 16), mention.start) or _SORT_OF.match(text, mention.end))


def _is_multiplied(scene: Scene, mention: Mention) -> bool:
    """True for the H100 of "10x H100 throughput" and of "twice the H100": something else reaches it."""
    if TIMES_ALL.search(scene.before(mention, 40)):
        return True
    times = _TIMES.search(scene.before(mention, 12))
    return times is not None and any(_OF_THAT.fullmatch(scene.text[mention.end : m.start]) for m in scene.metrics)


def subjects_of(domain: Domain, scene: Scene) -> list[Mention]:
    """All names that a figure can belong to: chips and systems, and lines where they stand as nouns."""
    found: list[Mention] = []
    for m in scene.entities:
        specific = any(domain.is_specific(i) for i in m.ids)
        if specific or _stands_alone(scene, m, found):
            found.append(m)
    return found


def _stands_alone(scene: Scene, mention: Mention, before: Sequence[Mention]) -> bool:
    text = scene.text
    if before and re.fullmatch(r"[\s-](?:[A-Z][\w-]*\s){0,2}", text[before[-1].end : mention.start]):
        return False  # "the H100 Tensor Core GPU"
    if _COUNTING.search(text[max(0, mention.start - 12) : mention.start]):
        return False  # "per GPU", "a GPU"
    written = text[mention.start : mention.end]
    follows = text[mention.end : mention.end + 2]
    return written.endswith("s") or not re.match(r"[\s-][A-Za-z]", follows)  # "GPUs", "for TPU."; not "GPU memory"


def coordinated(scene: Scene, first: Sequence[Mention], named: Sequence[Mention]) -> tuple[str, ...]:
    """The ids of `first` with those that "and", "or" or a comma join to it; () where one is ambiguous."""
    if not first:
        return ()
    joined = [first[0]]
    for mention in named:
        between = scene.text[joined[-1].end : mention.start] if mention.start > joined[-1].end else "."
        # "With the 16 GB of the T4, the Gaudi 2 ..." is no list
        lists = between.strip() not in (",", ", the") or _GOES_ON.match(scene.text, mention.end)
        if COORDINATES.fullmatch(between) and lists:
            joined.append(mention)
    return ids(joined) if all(len(m.ids) == 1 for m in joined) else ()


def names_a_relative(scene: Scene, mention: Mention) -> bool:
    """True for the name in "the B200's predecessor" and "the successor to the A100", of which neither is said."""
    return bool(_KIN.match(scene.text, mention.end) or _KIN_OF.search(scene.text, 0, mention.start))
