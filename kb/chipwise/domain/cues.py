"""Cues of voice.toml: the words with which a text estimates, promises, reports, supposes or doubts, and their reach.

    "Analysts estimate that the H200 is 1.9x faster"   estimate~ governs its complement
    "The H200 may be 1.9x faster"                      may governs its clause
    "Had the H200 256 GB, ..."                         ^ had governs its clause

Works on words and marks alone; it knows neither grammar nor chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from chipwise import patterns as re
from chipwise.domain.records import Voice
from chipwise.values import dataclass

_TOKEN = re.compile(r"[^\W_]+|[,:]")
_MARKS = (",", ":")
_SKIPPED = 1  # the most words that "?" stands for
_GAP = 8  # the most words that "…" stands for
_WILD = {"?": _SKIPPED, "…": _GAP}
_NUMBER = "#"
# the end of a clause, which a complement doesn't cross
_ENDS = (
    r"[;—]|\s[-–]\s|\.\s(?=[A-Z])|,\s(?i:but|while|whereas|although|though|so|because|since|which|where)\b"
    r"|\s(?i:but|while|whereas|although|though)\s"
    # "will be at 1,200 W, compared to the 1,000 W of the B200": the second figure is no forecast
    r"|,\s(?i:compared (?:to|with)|versus|vs\.?|against|(?:up|down) from)\s(?=[^,]*$)"
)
_OUTSIDE = re.compile(_ENDS)
_BREAK = re.compile(rf":\s|\si\.e\.\s|,\s(?i:we|you|and (?:may|might|could|will|would))\b|{_ENDS}")
_PUT_OFF = ("estimated", "promised", "reckoned")  # voices that don't reach into brackets
_PASSIVE = frozenset("is are was were be been being".split())
_CLOSES = re.compile(r"\W*$")
_ASIDE = re.compile(r"[,(—]|\s[-–]\s")
_CONTRAST = re.compile(r";|\.\s(?=[A-Z])|\s(?:but|while|whereas|although|though)\s", re.I)


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue at `[start, end)`; `puts` is the voice of its class, `governs` its reach."""

    start: int
    end: int
    puts: str
    governs: str

    def reaches(self, text: str, at: int) -> bool:
        """True if the cue governs the words at `at`."""
        if self.governs == "sentence":
            return True
        if self.governs == "rest" or self._is_bracketed_off(text, at):
            return self.governs == "rest" and at >= self.end
        first, last = min(self.end, at), max(self.start, at)
        if self.governs == "complement" and at >= self.end:
            return not _OUTSIDE.search(text, first, last)
        if self.governs == "complement":
            return self._stands_behind(text, at) and not _CONTRAST.search(text, first, last)
        if self._is_aside(text) and "," in text[first:last]:
            return False  # "8 stacks, probably of 12 dies, with 8 TB/s"
        breaks = [m.group() for m in _BREAK.finditer(text, first, last)]
        # "Probably this: ..." leads up to what follows the colon
        return not breaks or (at > self.end and len(breaks) == 1 and breaks[0].startswith(":"))

    def _is_bracketed_off(self, text: str, at: int) -> bool:
        """True if brackets part an estimate from a figure: "The A4000 (16 GB) might do"."""
        if self.puts not in _PUT_OFF:
            return False
        around, own = _bracket(text, at), _bracket(text, self.start)
        return around is not None and (own is None or own[0] > around[0]) and not around[0] <= self.start < around[1]

    def _is_aside(self, text: str) -> bool:
        """True for an adverb between two commas."""
        closes = text.find(",", self.end)
        return text[: self.start].endswith(", ") and closes > self.end and " " in text[self.end : closes].strip()

    def _stands_behind(self, text: str, at: int) -> bool:
        """True for ", analysts think." and "(an estimate)"."""
        closes = _CLOSES.match(text, self.end) or text[self.end :].startswith((",", ")"))
        return bool(closes and _ASIDE.search(text, at, self.start))


def _bracket(text: str, at: int) -> tuple[int, int] | None:
    """The innermost brackets around a place, or None."""
    depth = 0
    for start in range(at - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[start], 0)
        if depth < 0:
            end = text.find(")", at)
            return start, end if end >= 0 else len(text)
    return None


@dataclass(frozen=True, slots=True)
class _Wording:
    """A cue as data: the words allowed at each place. With `opens`, it counts only at the start of a sentence."""

    places: tuple[frozenset[str] | str, ...]
    opens: bool
    voice: Voice


class Lexicon:
    """The classes of cues, ready for searching."""

    def __init__(self, voices: Iterable[Voice]) -> None:
        self._by_first: dict[str, tuple[_Wording, ...]] = {}  # by each word that one can begin with
        for voice in voices:
            for cue in voice.cues:
                parts = cue.split()
                opens = parts[0] == "^"
                wording = _Wording(tuple(_place(part) for part in parts[opens:]), opens, voice)
                for word in wording.places[0]:
                    self._by_first[word] = (*self._by_first.get(word, ()), wording)
        self.find = lru_cache(maxsize=16)(self._find)  # every figure of a sentence calls this

    def _find(self, text: str) -> tuple[Cue, ...]:
        """List all cues in order. If cues overlap, the longest wins, in every class that has it."""
        tokens = [(m.group().lower(), m.start(), m.end()) for m in _TOKEN.finditer(text)]
        first_word = next((n for n, (word, _, _) in enumerate(tokens) if word[0].isalpha()), 0)
        cues: list[Cue] = []
        at = 0
        while at < len(tokens):
            likely = self._by_first.get(tokens[at][0], ())
            fits = [(_match(w.places, tokens, at), w) for w in likely if not w.opens or at <= first_word]
            longest = max((end for end, _ in fits), default=0)
            if longest <= at:
                at += 1
                continue
            start, end = tokens[at][1], tokens[longest - 1][2]
            passive = at > 0 and tokens[at - 1][0] in _PASSIVE
            for voice in dict.fromkeys(w.voice for reached, w in fits if reached == longest):
                governs = "clause" if passive and voice.governs == "complement" else voice.governs
                cues.append(Cue(start, end, voice.puts, governs))
            at = longest
        return tuple(cues)


def _match(places: Sequence[frozenset[str] | str], tokens: Sequence[tuple[str, int, int]], at: int) -> int:
    """The token after the longest match that begins at `at`, or 0."""
    if not places:
        return at
    place, rest = places[0], places[1:]
    if isinstance(place, str) and place in _WILD:
        longest = 0
        for skipped in range(_WILD[place] + 1):
            longest = max(longest, _match(rest, tokens, at + skipped))
            if at + skipped >= len(tokens) or tokens[at + skipped][0] in _MARKS:
                break
        return longest
    if at >= len(tokens):
        return 0
    word = _NUMBER if tokens[at][0][0].isdigit() else tokens[at][0]
    return _match(rest, tokens, at + 1) if word in place else 0


def _place(part: str) -> frozenset[str] | str:
    if part in _WILD:
        return part
    return frozenset(form for word in part.split("/") for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    """Yield all regular inflections of "estimate~", as a verb or a noun; any other word as it is."""
    if not word.endswith("~"):
        yield word
        return
    stem = word[:-1]
    yield stem
    if stem.endswith("e"):
        yield from (f"{stem}s", f"{stem}d", f"{stem[:-1]}ing")
    elif re.search(r"[^aeiou]y$", stem):
        yield from (f"{stem[:-1]}ies", f"{stem[:-1]}ied", f"{stem}ing")
    elif re.search(r"(?:s|x|z|ch|sh)$", stem):
        yield from (f"{stem}es", f"{stem}ed", f"{stem}ing")
    else:
        yield from (f"{stem}s", f"{stem}ed", f"{stem}ing")
        if re.search(r"[^aeiou][aeiou][^aeiouwxy]$", stem):  # plan: planned
            yield from (f"{stem}{stem[-1]}ed", f"{stem}{stem[-1]}ing")
