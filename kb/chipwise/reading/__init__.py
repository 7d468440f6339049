"""Files become documents: text, blocks with roles, and what a source says of itself.

    files         which reader a file gets, its limits, a folder's files
    decoding      bytes -> text in which nothing can drive a terminal
    markdown      } one reader per format: text and drafts of blocks; nothing
    plaintext     } outside its own room imports the library that it needs
    html, pdf, docx
    frontmatter   what a Markdown file says of itself, validated
    blocks        drafts -> Block: stripped, in order, with lines

Every error that a reader of this package can meet is SourceUnreadable.
"""

from __future__ import annotations

from chipwise.reading.files import MAX_BYTES, READABLE, find_files, keeps_lines, read_bytes, read_file
from chipwise.reading.formats import STRUCTURED

__all__ = [
    "MAX_BYTES",
    "READABLE",
    "STRUCTURED",
    "find_files",
    "keeps_lines",
    "read_bytes",
    "read_file",
]
