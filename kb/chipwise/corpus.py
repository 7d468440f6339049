"""Where the shipped corpus is: inside the installed package, or in the checkout that it runs from."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent
_INSTALLED = _HERE / "_corpus"
_DOCUMENT_FOLDERS = ("sources", "primers")


def shipped_folder() -> Path:
    """The folder that holds sources/, primers/, facts/ and domain/."""
    return _HERE.parents[1] / "corpus" if in_checkout() else _INSTALLED


def in_checkout() -> bool:
    """True where this library runs from a checkout, whose code may change at any time."""
    return not _INSTALLED.is_dir()


def shipped_documents() -> list[Path]:
    """Every shipped document, in order."""
    return [Path(path) for path in document_paths()]


def document_paths() -> list[str]:
    """The same as text."""
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
    """The claims on figures of the shipped documents, as they are meant."""
    return shipped_folder() / "claims"


def reader_folder() -> Path:
    """What the readers were trained to: graphs, weights, words and questions that are known."""
    return shipped_folder() / "reader"


def question_reader_folder() -> Path:
    """What the reader of questions and passages was trained to: deltas, calibration and known questions."""
    return reader_folder() / "questions"


def precedents_file() -> Path:
    """Questions that people ask of the shipped documents, with what answers them."""
    return question_reader_folder() / "precedents.npz"


def aim_file() -> Path:
    """How the vector of a question is turned to search for what answers it."""
    return question_reader_folder() / "aim.npz"
