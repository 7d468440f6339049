"""Patterns of wording, as relations.toml writes them, made into regular expressions.

    "{s} available on {o}"   TPUs are only available on AWS, Azure or GCP
                             SSSS                       OOO  OOOOO    OOO

They search a sentence whose names are each replaced by one character (`mask`), so that
"a subject" is a character class. Every repetition is bounded: a search costs a
constant per character, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chipwise.phrasebook import Mention
from chipwise.records import Relation

MARKED, SUBJECT, OBJECT = 0xF0000, 0xF1000, 0xF2000  # private use: no text of ours has them
MOST = 0x1000  # names of one sentence that are looked at
_NAME = f"{chr(SUBJECT)}-{chr(OBJECT + MOST - 1)}"

_S, _O = (f"[{chr(first)}-{chr(first + MOST - 1)}]" for first in (SUBJECT, OBJECT))
# Words that end a stretch: their first letter is masked too, so that "no such word" is a character class.
_STOP = re.compile(
    r"\b(?:that|which|who|whom|whose|when|if|because|while|but|than|whereas|although|though|unless|until|where|since|and|or|"
    r"so|versus|vs|whether)\b",
    re.I,
)
_STOPPED = f"{chr(MARKED)}-{chr(MARKED + 0x7F)}"
_WORD = rf"(?!-\s)(?:\d{{1,3}}(?:,\d{{3}})+|[^\s,;:.?!()—–{_S[1:-1]}{_STOPPED}]+(?:\.[^\s,;:.?!()—–{_S[1:-1]}{_STOPPED}]+)*)"
_VERB = r"(?:use[sd]?|using|works?|runs?|supports?|offers?|has|have|is|are|was|were|trained|trains?|serves?|served|needs?|requires?|relies|rely)\b"
_PREPOSITION = r"(?:on|with|for|in|of|by|to|from|serve|train|run|at)\b"
_OWN = r"(?:['’]s?)?\)?(?:\s\([^()]{0,60}\))?"
_LIKE = r"(?:such\sas|like|including|e\.g\.,?|for\sexample,?|namely|especially|particularly|even|either|both)"
_AND = rf"(?:as\swell\sas|and\s(?:also|even|not)|but\snot|and|or|nor|plus|not|&|{_LIKE})"
_NEXT = rf"\)?(?:\s?[,/&(]\s?(?:{_AND}\s)?|\s[-–—]\s|\s{_AND}\s)(?:{_LIKE}\s)?(?:(?!{_VERB}|\S*{_O}){_WORD},?\s){{0,3}}?(?:(?:and|or)\s)?[\"“(]?"
_LIST = rf"(?:['’]s)?(?:[\s-]?{_WORD}){{0,2}}?{_NEXT}"
_NEW_CLAUSE = rf"(?!\s(?:also\s)?{_VERB}|\s(?:can|cannot|does|do|will)\b)"  # "JAX, and TensorFlow is not supported"
_OBJECTS = rf"{_O}(?:{_LIST}{_O}{_NEW_CLAUSE}){{0,11}}"
_OBJECTS_FIRST = rf"{_O}(?:{_NEXT}{_O}){{0,11}}"
_SUBJECTS = rf"{_S}{_OWN}(?:,?\s(?:like|such\sas|including)\s(?:the\s)?{_S}{_OWN})?(?:\s?(?:,|/|&|,?\s(?:and|or)\b)\s?(?:(?!{_PREPOSITION}|{_VERB}){_WORD}\s){{0,2}}?{_S}{_OWN}){{0,7}}"
_ASIDE = rf"(?:,[^,;:.?!{_S[1:-1]}]{{3,60}},)?"
_AFTER_NAME = rf"(?:{_ASIDE}[,:]?(?:\s(?:which|that))?(?:(?:\s|—){_WORD}){{0,4}}?[\s—]\s?|-)"
_BETWEEN_NAMES = rf"(?:{_ASIDE}[,:]?(?:(?:\s|—)(?:{_WORD}|\d+\s{_S})){{0,9}}?,?[\s—]\s?|-)"
_TO_NAME = rf"(?:\s?[:(])?(?:[\s\"“]+{_WORD}){{0,5}}?(?:,?\s{_LIKE})?\s?[:(]?\s?[\"“]?"
_NEXT_WORD = r"(?:\s(?:the|an?|your|our|their|its|only|\w+ly))?[\s-]"

_HARDWARE = r"(?:chips?|cards?|accelerators?|devices?|systems?|modules?|boards?|instances?|platforms?|processors?)"
_PRONOUN = (
    rf"(?:they|it|you|we|these|those|this|both|users|developers|teams|customers|(?:the|this|these|each|every)\s{_HARDWARE}|"
    r"(?:their|its)\sarchitecture)(?:['’](?:re|s|ll|ve|d))?"
)
_ADVERB = (
    r"(?:\w+ly|also|only|not|do|does|did|don['’]t|doesn['’]t|didn['’]t|can|cannot|can['’]t|could|will|won['’]t|must|should|to|is|are|"
    r"isn['’]t|aren['’]t|was|were|be|been|being|has|have|had|often|still|even|now|just|more|most|strong|full|native|limited|no|"
    r"never|always|all|best|great|instead|however|then|first|the|an?|need|because|so|and|but|or|thus|therefore|here['’]s|at|while|"
    r"although|though|offer|offers|offering|provides?|providing|superior|robust|better|broad|extensive|excellent|boast|boasts|"
    r"different|custom|speciali[sz]ed|good)"
)
PRONOUN = re.compile(rf"\W*(?:(?:and|but|so|because|instead|however|also),?\s)?{_PRONOUN}\b", re.I)
_START = rf"(?:^[^\w{_NAME}]{{0,4}}|[.;:!—–]\s|\s-\s|,\s|(?<!\w)(?:and|but|or|so|because|then)\s)(?:(?:(?P<pronoun>{_PRONOUN})|{_ADVERB})(?:,?\s)){{0,5}}?(?:{_O}\s)?"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One wording of one relation. `implied` is the id that words of its own stand for; `open` that it takes in conditions."""

    relation: Relation
    source: str  # of the expression
    stems: tuple[tuple[str, ...], ...]  # of each, one occurs wherever it matches
    denies: bool = False
    implied: str = ""
    open: bool = False
    bare: bool = False  # opens with names alone

    def can_match(self, lower: str) -> bool:
        """False where a word of it is missing from the text, given in lower case: cheaper than looking."""
        return all(any(stem in lower for stem in stems) for stems in self.stems)

    def find(self, masked: str) -> Iterator[re.Match[str]]:
        """Its matches, in order."""
        return _compiled(self.source).finditer(masked)


@lru_cache(maxsize=4096)
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: that takes milliseconds, and few sentences need many."""
    return re.compile(_STOP.sub(_marked, source), re.I)


@lru_cache(maxsize=4)
def patterns(relations: tuple[Relation, ...]) -> dict[str, tuple[Pattern, ...]]:
    """All patterns, by relation, compiled once."""
    return {
        r.id: (*(_compile(r, p, False) for p in r.patterns), *(_compile(r, p, True) for p in r.denied))
        for r in relations
    }


def _compile(relation: Relation, pattern: str, denies: bool) -> Pattern:
    tokens = pattern.split()
    implied = next((t[1:].split(":")[0] for t in tokens if t.startswith("{") and ":" in t), "")
    words = [t.partition(":")[2].rstrip("}") if ":" in t else t for t in tokens if t[0] not in "^+" and t not in _NAMES]
    # "rely~" occurs as "relies" too
    stems = tuple(tuple(re.sub(r"e?~$|y~$", "", w) for w in word.lower().split("/") if w) for word in words)
    return Pattern(
        relation,
        "".join(_pieces(tokens)),
        stems,
        denies,
        implied,
        "{o*}" in tokens,
        not words or (tokens[0] == "{s}" and tokens[1] in _NAMES),
    )


def _pieces(tokens: Sequence[str]) -> Iterator[str]:
    if tokens[0] == "^":
        yield _START
        tokens = tokens[1:]
    elif tokens[0] == "{s}":
        # the subject may be missing: "They run PyTorch", "and run PyTorch"
        yield rf"(?:(?P<s>{_SUBJECTS}){_AFTER_NAME}|{_START})"
        tokens = tokens[1:]
    for number, part in enumerate(tokens):
        if number:
            yield _between(tokens[number - 1], part)
        first = number == 0 and part == "{o}"
        yield "" if part == "+" else _FIRST if first else _NAMES.get(part) or _words(part)


_NAMES = {
    "{s}": rf"(?P<s>{_SUBJECTS})",
    "{o}": rf"(?P<o>{_OBJECTS})",
    "{o+}": rf"(?P<o>(?:(?!(?<!\w)(?:while|whereas|but|because|so)\b)[^.;:?!—–{_S[1:-1]}]){{0,120}}{_O})",
    "{o*}": rf"(?P<o>[^?{_S[1:-1]}]{{0,400}}{_O})",
}


_FIRST = rf"(?P<o>{_OBJECTS_FIRST})"


def _between(left: str, right: str) -> str:
    if "+" in (left, right):
        return r"\s" if right == "+" else ""
    if right in ("{o*}", "{o+}"):
        return ""
    if left in _NAMES:
        return _BETWEEN_NAMES if right == "{s}" else _AFTER_NAME
    return _TO_NAME if right in _NAMES else _NEXT_WORD


def _words(token: str) -> str:
    implied = token.startswith("{")
    alternatives = "|".join(
        _inflected(w) for w in (token.strip("{}").partition(":")[2] if implied else token).split("/")
    )
    return rf"(?P<x>(?<!\w)(?:{alternatives})\b|{_O})" if implied else rf"(?<!\w)(?:{alternatives})\b"


def _inflected(word: str) -> str:
    if not word.endswith("~"):
        return re.escape(word).replace("'", "['’]")
    stem = word[:-1]
    if stem.endswith("e"):
        return f"{stem[:-1]}(?:e|es|ed|ing)"
    if stem.endswith("y"):
        return f"{stem[:-1]}(?:y|ies|ied|ying)"
    return f"{stem}{stem[-1]}?(?:s|es|ed|ing)?"


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
    return _STOP.sub(_marked, _BLANK.sub(" ", _PRIVATE.sub("\ufffd", text)))


def _marked(word: re.Match[str]) -> str:
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
