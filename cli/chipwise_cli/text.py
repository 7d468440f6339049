"""Words that a terminal can show."""

from __future__ import annotations

import unicodedata

# control, format, surrogate, private and unassigned characters, and Unicode's two line breaks
_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def plain(text: str) -> str:
    """`text` with whatever could drive a terminal or reorder a line replaced by U+FFFD; tabs and line ends stay."""
    if text.isprintable():
        return text
    return "".join(c if c in "\t\n" or unicodedata.category(c) not in _UNSAFE else "\ufffd" for c in text)


def one_line(text: str) -> str:
    """`plain` text with every run of blank space as one space."""
    return " ".join(plain(text).split())


def counted(number: int, noun: str) -> str:
    """ "1 claim", "1,204 claims"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
