"""How time grows with what is read, as a ratio within one run: no limit in seconds."""

from __future__ import annotations

import time
from collections.abc import Callable

_TIMES = 3  # the least of so many runs: what else the machine does only ever adds
_NOISE = 0.02  # seconds below which the clock tells nothing


def grows_in_proportion(read: Callable[[int], object], size: int) -> bool:
    """True if four times `size` takes four times as long, with room for noise; what is quadratic takes sixteen times.

    `read` is called with a size that is never twice the same, so that no cache answers for it.
    """
    read(1)  # the patterns are compiled
    return _seconds(read, 4 * size) < 10 * max(_seconds(read, size), _NOISE)


def _seconds(read: Callable[[int], object], size: int) -> float:
    def once(this: int) -> float:
        start = time.process_time()
        read(this)
        return time.process_time() - start

    return min(once(size + n) for n in range(_TIMES))
