"""Training: documents to windows, windows to weights."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice

import torch

from chipwise.claims.readerspec import Classes
from chipwise.claims.units import Unit, read_units
from chipwise.claims.windows import Encoder, Window, stacks
from chipwise.domain.model import Domain
from chipwise.splitting import split

from .gold import document
from .labels import Labelled
from .network import Reader, collate, distillation, losses
from .targets import Targets

CROPS = 10  # of a document at most
LENGTHS = (1, 1, 1, 2, 3, 4, 6)  # units of a crop
HEADED = 0.6  # share of the crops that keep the headings above them
WHOLE = 0.6  # share of the draws of a document that take it as a whole too
MIX = 0.7  # share of the teachers in the loss, where there are any


@dataclass(frozen=True)
class Sample:
    """A document as windows, whole and in crops, with how often it is drawn in an epoch."""

    windows: list[Window]
    crops: list[Window]
    weight: float


@dataclass(frozen=True)
class Settings:
    """Of a training: `batch` in windows, `rate` the highest learning rate, `device` as torch names it."""

    steps: int
    batch: int
    rate: float
    seed: int
    device: str


def read(domain: Domain, encoder: Encoder, labelled: Labelled) -> tuple[list[Unit], list[Window]]:
    """A document as units, and as windows without targets. Raises ValueError where its labels would not hold."""
    made = document(labelled) if labelled.kind != "digest" else None
    if made is None:
        from chipwise.corpus import digests_folder
        from chipwise.reading import read_file

        made = read_file(digests_folder() / f"{labelled.id}.md")
    units = read_units(domain, split(made), made.info.title)
    return units, list(encoder.windows(units))


def samples(
    domain: Domain, encoder: Encoder, classes: Classes, documents: Iterable[Labelled], weight: float, rng: random.Random
) -> Iterator[Sample]:
    """The documents in which something is labelled; those that reading changes are left out."""
    targets = Targets(domain, classes)
    for labelled in documents:
        try:
            units, windows = read(domain, encoder, labelled)
        except ValueError as error:
            print("left out:", error)
            continue
        crops = [w for part in _crops(units, rng) for w in encoder.windows(part) if targets.set(w, part, labelled)]
        if windows := [w for w in windows if targets.set(w, units, labelled)]:
            yield Sample(windows, crops, weight)


def _crops(units: Sequence[Unit], rng: random.Random) -> Iterator[list[Unit]]:
    """Random runs of a few units with a figure, with the headings above them or without: users' texts are often that short."""
    figures, above = [n for n, u in enumerate(units) if u.found.figures], stacks(units)
    for _ in range(min(CROPS, 1 + len(units) // 2) if figures and len(units) > 1 else 0):
        length = rng.choice(LENGTHS)
        first = max(0, rng.choice(figures) - rng.randrange(length))
        headings = above[first] if rng.random() < HEADED else ()
        kept = sorted({*headings, *range(first, min(len(units), first + length))})
        if len(kept) < len(units):
            places = {old: new for new, old in enumerate(kept)}
            yield [replace(units[n], lead=places.get(units[n].lead, -1)) for n in kept]


def batches(pool: Sequence[Sample], rng: random.Random, size: int) -> Iterator[list[Window]]:
    """One epoch, windows of like length together."""
    drawn = list[Window]()
    for sample in pool:
        for _ in range(int(sample.weight) + (rng.random() < sample.weight % 1)):
            drawn += rng.sample(sample.crops, min(len(sample.crops), len(sample.windows)))
            drawn += sample.windows if not sample.crops or rng.random() < WHOLE else []
    rng.shuffle(drawn)
    made = []
    for at in range(0, len(drawn), size * 20):
        chunk = sorted(drawn[at : at + size * 20], key=lambda w: len(w.ids))
        made += [chunk[i : i + size] for i in range(0, len(chunk), size)]
    rng.shuffle(made)
    yield from made


def fit(
    reader: Reader, pool: Sequence[Sample], classes: Classes, teachers: Sequence[Reader], settings: Settings
) -> None:
    """Trains for so many steps, the rate rising over the first 6 % and then falling to 2 % of its highest value.

    With teachers the reader also learns the mean of their probabilities (distillation; Hinton et al., arXiv 1503.02531).
    """
    rng = random.Random(settings.seed)  # noqa: S311
    mask, device = classes.mask(), torch.device(settings.device)
    for model in (reader, *teachers):
        model.to(device)
    trained = [p for p in reader.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=settings.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, step / (0.06 * settings.steps)) * max(0.02, 1 - step / settings.steps)
    )
    drawn = chain.from_iterable(batches(pool, rng, settings.batch) for _ in count())
    reader.train()
    for step, windows in enumerate(islice(drawn, settings.steps)):
        batch = {k: v.to(device) for k, v in collate(windows, mask, rng).items()}
        with torch.autocast(device.type, dtype=torch.bfloat16):
            out = reader(batch)
            with torch.no_grad():
                said = [teacher(batch) for teacher in teachers]
        out = {k: v.float() for k, v in out.items()}
        found = losses(out, batch)
        loss = sum(found.values())
        if said:
            loss = (1 - MIX) * loss + MIX * distillation(out, said, batch)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            print(step, {k: round(float(v.detach()), 3) for k, v in found.items()}, flush=True)
    reader.to("cpu")
