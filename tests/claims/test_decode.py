"""Decoding: from scores that are made by hand to the best legal readings."""

from __future__ import annotations

import numpy as np
import pytest

from chipwise.claims.decode import Decoder, Reading
from chipwise.claims.reader import reader_of
from chipwise.claims.readerspec import METRIC_FREE, MODALITIES, Classes
from chipwise.claims.units import Unit, read_units
from chipwise.claims.windows import Window
from chipwise.domain.files import shipped_domain
from chipwise.reading import read_bytes
from chipwise.splitting import split

Scores = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.float32]]"]
CLASSES = Classes.of(shipped_domain())


def window_of(text: str) -> tuple[Window, list[Unit]]:
    document = read_bytes(text.encode(), name="note.md", origin="note.md")
    units = read_units(shipped_domain(), split(document))
    (window,) = reader_of(shipped_domain()).encoder.windows(units)
    return window, units


def scores_of(window: Window, metric: str) -> Scores:
    """Every figure is of this metric for certain, of nothing in particular, and states nothing else."""
    figures, names = len(window.figures), len(window.names) + 1
    made = {
        "metric": np.full((figures, METRIC_FREE + len(CLASSES.metric_ids)), -9, np.float32),
        "subject": np.zeros((figures, names), np.float32),
        "baseline": np.zeros((figures, names), np.float32),
        "scope": np.zeros((figures, len(CLASSES.scope_ids)), np.float32),
        "modality": np.zeros((figures, len(MODALITIES)), np.float32),
        "ratio": np.full(figures, -9, np.float32),
        "axes": np.full((figures, len(window.axes)), -9, np.float32),
    }
    made["metric"][:, CLASSES.metrics[metric]] = 9
    made["baseline"][:, 0] = 9
    return made


def decode(window: Window, units: list[Unit], scores: Scores) -> list[Reading]:
    return Decoder(shipped_domain(), CLASSES).read(window, units, scores)


def test_figures_side_by_side_have_different_owners_where_two_were_likelier_the_same() -> None:
    window, units = window_of("The H100 and the H200 have 80 GB and 141 GB.")
    scores = scores_of(window, "memory_capacity")
    # both would rather have the H100, the first by more
    scores["subject"][:] = [[-9, 3.0, 1.0], [-9, 2.0, 1.8]]
    assert [r.subject for r in decode(window, units, scores)] == ["nvidia-h100", "nvidia-h200"]


def test_figures_apart_may_have_one_owner() -> None:
    window, units = window_of("The H100 and the H200 have 80 GB here and there 141 GB.")
    scores = scores_of(window, "memory_capacity")
    scores["subject"][:] = [[-9, 3.0, 1.0], [-9, 2.0, 1.8]]
    assert [r.subject for r in decode(window, units, scores)] == ["nvidia-h100", "nvidia-h100"]


def test_a_chip_whose_variant_alone_is_named_beside_its_figure_is_that_variant() -> None:
    window, units = window_of("The H100 is old.\n\nIts H100 SXM module has 80 GB.")
    scores = scores_of(window, "memory_capacity")
    scores["subject"][0] = [-9, *(9 if n.ids == ("nvidia-h100",) else 0 for _, _, n in window.names)]
    assert [r.subject for r in decode(window, units, scores)] == ["nvidia-h100-sxm"]


def test_two_figures_of_one_thing_are_told_apart_by_the_values_that_stand_there() -> None:
    window, units = window_of("The H100 does 1,979 TFLOPS with sparsity and 989 TFLOPS dense.")
    scores = scores_of(window, "peak_compute")
    scores["subject"][:, 1] = 9
    values = [cue.ids[0] for _, _, cue in window.axes]
    # both would rather be dense, the first by less
    for j, value in enumerate(values):
        scores["axes"][:, j] = (
            [1.0, 3.0] if value == "sparsity=dense" else [0.8, -2.0] if value == "sparsity=2:4" else -9
        )
    found = [dict(r.axes)["sparsity"] for r in decode(window, units, scores)]
    assert found == ["2:4", "dense"]


def test_what_is_likelier_no_claim_has_a_reason_and_keeps_its_rivals() -> None:
    window, units = window_of("A model needs 80 GB on the H100.")
    scores = scores_of(window, "memory_capacity")
    scores["metric"][0, CLASSES.reasons["requirement"]] = 10
    scores["subject"][0, 1] = 9
    (reading,) = decode(window, units, scores)
    assert (reading.metric, reading.reason) == ("", "requirement")
    assert reading.rivals[0][:2] == ("nvidia-h100", "memory_capacity")


def test_confidence_is_of_metric_and_subject_together_and_kin_count_as_one() -> None:
    window, units = window_of("The H100 SXM, an H100 like others, has 80 GB.")
    scores = scores_of(window, "memory_capacity")
    scores["subject"][0] = [-9, 1.0, 1.0]
    (reading,) = decode(window, units, scores)
    assert reading.confidence == pytest.approx(1.0, abs=1e-3)


def test_a_temperature_makes_less_sure_and_changes_no_choice() -> None:
    window, units = window_of("The H100 has 80 GB, unlike the A100.")
    scores = scores_of(window, "memory_capacity")
    scores["subject"][0] = [0.0, 2.0, 1.0]
    (cold,) = decode(window, units, scores)
    (warm,) = Decoder(shipped_domain(), CLASSES, {"prose": 3.0}).read(window, units, scores)
    assert (warm.subject, warm.metric) == (cold.subject, cold.metric)
    assert warm.confidence < cold.confidence
