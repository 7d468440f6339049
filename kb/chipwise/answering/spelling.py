"""What somebody typed as it is read: on one line, and misspelt words as the name or wording that they come nearest to.

    "irownood memroy"  ->  "ironwood memory", and what was read as what is told with the answer

Only a word that stands nowhere, in no document, in no name and not in the encoder's vocabulary, is read otherwise, and
only where one word is nearest. Digits are never touched: an H300 is no misspelt H200.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from string import ascii_lowercase

from chipwise import patterns as re
from chipwise.answering.naming import in_full
from chipwise.domain.model import Domain
from chipwise.errors import QuestionInvalid
from chipwise.index.store import Store
from chipwise.text import STOP_WORDS, WORD, one_line
from chipwise.values import dataclass

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those
_LEAST = 4  # letters; of a shorter word half is left when one is wrong
_WRONG = 7  # letters from which one may be wrong, rather than missing, too many or misplaced
_LONG = 9  # letters from which two may be wrong
_GIGABYTES = re.compile(r"(?<![\w.,/-])(\d{2,4})[gG](?!\w|[./-]\w)")
_INFLECTION = re.compile(r"(?:er|est|e?s|e?d|ing|ly|e)$")
# how one types in a hurry, and what that stands for
_CASUAL = tuple(
    (re.compile(pattern, re.I), written)
    for pattern, written in (
        (r"\b(what|how|who|where)s\b", r"\1's"),
        (r"[,\s]*\b(?:pls|plz|thx|tnx|please(?=\W*$))\b", ""),
        (r"\bw/o\b", "without"),
        (r"(?<!\S)(?-i:w/)\s?(?=[A-Za-z])", "with "),
        (r"(?<!in )(?<!at )\b(\d+(?:\.\d+)?)b\b", r"\1B"),  # a "70b" has parameters, "in 8b" has bits
    )
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it is read: the pairs of what was written and read, and words that stand nowhere and are like none."""

    text: str
    slips: tuple[tuple[str, str], ...] = ()
    strange: tuple[str, ...] = ()


def check(text: str) -> str:
    """`text` on one line, fit for display. Raises QuestionInvalid when there is nothing to ask, or far too much."""
    asked = one_line(text)
    count = len(asked.split())
    if not any(c.isalnum() for c in asked):
        raise QuestionInvalid("the question is empty", hint='ask one, such as chipwise ask "What is MFU?"')
    if count > MAX_WORDS:
        raise QuestionInvalid(
            f"the question has {count:,} words, more than {MAX_WORDS}",
            hint="ask one thing at a time; `chipwise add` takes documents",
        )
    return asked


def read_misspelt(asked: str, domain: Domain, store: Store, is_word: Callable[[str], bool]) -> Reading:
    """The question with misspelt words as they are read; what `is_word` of English is none of them: "seem" is no "see"."""
    text = in_full(in_words(asked), domain)
    # "160G" is memory, and a rate in "100G Ethernet"
    if _GIGABYTES.search(text) and all("network_bandwidth" not in m.ids for m in domain.find_metrics(text)):
        text = _GIGABYTES.sub(r"\1GB", text)
    words = [m for m in WORD.finditer(text) if _may_be_misspelt(m.group(), first=m.start() == 0)]
    frequencies = store.document_frequencies({m.group().lower() for m in words})
    words = [m for m in words if not frequencies[m.group().lower()]]
    known = domain.question_words if words else frozenset()
    slips, strange = [], []
    for match in reversed(words):
        word = match.group().lower()
        if word in known or word.removesuffix("s") in known:
            continue
        # a name in capitals that is two letters off is another name
        read = nearest(word, known, surely=match.start() > 0 and match.group()[0].isupper())
        if read and _INFLECTION.sub("", read) == _INFLECTION.sub("", word):
            continue  # "cheapest" is no misspelt "cheaper"
        if read and not is_word(word):
            slips.append((match.group(), read))
            text = text[: match.start()] + read + text[match.end() :]
        elif not read:
            strange.append(word)
    return Reading(text, tuple(reversed(slips)), tuple(reversed(strange)))


def in_words(asked: str) -> str:
    """The question with what is typed in a hurry written out: "whats", "w/", "pls"."""
    for pattern, written in _CASUAL:
        asked = pattern.sub(written, asked)
    return asked


def _may_be_misspelt(word: str, *, first: bool) -> bool:
    """True unless it is too short, as only an opener ("wat") may be, or carries no topic."""
    letters = sum(c.isalpha() for c in word)
    return letters >= _LEAST - first and word.isascii() and word.isalnum() and word.lower() not in STOP_WORDS


def nearest(word: str, known: Iterable[str], *, surely: bool = False) -> str:
    """The one known word that is a slip away from `word`, "" where there is none or several.

    A slip is a letter too many, missing, wrong or in its neighbour's place; a long word may have two, unless
    `surely`. A wrong letter makes another word of a short one ("prize", "fare"). The first letter is right, as
    it is in nearly all slips, and so is all from a digit on: MI300X and MI300A are two.
    """
    slips = 2 if len(word) >= _LONG and not surely else 1
    tail = word.lstrip(ascii_lowercase)
    near: dict[int, list[str]] = {}
    for other in known:
        if other[0] == word[0] and abs(len(other) - len(word)) <= slips and other.lstrip(ascii_lowercase) == tail:
            wrong = len(other) == len(word) and sorted(other) != sorted(word)
            distance = _slips(word, other, slips)
            if distance <= slips and not (wrong and len(word) < _WRONG):
                near.setdefault(distance, []).append(other)
    best = near.get(min(near, default=0), [])
    return best[0] if len(best) == 1 else ""


def _slips(a: str, b: str, most: int) -> int:
    """Optimal string alignment distance, or more than `most` where it is more (Damerau 1964).

    difflib's ratio, good enough to propose names, counts what is alike and not the slips: where it takes
    "memroy" for "memory", it takes "suitable" for "stable", and reads thrice as many words wrongly.
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
