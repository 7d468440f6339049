"""What a build has to do: which documents are new, changed, merely touched, or gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chipwise.errors import ChipwiseError, SourceUnreadable
from chipwise.files import FileState, file_times, read_with_state
from chipwise.knowledge import WantedSource
from chipwise.reading import read_bytes
from chipwise.types import Document


@dataclass(frozen=True, slots=True)
class Plan:
    """What differs between the documents wanted and the ones stored.

    `documents` are read already; `touched` have a new time and the same content;
    `unreadable` are left out, each with its reason.
    """

    documents: tuple[tuple[Document, FileState], ...]
    touched: tuple[tuple[str, FileState], ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    unreadable: tuple[tuple[str, ChipwiseError], ...]

    @property
    def changes_passages(self) -> bool:
        """False when the passages stored are the ones wanted."""
        return bool(self.documents or self.removed)


@dataclass
class _Findings:
    """What is found while the documents are looked at, one after another."""

    known: dict[str, FileState]
    documents: list[tuple[Document, FileState]] = field(default_factory=list)
    touched: list[tuple[str, FileState]] = field(default_factory=list)
    unreadable: list[tuple[str, ChipwiseError]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)  # of all that are kept, touched or read

    def look_at(self, source: WantedSource) -> None:
        """Keeps, touches or reads one document."""
        id_ = source.id or source.path.stem
        state = self.known.get(id_)
        if state is not None and file_times(source.path) == (state.size, state.modified):
            self._claim(id_)
            return
        data, now = read_with_state(source.path)
        if state is not None and state.sha256 == now.sha256:
            self._claim(id_)
            self.touched.append((id_, now))
            return
        document = read_bytes(data, name=source.path.name, origin=source.origin, source_id=source.id)
        self._claim(document.info.id)
        self.documents.append((document, now))

    def _claim(self, id_: str) -> None:
        if id_ in self.ids:
            raise SourceUnreadable(
                f"another document has the id {id_}",
                hint="`chipwise remove` the one that you added, then add it again: it gets an id of its own",
            )
        self.ids.add(id_)


def plan(wanted: list[WantedSource], known: dict[str, FileState], stored: Iterable[str]) -> Plan:
    """Compares what is wanted with the file states `known`; `stored` are the ids in the index.

    With `known` empty everything is read again, whatever is stored.
    """
    found, stored = _Findings(known), set(stored)
    for source in wanted:
        try:
            found.look_at(source)
        except ChipwiseError as error:
            found.unreadable.append((str(source.path), error))
        except OSError as error:
            reason = SourceUnreadable(
                f"{source.path} cannot be read: {error.strerror}", hint="restore it, or `chipwise remove` the source"
            )
            found.unreadable.append((str(source.path), reason))
    fresh = {document.info.id for document, _ in found.documents}
    return Plan(
        tuple(found.documents),
        tuple(found.touched),
        removed=tuple(sorted(stored - found.ids)),
        added=tuple(sorted(fresh - stored)),
        changed=tuple(sorted(fresh & stored)),
        unreadable=tuple(found.unreadable),
    )
