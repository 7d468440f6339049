"""Generations on disk: the name of the next, what its seal says of it, and which ones may go."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chipwise import patterns as re
from chipwise.errors import KnowledgeBaseDamaged
from chipwise.files import storage_errors
from chipwise.knowledge import KnowledgeFolder

# what a build makes below index/; the folder may be one of the user's own that holds other things
_OURS = re.compile(r"\.?(?:g\d{6,}|encoder-[0-9a-f]{8}-g\d{6,})")


@contextmanager
def new_generation(base: KnowledgeFolder) -> Iterator[tuple[str, Path]]:
    """A name that no generation has, later in order than all, and a folder to fill and rename to it.

    Afterwards every generation but the sealed one and the one sealed before is removed: readers may have both open.
    """
    numbers = [int(p.name[1:]) for p in base.index_folder.glob("g*") if p.name[1:].isdigit()]
    name = f"g{max(numbers, default=0) + 1:06d}"
    before, partial = sealed_names(base), base.index_folder / f".{name}"
    try:
        with storage_errors(base.index_folder):
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True)
            yield name, partial
    finally:
        remove_others(base, keep=before | sealed_names(base))


def sealed_names(base: KnowledgeFolder) -> set[str]:
    """What readers may have open right now: the sealed generation and its encoder, where there is a seal."""
    try:
        seal = base.find_seal()
    except KnowledgeBaseDamaged:
        return set()
    return set() if seal is None else {seal.generation, seal.encoder}


def remove_others(base: KnowledgeFolder, keep: set[str]) -> None:
    """Removes every generation and encoder but those to keep, and what a killed build left."""
    for path in base.index_folder.glob("*"):
        if _OURS.fullmatch(path.name) and path.name not in keep:
            shutil.rmtree(path, ignore_errors=True)


def checksums(index_folder: Path, folders: list[Path]) -> dict[str, tuple[int, str]]:
    """The size and sha256 of every file in `folders`, by its path below `index_folder`."""
    files = {}
    for path in sorted(p for folder in folders for p in folder.iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        files[path.relative_to(index_folder).as_posix()] = (path.stat().st_size, digest)
    return files
