"""Contradictions in meaning that no rule compares, proposed by a cross-encoder for natural-language inference.

A model that the user names reads pairs of sentences about one chip and topic from
different sources. What it calls contradictory is proposed, never found: such models
take any two numbers for a contradiction, so sentences with figures are left to the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import draft, name
from chipwise.errors import ModelUnavailable
from chipwise.text import words
from chipwise.types import Finding

MOST_PAIRS = 2_000  # some ten minutes on two cores
SURE = 0.9  # the probability from which a pair is proposed


def propose(book: Casebook, model: str) -> list[Finding]:
    """Findings of verdict "proposed" for the pairs that `model` takes for contradictory.

    `model` is a folder or the name of an installed sentence-transformers CrossEncoder
    with the labels contradiction, entailment and neutral. Raises ModelUnavailable.
    """
    pairs = _pairs(book)
    if not pairs:
        return []
    probabilities = _predict(model, [(_quote(book, a), _quote(book, b)) for a, b in pairs])
    return [_proposal(book, a, b, p) for (a, b), p in zip(pairs, probabilities, strict=True) if p >= SURE]


def _pairs(book: Casebook) -> list[tuple[Statement, Statement]]:
    """Sentences on one chip and relation from different sources, those with most words in common first."""
    groups: dict[tuple[str, str], dict[str, Statement]] = {}
    for s in book.said:
        if s.asserted and s.chip and s.claim.quantity is None and s.claim.metric in book.domain.relations:
            groups.setdefault(s.key, {}).setdefault(_quote(book, s), s)
    pairs = [
        (a, b)
        for sentences in groups.values()
        for a, b in combinations(sentences.values(), 2)
        if a.claim.source != b.claim.source and a.claim.object != b.claim.object
    ]
    return sorted(pairs, key=lambda pair: -_shared(book, *pair))[:MOST_PAIRS]


def _shared(book: Casebook, a: Statement, b: Statement) -> float:
    x, y = set(words(_quote(book, a))), set(words(_quote(book, b)))
    return len(x & y) / max(1, len(x | y))


def _quote(book: Casebook, s: Statement) -> str:
    return " ".join(book.find_evidence(s).quote.split())


def _predict(model: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The probability of contradiction for each pair."""
    try:
        from sentence_transformers import CrossEncoder  # noqa: PLC0415

        encoder = CrossEncoder(model, local_files_only=True)
    except (OSError, ValueError, ImportError) as error:
        raise ModelUnavailable(
            f"the inference model {model!r} cannot be loaded: {error}",
            hint="name a folder with an installed CrossEncoder",
        ) from None
    labels: dict[int, str] = encoder.config.id2label
    place = next((i for i, label in labels.items() if label.lower().startswith("contradict")), None)
    if place is None:
        raise ModelUnavailable(
            f"{model!r} has no label for contradiction", hint="name a model for natural-language inference"
        )
    scores: Any = encoder.predict(list(pairs), apply_softmax=True, show_progress_bar=False)
    return [float(row[place]) for row in scores]


def _proposal(book: Casebook, a: Statement, b: Statement, probability: float) -> Finding:
    title = f"{name(book, a.claim.subject)} {name(book, a.claim.metric)}: two sentences may contradict each other"
    why = f"the model gives {probability:.0%} for a contradiction; no rule compares them"
    return draft(book, "CW501", "proposed", "low", title, why, (a, b), help="read both")
