"""Writes down all labelled questions with their vectors, for a new question to be held against.

    python -m evals.training.questions.precedents --kb DIR

Writes corpus/reader/questions/precedents.sqlite, with vectors of the encoder that `--kb` was built with.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from evals.training.arrays import write_precedents
from evals.training.questions.marked import needed_of, records

from chipwise.answering.precedents import Precedent
from chipwise.corpus import precedents_file
from chipwise.encoder import QueryEncoder
from chipwise.index.vectors import pack
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened


def labelled() -> Iterator[tuple[str, Precedent]]:
    """All questions that sentences of the corpus answer, or only seem to, each once, with the file that it stands in: its writer."""
    written = (
        (path.stem, json.loads(line))
        for path in sorted((Path(__file__).parent / "asked").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )
    posted = ((name, {**record, "q": needed_of(record["q"])}) for name, record in records() if "source" in record)
    known: dict[str, tuple[str, Precedent]] = {}
    for writer, record in (*written, *posted):
        precedent = Precedent(record["q"], record["source"], tuple(record["answer"]), 0.0)
        known.setdefault(record["q"], (writer, precedent))
    yield from known.values()


def write(path: Path, encoder: QueryEncoder) -> int:
    """Writes all of them to `path`; how many."""
    known = [precedent for _, precedent in labelled()]
    vectors = np.stack([encoder.encode(k.question) for k in known])
    write_precedents(path, known, pack(vectors), encoder.settings.sha256)
    return len(known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=precedents_file())
    options = parser.parse_args()
    with opened(KnowledgeFolder(options.kb)) as index:
        print(f"{write(options.out, index.encoder)} questions")


if __name__ == "__main__":
    main()
