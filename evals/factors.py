"""How far off a figure may be and still not be told: one sentence for each fact, its value multiplied by each factor.

    python evals/factors.py

"The TDP of the H100 SXM is 700 W", with 700 W times 1.02 to 1,000 and divided by as much. A sentence says all that the
fact's row states, so that nothing is left open that could explain a gap; found is what a contradiction quotes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from metrics import share
from records import shipped
from results import Tree, markdown

from chipwise.audit.auditing import audit_documents
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.figures.format import phrase
from chipwise.reading import read_bytes

FACTORS = (1.02, 1.05, 1.1, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0, 10.0, 16.0, 30.0, 100.0, 1000.0)
FACTS = 40
SEED = 20261125
METRICS = ("memory_capacity", "memory_bandwidth", "peak_compute", "tdp", "interconnect_bandwidth")
STATED = ("dtype", "sparsity", "direction", "engine")  # what a sentence can say in a few words


def measure(_bench: Path) -> dict[str, Tree]:
    """The share found by factor, up and down together, and of true sentences called wrong."""
    domain, facts = shipped()
    chosen = _chosen(domain, facts)
    by_factor: dict[str, Tree] = {
        f"x {factor:g}": share(sum(_found(domain, facts, chosen, f) for f in (factor, 1 / factor)), 2 * len(chosen))
        for factor in FACTORS
    }
    return {"found": by_factor, "true": {"raised wrongly": share(_found(domain, facts, chosen, 1.0), len(chosen))}}


def _chosen(domain: Domain, facts: Iterable[Fact]) -> Sequence[Fact]:
    fit = [
        f for f in facts if f.rank == "preferred" and f.is_single and f.claim.metric in METRICS and _is_plain(domain, f)
    ]
    return random.Random(SEED).sample(fit, FACTS)  # noqa: S311


def _is_plain(domain: Domain, fact: Fact) -> bool:
    """True for a chip's own figure that has an exact value and states no more than a sentence can say."""
    q = fact.claim.quantity
    axes = {axis for axis, _ in fact.claim.qualifiers} - {"aggregation", "basis", "power_basis", "memory_kind"}
    one = fact.claim.qualifier("aggregation") in ("", "chip")
    return q is not None and q.bound == "exact" and one and axes <= set(STATED) and domain.is_chip(fact.claim.subject)


def _found(domain: Domain, facts: Sequence[Fact], chosen: Sequence[Fact], factor: float) -> int:
    """How many of the sentences a contradiction quotes."""
    sentences = [_sentence(domain, fact, factor) for fact in chosen]
    total = 0
    for fact, sentence in zip(chosen, sentences, strict=True):
        document = read_bytes(f"{sentence}\n".encode(), name="note.md", origin="note.md")
        about = [
            f
            for f in facts
            if f.claim.subject in domain.ancestors(fact.claim.subject)
            or fact.claim.subject in domain.ancestors(f.claim.subject)
        ]
        findings = audit_documents([document], domain, about).findings
        total += any(f.verdict == "contradiction" for f in findings)
    return total


def _sentence(domain: Domain, fact: Fact, factor: float) -> str:
    value = float(fact.value.replace(",", "")) * factor
    said = f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"
    words = [phrase(axis, v, domain) for axis, v in fact.claim.qualifiers if axis in STATED]
    metric = domain.metrics[fact.claim.metric].name
    return f"The {metric} of the {domain.entities[fact.claim.subject].name} is {said} {fact.unit}{''.join(f', {w}' for w in words)}."


if __name__ == "__main__":
    print(markdown(measure(Path())))
