"""Fits the reader's deltas and heads: some passages a question and epoch, one loss over sentences and one over passages.

Among them are posts, with a loss over their words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import torch
from evals.training.questions.data import Labelled, Question
from evals.training.questions.marked import MarkedPost
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from chipwise.answering.reader import LaidOut, lay_out
from chipwise.building.readernetwork import ReaderNetwork

RATE = 1e-3
WARM_UP = 0.06  # of all steps
BATCH_TOKENS = 3_072
POST_TOKENS = 1_024  # of a batch of posts, which are short: of fewer batches less is learned
ROUNDS = 4  # that posts are read in an epoch, as there are few
ROUNDED = 32  # tokens: lengths are padded to a multiple, as every new shape costs torch a second to prepare for
OTHERS = {
    "written": 1,
    "sets": 2,
    "terms": 2,
    "reasons": 2,
    "facts": 1,
    "squad": 1,
}  # passages without an answer that are read for one question in an epoch
SURE = 0.5  # weight of a passage of another document that the search found: it may answer all the same


@dataclass(frozen=True, slots=True)
class Example:
    """One passage laid out for one question; `weight` tells how sure the labels are."""

    laid: LaidOut
    answers: tuple[bool, ...]
    weight: float


def examples(questions: Sequence[Question], tokenizer: Any, chance: random.Random) -> list[Example]:
    """The passages of one epoch: of each question a gold one and some others, closer ones more often."""
    found: list[Example] = []
    for question in questions:
        chosen = [(g, 1.0) for g in chance.sample(question.gold, min(1, len(question.gold)))]
        others = list(question.others)
        if not question.gold and others:
            chosen.append((others.pop(0), 1.0))  # the one that looks like an answer
        count = OTHERS[question.origin]
        # of the closest half mostly, as those are what the reader gets to see
        picked = {int(len(others) * chance.random() ** 1.5) for _ in range(count)} if others else set()
        chosen += [(others[n], 1.0 if question.origin in ("squad", "facts") else SURE) for n in sorted(picked)]
        laid = lay_out(tokenizer, question.text, [labelled.reading for labelled, _ in chosen])
        found += [Example(x, labelled.answers, weight) for x, (labelled, weight) in zip(laid, chosen, strict=True)]
    return found


Laid = TypeVar("Laid", Example, MarkedPost)


def batches(found: Sequence[Laid], chance: random.Random, tokens: int = BATCH_TOKENS) -> list[list[Laid]]:
    """Examples of like length together, as many as fit so many tokens, in random order."""
    by_length: dict[int, list[Laid]] = {}
    for example in found:
        by_length.setdefault(_rounded(len(example.laid.ids)), []).append(example)
    made = []
    for length, alike in by_length.items():
        chance.shuffle(alike)
        size = max(1, tokens // length)
        made += [alike[at : at + size] for at in range(0, len(alike), size)]
    chance.shuffle(made)
    return made


def _rounded(length: int) -> int:
    return -(-length // ROUNDED) * ROUNDED


def tensors(laid: Sequence[LaidOut]) -> tuple[Any, Any, Any]:
    """Ids, mask and marks, (texts, tokens), padded."""
    longest = _rounded(max(len(x.ids) for x in laid))
    ids, mask, marks = (torch.zeros(len(laid), longest, dtype=torch.int64) for _ in range(3))
    for row, x in enumerate(laid):
        size = len(x.ids)
        ids[row, :size], marks[row, :size], mask[row, :size] = torch.from_numpy(x.ids), torch.from_numpy(x.marks), 1
    return ids, mask, marks


def sentence_logits(tokens: Any, laid: Sequence[LaidOut]) -> list[Any]:
    """For each text the logits of its sentences, (sentences read,): the mean of its tokens', and what its first one says."""
    return [
        torch.stack([tokens[row, s:e, 0].mean() + tokens[row, s, 1] for s, e in x.spans if s < e])
        for row, x in enumerate(laid)
    ]


def loss_of(network: ReaderNetwork, batch: Sequence[Example]) -> Any:
    """The mean over sentences of answering passages, over those of others, and over passages."""
    laid = [example.laid for example in batch]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        tokens, answers, _ = network(*tensors(laid))
    losses = []
    for example, logits, passage in zip(batch, sentence_logits(tokens.float(), laid), answers.float(), strict=True):
        read = [a for a, (s, e) in zip(example.answers, example.laid.spans, strict=True) if s < e]
        wanted = torch.tensor(read, dtype=torch.float32)
        of_sentences = cross_entropy(logits, wanted, reduction="sum") / len(read) ** 0.5
        of_passage = cross_entropy(passage, torch.tensor(float(any(read))))
        losses.append(example.weight * (of_sentences + of_passage))
    return torch.stack(losses).mean()


def loss_of_posts(network: ReaderNetwork, batch: Sequence[MarkedPost]) -> Any:
    """The mean over posts of the mean over their tokens."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _, _, needed = network(*tensors([post.laid for post in batch]))
    wanted = [torch.tensor(post.needed, dtype=torch.float32) for post in batch]
    own = [logits[1 : 1 + len(w)] for logits, w in zip(needed.float(), wanted, strict=True)]
    return torch.stack([cross_entropy(logits, w) for logits, w in zip(own, wanted, strict=True)]).mean()


def fit(
    network: ReaderNetwork,
    epochs: Sequence[Sequence[Question]],
    tokenizer: Any,
    chance: random.Random,
    report: Callable[[str], None],
    posts: Sequence[MarkedPost] = (),
) -> None:
    """Trains in place on the questions of each epoch, and on all posts, the rate falling in a straight line to nothing."""
    trained = [p for p in network.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=RATE, weight_decay=0.01)
    each = [_losses(network, examples(questions, tokenizer, chance), posts, chance) for questions in epochs]
    steps, step = sum(map(len, each)), 0
    for epoch, made in enumerate(each, start=1):
        total = 0.0
        for loss_now in made:
            step += 1
            share = step / steps
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(share / WARM_UP, (1 - share) / (1 - WARM_UP))
            loss = loss_now()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            total += float(loss.detach())
        report(f"epoch {epoch}, {len(made)} steps: loss {total / max(1, len(made)):.4f}")


def _losses(
    network: ReaderNetwork, found: Sequence[Example], posts: Sequence[MarkedPost], chance: random.Random
) -> list[Callable[[], Any]]:
    """The losses of the batches of an epoch, in random order."""
    losses: list[Callable[[], Any]] = [partial(loss_of, network, batch) for batch in batches(found, chance)]
    for _ in range(ROUNDS if posts else 0):
        losses += [partial(loss_of_posts, network, batch) for batch in batches(posts, chance, POST_TOKENS)]
    chance.shuffle(losses)
    return losses


@dataclass(frozen=True, slots=True)
class Read:
    """What the reader says of a passage: logits of its sentences, and of the passage."""

    labelled: Labelled
    sentences: list[float]
    passage: float


def read(network: ReaderNetwork, question: Question, tokenizer: Any, most: int = 8) -> list[Read]:
    """The gold passages and the first others of a question, read."""
    labelled = [*question.gold, *question.others][:most]
    laid = lay_out(tokenizer, question.text, [x.reading for x in labelled])
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        tokens, answers, _ = network(*tensors(laid))
    logits = sentence_logits(tokens.float(), laid)
    return [Read(x, own.tolist(), float(a)) for x, own, a in zip(labelled, logits, answers.float(), strict=True)]
