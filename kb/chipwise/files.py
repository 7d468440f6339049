"""Files of a knowledge base: their state, replacing them whole, locking them, a disk that refuses.

Knows nothing of what they hold, and loads neither SQLite nor the lock's library
until one is needed: a question that changes nothing needs no lock.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chipwise.errors import KnowledgeBaseBusy, StorageFailed
from chipwise.values import dataclass

# What a disk, a file system or its owner answers; any other error is a mistake of ours and keeps its traceback.
_REFUSALS = frozenset(
    getattr(errno, name)
    for name in """ENOSPC EDQUOT EFBIG EIO EROFS EACCES EPERM EMFILE ENFILE ENOTDIR EISDIR EEXIST ENOTEMPTY
    ELOOP ENAMETOOLONG ENOLCK EBUSY ESTALE ETIMEDOUT ENODEV ENXIO""".split()
    if hasattr(errno, name)  # Windows has no quota
)
# kind -> the variable of the XDG base directories, and where its folder usually is
_XDG = {
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
    "state": ("XDG_STATE_HOME", "~/.local/state"),
}
_SQLITE_REFUSALS = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN")


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells that a source's file is still the one that was read."""

    sha256: str
    size: int
    modified: int


def user_folder(kind: str) -> Path:
    """Our folder among the user's: of "config", "data" or "state"."""
    if sys.platform == "linux":  # what platformdirs says, too; to load it takes a tenth of a look-up
        variable, usual = _XDG[kind]
        stated = os.environ.get(variable, "")
        folder = Path(stated if os.path.isabs(stated) else os.path.expanduser(usual))  # noqa: PTH111, PTH117
        if folder.is_absolute():
            return folder / "chipwise"
    import platformdirs  # noqa: PLC0415

    return Path(getattr(platformdirs, f"user_{kind}_dir")("chipwise", appauthor=False))


def file_times(path: Path | str) -> tuple[int, int] | None:
    """Size and modification time in nanoseconds, or None where there is no file: a pipe or a folder is none."""
    try:
        state = os.stat(path)  # noqa: PTH116 (a question asks this of some hundred, as text)
    except OSError:
        return None
    return (state.st_size, state.st_mtime_ns) if stat.S_ISREG(state.st_mode) else None


def paths_in(folder: Path, ending: str | tuple[str, ...]) -> list[str]:
    """The files of a folder whose names end so, by name; none where there is no folder.

    As text: to make a path of each takes several times as long, and every question asks for the state of some hundred.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 (a path of each name is what is to be spared)
    except OSError:
        return []
    return [f"{folder}{os.sep}{name}" for name in sorted(names) if name.endswith(ending)]


def read_whole(path: Path) -> bytes:
    """The content of one of our own files. Raises OSError, for a pipe or a device too: reading one may never end."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return file.read()


def _without_waiting(path: str, flags: int) -> int:
    """Opens a pipe that nobody writes to as well, so that it can be told from a file."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path) -> str:
    """The text of one of our own files. Raises OSError, and ValueError for what is no UTF-8."""
    return read_whole(path).decode("utf-8").replace("\r\n", "\n")


def read_with_state(path: Path) -> tuple[bytes, FileState]:
    """The content of a file and its state, to be compared with `file_times` later. Raises OSError."""
    import hashlib  # noqa: PLC0415 (no look-up needs it)

    # subtle: the times first; taken afterwards they would vouch for a change that was not read
    times = file_times(path)
    data = read_whole(path)
    return data, FileState(hashlib.sha256(data).hexdigest(), *(times or (len(data), 0)))


def make_folder(path: Path) -> None:
    """Makes a folder and those above it. Raises StorageFailed."""
    try:
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError as error:  # /proc and an automounter's folder answer so
        raise _storage_failed(path, error) from error


def write_atomically(path: Path, content: str | bytes) -> None:
    """Writes beside and renames over; the old file stays whole if anything fails."""
    make_folder(path.parent)
    with storage_errors(path):
        beside = path.with_name(f".{os.getpid()}.part")  # a name as long as a name may be has no room for more
        try:
            with beside.open("wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def locked(path: Path, doing: str, *, timeout: float) -> Iterator[None]:
    """Holds the lock file `path` while `doing` what no two processes may do at once.

    Raises KnowledgeBaseBusy when another holds it for `timeout` seconds, StorageFailed.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415

    make_folder(path.parent)
    lock = FileLock(path, timeout=timeout)
    with storage_errors(path.parent):
        try:
            lock.acquire()
        except Timeout:
            raise KnowledgeBaseBusy(
                f"another chipwise is {doing}", hint="wait until it has finished, then try again"
            ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turns what the disk refuses, asked by us or by SQLite, into StorageFailed."""
    try:
        yield
    except Exception as error:
        if not _is_refusal(error):
            raise
        raise _storage_failed(path, error) from error


def _is_refusal(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in _REFUSALS
    # only sqlite3's errors have the name; asking for their type would load SQLite
    return str(getattr(error, "sqlite_errorname", "")).startswith(_SQLITE_REFUSALS)


def _storage_failed(path: Path, error: Exception) -> StorageFailed:
    return StorageFailed(
        f"{path} cannot be written: {getattr(error, 'strerror', None) or error}",
        hint="free some space or permission there, or name another folder with --kb",
    )
