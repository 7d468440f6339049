"""What of a question its answer needs, and the question without the rest.

"works on my V100, vLLM complains about 8.6. Does it support bf16? thx"
    ->  "V100. Does it support bf16?", and 8.6 is not used

How far each word is needed the learned reader says (Filippova et al., "Sentence Compression by Deletion with LSTMs",
EMNLP 2015); here words become a text again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from chipwise import patterns as re
from chipwise.answering.mentions import Slot, slots
from chipwise.domain.model import Domain
from chipwise.text import STOP_WORDS, Span, overlap
from chipwise.values import dataclass

NEEDED = -6.0  # the logit from which a word is kept: of those needed 95 in 100 are, and 18 in 100 others with them
SURE = 3.0  # and that of its best word from which a clause stays: nine of ten such are needed, of others half
MOST = 5  # clauses that go one by one
_ENDS = re.compile(r"[.?!…]+[\"'”’)\]]*$")
_PAUSES = re.compile(r"[,;:–—-]+$")
_MARK = re.compile(r"[.?!…,;:–—]+[\"'”’)\]]*$|(?<!\S)-+$")


@dataclass(frozen=True, slots=True)
class Shortened:
    """A text without what its answer does not need; `unused` are the names and figures that went."""

    text: str
    unused: tuple[str, ...]


def shortened(text: str, scores: Sequence[tuple[Span, float]], domain: Domain) -> Iterator[Shortened]:
    """The text by what of it is needed, all of that first, and then less and less, the clause least needed out of what is left. `scores` are logits of its words, by place."""
    known = slots(text, domain)
    words = [span for span, _ in scores]
    stretches = [_from_first_to_last(scores, clause, known) for clause in _clauses(text, words, known)]
    names: list[list[int]] = [_at(slot, words) for slot in known if _names_some(slot, domain)]
    free = sorted((own for own in stretches if own and _best(scores, own) < SURE), key=lambda own: _best(scores, own))
    for out in range(min(len(free), MOST) + 1):
        kept = {n for own in stretches if own not in free[:out] for n in own}
        if names and not any(kept.intersection(name) for name in names):  # "does it support BF16": it was said before
            kept.update(max(names, key=partial(_best, scores)))
        if kept:
            said = {text[slot.start : slot.end].lower() for slot in known if kept.intersection(_at(slot, words))}
            told = (text[slot.start : slot.end] for slot in known if _tells(slot, domain))
            unused = dict.fromkeys(word for word in told if word.lower() not in said)
            yield Shortened(_written(text, words, kept) if len(kept) < len(words) else text, tuple(unused))


def _best(scores: Sequence[tuple[Span, float]], at: Collection[int]) -> float:
    return max(scores[n][1] for n in at)


def _at(slot: Slot, words: Sequence[Span]) -> list[int]:
    return [n for n, word in enumerate(words) if overlap((slot.start, slot.end), word)]


def _clauses(text: str, words: Sequence[Span], known: Sequence[Slot]) -> Iterator[slice]:
    """The words between two marks, of which none may go between two that stay; within a name or a figure there is no mark."""
    start = 0
    for n, (_, end) in enumerate(words, start=1):
        inside = any(s.start < end < s.end for s in known)
        if n == len(words) or (_MARK.search(text, *words[n - 1]) and not inside):
            yield slice(start, n)
            start = n


def _from_first_to_last(scores: Sequence[tuple[Span, float]], clause: slice, known: Sequence[Slot]) -> range:
    """What is needed of a clause, with all that stands between and the whole of a name or a figure at the ends."""
    at = [n for n in range(clause.start, clause.stop) if scores[n][1] >= NEEDED]
    if not at:
        return range(0)
    start, end = scores[at[0]][0][0], scores[at[-1]][0][1]
    for slot in known:
        if slot.names or slot.quantity or slot.metrics:
            start = slot.start if slot.start < start < slot.end else start
            end = slot.end if slot.start < end < slot.end else end
    inside = [n for n in range(clause.start, clause.stop) if overlap(scores[n][0], (start, end))]
    return range(inside[0], inside[-1] + 1)


def _written(text: str, words: Sequence[Span], kept: Collection[int]) -> str:
    """The words kept as sentences: where one ended it still ends, and where something was left out within one stands a comma."""
    sentences: list[str] = [""]
    gap = ""  # what stood where words were left out: nothing, a pause, or nothing but words
    for n, (start, end) in enumerate(words):
        word, keep = text[start:end], n in kept
        if keep:
            pause = "," if gap == "," and sentences[-1] and not _PAUSES.search(sentences[-1]) else ""
            opens = not sentences[-1] and len(sentences) > 1 and word in STOP_WORDS  # lest it go on with the one before
            sentences[-1] += f"{pause} {word}" if sentences[-1] else word.capitalize() if opens else word
            gap = ""
        elif _PAUSES.search(word):
            gap = ","
        if _ENDS.search(word):
            if not keep and sentences[-1]:
                sentences[-1] = _PAUSES.sub("", sentences[-1]) + _ENDS.findall(word)[0][:1]
            sentences += [""] if sentences[-1] else []
            gap = ""
    said = " ".join(_PAUSES.sub("", sentence) for sentence in sentences if sentence)
    return said if said.count("(") == said.count(")") else said.translate({ord("("): None, ord(")"): None})


def _tells(slot: Slot, domain: Domain) -> bool:
    """True for a name, a figure or a condition."""
    figure = slot.quantity or (slot.number is not None and not slot.is_word)
    return bool(_names_some(slot, domain) or figure or slot.date or slot.axes or slot.categories)


def _names_some(slot: Slot, domain: Domain) -> bool:
    """True for the name of one thing or of several alike, not of all GPUs."""
    return slot.names is not None and not all(map(domain.is_many, slot.names.ids))
