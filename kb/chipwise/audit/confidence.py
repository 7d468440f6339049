"""How likely a finding is to be true: boosted trees on where its figure stands, how it was read, and how its neighbors fare.

The trees are data (`corpus/domain/confidence.json`), trained on labeled findings of pages that nobody tuned on
(`evals/training/findings`). A true finding is an exception among figures that the table supports; where all figures of a
column contradict, the column was misread.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from chipwise.audit.book import Book, named
from chipwise.corpus import domain_folder
from chipwise.figures.judge import Standing
from chipwise.figures.relate import gap
from chipwise.figures.statement import Statement
from chipwise.text import blanked, words

NAME = "confidence.json"
Tree = Any  # a number, or [feature, limit, tree where it is at most that, tree where it is more]
_GAPS = (1.02, 1.1, 1.5, 1.9, 2.1, 3.9, 8.5)  # upper ends of the sizes that are told apart
_AXES = ("dtype", "sparsity", "basis", "engine", "direction", "form_factor", "count", "provider", "as_of")
_METRICS = ("peak_compute", "memory_bandwidth", "memory_capacity", "interconnect_bandwidth")
_MOST_SIBLINGS = 200


def confidence(book: Book, code: str, statements: Sequence[Statement]) -> float:
    """The probability that a finding on `statements`, the accused first, is true."""
    return chance(code, features(book, code, statements))


def chance(code: str, found: Mapping[str, float]) -> float:
    """The probability by the trees, from 0 to 1; of codes that are too rare for trees, their rate."""
    model = _model()
    if code in model["rates"]:
        unsure = found.get("unsure", 0.0) * found.get("metric category", 0.0)
        return round(float(model["rates"][code]) * (1 - unsure), 3)
    score = model["bias"] + sum(_leaf(tree, found) for tree in model["trees"])
    return round(1 / (1 + math.exp(-score)), 3)


def _leaf(tree: Tree, found: Mapping[str, float]) -> float:
    while isinstance(tree, list):
        name, limit, low, high = tree
        tree = low if found.get(name, 0.0) <= limit else high
    return float(tree)


@cache
def _model() -> Any:
    return json.loads((domain_folder() / NAME).read_text("utf-8"))


def features(book: Book, code: str, statements: Sequence[Statement]) -> dict[str, float]:
    """The features of a finding by name, those that are 0 left out."""
    s, other = statements[0], statements[-1]
    found = {f"code {code}": 1.0, f"metric {_metric(book, s)}": 1.0, f"subject {_subject(book, s)}": 1.0}
    found |= {f"{axis} stated": 1.0 for axis in _AXES if s.claim.qualifier(axis)}
    found["category in a record"] = float(s.recorded and s.claim.quantity is None)
    found["sparse"] = float(s.claim.qualifier("sparsity") == "2:4")
    found["unsure"] = 1 - min((o.claim.confidence for o in statements if o.fact is None), default=1.0)
    found["rivals"] = float(bool(s.claim.rivals))
    found["outsider"] = float(any(not o.role.speaks_for_the_source for o in statements))
    if other.fact is not None:
        alike = (f for f in book.facts.get(other.key, ()) if f.asserted and f.low <= other.high and other.low <= f.high)
        found["attested"] = math.log(1 + len({f.claim.source for f in alike} - {other.claim.source}))
        found["of the very product"] = float(other.claim.subject == s.claim.subject)
    if s.claim.quantity is not None and other.claim.quantity is not None and other is not s:
        apart = gap(s, other)
        found[f"gap {next((f'{end:g}' for end in _GAPS if apart <= end), 'more')}"] = 1.0
        found["above"] = float(s.middle > other.middle)
    found |= _siblings(book, s) | _words(book, s)
    return {name: value for name, value in found.items() if value}


def _metric(book: Book, s: Statement) -> str:
    metric = book.domain.metrics.get(s.claim.metric)
    if s.claim.quantity is None or metric is None:
        return "category"
    other = metric.dimension if metric.nature == "specified" else metric.nature
    return metric.id if metric.id in _METRICS else other


def _subject(book: Book, s: Statement) -> str:
    """Where the text names what the figure is of: in its own sentence or row before or behind the figure, or elsewhere."""
    evidence, kin = book.find_evidence(s), book.domain.are_kin
    at = evidence.mark[0] if evidence.mark else 0
    named = book.domain.find_entities(evidence.quote)
    own = [m.start for m in named if any(kin(i, s.claim.subject) for i in m.ids)]
    return ("before" if min(own) <= at else "behind") if own else "elsewhere"


def _siblings(book: Book, s: Statement) -> dict[str, float]:
    """The logarithm of how many more figures of the source are supported than contradicted: those of the metric in its table, and all others."""
    counts = {(near, good): 1 for near in (True, False) for good in (True, False)}
    for o in book.by_source.get(s.claim.source, ())[:_MOST_SIBLINGS]:
        if o is s or not o.chip or not o.asserted or o.claim.metric not in book.domain.metrics:
            continue
        if (standing := book.judge(o).standing) in (Standing.SUPPORTED, Standing.CONTRADICTED):
            near = o.claim.metric == s.claim.metric and (o.table == s.table or o.claim.passage == s.claim.passage)
            counts[near, standing is Standing.SUPPORTED] += 1
    names = ((True, "near support"), (False, "page support"))
    return {name: math.log(counts[near, True] / counts[near, False]) for near, name in names}


def _words(book: Book, s: Statement) -> dict[str, float]:
    """Words around the figure that the reading does not use and that speak of a measurement or a limit; a calculation beside it."""
    evidence, doubtful, domain = book.find_evidence(s), set(_model()["words"]), book.domain
    if evidence.mark is None:
        return {}
    quote, (first, last) = evidence.quote, evidence.mark
    unused = blanked(quote, named(domain, quote))
    behind, figure = quote[last : last + 3].strip(), quote[first:last].replace(" ", "").replace("*10**", "e")
    return {
        "doubtful word": float(not doubtful.isdisjoint(words(unused.lower().replace("_", " ")))),
        "doubtful heading": float(not doubtful.isdisjoint(words(" ".join(evidence.heading).lower()))),
        "calculated": float(behind[:1] in ("/", "*", "×") or any(c in figure for c in "*/(")),
    }
