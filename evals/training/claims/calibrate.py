"""Fits a temperature for each zone on one half of the held label documents, and writes it beside the weights.

python -m evals.training.claims.calibrate WEIGHTS [--labels FOLDER ...]
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from chipwise.claims.decode import Decoder
from chipwise.claims.reader import ClaimReader
from chipwise.claims.units import Unit, read_units
from chipwise.claims.weights import SPEC
from chipwise.claims.windows import Window
from chipwise.domain.model import Domain
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.splitting import split

from . import gold
from .labels import Labelled
from .report import Judged, judge, made_of, measured_sets

ZONES = ("prose", "list", "row", "listing")
TRIED = tuple(round(float(t), 2) for t in np.arange(0.8, 3.01, 0.1))
_FEW = 60  # claims of a zone, below which it has the temperature of prose
Read = tuple[list[Unit], list[Window], list[Mapping[str, np.ndarray]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--labels", type=Path, nargs="*", default=(), help="more folders of label files")
    options = parser.parse_args()
    domain = gold.read_domain_here()
    reader = ClaimReader(domain, options.weights, find_model(DEFAULT_MODEL).folder)
    documents = measured_sets(options.labels)["calibration labels"]
    read = {d.id: _read(domain, reader, d) for d in documents}
    tried = {heat: _judged(domain, reader, documents, read, heat) for heat in TRIED}
    found = {zone: _best(zone, tried) for zone in ZONES}
    counts = {zone: sum(j.made.zone == zone for j in tried[1.0]) for zone in ZONES}
    temperatures = {zone: found[zone] if counts[zone] >= _FEW else found["prose"] for zone in ZONES}
    print(counts, temperatures)
    path = options.weights / SPEC
    spec = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**spec, "temperatures": temperatures}, indent=1) + "\n", "utf-8")


def _read(domain: Domain, reader: ClaimReader, document: Labelled) -> Read:
    made = gold.document(document)
    units = read_units(domain, split(made), made.info.title)
    windows = list(reader.encoder.windows(units))
    return units, windows, list(reader.scores(windows))


def _judged(
    domain: Domain, reader: ClaimReader, documents: Sequence[Labelled], read: Mapping[str, Read], heat: float
) -> list[Judged]:
    decoder = Decoder(domain, reader.classes, dict.fromkeys(ZONES, heat))

    def reads(document: Labelled) -> list:  # type: ignore[type-arg]
        units, windows, scores = read[document.id]
        return made_of(units, [r for w, s in zip(windows, scores, strict=True) for r in decoder.read(w, units, s)])

    return judge(domain, documents, reads)[0]


def _best(zone: str, tried: Mapping[float, Sequence[Judged]]) -> float:
    """The temperature at which right and wrong claims are least surprising (log loss)."""

    def loss(heat: float) -> float:
        own = [j for j in tried[heat] if j.made.zone == zone]
        chances = [min(0.999, max(0.001, j.made.confidence)) for j in own]
        return -sum(math.log(p if j.right else 1 - p) for p, j in zip(chances, own, strict=True)) / max(1, len(own))

    return min(tried, key=loss)


if __name__ == "__main__":
    main()
