"""Files become documents: text, blocks with roles, and the metadata of the source.

    files         picks the reader for a file, sets limits, lists the files of a folder
    decoding      bytes -> text without terminal control characters
    markdown      } one reader per format: text and drafts of blocks; each
    plaintext     } imports its own parsing library
    html, pdf, docx
    frontmatter   metadata of a Markdown file, validated
    furniture     the role of each line of a copied page, by order and by the wordings of corpus/domain/pages.toml
    blocks        drafts -> Block: stripped, in order, with line numbers

Every error that callers can meet is SourceUnreadable.
"""

from __future__ import annotations

from chipwise.reading.files import MAX_BYTES, READABLE, STRUCTURED, find_files, keeps_lines, read_bytes, read_file

__all__ = ["MAX_BYTES", "READABLE", "STRUCTURED", "find_files", "keeps_lines", "read_bytes", "read_file"]
