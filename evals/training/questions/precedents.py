"""Keeps the vectors of the known questions in corpus/vectors/questions/, a file for each one of corpus/questions/.

    python -m evals.training.questions.precedents --kb DIR

Only new questions are encoded, by the encoder that `--kb` was built with. A line of corpus/questions/*.jsonl has `q`, a question; `source`
and `answer`, the sentences there that answer it, none where it only looks so; `others`, more that answer it. `posts.jsonl` holds what is
marked as needed in posts/.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from chipwise.answering.precedents import Precedent, digest, known_vectors, vectors_of
from chipwise.corpus import known_questions_folder
from chipwise.index.vectors import Vector, pack
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened


def labelled() -> Iterator[tuple[str, Precedent]]:
    """All known questions, each once, with the file that it stands in: its writer."""
    known: dict[str, tuple[str, Precedent]] = {}
    for path in sorted(known_questions_folder().glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            precedent = Precedent(record["q"], record["source"], tuple(record["answer"]), 0.0)
            known.setdefault(record["q"], (path.stem, precedent))
    yield from known.values()


def keep_vectors(encode: Callable[[str], Vector]) -> int:
    """Brings the files of vectors up to date; how many questions were encoded for that."""
    folder, questions = vectors_of(known_questions_folder()), dict[str, list[str]]()
    before = known_vectors(known_questions_folder())
    for writer, precedent in labelled():
        questions.setdefault(writer, []).append(precedent.question)
    for path in folder.glob("*.npz"):
        if path.stem not in questions:
            path.unlink()
    encoded = 0
    for writer, own in questions.items():
        digests, path = [digest(q) for q in own], folder / f"{writer}.npz"
        if path.is_file():
            with np.load(path) as file:
                if file["digests"].tobytes() == b"".join(digests):
                    continue
        encoded += sum(d not in before for d in digests)
        packed = [before.get(d) or pack(encode(q)[None]) for d, q in zip(digests, own, strict=True)]
        rows = np.frombuffer(b"".join(packed), np.int8).reshape(len(own), -1)
        np.savez(path, digests=np.frombuffer(b"".join(digests), np.uint8).reshape(len(own), -1), vectors=rows)
    return encoded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True)
    options = parser.parse_args()
    with opened(KnowledgeFolder(options.kb)) as index:
        print(f"{keep_vectors(index.encoder.encode)} questions encoded")


if __name__ == "__main__":
    main()
