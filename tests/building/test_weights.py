"""Weights files are made again from the model, to the bit."""

from __future__ import annotations

import numpy as np

from chipwise.building.graphs import Hole, Tensors, filled, in_hole

RANDOM = np.random.default_rng(0)
A, B, C = (RANDOM.normal(size=(3, 3)).astype(np.float32) for _ in range(3))
MODEL = {"a.weight": A, "b.weight": B, "c.weight": C}


def test_holes_are_filled_and_what_stands_around_them_stays() -> None:
    holes = [
        Hole(at=2, length=18, kind="float16", of=("a.weight",), turned=True),
        Hole(at=21, length=108, kind="float32", of=("a.weight", "b.weight", "c.weight")),
    ]
    whole = b"xy" + A.T.astype(np.float16).tobytes() + b"-" + np.concatenate([A, B, C], axis=1).tobytes() + b"end"
    assert filled(b"xy-end", holes, Tensors(MODEL)) == whole


def test_whole_numbers_are_scaled_by_each_channel_with_the_scales_beside_them() -> None:
    scales = np.array([0.1, 0.2, 0.3], dtype=np.float32)
    hole = Hole(at=12, length=9, kind="int8", of=("a.weight",), scales_at=(0, 3))
    made = filled(scales.tobytes(), [hole], Tensors(MODEL))
    assert made == scales.tobytes() + np.rint(A / scales).astype(np.int8).tobytes()


def test_one_scale_and_a_zero_point_hold_for_a_table() -> None:
    hole = Hole(at=0, length=9, kind="uint8", of=("a.weight",), scale=0.01, zero=128)
    expected = np.clip(np.rint(A / np.float32(0.01)) + 128, 0, 255).astype(np.uint8)
    assert np.array_equal(in_hole(hole, Tensors(MODEL)), expected)


def test_a_delta_is_added_and_a_tensor_that_the_deltas_hold_whole_takes_the_models_place() -> None:
    up, down = RANDOM.normal(size=(3, 1)).astype(np.float16), RANDOM.normal(size=(1, 3)).astype(np.float16)
    tensors = Tensors(MODEL, {"a.up": up, "a.down": down, "b.weight": C.astype(np.float16), "d.weight": A})
    assert np.allclose(tensors.of("a.weight"), A + up.astype(np.float64) @ down.astype(np.float64))
    assert np.array_equal(tensors.of("b.weight"), C.astype(np.float16).astype(np.float32))
    assert tensors.names == ["a.weight", "b.weight", "c.weight", "d.weight"]
