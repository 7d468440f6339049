"""Bytes to displayable text: one encoding, one kind of newline, no control characters.

Unicode normalization (NFC), case and quotes are left alone, because a quote must be found
in the source as written.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from chipwise.errors import SourceUnreadable

# Gaps become a space. Other characters that a terminal obeys or hides become U+FFFD, so
# that a reader sees that something was there. One for one: lines and columns stay the file's.
_GAPS: Final = "\x0b\x0c\x1c-\x1f\x85\u2028\u2029\u200b"
_DRIVES: Final = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # C0, DEL, C1
    "\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # bidirectional, zero-width
    "\u00ad\u180e\ufff9-\ufffc\ufffe\uffff\ufdd0-\ufdef"  # soft hyphen, annotations, non-characters
    "\ud800-\udfff\ue000-\uf8ff"  # lone surrogates, private use
    "\U000e0000-\U0010ffff"  # tags, variation selectors' supplement, private planes
)
_GAP: Final = re.compile(f"[{_GAPS}]")
_DRIVE: Final = re.compile(f"[{_DRIVES}]")
_CONTROL_BYTES: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MULTIBYTE: Final = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")

_BOMS: Final = (
    # subtle: UTF-32's mark begins with UTF-16's, so it must be tried first
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# Escape sequences are a few percent of a log's bytes; control bytes are a third of machine code.
MOST_CONTROLS: Final = 0.2
# Some five percent of the characters in Western text are accents or curly quotes; Shift-JIS or
# KOI8 read as cp1252 would show mostly those.
MOST_MULTIBYTE: Final = 0.5  # of the bytes above 127; two accents in a row are rare in Windows-1252
MOST_HIGH_BYTES: Final = 0.3


def normalize(text: str) -> str:
    r"""Return the text with "\n" as its only newline, and no control characters but newlines and tabs."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _DRIVE.sub("\ufffd", _GAP.sub(" ", text))


def one_line(text: str, limit: int = 300) -> str:
    """Return a value for display in one line (title, author): normalized, blanks collapsed, at most `limit` long."""
    words = " ".join(normalize(text[: 4 * limit]).split())
    if len(words) <= limit:
        return words
    return words[: limit - 1].rsplit(" ", 1)[0].rstrip() + "…"


def decode(data: bytes, name: str) -> str:
    """Decode a file's text and normalize it.

    UTF-8, UTF-16 or UTF-32 by byte-order mark, UTF-8 without one, and Windows-1252 if the bytes
    look like Western text. Raises SourceUnreadable for anything else: text from a wrong guess would be
    quoted as evidence.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return normalize(_decode_marked(data, encoding, name))
    if b"\0" in data or len(_CONTROL_BYTES.findall(data)) > MOST_CONTROLS * len(data):
        raise _not_text(name)
    try:
        return normalize(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return normalize(_decode_western(data, error, name))


def _decode_marked(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceUnreadable(
            f"{name} begins with the byte-order mark of {encoding.upper()} but isn't valid {encoding.upper()}",
            hint="save it as UTF-8 and try again",
        ) from error


def _decode_western(data: bytes, error: UnicodeDecodeError, name: str) -> str:
    """Decode Windows-1252 if the bytes look like it. Raises SourceUnreadable otherwise."""
    high = sum(map(len, re.findall(rb"[\x80-\xff]+", data)))
    multibyte = sum(len(run) for run in _MULTIBYTE.findall(data))
    if multibyte > MOST_MULTIBYTE * high:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceUnreadable(
            f"{name} is damaged UTF-8: line {line} has an invalid byte", hint="save it as UTF-8 and try again"
        )
    if high > MOST_HIGH_BYTES * len(data) or len(_CONTROL_BYTES.findall(data)) * 100 > len(data):
        raise _not_text(name)
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise _not_text(name) from error


def _not_text(name: str) -> SourceUnreadable:
    return SourceUnreadable(
        f"{name} is not a text file, or its encoding is unknown",
        hint="give a Markdown, text, HTML, PDF or DOCX file, with text saved as UTF-8",
    )
