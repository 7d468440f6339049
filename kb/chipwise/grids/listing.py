"""A listing in a text as a tree: a dictionary, a struct, a JSON record between its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from chipwise.errors import SourceUnreadable
from chipwise.grids.data import read_tree
from chipwise.grids.tree import Node
from chipwise.reading.files import STRUCTURED

# what is written behind the fence where that is no suffix
_SUFFIXES: Final = {"python": "py", "python3": "py", "rust": "rs", "golang": "go", "typescript": "ts", "javascript": "js", "c++": "cpp", "cuda": "cu"}  # fmt: skip
_FENCES: Final = ("```", "~~~")
_ANY: Final = ".js"  # the language whose signs most others share


def read_listings(text: str) -> Iterator[tuple[int, str, Node]]:
    """Where the code and data between fences or without any begin, each with its text and its tree."""
    at = begin = 0
    language, inside = "", False
    for line in (*text.splitlines(keepends=True), _FENCES[0]):
        if line.lstrip().startswith(_FENCES):
            body = text[begin:at]
            tree = _read(body, language)
            if tree is not None:
                yield begin, body, tree
            inside = not inside
            language = line.strip("`~ \r\n").partition(" ")[0].lower() if inside else ""
            begin = at + len(line)
        at += len(line)


def _read(body: str, language: str) -> Node | None:
    suffix = f".{_SUFFIXES.get(language, language)}"
    if suffix not in STRUCTURED and not (body.lstrip().startswith(("{", "[")) or _is_keyed(body)):
        return None
    for tried in (
        suffix if suffix in STRUCTURED else ".yaml",
        _ANY,
    ):  # a dictionary whose comma is missing is read as far as its brackets go
        with suppress(SourceUnreadable):
            return read_tree(body, f"listing{tried}")
    return None


def _is_keyed(body: str) -> bool:
    """True where each line gives a key of one word and its value."""
    keys = [line.replace("=", ":").partition(":")[0].strip() for line in body.splitlines() if line.strip()]
    return bool(keys) and all(len(key.split()) == 1 and key.strip("\"'-").isidentifier() for key in keys)
