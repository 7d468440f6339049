"""Patterns of wording, as relations.toml writes them, made into regular expressions.

    "{s} available on {o}"   TPUs are only available on AWS, Azure or GCP
                             SSSS                       OOO  OOOOO    OOO

They search a sentence whose names are each replaced by one character (`mask`), so that
"a subject" is a character class. A pattern's own words are looked for first, and
where they occur written over with a character of theirs: what remains to be searched is
one of some thirty shapes ("{s} W {o}") that all patterns share. Every repetition is
bounded: a search costs a constant per character, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from chipwise.claims.stretches import (
    AFTER_NAME,
    ANY_OBJECT,
    ANY_SUBJECT,
    BETWEEN_NAMES,
    MARKED,
    NEXT_WORD,
    OBJECT_PRONOUN,
    OBJECTS,
    OBJECTS_FIRST,
    PLAIN,
    REST,
    START,
    STOP,
    STOPS,
    SUBJECT,
    SUBJECTS,
    TO_NAME,
    VERB_FIRST,
    VERBS,
    marked,
)
from chipwise.domain.records import Relation
from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """One wording of one relation. `implied` is the id that words of its own stand for; `open` that it takes in conditions."""

    relation: Relation
    shape: str  # source of the expression for what is left when `words` are written over
    words: tuple[str, ...]  # sources of the expressions for its own words, in order; the implied ones may be missing
    stems: tuple[tuple[str, ...], ...]  # of each word, one occurs wherever it matches
    denies: bool = False
    implied: str = ""
    open: bool = False
    bare: bool = False  # opens with names alone, or nearly, so that nobody but who is named is meant

    def can_match(self, lower: str) -> bool:
        """False where a word of it is missing from the text: cheaper than looking.

        `lower` is the text in lower case, with straight apostrophes and single blanks.
        """
        for stems in self.stems:
            for stem in stems:
                if stem in lower:
                    break
            else:
                return False
        return True

    def find(self, masked: str) -> Iterator[re.Match[str]]:
        """Its matches in order, with the offsets of `masked`."""
        for number, words in enumerate(self.words):
            masked, count = _compiled(words).subn(_WRITE_OVER[number], masked)
            if not count and not (self.implied and number == 0):
                return iter(())
        return _compiled(self.shape).finditer(masked)


def _write_over(number: int) -> Callable[[re.Match[str]], str]:
    def over(match: re.Match[str]) -> str:
        written = match.group()
        kind = STOPS if MARKED <= ord(written[0]) < SUBJECT else VERBS if VERB_FIRST.match(written) else PLAIN
        return chr(kind + number) + chr(REST) * (len(written) - 1)

    return over


_WRITE_OVER = [_write_over(number) for number in range(4)]


@lru_cache(maxsize=4096)
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when a sentence first needs it: that takes milliseconds, and few sentences need many."""
    return re.compile(STOP.sub(marked, source), re.I)


@lru_cache(maxsize=4)
def patterns(relations: tuple[Relation, ...]) -> dict[str, tuple[Pattern, ...]]:
    """All patterns, by relation, made once: its own, and those that its labels make."""
    return {
        r.id: (
            *(_make(r, p, False) for p in (*r.patterns, *_of_labels(r.labels))),
            *(_make(r, p, True) for p in r.denied),
        )
        for r in relations
    }


def _of_labels(labels: Sequence[str]) -> Iterator[str]:
    """ "The foundry of the H100 is TSMC", "its memory is HBM3e": wordings that any relation's nouns make."""
    if labels:
        nouns = "/".join(label.replace(" ", "_") for label in labels)
        for frame in _FRAMES:
            yield frame.replace("NOUN", nouns)


_IS = "is/are/was/were/include/includes/including"
_FRAMES = (
    f"NOUN of/for {{s}} {_IS} {{o}}",
    f"{{s}} NOUN {_IS} {{o}}",
    f"among NOUN of/for {{s}} {_IS} {{o}}",
    f"NOUN that {{s}} support~/use~/offer~/accept~/have/has {_IS} {{o}}",
    "{o} is/are/was/were NOUN of {s}",
    "{o} is/are/was/were among/one_of NOUN of/for/that {s}",
)


def _make(relation: Relation, pattern: str, denies: bool) -> Pattern:
    named = pattern.startswith("^^")
    tokens = pattern.removeprefix("^" if named else "").split()
    implied = next((t[1:].split(":")[0] for t in tokens if t.startswith("{") and ":" in t), "")
    words = [t.partition(":")[2].rstrip("}") if ":" in t else t for t in tokens if t[0] not in "^+" and t not in _NAMES]
    # "rely~" occurs as "relies" too
    stems = tuple(
        tuple(re.sub(r"e?~$|y~$", "", w.replace("_", " ")) for w in word.lower().split("/") if w) for word in words
    )
    parts = list(_grouped(tokens))
    own = tuple(_sequence(part) for part in parts if isinstance(part, list))
    return Pattern(
        relation,
        "".join(_pieces(parts)),
        own,
        stems,
        denies,
        implied,
        "{o*}" in tokens,
        named or set(words) <= {"with", "without"} or (tokens[0] == "{s}" and tokens[1] in _NAMES),
    )


def _grouped(tokens: Sequence[str]) -> Iterator[str | list[str]]:
    """The tokens with each run of words as one list; words that stand for an object are a run of their own."""
    run: list[str] = []
    for token in tokens:
        if token in _NAMES or token in _MARKS or ":" in token:
            if run:
                yield run
            run = []
            yield [token] if ":" in token else token
        else:
            run.append(token)
    if run:
        yield run


def _sequence(words: Sequence[str]) -> str:
    return NEXT_WORD.join(_words(word) for word in words)


def _pieces(parts: Sequence[str | list[str]]) -> Iterator[str]:
    number = 0  # of the words before
    opening = parts[0] if parts[0] in ("^", "{s}") else ""
    for place, part in enumerate(parts):
        left = "" if place == int(bool(opening)) else parts[place - 1]
        if part == opening and not place:
            # the subject may be missing: "They run PyTorch", "and run PyTorch"
            yield START if part == "^" else rf"(?:(?P<s>{SUBJECTS}){AFTER_NAME}|{START})"
        elif isinstance(part, list):
            yield _between(left, part) + _written_over(number, ":" in part[0])
            number += 1
        elif part == "{s}" and isinstance(left, list):
            yield rf"(?:{TO_NAME}{_NAMES[part]}|\s(?P<them>{OBJECT_PRONOUN}))"
        else:
            yield _between(left, part) + ("" if part == "+" else _FIRST if part == "{o}" and not left else _NAMES[part])


def _written_over(number: int, implied: bool) -> str:
    words = rf"[{''.join(chr(kind + number) for kind in (STOPS, PLAIN, VERBS))}]{chr(REST)}*+"
    return rf"(?P<x>{words}|{ANY_OBJECT})" if implied else words


_NAMES = {
    "{s}": rf"(?P<s>{SUBJECTS})",
    "{o}": rf"(?P<o>{OBJECTS})",
    "{o+}": rf"(?P<o>(?:(?!(?<!\w)(?:while|whereas|but|because|so)\b)[^.;:?!—–{ANY_SUBJECT[1:-1]}]){{0,120}}{ANY_OBJECT})",
    "{o*}": rf"(?P<o>[^?{ANY_SUBJECT[1:-1]}]{{0,400}}{ANY_OBJECT})",
}
_MARKS = ("^", "+")
_FIRST = rf"(?P<o>{OBJECTS_FIRST})"


def _between(left: str | list[str], right: str | list[str]) -> str:
    if "+" in (left, right):
        return r"\s" if right == "+" else ""
    if not left or right in ("{o*}", "{o+}"):
        return ""
    if isinstance(right, list) and right[0].startswith("'s"):
        return ""
    if isinstance(left, str):
        return BETWEEN_NAMES if right == "{s}" else AFTER_NAME
    return NEXT_WORD if isinstance(right, list) else TO_NAME


def _words(token: str) -> str:
    words = token.strip("{}").partition(":")[2] if ":" in token else token
    return (
        rf"(?<!\w)(?:{'|'.join(_inflected(w) for w in words.split('/'))})\b{_NO_AUXILIARY if words == _HAVING else ''}"
    )


# "AWS has cut H100 prices": to have done is not to have
_HAVING = "have/has/had"  # of clouds that have a chip; "has improved NVLink" has one all the same
_NO_AUXILIARY = r"(?!\s(?:\w+ly\s|also\s|just\s)?(?:\w{2,}(?:ed|wn)|cut|put|set|led|made|built|begun|become|taken|given|chosen|gone)\b)"


def _inflected(word: str) -> str:
    if not word.endswith("~"):
        return re.escape(word).replace("'", "['’]").replace("_", r"\s")
    stem = word[:-1]
    if stem.endswith("e"):
        return f"{stem[:-1]}(?:e|es|ed|ing)"
    if stem.endswith("y"):
        return f"{stem[:-1]}(?:y|ies|ied|ying)"
    return f"{stem}{stem[-1]}?(?:s|es|ed|ing)?"
