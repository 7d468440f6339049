"""What can go wrong, as one tree.

    ChipwiseError                   every error that a user can do something about
    ├── SourceUnreadable            a file that cannot become a document (ValueError too)
    ├── SourceUnknown               no source, passage or code of that name (LookupError too)
    ├── NameUnknown                 no chip, metric or unit of that name, or several chips (LookupError too)
    ├── DeviceToolMissing           no driver's tool lists the devices of this machine
    ├── QuestionInvalid             nothing that could be asked (ValueError too)
    ├── Underdetermined             what is wanted does not follow from what is given (ValueError too)
    ├── Ambiguous                   it follows in two ways that differ (ValueError too)
    ├── SettingsInvalid             a settings or baseline file that breaks its form (ValueError too)
    ├── DomainInvalid               corpus data that breaks its schema (ValueError too)
    ├── ModelUnavailable            no such embedding model, or not the expected weights
    ├── EndpointFailed              a language model's address that gives nothing usable
    └── KnowledgeBaseError          the folder on disk
        ├── KnowledgeBaseMissing    not there, or never built
        ├── KnowledgeBaseDamaged    truncated, foreign or from another version
        ├── KnowledgeBaseBusy       another process is building it
        └── StorageFailed           disk full, read-only, no permission

A message says what happened, the hint what to do. Anything else that escapes
is a bug and keeps its traceback.
"""

from __future__ import annotations


class ChipwiseError(Exception):
    """Base of all; `hint` is one sentence on what to do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SourceUnreadable(ChipwiseError, ValueError):
    """A file that cannot become a document."""


class SourceUnknown(ChipwiseError, LookupError):
    """No source, passage or code of that name."""


class NameUnknown(ChipwiseError, LookupError):
    """No chip, metric, unit or figure of that name, or several chips, the `candidates`."""

    def __init__(self, message: str, candidates: tuple[str, ...] = (), *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.candidates = candidates


class DeviceToolMissing(ChipwiseError):
    """No driver's tool lists the devices of this machine."""


class QuestionInvalid(ChipwiseError, ValueError):
    """Nothing that could be asked."""


class Underdetermined(ChipwiseError, ValueError):
    """What is wanted does not follow from what is given; the message names what is missing."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)


class Ambiguous(ChipwiseError, ValueError):
    """What is wanted follows in two ways of equal cost that differ."""


class DomainInvalid(ChipwiseError, ValueError):
    """Corpus data that breaks its schema; the message names file and line."""


class SettingsInvalid(ChipwiseError, ValueError):
    """A file of settings, or a baseline, that is missing or breaks its form; the message names file and key."""


class ModelUnavailable(ChipwiseError):
    """No such embedding model, or not the expected weights."""


class EndpointFailed(ChipwiseError):
    """A language model's address that does not answer, or not in the usual form."""


class KnowledgeBaseError(ChipwiseError):
    """The knowledge-base folder."""


class KnowledgeBaseMissing(KnowledgeBaseError):
    """Not there, or never built."""


class KnowledgeBaseDamaged(KnowledgeBaseError):
    """Truncated, foreign, or written by another version."""


class KnowledgeBaseBusy(KnowledgeBaseError):
    """Another process is building it."""


class StorageFailed(KnowledgeBaseError):
    """Disk full, read-only, or no permission."""
