"""Files become documents: text, blocks with roles, and the metadata of the source.

    files         picks the reader for a file, sets limits, lists the files of a folder
    decoding      bytes -> text without terminal control characters
    markdown      } one reader per format: text and drafts of blocks; each
    plaintext     } imports its own parsing library
    html, pdf, docx
    frontmatter   metadata of a Markdown file, validated
    sections      the role that a heading gives to what stands below it; furniture: of the lines of a copied page
    wordings      the words that both go by: corpus/domain/pages.toml
    blocks        drafts -> Block: stripped, in order, with line numbers

Every error that callers can meet is SourceUnreadable.
"""

from __future__ import annotations

from chipwise.reading.files import MAX_BYTES, READABLE, STRUCTURED, find_files, keeps_lines, read_bytes, read_file

__all__ = ["MAX_BYTES", "READABLE", "STRUCTURED", "find_files", "keeps_lines", "read_bytes", "read_file"]
