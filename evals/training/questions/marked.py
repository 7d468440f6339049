"""Posts with the words marked that an answer needs, "on my [[V100]] ... [[does it support bf16]]", and how well they are found.

Each person's posts (posts/*.jsonl) are split by the hash of the post, or of the source where passages of one answer it;
those of threads are for the report alone.
Filippova et al., "Sentence Compression by Deletion with LSTMs", EMNLP 2015.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from evals.training.questions.network import run
from evals.training.questions.readernetwork import ReaderNetwork

from chipwise.answering.reader import MAX_TOKENS, PLAIN, LaidOut
from chipwise.text import Span, one_line

FOLDER = Path(__file__).parent / "posts"
REPORTED = "threads"
MARKED = re.compile(r"\[\[(.*?)\]\]")
_MARK = re.compile(r"\[\[|\]\]")

Scores = list[tuple[Span, float]]


@dataclass(frozen=True, slots=True)
class Post:
    """A question as somebody posted it; `needed` are the stretches that its answer needs."""

    text: str
    needed: tuple[Span, ...]
    part: str  # train, tune, report or threads

    def needs(self, start: int, end: int) -> bool:
        """True where half of a stretch or more is needed."""
        within = sum(min(end, b) - max(start, a) for a, b in self.needed if a < end and start < b)
        return 2 * within >= end - start


@dataclass(frozen=True, slots=True)
class MarkedPost:
    """A post laid out, one text, and whether each of its tokens is needed."""

    laid: tuple[LaidOut]
    needed: tuple[bool, ...]


def part_of(document: str) -> str:
    """On which side a document, or a post, is: of ten seven are trained on, one tunes, two are reported."""
    digit = hashlib.sha256(document.encode()).digest()[0] % 10
    return "train" if digit < 7 else "tune" if digit < 8 else "report"


def records(folder: Path = FOLDER) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line of the files, and what its part is decided by: the text, or the source that answers it."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            text = one_line(record.get("post") or record["q"])
            yield path.stem, {**record, "q": text, "document": record.get("source") or _MARK.sub("", text)}


def needed_of(post: str) -> str:
    """What is marked of a post, as it is asked at work."""
    return ", ".join(marked.strip(" .,;:") for marked in MARKED.findall(post))


def posts(folder: Path = FOLDER) -> list[Post]:
    """All posts, with their marks read."""
    found = []
    for name, record in records(folder):
        pieces = _MARK.split(record["q"])  # every second one is marked
        ends = [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]
        needed = tuple((ends[n - 1], ends[n]) for n in range(1, len(pieces), 2))
        part = REPORTED if name == REPORTED else part_of(record["document"])
        found.append(Post("".join(pieces), needed, part))
    return found


def marked(post: Post, tokenizer: Any) -> Iterator[MarkedPost]:
    """A post as the network is trained on it."""
    for laid, places in lay_out_alone(tokenizer, post.text):
        yield MarkedPost((laid,), tuple(post.needs(*place) for place in places))


def scored(network: ReaderNetwork, found: Sequence[Post], tokenizer: Any) -> list[tuple[Post, Scores]]:
    """How far each word of each post is needed, as the network reads it."""
    return [(post, of_words(post.text, _logits(network, post, tokenizer))) for post in found]


def _logits(network: ReaderNetwork, post: Post, tokenizer: Any) -> Scores:
    found: Scores = []
    for laid, places in lay_out_alone(tokenizer, post.text):
        with torch.inference_mode():
            needed = run(network, [laid])[2][0, 1 : 1 + len(places)]
        found += zip(places, needed.tolist(), strict=True)
    return found


def figures(read: Sequence[tuple[Post, Scores]], keep: Callable[[str, Scores], Sequence[bool]]) -> dict[str, float]:
    """How well the words that `keep` chooses are those marked: of all words, and posts whose every word is chosen rightly."""
    right = chosen = wanted = whole = 0
    for post, scores in read:
        kept = keep(post.text, scores)
        needed = [post.needs(*span) for span, _ in scores]
        right += sum(k and n for k, n in zip(kept, needed, strict=True))
        chosen, wanted = chosen + sum(kept), wanted + sum(needed)
        whole += list(kept) == needed
    precision, recall = right / max(1, chosen), right / max(1, wanted)
    found = {"precision": precision, "recall": recall, "F1": 2 * right / max(1, chosen + wanted)}
    found["exact"] = whole / max(1, len(read))
    return {name: round(value, 3) for name, value in found.items()}


def lay_out_alone(tokenizer: Any, text: str) -> Iterator[tuple[LaidOut, list[Span]]]:
    """A question by itself, [CLS] question [SEP], with the place of each of its tokens; in several parts where it is long."""
    encoded = tokenizer.encode(text, add_special_tokens=False)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    for at in range(0, len(encoded.ids), MAX_TOKENS - 2):
        ids = np.array([cls, *encoded.ids[at : at + MAX_TOKENS - 2], sep], dtype=np.int64)
        yield LaidOut(ids, np.full_like(ids, PLAIN), ()), encoded.offsets[at : at + MAX_TOKENS - 2]


def of_words(text: str, logits: Sequence[tuple[Span, float]]) -> list[tuple[Span, float]]:
    """The mean of the tokens of each word, which ends at a blank; `logits` are of tokens, in order."""
    found: dict[Span, list[float]] = {m.span(): [] for m in re.finditer(r"\S+", text)}
    words = iter(found.items())
    span, own = next(words, ((0, 0), []))
    for (start, _), logit in logits:
        while start >= span[1]:
            span, own = next(words)
        own.append(logit)
    return [(span, sum(own) / len(own)) for span, own in found.items() if own]
