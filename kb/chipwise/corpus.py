"""Paths of the shipped corpus, inside the installed package or in the checkout that it runs from."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
_INSTALLED = _HERE / "_corpus"
_DOCUMENT_FOLDERS = ("sources", "primers")


def shipped_folder() -> Path:
    """The folder that holds sources/, primers/, facts/ and domain/."""
    return _HERE.parents[1] / "corpus" if in_checkout() else _INSTALLED


def in_checkout() -> bool:
    """True if this library runs from a checkout, whose code may change at any time."""
    return not _INSTALLED.is_dir()


def shipped_documents() -> list[Path]:
    """Every shipped document, in order."""
    return [Path(path) for path in document_paths()]


def document_paths() -> list[str]:
    """The paths of the shipped documents as text."""
    from chipwise.files import paths_in  # noqa: PLC0415 (a look-up by name reads no documents)

    folder = shipped_folder()
    return [path for name in _DOCUMENT_FOLDERS for path in paths_in(folder / name, ".md")]


def domain_folder() -> Path:
    """The shipped domain files."""
    return shipped_folder() / "domain"


def facts_folder() -> Path:
    """The curated facts table."""
    return shipped_folder() / "facts"


def digests_folder() -> Path:
    """The digests that facts cite."""
    return shipped_folder() / "sources"


def claims_folder() -> Path:
    """The reviewed claims of the shipped documents."""
    return shipped_folder() / "claims"


def reader_folder() -> Path:
    """The trained readers: graphs, weights and vocabularies."""
    return shipped_folder() / "reader"


def question_reader_folder() -> Path:
    """The trained reader of questions and passages: weight deltas and calibration."""
    return reader_folder() / "questions"


def known_questions_folder() -> Path:
    """Questions about the shipped documents, with what answers them."""
    return shipped_folder() / "questions"


def aim_file() -> Path:
    """The map from a question's vector to the vector that searches for its answers."""
    return question_reader_folder() / "aim.npz"
