"""`Phrasebook`, which finds known names in text as `Mention`s, and the phrasebooks of a domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from chipwise import patterns as re
from chipwise.text import WORD
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.domain.catalogue import Catalogue

_PARTED = re.compile(r"[;|$€£~=<>]|[:.]\s|\s[—–]\s")  # "v5e): ~$1.20" is no "v5e 1", nor "H100 SXM — 80 GB" a name
_UNIT_BEHIND = re.compile(r"\s?(?:[KMGTP]i?[Bb](?:/s|ps)?|k?W|[TPE]?FLOPS?|TOPS)\b")
_COUNTED = re.compile(r"\d{1,5}[x×](?=[a-z])")
_GLUED = re.compile(r"([a-z]{2,})(\d{2,})([a-z]*)|([a-z]+\d+)([a-z]{2,})")  # "rtx4060ti"; "h100sxm"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at `[start, end)`; several ids if the surface is ambiguous."""

    start: int
    end: int
    ids: tuple[str, ...]


Token = tuple[str, int, int]  # a word in lower case, and where it stands


class Phrasebook:
    """Finds known phrases in text: longest first, whole words, ignoring case and hyphens.

    "L40S" and "l40s" are one word. A plural -s is dropped from a word that no phrase contains as written.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]], exact: Iterable[tuple[str, str]] = ()) -> None:
        """`phrases` are (surface, id); those also in `exact` count only in that case."""
        self._exact = set(exact)
        phrases = [*phrases, *sorted(self._exact)]  # the same book gives the same bytes
        self._ids: dict[str, list[str]] = {}  # by words in lower case, one space between
        lengths: dict[str, set[int]] = {}
        for phrase, name in phrases:
            words = [m.group().lower() for m in WORD.finditer(phrase)]
            if words and name not in self._ids.setdefault(" ".join(words), []):
                self._ids[" ".join(words)].append(name)
                lengths.setdefault(words[0], set()).add(len(words))
        self._lengths = {first: sorted(counts, reverse=True) for first, counts in lengths.items()}

    def dump(self) -> list[Any]:
        """Return a JSON value that `load` restores; loading is ten times faster than building."""
        return [self._ids, self._lengths, sorted(self._exact)]

    @classmethod
    def load(cls, value: list[Any]) -> Phrasebook:
        """Restore a phrasebook from `dump`."""
        book = cls(())
        book._ids, book._lengths = value[0], value[1]
        book._exact = {(surface, name) for surface, name in value[2]}
        return book

    def starting_with(self, word: str) -> list[str]:
        """The phrases, in lower case, whose first word is `word`."""
        return [p for p in self._ids if p.startswith(word.lower() + " ")] if word.lower() in self._lengths else []

    def find(self, text: str) -> list[Mention]:
        """List mentions in order; they never overlap."""
        mentions = (self._in_case(text, mention) for mention in self._match(text, list(_tokens(text))))
        return [mention for mention in mentions if mention is not None and not _in_identifier(text, mention)]

    def _match(self, text: str, tokens: list[Token]) -> Iterator[Mention]:
        at = 0
        while at < len(tokens):
            # fast path: most words begin no phrase
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
        """Split a name written as one word ("rtx5090"); return the token itself if its first part begins no phrase."""
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
        """Return the longest phrase at `at` as its number of tokens and its ids; (0, []) if none begins there.

        An exact match beats a plural: "L40S" is not the plural of "L40".
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
        """True if marks divide the words, or a comma comes before a longer name: "Ironwood, TPU 8t"."""
        between = text[tokens[at][2] : tokens[at + length - 1][1]]
        if _PARTED.search(between) or _ends_with_a_figure(text, tokens[at + length - 2 : at + length]):
            return True
        commas = (n for n in range(1, length) if "," in text[tokens[at + n - 1][2] : tokens[at + n][1]])
        return "," in between and any(self._longest(text, tokens, at + n)[0] > length - n for n in commas)


@lru_cache(maxsize=1)  # all books of a domain search the same text in turn
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple((m.group().lower(), m.start(), m.end()) for m in WORD.finditer(text))


def _ends_with_a_figure(text: str, last: Sequence[Token]) -> bool:
    """True for "v5e 16 GB" and "our v5e's (16 GB": unlike the 16 of "v5e-16", a number with a unit ends no name."""
    if len(last) < 2 or not last[1][0].isdigit():  # noqa: PLR2004
        return False
    return text[last[0][2] : last[1][1]] != "-" and _UNIT_BEHIND.match(text, last[1][2]) is not None


def _in_identifier(text: str, mention: Mention) -> bool:
    """True for the "AMPERE" of "AMPERE_48": part of a program identifier names nothing."""
    return text[mention.end : mention.end + 1] == "_" or text[max(0, mention.start - 1) : mention.start] == "_"


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") else word  # noqa: PLR2004


def _ends_number(text: str, token: Token) -> bool:
    """True for the 8 of "$1.8/H100/hr", which counts no H100s."""
    word, start, _ = token
    return word.isdigit() and start > 1 and text[start - 1] in ".," and text[start - 2].isdigit()


BOOKS = ("entities", "terms", "metrics", "asked", "anti", "qualifiers", "settings", "values", "operators")


def build_book(domain: Catalogue, name: str) -> Phrasebook:
    """Build the phrasebook called `name`, one of BOOKS."""
    metrics, terms = domain.metrics.values(), domain.terms.values()
    if name == "entities":
        certain = [(n, e.id) for e in domain.entities.values() for n in (e.name, *e.aliases)]
        unsure = [(a.surface, i) for a in domain.ambiguous.values() for i in a.entities if not a.case_sensitive]
        return Phrasebook([*certain, *unsure])
    if name == "terms":
        exact = [(surface, t.id) for t in terms for surface in t.exact]
        return Phrasebook([(n, t.id) for t in terms for n in (t.name, *t.aliases)], exact)
    if name in ("qualifiers", "settings"):
        return _qualifier_book(domain) if name == "qualifiers" else _settings_book(domain)
    if name == "values":
        values = [(words, v.id) for v in domain.values.values() for words in v.words]
        return Phrasebook([*values, *((words, f"!{v.id}") for v in domain.values.values() for words in v.opposite)])
    if name in ("operators", "anti"):
        operators = ((words, o.id) for o in domain.operators.values() for words in o.words)
        return Phrasebook(operators if name == "operators" else ((phrase, m.id) for m in metrics for phrase in m.anti))
    asked = name == "asked"
    return Phrasebook((n, m.id) for m in metrics for n in (m.name, *m.cues, *(m.questions if asked else ())))


def _qualifier_book(domain: Catalogue) -> Phrasebook:
    """Build the book of axis values, as "axis=value": qualifiers with cues, and terms of the kinds that an axis takes."""
    values = [q for q in domain.qualifiers.values() if not domain.axes[q.axis].of]
    cues = [(cue, f"{q.axis}={q.id}") for q in values for cue in (*q.cues, *q.exact)]
    exact = [(cue, f"{q.axis}={q.id}") for q in values for cue in q.exact]
    for axis in (a for a in domain.axes.values() if not a.of):
        for term in domain.terms.values():
            if term.kind in axis.terms:
                cues += [(surface, f"{axis.id}={term.id}") for surface in (term.name, *term.aliases)]
                exact += [(surface, f"{axis.id}={term.id}") for surface in term.exact]
    return Phrasebook(cues, exact)


def _settings_book(domain: Catalogue) -> Phrasebook:
    """Build the book of run and offer settings: values as "axis=value", labels as "axis:"."""
    axes = {a.id: a for a in domain.axes.values() if a.of}
    values = [q for q in domain.qualifiers.values() if q.axis in axes]
    cues = [(cue, f"{q.axis}={q.id}") for q in values for cue in q.cues]
    labels = [(label, f"{a.id}:") for a in axes.values() for label in a.labels]
    return Phrasebook([*cues, *labels], [(cue, f"{q.axis}={q.id}") for q in values for cue in q.exact])


def makers_book(domain: Catalogue) -> Phrasebook:
    """Build the book of chip makers: by name, and by the first words of their products' names."""
    makers = {e.vendor for e in domain.entities.values() if e.vendor}
    first: dict[str, str] = {}
    for e in domain.entities.values():
        if e.vendor and e.kind in ("line", "family", "chip"):
            first.update((name.split()[0].lower(), e.vendor) for name in (e.name, *e.aliases))
    companies = [t.name for t in domain.terms.values() if t.kind == "company" and t.name.lower() in first]
    return Phrasebook([*((m, m) for m in makers), *((name, first[name.lower()]) for name in companies)])
