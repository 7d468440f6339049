"""Texts say here what is written down of them."""

from ..written_down import as_written_down

__all__ = ["as_written_down"]
