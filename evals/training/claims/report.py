"""How well the reader reads what it was not trained on.

    python -m evals.training.claims.report WEIGHTS [--labels FOLDER ...]

Right is a reading of the labelled metric whose subject is the labelled one, or a kin of it at the level of a chip or better, at that figure.
On drafts, what the list of statements lacks counts as wrong.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chipwise.claims.decode import Reading
from chipwise.claims.reader import ClaimReader
from chipwise.claims.units import Unit
from chipwise.domain.model import Domain
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.splitting import split

from . import gold
from .labels import Label, Labelled

THRESHOLDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
Reads = Callable[[Labelled], list["Made"]]


@dataclass(frozen=True)
class Made:
    """One claim of a reader."""

    start: int
    end: int
    metric: str
    subject: str
    confidence: float
    zone: str = "prose"
    scope: str = ""
    axes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Judged:
    """A claim with whether it is right, and what it was measured by: None where nothing is labelled there."""

    made: Made
    right: bool
    label: Label | None


def subject_fits(domain: Domain, said: str, meant: str) -> bool:
    """True for the same, and for kin of which both or neither are specific."""
    if meant.startswith("?"):
        return said.startswith("?") and (said[1:].lower() in meant.lower() or meant[1:].lower() in said.lower())
    if said == meant:
        return True
    known = said in domain.entities and meant in domain.entities
    return known and domain.is_specific(said) == domain.is_specific(meant) and domain.are_kin(said, meant)


def is_numeric(domain: Domain, metric: str) -> bool:
    """True for a metric of figures."""
    return metric in domain.metrics and domain.metrics[metric].dimension not in ("text", "date")


def judge(domain: Domain, documents: Iterable[Labelled], reads: Reads) -> tuple[list[Judged], int, int]:
    """All claims judged, the number of labelled ones that a claim says rightly at confidence 0, and of all labelled ones."""
    judged, hit, all_ = list[Judged](), 0, 0
    for document in documents:
        labels = [label for label in document.labels if is_numeric(domain, label.metric)]
        others = [label for label in document.labels if label.metric and label not in labels]
        all_ += len(labels)
        found = set[int]()
        for made in reads(document):
            if not is_numeric(domain, made.metric) or any(o.start < made.end and made.start < o.end for o in others):
                continue
            there = [n for n, lab in enumerate(labels) if lab.start < made.end and made.start < lab.end]
            right = [
                n
                for n in there
                if labels[n].metric == made.metric and subject_fits(domain, made.subject, labels[n].subject)
            ]
            found |= set(right)
            judged.append(Judged(made, bool(right), labels[(right or there)[0]] if there else None))
        hit += len(found)
    return judged, hit, all_


def precision_recall(judged: Sequence[Judged], all_: int, least: float) -> tuple[float, float]:
    """Of the claims that are at least so sure."""
    sure = [j for j in judged if j.made.confidence >= least]
    right = sum(j.right for j in sure)
    return right / max(1, len(sure)), min(1.0, right / max(1, all_))


def calibration_error(judged: Sequence[Judged], bins: int = 10) -> float:
    """The expected calibration error (Naeini et al., AAAI 2015)."""
    total = 0.0
    for low in np.arange(bins) / bins:
        own = [
            j
            for j in judged
            if low <= j.made.confidence < low + 1 / bins or (low + 1 / bins >= 1 and j.made.confidence == 1)
        ]
        total += abs(sum(j.made.confidence - j.right for j in own))
    return total / max(1, len(judged))


def by_slots(judged: Sequence[Judged]) -> Mapping[str, float]:
    """Of right claims the share whose scope, whose axes, and both are as labelled."""
    own = [
        j for j in judged if j.right and j.label is not None and j.label.axes is not None and j.made.confidence >= 0.5
    ]
    scope = [j.made.scope == j.label.scope for j in own if j.label]
    # a number format and sparsity are what two figures of one metric mostly differ by
    axes = [dict(j.made.axes) == dict(j.label.axes or ()) for j in own if j.label]
    n = max(1, len(own))
    return {
        "n": len(own),
        "scope": sum(scope) / n,
        "axes": sum(axes) / n,
        "all slots": sum(map(min, zip(scope, axes, strict=True))) / n,
    }


def describe(name: str, judged: Sequence[Judged], all_: int) -> None:
    """Prints one set."""
    row = " ".join("{:.3f}/{:.3f}".format(*precision_recall(judged, all_, t)) for t in THRESHOLDS)
    print(f"{name:34} n={all_:5} {row}  ECE {calibration_error(judged):.3f}")


def reader_of(reader: ClaimReader) -> Reads:
    """Reads documents as `chipwise.extract` does."""

    def reads(document: Labelled) -> list[Made]:
        made = gold.document(document)
        units, readings = reader.read(split(made), made.info.title)
        return made_of(units, readings)

    return reads


def made_of(units: Sequence[Unit], readings: Iterable[Reading]) -> list[Made]:
    """The claims among readings: those with a metric and a subject."""
    return [_made(units, r) for r in readings if r.metric and r.subject]


def _made(units: Sequence[Unit], r: Reading) -> Made:
    unit = units[r.unit]
    start, end = unit.places[r.figure]
    return Made(
        start,
        end,
        r.metric,
        r.subject,
        r.confidence,
        unit.zone,
        r.scope,
        tuple(a for a in r.axes if a[0] != "form_factor"),
    )


def measured_sets(more: Iterable[Path]) -> dict[str, list[Labelled]]:
    """What is measured on: blind drafts, the same with digits redrawn, held label documents, and those that the temperatures are fitted on."""
    rng = random.Random(1)  # noqa: S311
    blind = [d for d in gold.drafts(gold.BLIND) if _holds(d)]
    held = [d for d in gold.written(more) if gold.is_held(d) and _holds(d)]
    calibrated = [d for n, d in enumerate(held) if n % 2]
    held = held[::2]
    return {
        "blind drafts": blind,
        "blind drafts, digits redrawn": [gold.redrawn(d, rng) for d in blind],
        "held labels": held,
        "held labels, digits redrawn": [gold.redrawn(d, rng) for d in held],
        "calibration labels": calibrated,
    }


def _holds(document: Labelled) -> bool:
    try:
        gold.document(document)
    except ValueError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--labels", type=Path, nargs="*", default=(), help="more folders of label files")
    options = parser.parse_args()
    domain = gold.read_domain_here()
    reader = ClaimReader(domain, options.weights, find_model(DEFAULT_MODEL).folder)
    reads = reader_of(reader)
    print("P/R from a confidence of", *THRESHOLDS)
    for name, documents in measured_sets(options.labels).items():
        judged, _, all_ = judge(domain, documents, reads)
        describe(f"reader, {name}", judged, all_)
        for zone in ("prose", "list", "row", "listing"):
            own = [j for j in judged if j.made.zone == zone]
            print(f"    {zone}: {len(own)} claims, right {sum(j.right for j in own) / max(1, len(own)):.3f}")
        print("    slots of right claims:", {k: round(v, 3) for k, v in by_slots(judged).items()})
        wrong = Counter(
            "not labelled a claim" if j.label is None else "subject" if j.label.metric == j.made.metric else "metric"
            for j in judged
            if not j.right
        )
        print("    wrong:", dict(wrong))


if __name__ == "__main__":
    main()
