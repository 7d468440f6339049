"""How far two labellers of the same texts agree, slot by slot, and where they do not.

    python -m evals.training.claims.agreement [SECOND] [--quiet]

The first labels are those of `labelled`; SECOND is a folder or a file with labels of some of the same documents, made
without sight of the first. A figure that only one of the two marked is no claim to the other, as it is in training.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .labels import AGAIN, LABELLED, Label, Labelled, read_labels

AROUND = 60  # characters of the text on either side of a quoted figure


@dataclass(frozen=True)
class Pair:
    """One figure of a document as the two labelled it: either side is None where nobody marked the figure."""

    document: Labelled
    first: Label | None
    second: Label | None

    @property
    def claims(self) -> tuple[bool, bool]:
        """Whether each takes the figure for a claim."""
        return _is_claim(self.first), _is_claim(self.second)

    def quote(self) -> str:
        """The figure in brackets with what stands around it, on one line."""
        label = self.first or self.second
        assert label is not None
        text = self.document.text
        before, after = text[max(0, label.start - AROUND) : label.start], text[label.end : label.end + AROUND]
        return " ".join(f"{before}[{text[label.start : label.end]}]{after}".split())


@dataclass(frozen=True)
class Agreement:
    """Of one slot: the number of figures compared, the share with equal labels and kappa, and the pairs that differ."""

    slot: str
    compared: int
    share: float
    kappa: float
    differing: tuple[Pair, ...]


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Agreement beyond chance, (p_o - p_e) / (1 - p_e), 1 where both say the same throughout.

    p_e takes each rater's own frequencies (Cohen, Educational and Psychological Measurement 1960).
    """
    if not pairs:
        return 1.0
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    ours, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(ours[value] * theirs[value] for value in ours) / n**2
    return 1.0 if chance == 1 else (observed - chance) / (1 - chance)


def pairs_of(first: Labelled, second: Labelled) -> Iterator[Pair]:
    """The figures of a document that either marked, in the order of the text.

    Raises ValueError where the two texts differ, since no span would hold.
    """
    if first.text.rstrip() != second.text.rstrip():
        raise ValueError(f"the two texts of {first.id} differ")
    found = list[Pair]()
    left = list(second.labels)
    for label in first.labels:
        same = next((other for other in left if other.start < label.end and label.start < other.end), None)
        if same is not None:
            left.remove(same)
        found.append(Pair(first, label, same))
    found += [Pair(first, None, label) for label in left]
    yield from sorted(found, key=lambda pair: (pair.first or pair.second or Label(0, 0)).start)


def compare(pairs: Sequence[Pair]) -> list[Agreement]:
    """Claim or not over all figures; the slots of a claim over those that both take for one; the reason over the others."""
    both = [pair for pair in pairs if pair.claims == (True, True)]
    neither = [pair for pair in pairs if pair.claims == (False, False) and pair.first and pair.second]
    return [
        _agreement("claim or not", pairs, lambda label: str(_is_claim(label))),
        *(_agreement(slot, both, of) for slot, of in _SLOTS.items()),
        _agreement("why no claim", neither, lambda label: label.reason if label else ""),
    ]


def documents_of(path: Path) -> list[Labelled]:
    """The labelled documents of a file, or of all files of a folder."""
    return list(read_labels(sorted(path.glob("*.txt")) if path.is_dir() else [path]))


def pairs_with(second: Path) -> list[Pair]:
    """The figures of all documents of `second` beside the first labels. Raises ValueError where these lack a document."""
    first = {document.id: document for document in documents_of(LABELLED)}
    found = list[Pair]()
    for document in documents_of(second):
        if document.id not in first:
            raise ValueError(f"nobody else labelled {document.id}")
        found += pairs_of(first[document.id], document)
    return found


def describe(label: Label | None) -> str:
    """A label in short, as the label files write it."""
    if label is None:
        return "not marked"
    if not label.metric:
        return f"no claim ({label.reason})"
    more = [f"scope={_scope(label)}" if label.scope else "", _more(label)]
    return " ".join([label.subject, label.metric, *filter(None, more)])


def _is_claim(label: Label | None) -> bool:
    return label is not None and bool(label.metric)


def _scope(label: Label | None) -> str:
    return f"{label.scope or ''}:{label.count}".rstrip(":") if label else ""


def _more(label: Label | None) -> str:
    if label is None:
        return ""
    told = [f"{axis}={value}" for axis, value in label.axes or ()]
    told += [f"{name}={value}" for name, value in (("baseline", label.baseline), ("modality", label.modality)) if value]
    return ",".join([*told, *(["ratio"] if label.ratio else [])])


_SLOTS: Mapping[str, Callable[[Label | None], str]] = {
    "subject": lambda label: label.subject.lower() if label else "",
    "metric": lambda label: label.metric if label else "",
    "scope": _scope,
    "axes": lambda label: repr(label.axes) if label else "",
    "baseline": lambda label: label.baseline or "" if label else "",
    "modality": lambda label: label.modality or "" if label else "",
    "ratio": lambda label: str(label.ratio) if label else "",
    "all of these": lambda label: f"{describe(label)}",
}


def _agreement(slot: str, pairs: Sequence[Pair], of: Callable[[Label | None], str]) -> Agreement:
    said = [(of(pair.first), of(pair.second)) for pair in pairs]
    differing = tuple(pair for pair, (a, b) in zip(pairs, said, strict=True) if a != b)
    share = 1 - len(differing) / len(pairs) if pairs else 1.0
    return Agreement(slot, len(pairs), share, cohens_kappa(said), differing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("second", type=Path, nargs="?", default=AGAIN)
    parser.add_argument("--quiet", action="store_true", help="the table alone")
    options = parser.parse_args()
    pairs = pairs_with(options.second)
    found = compare(pairs)
    print(f"| {len({pair.document.id for pair in pairs})} documents | figures | agreed | kappa |\n|---|---:|---:|---:|")
    for row in found:
        print(f"| {row.slot} | {row.compared} | {row.share:.1%} | {row.kappa:.2f} |")
    if options.quiet:
        return
    for row in found:
        if row.slot == "all of these":  # each of its pairs is listed at the slot that differs
            continue
        for pair in row.differing:
            print(f"\n{row.slot}: {pair.document.id}: {pair.quote()}")
            print(f"  first   {describe(pair.first)}\n  second  {describe(pair.second)}")


if __name__ == "__main__":
    main()
