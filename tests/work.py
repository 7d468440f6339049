"""How much work reading takes, counted and not timed: the same on every machine, busy or not."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable


def calls(read: Callable[[], object]) -> int:
    """How many functions, ours and the libraries', were called."""
    count = 0

    def seen(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        read()
    finally:
        sys.setprofile(before)
    return count


def memory(read: Callable[[], object]) -> int:
    """The most bytes that Python's objects took at once."""
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
