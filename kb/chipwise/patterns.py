"""Regular expressions that are compiled when they are first used.

    from chipwise import patterns as re

A question goes through modules that define some 800, which take longer to compile than all else that it
does, and uses a tenth of them.
"""

from __future__ import annotations

import re
from re import (
    DOTALL,
    IGNORECASE,
    MULTILINE,
    I,
    M,
    Match,
    Pattern,
    S,
    X,
    escape,
    findall,
    finditer,
    fullmatch,
    match,
    search,
    split,
    sub,
)
from typing import Any, cast

__all__ = (
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "I",
    "M",
    "Match",
    "Pattern",
    "S",
    "X",
    "compile",
    "escape",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
)
_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class _Later:
    """Stands in for a compiled expression until somebody asks for more than its text."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:  # of its own from now on: the next call is as fast as the expression's
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile(pattern: str, flags: int = 0) -> Pattern[str]:  # noqa: A001 (stands in for re.compile)
    """As `re.compile`, whose errors come with the first use."""
    return cast("Pattern[str]", _Later(pattern, flags))
