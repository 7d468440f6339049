"""Training: documents to windows, windows to weights."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch

from chipwise.claims.readerspec import Classes
from chipwise.claims.units import Unit, read_units
from chipwise.claims.windows import Encoder, Window
from chipwise.domain.model import Domain
from chipwise.splitting import split

from .gold import document
from .labels import Labelled
from .network import Reader, collate, losses
from .targets import Targets

BATCH = 6  # more steps beat larger ones while time is what is short
Sample = tuple[Window, float]  # with how often it is seen in an epoch
Read = tuple[Labelled, list[Unit], list[Window]]


def read(domain: Domain, encoder: Encoder, labelled: Labelled) -> Read:
    """A document as windows without targets. Raises ValueError where its labels would not hold."""
    made = document(labelled) if labelled.kind != "digest" else None
    if made is None:
        from chipwise.corpus import digests_folder
        from chipwise.reading import read_file

        made = read_file(digests_folder() / f"{labelled.id}.md")
    units = read_units(domain, split(made), made.info.title)
    return labelled, units, list(encoder.windows(units))


def samples(
    domain: Domain, encoder: Encoder, classes: Classes, documents: Iterable[Labelled], weight: float
) -> Iterator[Sample]:
    """The windows of documents in which something is labelled; documents that reading changes are left out."""
    targets = Targets(domain, classes)
    for labelled in documents:
        try:
            _, units, windows = read(domain, encoder, labelled)
        except ValueError as error:
            print("left out:", error)
            continue
        yield from ((w, weight) for w in windows if targets.set(w, units, labelled))


def batches(pool: Sequence[Sample], rng: random.Random) -> Iterator[list[Window]]:
    """One epoch, windows of like length together."""
    drawn = [w for w, weight in pool for _ in range(int(weight) + (rng.random() < weight % 1))]
    rng.shuffle(drawn)
    made = []
    for at in range(0, len(drawn), BATCH * 20):
        chunk = sorted(drawn[at : at + BATCH * 20], key=lambda w: len(w.ids))
        made += [chunk[i : i + BATCH] for i in range(0, len(chunk), BATCH)]
    rng.shuffle(made)
    yield from made


def fit(
    reader: Reader,
    pool: Sequence[Sample],
    classes: Classes,
    *,
    minutes: float,
    seed: int,
    steps: int = 0,
    rate: float = 1.5e-3,
    heads: float = 1.5e-3,
) -> None:
    """Trains for so many minutes, or steps where these are given, the rate warming up over the first 6 % and falling to 0."""
    rng = random.Random(seed)  # noqa: S311
    mask = classes.mask()
    deltas = [p for n, p in reader.named_parameters() if p.requires_grad and n.startswith("encoder")]
    others = [p for n, p in reader.named_parameters() if p.requires_grad and not n.startswith("encoder")]
    optimiser = torch.optim.AdamW([{"params": deltas}, {"params": others}], weight_decay=0.01)
    begun, step, done, epoch = time.time(), 0, 0, 0
    reader.train()
    while True:
        for windows in batches(pool, rng):
            part = step / steps if steps else (time.time() - begun) / (60 * minutes)
            if part >= 1:
                return
            factor = min(1.0, part / 0.06) * max(0.02, 1 - part)
            for group, top in zip(optimiser.param_groups, (rate, heads), strict=True):
                group["lr"] = top * factor
            batch = collate(windows, mask, rng)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = reader(batch)
            found = losses({k: v.float() for k, v in out.items()}, batch)
            optimiser.zero_grad()
            sum(found.values()).backward()  # type: ignore[union-attr]
            torch.nn.utils.clip_grad_norm_(deltas + others, 1.0)
            optimiser.step()
            step, done = step + 1, done + len(windows)
            if step % 25 == 0:
                told = {k: round(float(v.detach()), 3) for k, v in found.items()}
                print(
                    epoch,
                    step,
                    f"{time.time() - begun:.0f}s",
                    told,
                    f"{done / (time.time() - begun):.1f} windows/s",
                    flush=True,
                )
        epoch += 1


def scores(reader: Reader, windows: Sequence[Window], classes: Classes) -> list[dict[str, np.ndarray]]:
    """What the heads say of each window, without padding: logits by head."""
    reader.eval()
    mask, found = classes.mask(), list[dict[str, np.ndarray]]()
    for window in windows:
        with torch.no_grad():
            out = reader(collate([window], mask))
        c, e, a = len(window.figures), len(window.names) + 1, len(window.axes)
        sizes = {"subject": e, "baseline": e, "axes": a}
        found.append({k: v[0, :c].numpy() if k not in sizes else v[0, :c, : sizes[k]].numpy() for k, v in out.items()})
    return found
