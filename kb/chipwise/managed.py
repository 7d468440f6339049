"""A knowledge base as one keeps it: made, filled, built, opened and examined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from chipwise.errors import KnowledgeBaseMissing
from chipwise.files import user_folder
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL, find_model

if TYPE_CHECKING:
    from chipwise.building.building import BuildReport
    from chipwise.building.documents import AddReport
    from chipwise.contents import AddedDocument
    from chipwise.health import Ailment, Status
    from chipwise.opening import OpenIndex

Progress = Callable[[str, int, int], None]  # stage, done, total


class ManagedBase:
    """The folder of a knowledge base, and its index for as long as it is open. Constructing it touches nothing on disk."""

    DEFAULT_MODEL = DEFAULT_MODEL  # the embedding model of a new one

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = _knowledge(folder)
        self._resources = ExitStack()
        self._opened: OpenIndex | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened = None
        self._resources.__exit__(kind, error, trace)  # a broken index is told by what reading it raised

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self._folder.folder

    @property
    def model(self) -> str:
        """The embedding model that it names. Raises KnowledgeBaseDamaged."""
        return self._folder.read_contents().model

    @property
    def _index(self) -> OpenIndex:
        if self._opened is None:
            self.open()
        assert self._opened is not None  # noqa: S101
        return self._opened

    def open(self, progress: Progress = lambda *_: None) -> list[str]:
        """Brings the index up to date and opens it; the other methods do so when it is first needed.

        Gives back what to know of it, a sentence each: documents that had to be left out, and whether an
        older index answers because a newer one cannot be built. Raises KnowledgeBaseDamaged, and what
        `build` raises where there is no index yet.
        """
        from chipwise.opening import opened  # noqa: PLC0415

        self.close()
        index = self._opened = self._resources.enter_context(opened(self._folder, progress))
        return [*_left_out(index.unreadable), *([index.notice] if index.notice else [])]

    def close(self) -> None:
        """Closes the index; the next call opens it again."""
        self._opened = None
        self._resources.close()

    def create(self, *, shipped: bool = True, model: str = DEFAULT_MODEL) -> None:
        """Makes a new one of the folder, with the shipped corpus or without. Raises StorageFailed, ModelUnavailable."""
        from chipwise.building.documents import initialise  # noqa: PLC0415

        initialise(self._folder, shipped=shipped, model=find_model(model).name)

    def add(self, *files: str | Path) -> AddReport:
        """Adds files, and all that can be read below folders; one that cannot be read keeps no other out."""
        from chipwise.building.documents import add_files  # noqa: PLC0415

        self.close()
        return add_files(self._folder, [Path(file) for file in files])

    def add_stream(self, stream: BinaryIO, name: str) -> AddReport:
        """Adds what a stream holds, under a name whose suffix tells its format. Raises SourceUnreadable."""
        from chipwise.building.documents import add_text  # noqa: PLC0415
        from chipwise.reading import MAX_BYTES  # noqa: PLC0415

        self.close()
        return add_text(self._folder, stream.read(MAX_BYTES + 1), name)

    def remove(self, *sources: str) -> tuple[AddedDocument, ...]:
        """Takes added documents out, by id or path. Raises SourceUnknown, and then takes out none."""
        from chipwise.building.documents import remove_sources  # noqa: PLC0415

        self.close()
        return remove_sources(self._folder, sources)

    def build(
        self, progress: Progress = lambda *_: None, *, fresh: bool = False, model: str | None = None
    ) -> BuildReport:
        """Brings the index up to date, or makes it anew. Raises KnowledgeBaseBusy, StorageFailed, ModelUnavailable, DomainInvalid."""
        from chipwise.building.refreshing import build  # noqa: PLC0415

        self.close()
        if model is not None:
            found = find_model(model)
            with self._folder.editing() as contents:
                self._folder.write_contents(replace(contents, model=found.name))
        return build(self._folder, progress, fresh=fresh)

    def status(self) -> Status:
        """What it holds, by its seal and the sizes of its files alone. Raises KnowledgeBaseDamaged."""
        from chipwise.health import read_status  # noqa: PLC0415

        return read_status(self._folder)

    def examine(self) -> list[Ailment]:
        """Everything wrong with it that can be found."""
        from chipwise.health import examine  # noqa: PLC0415

        return examine(self._folder)


def _left_out(unreadable: Sequence[tuple[str, Exception]]) -> list[str]:
    return [f"left out {name}: {error}" for name, error in unreadable]


def _knowledge(named: str | Path | None) -> KnowledgeFolder:
    """The folder of that name, or the database where it is a URL."""
    if isinstance(named, str) and named.startswith(("postgresql://", "postgres://")):
        from chipwise.postgres.server import KnowledgeServer  # noqa: PLC0415

        return KnowledgeServer(named, user_folder("data") / "servers")
    return KnowledgeFolder(user_folder("data") if named is None else _path(named))


def _path(folder: str | Path) -> Path:
    try:
        return Path(folder).expanduser()
    except RuntimeError as error:  # ~nobody
        raise KnowledgeBaseMissing(f"{folder} is no folder: {error}", hint="name a folder with --kb") from None
