"""The expressions that patterns are made of: what may stand between the names and words that a pattern asks for.

They search text in which a name is one character (SUBJECT and OBJECT onwards), words
that end a stretch have a character for a first letter (MARKED), and a pattern's own
words are written over (PLAIN, VERBS, STOPS, by their kind, then REST to their end).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chipwise import patterns as re
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CARD, SYSTEM

MARKED, SUBJECT, OBJECT = 0xF0000, 0xF1000, 0xF2000  # private use: no text of ours has them
MOST = 0x1000  # names of one sentence that are looked at
STOPS, PLAIN, VERBS, REST = MARKED + 0x7B, 0xF0100, 0xF0110, 0xF0120  # a pattern's own words, by kind
_OWN_WORDS = f"{chr(PLAIN)}-{chr(REST)}"
_NAME = f"{chr(SUBJECT)}-{chr(OBJECT + MOST - 1)}"

ANY_SUBJECT, ANY_OBJECT = (f"[{chr(first)}-{chr(first + MOST - 1)}]" for first in (SUBJECT, OBJECT))
# Words that end a stretch: their first letter is masked too, so that "no such word" is a character class.
STOP = re.compile(
    r"\b(?:that|which|who|whom|whose|when|if|because|while|but|than|whereas|although|though|unless|until|where|since|and|or|"
    r"so|versus|vs|whether)\b",
    re.I,
)
_STOPPED = f"{chr(MARKED)}-{chr(MARKED + 0x7F)}"
_WORD = rf"(?!-{{1,2}}\s)(?:\d{{1,3}}(?:,\d{{3}})+|[^\s,;:.?!()—–{ANY_SUBJECT[1:-1]}{_STOPPED}]+(?:\.[^\s,;:.?!()—–{ANY_SUBJECT[1:-1]}{_STOPPED}]+)*)"
_PLAIN_VERB = r"(?:use[sd]?|using|works?|runs?|supports?|offers?|has|have|is|are|was|were|trained|trains?|serves?|served|needs?|requires?|relies|rely)\b"
VERB_FIRST = re.compile(_PLAIN_VERB, re.I)
_VERB = rf"(?:{_PLAIN_VERB}|[{chr(VERBS)}-{chr(VERBS + 4)}])"
_PREPOSITION = rf"(?:(?:on|with|for|in|of|by|to|from|serve|train|run|at)\b|[{_OWN_WORDS}])"
_OWN = r"(?:['’]s?)?\)?(?:\s\([^()]{0,60}\))?"
_LIKE = r"(?:such\sas|like|including|e\.g\.,?|for\sexample,?|namely|especially|particularly|even|either|both)"
_AND = rf"(?:as\swell\sas|and\s(?:also|even|not)|but\snot|and|or|nor|plus|not|&|{_LIKE})"
_NEXT = rf"\)?(?:\s?[,/&(]\s?(?:{_AND}\s)?|\s[-–—]\s|\s{_AND}\s)(?:{_LIKE}\s)?(?:(?!{_VERB}|\S*{ANY_OBJECT}){_WORD},?\s){{0,3}}?(?:(?:and|or)\s)?[\"“(]?"
_LIST = rf"(?:['’]s)?(?:[\s-]?{_WORD}){{0,2}}?{_NEXT}"
_NEW_CLAUSE = rf"(?!\s(?:also\s)?{_VERB}|\s(?:can|cannot|does|do|will)\b)"  # "JAX, and TensorFlow is not supported"
OBJECTS = rf"{ANY_OBJECT}(?:{_LIST}{ANY_OBJECT}{_NEW_CLAUSE}){{0,11}}"
OBJECTS_FIRST = rf"{ANY_OBJECT}(?:{_NEXT}{ANY_OBJECT}){{0,11}}"
SUBJECTS = rf"{ANY_SUBJECT}{_OWN}(?:,?\s(?:like|such\sas|including)\s(?:the\s)?{ANY_SUBJECT}{_OWN})?(?:\s?(?:,|/|&|,?\s(?:and|or)\b)\s?(?:(?!{_PREPOSITION}|{_VERB}){_WORD}\s){{0,2}}?{ANY_SUBJECT}{_OWN}){{0,7}}"
_ASIDE = rf"(?:,[^,;:.?!{ANY_SUBJECT[1:-1]}]{{3,60}},)?"
AFTER_NAME = rf"(?:{_ASIDE}[,:]?(?:\s(?:which|that))?(?:(?:\s|—){_WORD}){{0,4}}?[\s—]\s?|-)"
BETWEEN_NAMES = rf"(?:{_ASIDE}[,:]?(?:(?:\s|—)(?:{_WORD}|\d+\s{ANY_SUBJECT})){{0,9}}?,?[\s—]\s?|-)"
TO_NAME = rf"(?:\s?[:(])?(?:[\s\"“]+{_WORD}){{0,5}}?(?:,?\s{_LIKE})?\s?[:(]?\s?[\"“]?"
_AUXILIARY = r"(?:must|should|can|has|have|had|to|is|are|was|were|be|been|being)"
NEXT_WORD = rf"(?:(?:\s{_AUXILIARY}){{1,3}}|\s(?:the|an?|your|our|their|its|only|\w+ly))?[\s-]"

_HARDWARE = rf"(?:chip|accelerator|{CARD}|{SYSTEM}|platform|superchip|wafer|generation)s?"
_THEY = (
    rf"(?:they|it|you|we|these|those|this|both|users|developers|teams|customers|(?:the|this|these|each|every)\s{_HARDWARE}|"
    r"(?:their|its)\sarchitecture)(?:['’](?:re|s|ll|ve|d))?"
)
OBJECT_PRONOUN = rf"(?:them|it|(?:the|this|these|those|such)\s{_HARDWARE})\b"
_ADVERB = (
    r"(?:\w+ly|also|only|not|do|does|did|don['’]t|doesn['’]t|didn['’]t|can|cannot|can['’]t|could|will|won['’]t|must|should|to|is|are|"
    r"isn['’]t|aren['’]t|was|were|be|been|being|has|have|had|often|still|even|now|just|more|most|strong|full|native|limited|no|"
    r"never|always|all|best|great|instead|however|then|first|the|an?|need|because|so|and|but|or|thus|therefore|here['’]s|at|while|"
    r"although|though|offer|offers|offering|provides?|providing|superior|robust|better|broad|extensive|excellent|boast|boasts|"
    r"different|custom|speciali[sz]ed|good)"
)
PRONOUN = re.compile(rf"\W*(?:(?:and|but|so|because|instead|however|also),?\s)?{_THEY}\b", re.I)
START = rf"(?:^[^\w{_NAME}]{{0,4}}|[.;:!—–]\s|\s-\s|,\s|(?<!\w)(?:and|but|or|so|because|then)\s)(?:(?:(?P<pronoun>{_THEY}|its|their)|{_ADVERB})(?:,?\s)){{0,5}}?(?:{ANY_OBJECT}\s)?"


def mask(text: str, subjects: Sequence[Mention], objects: Sequence[Mention]) -> tuple[str, list[int]]:
    """`text` with each name as one character, and where each character of that begins in `text`.

    `subjects[n]` becomes chr(SUBJECT + n), `objects[n]` chr(OBJECT + n). They must not overlap.
    """
    names = [(m, chr(SUBJECT + n)) for n, m in enumerate(subjects[:MOST])]
    names += [(m, chr(OBJECT + n)) for n, m in enumerate(objects[:MOST])]
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for mention, letter in sorted(names, key=lambda name: name[0].start):
        parts += [_plain(text[at : mention.start]), letter]
        places += [*range(at, mention.start), mention.start]
        at = mention.end
    parts.append(_plain(text[at:]))
    places += [*range(at, len(text)), len(text)]
    return "".join(parts), places


_PRIVATE = re.compile(f"[{chr(MARKED)}-{chr(OBJECT + MOST - 1)}]")
_BLANK = re.compile(r"\s")


def _plain(text: str) -> str:
    return STOP.sub(marked, _BLANK.sub(" ", _PRIVATE.sub("\ufffd", text)))


def marked(word: re.Match[str]) -> str:
    """A word of STOP with its first letter as one that no stretch takes in."""
    return chr(MARKED + ord(word.group()[0].lower())) + word.group()[1:]


def apart(mentions: Iterable[Mention]) -> list[Mention]:
    """Those of `mentions` that overlap none better: the longest wins, then the first given."""
    kept: list[Mention] = []
    taken: set[int] = set()
    for mention in sorted(mentions, key=lambda m: m.start - m.end):
        if taken.isdisjoint(range(mention.start, mention.end)):
            taken.update(range(mention.start, mention.end))
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)
