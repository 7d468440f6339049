"""All errors, as one tree.

    ChipwiseError                   base of every error that a user can act on
    ├── SourceUnreadable            a file that can't become a document (ValueError too)
    ├── SourceUnknown               no source, passage or code of that name (LookupError too)
    ├── NameUnknown                 no chip, metric or unit of that name, or several chips (LookupError too)
    ├── DeviceToolMissing           no driver tool lists the devices of this machine
    ├── QuestionInvalid             not a question that can be asked (ValueError too)
    ├── Underdetermined             the given values don't determine the result (ValueError too)
    ├── Ambiguous                   two derivations give different results (ValueError too)
    ├── SettingsInvalid             an invalid settings or baseline file (ValueError too)
    ├── DomainInvalid               corpus data that breaks its schema (ValueError too)
    ├── ModelUnavailable            no such embedding model, or unexpected weights
    ├── EndpointFailed              a language model's address without a usable answer
    └── KnowledgeBaseError          the knowledge base on disk or server
        ├── KnowledgeBaseMissing    not there, or never built
        ├── KnowledgeBaseDamaged    truncated, foreign or from another version
        ├── KnowledgeBaseBusy       another process is building it
        └── StorageFailed           disk full, read-only, no permission

A message says what is wrong, the hint what to do. Anything else that escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class ChipwiseError(Exception):
    """Base of all errors; `hint` is one sentence on what to do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SourceUnreadable(ChipwiseError, ValueError):
    """A file that can't become a document."""


class SourceUnknown(ChipwiseError, LookupError):
    """No source, passage or code of that name."""


class NameUnknown(ChipwiseError, LookupError):
    """No chip, metric, unit or figure of that name, or several chips: the `candidates`."""

    def __init__(self, message: str, candidates: tuple[str, ...] = (), *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.candidates = candidates


class DeviceToolMissing(ChipwiseError):
    """No driver tool lists the devices of this machine."""


class QuestionInvalid(ChipwiseError, ValueError):
    """Not a question that can be asked."""


class Underdetermined(ChipwiseError, ValueError):
    """The given values don't determine the result; the message names what is missing."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)


class Ambiguous(ChipwiseError, ValueError):
    """Two derivations of equal cost give different results."""


class DomainInvalid(ChipwiseError, ValueError):
    """Corpus data that breaks its schema; the message names file and line."""


class SettingsInvalid(ChipwiseError, ValueError):
    """A settings or baseline file that is missing or invalid; the message names file and key."""


class ModelUnavailable(ChipwiseError):
    """No such embedding model, or unexpected weights."""


class EndpointFailed(ChipwiseError):
    """A language model's address that doesn't answer, or not in the usual format."""


class KnowledgeBaseError(ChipwiseError):
    """A problem with the knowledge base on disk or server."""


class KnowledgeBaseMissing(KnowledgeBaseError):
    """Not there, or never built."""


class KnowledgeBaseDamaged(KnowledgeBaseError):
    """Truncated, foreign, or written by another version."""


class KnowledgeBaseBusy(KnowledgeBaseError):
    """Another process is building it."""


class StorageFailed(KnowledgeBaseError):
    """Disk full, read-only, or no permission."""


@contextmanager
def intact(
    path: Path, hint: str = "reinstall chipwise", kind: type[ChipwiseError] = ModelUnavailable
) -> Iterator[None]:
    """Turn whatever keeps one of our own files from loading into an error of this kind."""
    try:
        yield
    except Exception as error:  # numpy, zipfile, onnxruntime and tokenizers raise bare exceptions of many kinds
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise kind(f"{path} doesn't load: {reason}", hint=hint) from error
