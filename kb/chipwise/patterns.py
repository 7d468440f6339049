"""Regular expressions that are compiled when they are first used; everything else is the standard library's `re`.

    from chipwise import patterns as re

A question goes through modules that define some 280 expressions and uses a tenth of them: compiling the others would be
a twelfth of its time.
"""

from __future__ import annotations

import re
from re import *  # noqa: F403
from typing import Any, cast

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


def compile(pattern: str, flags: int = 0) -> re.Pattern[str]:  # type: ignore[no-redef]  # noqa: A001
    """As `re.compile`, whose errors come with the first use."""
    return cast("re.Pattern[str]", _Later(pattern, flags))
