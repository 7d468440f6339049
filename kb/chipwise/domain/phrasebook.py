"""Finding known names in text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from chipwise import patterns as re
from chipwise.text import WORD
from chipwise.values import dataclass

_PARTED = re.compile(r"[;|$€£~=<>]|[:.]\s")  # "v5e): ~$1.20" is no "v5e 1"
_UNIT_BEHIND = re.compile(r"\s?(?:[KMGTP]i?[Bb](?:/s|ps)?|k?W|[TPE]?FLOPS?|TOPS)\b")
_COUNTED = re.compile(r"\d{1,5}[x×](?=[a-z])")
_GLUED = re.compile(r"([a-z]{2,})(\d{2,})([a-z]*)|([a-z]+\d+)([a-z]{2,})")  # "rtx4060ti"; "h100sxm"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found at `[start, end)`; several ids when the surface is ambiguous."""

    start: int
    end: int
    ids: tuple[str, ...]


Token = tuple[str, int, int]  # a word in lower case, and where it stands


class Phrasebook:
    """Finds known phrases in text: longest first, whole words, case and hyphens ignored.

    "L40S" and "l40s" are one word; a plural -s is taken off a word that no phrase holds as it stands.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]], exact: Iterable[tuple[str, str]] = ()) -> None:
        """`phrases` are (surface, id); those in `exact` too count only in their own case."""
        self._exact = set(exact)
        phrases = [*phrases, *sorted(self._exact)]  # the same book gives the same bytes
        self._ids: dict[str, list[str]] = {}  # by words in lower case, one space between
        lengths: dict[str, set[int]] = {}
        for phrase, name in phrases:
            words = [m.group().lower() for m in WORD.finditer(phrase)]
            if words and name not in self._ids.setdefault(" ".join(words), []):
                self._ids[" ".join(words)].append(name)
                lengths.setdefault(words[0], set()).add(len(words))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def dump(self) -> list[Any]:
        """A JSON value that `load` restores; loading it is ten times faster than building the book."""
        return [self._ids, self._lengths, sorted(self._exact)]

    @classmethod
    def load(cls, value: list[Any]) -> Phrasebook:
        """What `dump` gave."""
        book = cls(())
        book._ids, book._lengths = value[0], value[1]
        book._exact = {(surface, name) for surface, name in value[2]}
        return book

    def words(self) -> Iterator[str]:
        """The words of all phrases, in lower case."""
        return (word for phrase in self._ids for word in phrase.split())

    def starting_with(self, word: str) -> list[str]:
        """The phrases, in lower case, whose first word is `word`."""
        return [p for p in self._ids if p.startswith(word.lower() + " ")] if word.lower() in self._lengths else []

    def find(self, text: str) -> list[Mention]:
        """Mentions in order, never overlapping."""
        found = (self._in_case(text, mention) for mention in self._match(text, list(_tokens(text))))
        return [mention for mention in found if mention is not None and not _in_identifier(text, mention)]

    def _match(self, text: str, tokens: list[Token]) -> Iterator[Mention]:
        at = 0
        while at < len(tokens):
            # most words begin no phrase, and are passed over without another look
            if not self._may_begin(tokens[at][0]):
                tokens[at : at + 1] = self._parted(tokens[at])
            if not self._may_begin(tokens[at][0]) or _ends_number(text, tokens[at]):
                at += 1
                continue
            length, ids = self._longest(text, tokens, at)
            counted = None if length else _COUNTED.match(tokens[at][0])
            if counted:  # "8xH200", where no phrase begins with "8x"
                word, start, end = tokens[at]
                tokens[at] = word[counted.end() :], start + counted.end(), end
                continue
            if length:
                yield Mention(tokens[at][1], tokens[at + length - 1][2], tuple(ids))
            at += length or 1

    def _parted(self, token: Token) -> list[Token]:
        """The words of a name that was written as one, "rtx5090"; the token where none of its parts begins a phrase."""
        word, start, _ = token
        glued = _GLUED.fullmatch(word) if not word.isalpha() else None
        spans = [glued.span(n) for n in range(1, 6) if glued[n]] if glued is not None else []
        if not spans or not self._may_begin(word[slice(*spans[0])]):
            return [token]
        return [(word[a:b], start + a, start + b) for a, b in spans]

    def _may_begin(self, word: str) -> bool:
        if word in self._lengths or (word[-1] == "s" and word[:-1] in self._lengths):
            return True
        return word[0].isdigit() and _COUNTED.match(word) is not None

    def _in_case(self, text: str, mention: Mention) -> Mention | None:
        if not self._exact:
            return mention
        written = text[mention.start : mention.end]
        ids = tuple(i for i in mention.ids if (written, i) in self._exact or not self._only_exact(written, i))
        return Mention(mention.start, mention.end, ids) if ids else None

    def _only_exact(self, written: str, name: str) -> bool:
        return any(written.lower() == surface.lower() and name == i for surface, i in self._exact)

    def _longest(self, text: str, tokens: list[Token], at: int) -> tuple[int, list[str]]:
        """How many tokens the longest phrase at `at` takes, and whose it is; (0, []) when none starts there.

        A phrase as it stands goes before the same phrase in the plural: "L40S" is no plural of "L40".
        """
        first = tokens[at][0]
        lengths = self._lengths.get(first) or self._lengths.get(_singular(first)) or []
        for length in lengths:
            if at + length > len(tokens):
                continue
            last = tokens[at + length - 1][0]
            before = "".join(f"{word} " for word, _, _ in tokens[at : at + length - 1])
            ids = self._ids.get(before + last) or self._ids.get(before + _singular(last))
            if ids and not self._is_parted(text, tokens, at, length):
                return length, ids
        return 0, []

    def _is_parted(self, text: str, tokens: list[Token], at: int, length: int) -> bool:
        """True where marks stand between the words, or a comma behind which a longer name begins: "Ironwood, TPU 8t"."""
        between = text[tokens[at][2] : tokens[at + length - 1][1]]
        if _PARTED.search(between) or _ends_with_a_figure(text, tokens[at + length - 2 : at + length]):
            return True
        commas = (n for n in range(1, length) if "," in text[tokens[at + n - 1][2] : tokens[at + n][1]])
        return "," in between and any(self._longest(text, tokens, at + n)[0] > length - n for n in commas)


@lru_cache(maxsize=1)  # the books of a domain look at one text in turn
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple((m.group().lower(), m.start(), m.end()) for m in WORD.finditer(text))


def _ends_with_a_figure(text: str, last: Sequence[Token]) -> bool:
    """True for "v5e 16 GB" and "our v5e's (16 GB": a number with a unit ends no name, "v5e-16"."""
    if len(last) < 2 or not last[1][0].isdigit():  # noqa: PLR2004
        return False
    return text[last[0][2] : last[1][1]] != "-" and _UNIT_BEHIND.match(text, last[1][2]) is not None


def _in_identifier(text: str, mention: Mention) -> bool:
    """True for the "AMPERE" of "AMPERE_48": a piece of a program's name names nothing."""
    return text[mention.end : mention.end + 1] == "_" or text[max(0, mention.start - 1) : mention.start] == "_"


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") else word  # noqa: PLR2004


def _ends_number(text: str, token: Token) -> bool:
    """True for the 8 of "$1.8/H100/hr", which counts no H100s."""
    word, start, _ = token
    return word.isdigit() and start > 1 and text[start - 1] in ".," and text[start - 2].isdigit()
