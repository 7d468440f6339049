"""A learned reader: which sentences of a passage answer a question, and whether the passage answers it at all.

One pass of the encoder over both. Each token also carries a mark that says whether its word stands on the other side. The weights are made by `evals.training.questions.readernetwork` from the shipped encoder and corpus/reader/questions/.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.encoder import DAMAGED, READER_GRAPH, READER_SETTINGS
from chipwise.errors import intact
from chipwise.text import STOP_WORDS
from chipwise.values import dataclass

MAX_TOKENS = 384  # of question and passage; the longest passages of the corpus have some 370
QUESTION_TOKENS = 96
ABOVE_TOKENS = 48  # of title, headings and the header of a table
# What a token is: of the question (a plain word, one that the passage has, one that it has not), or of the passage (other, asked)
PLAIN, ASKED_AND_SAID, ASKED_ONLY, SAID, SAID_AND_ASKED = range(5)
MARKS = 5

LONGEST = 5  # sentences in a window
_UNREAD = -20.0  # the logit of a sentence that was cut off

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage to be read for a question: what stands above it, and its sentences in order."""

    above: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """`ids` and `marks` of the tokens, (tokens,); for each sentence the (start, end) of its tokens, empty where it was cut off."""

    ids: Ints
    marks: Ints
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """What the reader says of a passage, as logits: how far each sentence belongs to an answer, and whether the passage answers."""

    sentences: tuple[float, ...]
    passage: float

    @property
    def best(self) -> float:
        """Of its best sentence."""
        return max(self.sentences, default=_UNREAD)

    def window(self, *, shortest: int = 1, longest: int = LONGEST) -> tuple[int, int]:
        """The (start, end) of the run of `shortest` to `longest` consecutive sentences with the best sum."""
        count = len(self.sentences)
        lengths = range(min(shortest, count), min(longest, count) + 1)
        runs = ((at, at + length) for length in lengths for at in range(count - length + 1))
        return max(runs, key=lambda run: sum(self.sentences[run[0] : run[1]]), default=(0, 0))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What signs weigh, by their names: of a `sentence`, in the `order` of passages, and of whether the best one answers.

    That is `shipped` for documents whose questions are known, `own` for added ones. Each is a logistic regression; `order` has no bias.
    """

    sentence: dict[str, float]
    order: dict[str, float]
    shipped: dict[str, float]
    own: dict[str, float]

    def sentences(self, signs: Sequence[dict[str, float]]) -> tuple[float, ...]:
        """How far each sentence belongs to an answer, as logits."""
        return tuple(weighed(own, self.sentence) for own in signs)

    def rank(self, signs: dict[str, float]) -> float:
        """Higher for a passage that is likelier to answer than others, as a logit."""
        return weighed(signs, self.order)

    def probability(self, signs: dict[str, float]) -> float:
        """That the best window answers, in [0, 1]. The sign "own" is 1 for one of an added document."""
        logit = weighed(signs, self.own if signs.get("own") else self.shipped)
        return float(1 / (1 + np.exp(-logit)))


def weighed(signs: dict[str, float], weights: dict[str, float]) -> float:
    """The sum of some signs, each times its weight, and of the bias."""
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in signs.items())


class Reader:
    """The exported reader, loaded. Raises KnowledgeBaseDamaged when its files are not whole."""

    def __init__(self, folder: Path, tokenizer: Any) -> None:
        import onnxruntime  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        # the graph was optimised when it was written, and is run for a dozen passages
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        # threads that wait for each other take twice the processor's time, and a passage is too short to be worth two
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        with intact(folder, *DAMAGED):
            settings = json.loads((folder / READER_SETTINGS).read_text("utf-8"))
            self.calibration = Calibration(**{name: settings[name] for name in Calibration.__slots__})
            self._session: Any = onnxruntime.InferenceSession(
                str(folder / READER_GRAPH), options, providers=["CPUExecutionProvider"]
            )
        self._tokenizer = tokenizer

    def read(self, question: str, readings: Sequence[Reading]) -> list[Scores]:
        """What each passage says to the question, one by one: what is read beside it must not change its scores."""
        return [self._scores(laid) for laid in lay_out(self._tokenizer, question, readings)]

    def _scores(self, laid: LaidOut) -> Scores:
        given = {"ids": laid.ids[None], "mask": np.ones_like(laid.ids)[None], "marks": laid.marks[None]}
        belongs, answers = self._session.run(["belongs", "answers"], given)
        return Scores(sentence_logits(belongs[0], laid.spans), float(answers[0]))


def sentence_logits(tokens: Floats, spans: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    """The mean of what a sentence's tokens say, and what its first one does; `tokens` is (tokens, 2)."""
    return tuple(float(tokens[s:e, 0].mean() + tokens[s, 1]) if s < e else _UNREAD for s, e in spans)


def lay_out(tokenizer: Any, question: str, readings: Sequence[Reading]) -> list[LaidOut]:
    """Question and passage as tokens, for each passage. `tokenizer` is one of the tokenizers library, without padding."""
    texts = [question, *(text for r in readings for text in (r.above, *r.sentences))]
    encoded = iter(tokenizer.encode_batch(texts, add_special_tokens=False))
    asked = next(encoded)
    cls, sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    ids = asked.ids[:QUESTION_TOKENS]
    pieces = [token.removeprefix("##") for token in asked.tokens]
    content = {i for i, piece in zip(ids, pieces, strict=False) if piece.isalnum() and piece not in STOP_WORDS}
    found = []
    for reading in readings:
        above = next(encoded).ids[:ABOVE_TOKENS]
        own = [next(encoded).ids for _ in reading.sentences]
        found.append(_together([cls, *ids, sep], content, [*above, sep], own, sep))
    return found


def _together(asked: list[int], content: set[int], above: list[int], own: Sequence[list[int]], sep: int) -> LaidOut:
    said, spans = list(above), []
    for sentence in own:
        start = min(len(asked) + len(said), MAX_TOKENS - 1)
        said += sentence
        spans.append((start, min(len(asked) + len(said), MAX_TOKENS - 1)))
    said = [*said[: MAX_TOKENS - 1 - len(asked)], sep]
    ids = np.array([*asked, *said], dtype=np.int64)
    both = np.array(sorted(content.intersection(said)), dtype=np.int64)
    marks = np.full(len(ids), SAID, dtype=np.int64)
    marks[np.isin(ids, both)] = SAID_AND_ASKED
    question = ids[: len(asked)]
    marks[: len(asked)] = np.where(
        np.isin(question, both),
        ASKED_AND_SAID,
        np.where(np.isin(question, np.array(sorted(content), dtype=np.int64)), ASKED_ONLY, PLAIN),
    )
    return LaidOut(ids, marks, tuple(spans))
