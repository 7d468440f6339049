"""Learns where to search for what answers a question: one linear map of the question's vector.

    python -m evals.training.questions.aim --kb DIR

Each question is to lie nearer to a passage that answers it than to all others, by a softmax over their cosines. Writes
corpus/reader/questions/aim.npz and prints how often a passage that answers is among the nearest, before and after.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from evals.training.arrays import write_aim
from evals.training.questions.data import bearing, part_of_written

from chipwise.answering.precedents import Aim
from chipwise.corpus import aim_file, known_questions_folder
from chipwise.index.vectors import Matrix, Vector, read_vectors
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened

SEED = 7
EPOCHS = 5
BATCH = 256
RATE = 1e-3
DECAY = 0.3  # pulls the map to nothing; more or less of it changes little
SHARPNESS = 20.0  # of the softmax over cosines
RANKS = (1, 5, 12, 36)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its vector, and the places of the passages that answer it."""

    part: str
    vector: Vector
    gold: tuple[int, ...]


def asked(folder: Path, index: OpenIndex) -> Iterator[Asked]:
    """All labelled questions that a passage of the index answers."""
    place_of = {row: n for n, row in enumerate(index.store.rows_of_vectors(list(range(index.vectors.ntotal))))}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            gold = bearing((record, *record.get("others", ())), index.store)
            if gold:
                part = part_of_written(path.stem, record["q"])
                places = tuple(place_of[stored.row] for stored, _ in gold)
                yield Asked(part, index.encoder.encode(record["q"]), places)


def learn(found: Sequence[Asked], passages: Matrix) -> Matrix:
    """The map, (dim, dim), of those to train on."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    own = [one for one in found if one.part == "train"]
    targets = torch.zeros(len(own), len(passages))
    for row, one in enumerate(own):
        targets[row, list(one.gold)] = 1 / len(one.gold)
    questions, among = torch.from_numpy(np.stack([one.vector for one in own])), torch.tensor(passages)
    turn = torch.nn.Parameter(torch.zeros(passages.shape[1], passages.shape[1]))
    optimiser = torch.optim.AdamW([turn], lr=RATE, weight_decay=DECAY)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(questions)).split(BATCH):
            aimed = torch.nn.functional.normalize(questions[batch] + questions[batch] @ turn, dim=1)
            nearness = (SHARPNESS * aimed @ among.T).log_softmax(1)
            loss = -(targets[batch] * nearness).sum(1).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return turn.detach().numpy()


def within(
    found: Sequence[Asked], passages: Matrix, turned: Callable[[Vector], Vector] = lambda vector: vector
) -> dict[int, float]:
    """For each of some ranks the share of questions with a passage that answers at that rank or before."""
    best = []
    for one in found:
        cosines = passages @ turned(one.vector)
        best.append(int((cosines > cosines[list(one.gold)].max()).sum()))
    return {rank: round(float(np.mean([b < rank for b in best])), 3) for rank in RANKS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, required=True, help="a knowledge base of the shipped corpus")
    parser.add_argument("--out", type=Path, default=aim_file())
    options = parser.parse_args()
    with opened(KnowledgeFolder(options.kb)) as index:
        found = list(asked(known_questions_folder(), index))
        passages = read_vectors(index.vectors)
        write_aim(options.out, learn(found, passages), index.seal.model_sha256)
        aim = Aim(options.out, index.seal.model_sha256)
    for part in ("train", "tune", "report"):
        own = [one for one in found if one.part == part]
        print(part, len(own), within(own, passages), within(own, passages, aim.at))


if __name__ == "__main__":
    main()
