"""Numbers as an answer writes them, rounded to the digits that are worth telling.

8960  ->  "8,960"        70e9  ->  "70 billion"        6.3e24  ->  "6.3e24"        0.46231  ->  "0.4623"
"""

from __future__ import annotations

from chipwise.text import grouped

_WORDED = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_HUGE, _FULL = 1e15, 1e7  # from here on in powers of ten; up to here whole numbers in full


def number(value: float, digits: int = 4) -> str:
    """As one writes it: "1,979", "70 billion", "6.3e24", "0.4623"; whole numbers of a usual size in full."""
    size = abs(value)
    if size >= _HUGE:
        return f"{value:.{digits}g}".replace("e+", "e")
    for scale, word in _WORDED:
        if size >= scale and (size >= _FULL or size % scale == 0 or round(size / scale, 3) * scale == size):
            return f"{plain(value / scale, digits)} {word}"
    return plain(value, digits)


def plain(value: float, digits: int = 4) -> str:
    """In digits, without words for powers of ten."""
    if abs(value - round(value)) <= 1e-9 * abs(value) and abs(value) < _FULL:
        return grouped(str(round(value)))
    rounded = float(f"{value:.{digits}g}")
    return grouped(f"{rounded:.10f}".rstrip("0").rstrip("."))


def times(ratio: float) -> str:
    """A multiple in three digits: "1.58"; one more where that would be "1", which two figures that differ are not."""
    return plain(ratio, 3) if plain(ratio, 3) != "1" else plain(ratio)


def counted(unit: str, value: float) -> str:
    """What is counted, as it stands behind its number: "1 chip", "8 chips"."""
    return unit.removesuffix("s") if value == 1 else unit
