"""Figures in words: 3.35 TB/s as "3.35 TB/s", "3,350 GB/s", "about 3.4 TB/s", and other figures than that."""

from __future__ import annotations

import math
from collections.abc import Iterable

from audit_bank import Fact, Random

WRITTEN = {
    "GB": ("{} GB", "{}GB", "{} gigabytes"),
    "TB": ("{} TB", "{}TB", "{} terabytes"),
    "GiB": ("{} GiB", "{}GiB"),
    "TiB": ("{} TiB",),
    "MB": ("{} MB", "{}MB", "{} megabytes"),
    "MiB": ("{} MiB", "{}MiB"),
    "GB/s": ("{} GB/s", "{}GB/s", "{} gigabytes per second"),
    "GiB/s": ("{} GiB/s",),
    "TB/s": ("{} TB/s", "{}TB/s", "{} terabytes per second"),
    "Gb/s": ("{} Gb/s", "{} Gbit/s", "{} Gbps"),
    "TFLOPS": ("{} TFLOPS", "{} TFLOP/s", "{} teraflops"),
    "PFLOPS": ("{} PFLOPS", "{} PFLOP/s", "{} petaflops"),
    "GFLOPS": ("{} GFLOPS", "{} gigaflops"),
    "TOPS": ("{} TOPS",),
    "POPS": ("{} POPS",),
    "GOPS": ("{} GOPS",),
    "W": ("{} W", "{}W", "{} watts"),
    "kW": ("{} kW", "{} kilowatts"),
    "chips": ("{} chips",),
}
MISTAKEN = {  # the same number with a unit that somebody mistook
    "GB": ("TB", "MB"),
    "GiB": ("TB",),  # not TiB: 1,024 chips have 1,024 times as much
    "MB": ("GB",),
    "MiB": ("GB",),
    "TB/s": ("GB/s", "Gb/s"),
    "GB/s": ("TB/s",),
    "TFLOPS": ("PFLOPS", "GFLOPS"),
    "PFLOPS": ("TFLOPS",),
    "TOPS": ("GOPS", "POPS"),
    "W": ("kW",),
}
CONVERTED = {  # (unit, how many of it one is)
    "GB": (("GiB", 1e9 / 2**30),),
    "GiB": (("GB", 2**30 / 1e9),),
    "MB": (("MiB", 1e6 / 2**20),),
    "MiB": (("MB", 2**20 / 1e6),),
    "TB/s": (("GB/s", 1e3),),
    "GB/s": (("TB/s", 1e-3), ("Gb/s", 8)),
    "GiB/s": (("GB/s", 2**30 / 1e9),),
    "TFLOPS": (("PFLOPS", 1e-3),),
    "PFLOPS": (("TFLOPS", 1e3),),
    "TOPS": (("POPS", 1e-3),),
    "W": (("kW", 1e-3),),
}
EXPLAINED = (
    2,
    4,
    8,
    16,
    1.024,
    2**20 / 1e6,
    2**30 / 1e9,
    2**40 / 1e12,
)  # what sparsity, direction, bits or binary prefixes do
NEAR = 0.025  # of such a factor, and a change is not clearly wrong
LEAST = 0.08  # that a planted figure is off
LARGER = {"GB": ("TB", 1e3), "GiB": ("TiB", 2**10), "GB/s": ("TB/s", 1e3), "TFLOPS": ("PFLOPS", 1e3), "W": ("kW", 1e3)}


def written(value: float, unit: str, chance: Random) -> str:
    """One of the ways to write it."""
    if unit == "transistors":
        scale, word = (1e12, "trillion") if value >= 1e12 else (1e9, "billion")
        return f"{number(value / scale)} {word} transistors"
    return chance.choice(WRITTEN.get(unit, ("{} " + unit,))).format(number(value))


def number(value: float) -> str:
    """At most five digits that count, thousands parted by commas: "0.989", "74.51", "13,120"."""
    digits = 5 if value >= 1e4 else 4
    rounded = float(f"{value:.{digits}g}") if value < 1e5 else round(value)
    return f"{rounded:,.4f}".rstrip("0").rstrip(".") if rounded % 1 else f"{rounded:,.0f}"


def whole(value: float, unit: str) -> tuple[float, str]:
    """In the larger unit where the number would have five digits."""
    if value >= 10_000 and unit in LARGER:
        larger, scale = LARGER[unit]
        return value / scale, larger
    return value, unit


def other(fact: Fact, taken: Iterable[float], chance: Random, *, counts: Iterable[int] = ()) -> float:
    """Another figure, at least LEAST off everything in `taken`, by no factor that a transformation explains."""
    factors = (*EXPLAINED, *counts)
    digits = max(2, len(f"{fact.value:.4g}".replace(".", "").strip("0")))
    while True:
        ratio = math.exp(chance.choice((-1, 1)) * chance.uniform(0.1, 0.66))
        value = float(f"{fact.value * ratio:.{digits}g}")
        if value >= 10 and not fact.value % 1:
            value = float(round(value))
        ratios = [max(value / t, t / value) for t in (fact.value, *taken)]
        if all(r >= 1 + LEAST for r in ratios) and not any(abs(r / f - 1) < NEAR for r in ratios for f in factors):
            return value


def rounded(value: float) -> float | None:
    """With fewer digits, within 2 %; None where it has none to lose."""
    for digits in (1, 2, 3):
        coarse = float(f"{value:.{digits}g}")
        if coarse != value and abs(coarse / value - 1) <= 0.02:
            return coarse
    return None
