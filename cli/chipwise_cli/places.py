"""Where a quote stands, for whoever opens it: a path from the current folder, or an address, and line and column.

The text that spans point into is what was read. For Markdown and plain text that
is the file, but for its line ends; for PDF, DOCX and HTML it is what was taken out of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from chipwise import Evidence

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"[A-Za-z]:/")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")  # others escape what stands there already
_RESERVED = ":/?#@!$&'()*+,;=%"


@dataclass(frozen=True, slots=True)
class Region:
    """The marked part of a quote, or all of it: lines and columns from 1, the end column exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    length: int
    text: str


def region(evidence: Evidence) -> Region:
    """Where the mark of a quote stands in its source, or the quote where nothing is marked."""
    first, last = marked(evidence)
    text = evidence.quote[first:last]
    line, column = max(evidence.line, 1), max(evidence.column, 1)
    breaks = text.count("\n")
    tail = len(text) - text.rfind("\n") - 1
    end_column = tail + 1 if breaks else column + len(text)
    return Region(line, column, line + breaks, end_column, evidence.start + first, last - first, text)


def marked(evidence: Evidence) -> tuple[int, int]:
    """The span of the mark within the quote, or of the whole quote."""
    first, last = evidence.mark or (0, len(evidence.quote))
    first = min(max(first, 0), len(evidence.quote))
    return first, min(max(last, first), len(evidence.quote))


def is_address(origin: str) -> bool:
    """Whether an origin is a URL, and no path."""
    return _ADDRESS.match(origin) is not None


def local_path(origin: str) -> str:
    """A path as one would type it here: relative where it lies under the current folder. Addresses stay as they are."""
    path = Path(origin)
    if is_address(origin) or not path.is_absolute():
        return origin
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else origin


def uri(origin: str) -> str:
    """An origin as a valid URI reference (RFC 3986): relative for a file under the current folder."""
    from urllib.parse import quote  # noqa: PLC0415

    if is_address(origin):
        made = quote(_BARE_PERCENT.sub("%25", origin), safe=_RESERVED, errors="surrogatepass")
        before, mark, fragment = made.partition("#")
        return before + mark + fragment.replace("#", "%23")
    local = local_path(origin).replace("\\", "/")
    quoted = quote(local, errors="surrogatepass")
    absolute = local.startswith("/") or _DRIVE.match(local)
    return f"file:///{quoted.lstrip('/')}" if absolute else quoted
