"""What the synthetic sizes are made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from growth import chart, questions, synthetic
from synthetic import shifted
from timing import Timed, percentile

from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened


def test_shifted_vectors_are_real_ones_first_and_then_close_to_them() -> None:
    real = np.random.default_rng(1).normal(size=(50, 384)).astype(np.float32)
    real /= np.linalg.norm(real, axis=1, keepdims=True)
    made = shifted(real, 120)
    assert made.shape == (120, 384)
    assert np.array_equal(made[:50], real)
    assert np.linalg.norm(made, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = (made[50:100] * real).sum(axis=1)
    assert cosines == pytest.approx(1 / np.sqrt(1 + 384 * 0.03**2), abs=0.05)
    assert np.array_equal(shifted(real, 20), real[:20])


def test_a_synthetic_base_can_be_asked(built: KnowledgeFolder, tmp_path: Path) -> None:
    with opened(synthetic(tmp_path / "grown", 200, built).base) as index:
        assert index.vectors.ntotal == 200
        assert index.ask(questions(1)[0]).question == questions(1)[0]


def test_a_process_is_charged_with_its_own_memory_alone() -> None:
    held = bytearray(200_000_000)
    command = Timed("python", ["-c", "pass"])
    command.run()
    assert len(held) / 1_000_000 > command.peaks[0] > 1
    assert command.seconds[0] > 0


def test_a_process_that_fails_ends_the_measurement() -> None:
    with pytest.raises(SystemExit, match="exit code 3"):
        Timed("python", ["-c", "raise SystemExit(3)"]).run()
    Timed("python", ["-c", "raise SystemExit(3)"], accepted=(0, 3)).run()


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentile([3.0, 1.0, 2.0], 50) == 2
    assert percentile([float(n) for n in range(100)], 95) == 95
    assert percentile([1.0], 95) == 1


def test_the_chart_has_a_line_for_each_system_and_state() -> None:
    ours = {"cold ask, ms": 400.0, "ask, p50 ms": 30.0, "search, p50 ms": 7.0}
    peer = {"cold, one question, ms": 9000.0, "warm, p50 ms": 14.0}
    drawn = chart({"a question": {"1,000": ours, "10,000": ours}, "the peers": {"1,000": {"txtai": peer}}})
    assert drawn.count("<polyline") == 5
    assert "txtai, cold" in drawn
