"""The knowledge base of the report's tests: the shipped facts, and documents that disagree and that try to become markup."""

from __future__ import annotations

from ..reporting.conftest import folder

__all__ = ["folder"]
