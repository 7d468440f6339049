"""Fits the reader's deltas and heads on questions, each with some passages, and on posts.

Of a passage its sentences are judged, and the passage itself twice: by itself, and against the others of its question,
as "some passage answers" and "this one rather than those" are two things that an answer rests on
(Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach", ICML 2007).
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
from evals.training.questions.network import padded, run
from evals.training.questions.readernetwork import ReaderNetwork
from torch.nn.functional import binary_cross_entropy_with_logits, log_softmax

from chipwise.answering.reader import LaidOut, lay_out

RATE = 1e-3
WARM_UP = 0.06  # of all steps
BATCH_TOKENS = 6_144
POST_TOKENS = 1_024  # of a batch of posts, which are short: of fewer batches less is learned
ROUNDS = 4  # that posts are read in an epoch, as there are few
OTHERS = 5  # passages without an answer that are read for one question in an epoch
SURE = 0.5  # weight of a passage that the search found: it may answer all the same
LABELLED = ("squad", "facts")  # origins whose other passages are known not to answer


@dataclass(frozen=True, slots=True)
class Example:
    """A question laid out with some passages, which sentences of each answer, and how sure that is of each; an answering one stands first."""

    laid: tuple[LaidOut, ...]
    answers: tuple[tuple[bool, ...], ...]
    weights: tuple[float, ...]


class Remembering:
    """A tokenizer that takes no text apart twice."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokenizer, name)

    def encode_batch(self, texts: Sequence[str], *, add_special_tokens: bool) -> list[Any]:
        """As the tokenizer's."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        encoded = self._tokenizer.encode_batch(new, add_special_tokens=add_special_tokens)
        self._known.update(zip(new, encoded, strict=True))
        return [self._known[text] for text in texts]


def example(question: Question, tokenizer: Any, chance: random.Random) -> Example:
    """The passages of one epoch: one that answers, if any does, and some others, closer ones more often."""
    chosen = [(g, 1.0) for g in chance.sample(question.gold, min(1, len(question.gold)))]
    others = list(question.others)
    if not question.gold and others:
        chosen.append((others.pop(0), 1.0))  # the one that looks like an answer
    # of the closest half mostly, as those are what the reader gets to see
    picked = {int(len(others) * chance.random() ** 1.5) for _ in range(OTHERS)} if others else set()
    chosen += [(others[n], 1.0 if question.origin in LABELLED else SURE) for n in sorted(picked)]
    laid = lay_out(tokenizer, question.text, [labelled.reading for labelled, _ in chosen])
    return Example(tuple(laid), tuple(labelled.answers for labelled, _ in chosen), tuple(w for _, w in chosen))


Laid = TypeVar("Laid", Example, MarkedPost)


def batches(found: Sequence[Laid], chance: random.Random, tokens: int) -> list[list[Laid]]:
    """Examples of like length together, as many as fit so many tokens, in random order."""
    made: list[list[Laid]] = []
    texts = 0
    for one in sorted(found, key=lambda one: (padded(one.laid), chance.random())):
        texts += len(one.laid)
        if not made or padded(one.laid) * texts > tokens:
            made.append([])
            texts = len(one.laid)
        made[-1].append(one)
    chance.shuffle(made)
    return made


def sentence_logits(tokens: Any, laid: Sequence[LaidOut]) -> Any:
    """Of all sentences read, text by text, (sentences,): the mean of what its tokens say, and what its first one does."""
    spans = [(row, s, e) for row, x in enumerate(laid) for s, e in x.spans if s < e]
    width = tokens.shape[1]
    places = [torch.arange(row * width + s, row * width + e) for row, s, e in spans]
    owners = torch.repeat_interleave(torch.arange(len(spans)), torch.tensor([len(p) for p in places]))
    sizes = torch.tensor([e - s for _, s, e in spans], dtype=torch.float32)
    first = torch.tensor([row * width + s for row, s, _ in spans])
    flat = tokens.reshape(-1, tokens.shape[2])
    device = tokens.device
    sums = torch.zeros(len(spans), device=device).index_add(0, owners.to(device), flat[torch.cat(places).to(device), 0])
    return sums / sizes.to(device) + flat[first.to(device), 1]


def loss_of(network: ReaderNetwork, batch: Sequence[Example]) -> Any:
    """The mean over questions of what is lost on sentences, on passages, and on their order."""
    laid = [x for one in batch for x in one.laid]
    tokens, passages, _ = run(network, laid)
    sentences, device = sentence_logits(tokens, laid), passages.device
    read = [
        [a for a, (s, e) in zip(answers, x.spans, strict=True) if s < e]
        for one in batch
        for answers, x in zip(one.answers, one.laid, strict=True)
    ]
    weights = torch.tensor([w for one in batch for w in one.weights], device=device)
    sizes = torch.tensor([len(own) for own in read], device=device)
    wanted = torch.tensor([float(a) for own in read for a in own], device=device)
    each = binary_cross_entropy_with_logits(sentences, wanted, reduction="none")
    of_sentences = (each * torch.repeat_interleave(weights / sizes**0.5, sizes)).sum()
    answering = torch.tensor([float(any(own)) for own in read], device=device)
    of_passages = (binary_cross_entropy_with_logits(passages, answering, reduction="none") * weights).sum()
    of_order, at = torch.zeros((), device=device), 0
    for one in batch:
        own, at = slice(at, at + len(one.laid)), at + len(one.laid)
        if answering[own].any() and len(one.laid) > 1:
            # one that may answer all the same counts as half a rival
            of_order = of_order - log_softmax(passages[own] + weights[own].log(), dim=0)[answering[own] > 0].mean()
    return (of_sentences + of_passages + of_order) / len(batch)


def loss_of_posts(network: ReaderNetwork, batch: Sequence[MarkedPost]) -> Any:
    """The mean over posts of the mean over their tokens."""
    needed = run(network, [laid for post in batch for laid in post.laid])[2]
    wanted = [torch.tensor(post.needed, dtype=torch.float32, device=needed.device) for post in batch]
    own = [logits[1 : 1 + len(w)] for logits, w in zip(needed, wanted, strict=True)]
    return torch.stack([binary_cross_entropy_with_logits(x, w) for x, w in zip(own, wanted, strict=True)]).mean()


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
    for epoch, questions in enumerate(epochs):
        made = _losses(network, questions, tokenizer, posts, chance)
        total = 0.0
        for step, loss_now in enumerate(made):
            share = (epoch + (step + 1) / len(made)) / len(epochs)
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(share / WARM_UP, (1 - share) / (1 - WARM_UP))
            loss = loss_now()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            total += float(loss.detach())
        report(f"epoch {epoch + 1}, {len(made)} steps: loss {total / max(1, len(made)):.4f}")


def _losses(
    network: ReaderNetwork,
    questions: Sequence[Question],
    tokenizer: Any,
    posts: Sequence[MarkedPost],
    chance: random.Random,
) -> list[Callable[[], Any]]:
    """The losses of the batches of an epoch, in random order."""
    found = [example(q, tokenizer, chance) for q in questions if q.gold or q.others]
    losses: list[Callable[[], Any]] = [partial(loss_of, network, b) for b in batches(found, chance, BATCH_TOKENS)]
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
    with torch.inference_mode():
        tokens, answers, _ = run(network, laid)
        sizes = [sum(s < e for s, e in x.spans) for x in laid]
        logits = sentence_logits(tokens, laid).split(sizes)
    return [Read(x, own.tolist(), float(a)) for x, own, a in zip(labelled, logits, answers, strict=True)]
