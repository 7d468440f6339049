"""What a question calls by a name that the domain does not know: sources have to have it, or there is no answer.

"Gaudi 7", "RTX 6090", "a Zyxel9"
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.text import STOP_WORDS, WORD

_GENERATION = re.compile(r"\s?(\d{1,2})(?![\w.%-])")
_NUMERAL = re.compile(r"\d+(?:e\d+|k|m|b|t|x|th|st|nd|rd|s|gb|tb|mb|w|kw|nm)?", re.I)
_NUMBERED = re.compile(r"(\d+)[A-Za-z]?")


def unknown_generations(domain: Domain, asked: str, entities: list[Mention]) -> tuple[str, ...]:
    """Numbers behind a line's name that make no chip of it: "Gaudi 7" where Gaudi 3 is the last."""
    lines = (m for m in entities if any(domain.is_many(i) for i in m.ids))
    numbered = ((m, _GENERATION.match(asked, m.end)) for m in lines)
    # "TPU 8 chips" counts
    named = ((m, n) for m, n in numbered if n and not domain.find_unit(asked[n.end() :]))
    return tuple(f"{asked[m.start : m.end]} {number[1]}" for m, number in named)


def unknown_siblings(domain: Domain, asked: str, known: Sequence[Mention]) -> tuple[str, ...]:
    """ "RTX 6090": a number behind a word that other numbers make names of, where this one makes none."""
    tokens = list(WORD.finditer(asked))
    found = []
    for name, number in pairwise(tokens):
        over = [m for m in known if m.start < number.end() and name.start() < m.end]
        # "Ascend" is a line, and "Ascend 990X" no chip of it
        free = all(
            m.end == name.end() and all(domain.entities[i].kind == "line" for i in m.ids if i in domain.entities)
            for m in over
        )
        beside = asked[name.end() : number.start()] in (" ", "-", "")
        numeral = _NUMBERED.fullmatch(number.group())
        named = name.group().lower() not in STOP_WORDS  # no "for 2"
        if free and beside and named and numeral and domain.numbers_names(name.group(), numeral[1]):
            found.append(asked[name.start() : number.end()])
    return tuple(found)


def unknown_words(domain: Domain, asked: str, known: list[Mention]) -> tuple[str, ...]:
    """Words that look like names and that the domain does not know: they must occur in the corpus at least."""
    found = []
    no_names = domain.change_nothing("capitals")
    matches = list(WORD.finditer(asked))
    shouted = asked.upper() == asked
    said = domain.find_operators(asked)  # "I'm new to this"
    for number, match in enumerate(matches):
        if any(m.start <= match.start() < m.end for m in known):
            continue
        is_name = len(match.group()) == 1 or any(c.isdigit() for c in match.group())
        if not is_name and any(m.start <= match.start() < m.end for m in said):
            continue
        word = match.group()
        if _NUMERAL.fullmatch(word) or word.lower() in no_names or domain.find_unit(word):
            continue
        has_digit = any(c.isdigit() for c in word)
        follower = matches[number + 1].group()[0] if number + 1 < len(matches) else ""
        # a sentence starts with a capital anyway: there the next word decides
        capital = (
            not shouted and any(c.isupper() for c in word) and (number > 0 or follower.isupper() or follower.isdigit())
        )
        capital = capital or any(c.isupper() for c in word[1:] if not shouted and not word.isupper())
        if (has_digit or capital) and word.lower() not in STOP_WORDS:
            found.append(word.lower())
    return tuple(dict.fromkeys(found))
