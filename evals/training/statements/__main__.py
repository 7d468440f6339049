"""Measures how what texts say besides figures is read: precision, recall and F1 of subject, relation, object and polarity together.

    python -m evals.training.statements [FILE ...] [--by-relation] [--doubted]

Without a file: the blind report texts, the texts to train on, and the golden sentences. Claims in doubt count as not read, unless `--doubted`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from chipwise.claims.extract import extract
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain

from .texts import LABELLED, REPORT, Text, golden, passages_of, read_texts

Key = tuple[str, str, str, bool]  # subject, relation, object, polarity


def told_of(text: Text) -> set[Key]:
    """What a text says, as its labels have it."""
    return {(t.subject, t.relation, t.object, t.polarity) for t in text.told}


def read_from(domain: Domain, text: Text, *, doubted: bool = False) -> set[Key]:
    """What is read from a text."""
    passages, title = passages_of(text)
    _, claims = extract(passages, domain, title, figures=[])
    dates = {m.id for m in domain.metrics.values() if m.dimension == "date"}
    kept = (c for c in claims if c.metric in domain.relations or c.metric in dates)
    return {(c.subject, c.metric, c.object, c.polarity) for c in kept if doubted or not c.doubt}


def score(told: Iterable[set[Key]], found: Iterable[set[Key]]) -> str:
    """One row of the table."""
    right = labelled = read = 0
    for t, f in zip(told, found, strict=True):
        right, labelled, read = right + len(t & f), labelled + len(t), read + len(f)
    precision, recall = right / max(1, read), right / max(1, labelled)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}  ({labelled} statements, {read} read)"


def measure(domain: Domain, name: str, texts: Sequence[Text], *, doubted: bool, by_relation: bool) -> None:
    """Prints how well some texts are read."""
    told, found = [told_of(t) for t in texts], [read_from(domain, t, doubted=doubted) for t in texts]
    print(f"{name:20} {score(told, found)}")
    for relation in sorted({k[1] for t in told for k in t}) if by_relation else ():
        of = [[{k for k in keys if k[1] == relation} for keys in group] for group in (told, found)]
        print(f"  {relation:18} {score(*of)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", help="label files")
    parser.add_argument("--by-relation", action="store_true")
    parser.add_argument("--doubted", action="store_true", help="count what is read with a doubt, too")
    options = parser.parse_args()
    domain = read_domain(domain_folder())
    sets = {path.name: list(read_texts(path)) for path in options.files or (REPORT, LABELLED)}
    if not options.files:
        sets["golden"] = list(golden(domain))
    for name, texts in sets.items():
        measure(domain, name, texts, doubted=options.doubted, by_relation=options.by_relation)


if __name__ == "__main__":
    main()
